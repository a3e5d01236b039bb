"""Says short forms and words of charts in everyday words, and finds what is left of shorthand.

Rows of assets/rules/letter (plain_terms.tsv, lay_words.tsv, second_person.tsv), the short forms of the lexicon that have one meaning,
and the plain wording of concepts. A row is only used where the reading of the note does not say another meaning. Numbers stay as they are.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from backend.generation.letter.plain_language.chart_shapes import plain_shapes
from backend.generation.letter.plain_language.in_place import (
    Piece,
    placed,
    with_places_behind,
    without_doubles,
    without_repeats,
)
from backend.generation.letter.plain_language.letter_words import lists
from backend.generation.letter.plain_language.verb_forms import is_auxiliary
from backend.generation.letter.told_checks.spelling import spelled
from backend.nlp.lexicon.variants import english_words, stem
from backend.nlp.rules import RULES, rule_rows
from backend.nlp.rules.plain_words import Phrases, Term, plain_words
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.record import (
    MedicationStatement,
    ProblemStatement,
    ProcedureStatement,
    Statement,
    VerificationStatus,
)  # fmt: skip
from backend.schemas.vocabulary import Category
from backend.stores.compiled import compiled

_LETTER = RULES / "letter"
_QUOTED = re.compile(r"([\"“][^\"“”]*[\"”])")
_MARKS = re.compile(r"->|--+>?|→|=|\[|\]|\{|\}|[>#@~|^*<≥≤±\\_§↑↓]|\?\?|\+\+|!!|(?<![\w)])\+|(?<!\w)\?|\d\+|\bsic\b")
_TOKEN = re.compile(r"(?<![^\W_])[^\W\d_][^\W_]*(?:['’.&/-][^\W_]+)*")
_NAME = re.compile(r"(?:Mc|Mac|O['’]|[A-Z][a-z]+-)[A-Z]")
_JOINED = re.compile(r"'(?:s|ll|ve|m|re|d)$")
_STAGE = re.compile(r"[IVX]{1,4}[A-D]?")
_CAPITALS = re.compile(r"\b[A-Z]{2,}\b")
_IN_CAPITALS = re.compile(r"(?<![\w/])(?:[A-Za-z]-)?(?=\w*[A-Z]{2})[A-Z][A-Z0-9]{1,5}s?(?:-\d{1,2})?(?![\w/])")
"""A test, a regimen or a vessel in capitals."""
_BRACKETED = re.compile(r"(?<=[a-z]) \((\w+)\)")
"""A short form behind the plain words for it: "blood sugar test (A1c)"."""
_MIXED = re.compile(r"\b(?=\w*\d)(?=\w*[A-Za-z])[A-Za-z0-9]+\b")
_WITH_UNIT = re.compile(
    r"\d+(?:st|nd|rd|th|mg|mcg|g|kg|ml|mL|L|l|cm|mm|am|pm|AM|PM|h|k|K|m|lb|lbs|C|cc|s)|(?:\d|9\d|1[01]\d)F|[A-Z]\d{1,2}|[xX]\d|[A-Za-z]{3,}\d{1,2}|B12|D\d"
)
_BARE_DOSE = re.compile(r"(?<![\w.,/])\d+(?:\.\d+)?\s(?:IV|IM|SC|SQ|PR)\b")
"""A dose without its unit before its route: "morphine 4 IV"."""
_VOWEL, _SHORT, _SHORTEST, _LEAST = re.compile(r"[aeiouyAEIOUY]"), 5, 3, 4
_MOST_WORDS = 6
"""Words of a plain wording that may stand instead of a term."""
_REPLACED = frozenset((Category.SYMPTOM, Category.FINDING, Category.PHENOMENON, Category.PHYSIOLOGY))
_ARTICLES = ("a ", "an ", "the ")
_WHOLE = frozenset((Category.DISEASE, Category.PROCEDURE))
_QUOTE_MARKS = frozenset('"“”')
_PLACE = re.compile(
    r"\b[A-Z]{2,5} (?=Hospital|Clinic|Medical|Center|hospital|emergency)|(?<=Dr\. )[A-Z]{1,4}\b|(?<=Dr )[A-Z]{1,4}\b"
)
_NEW_SENTENCE = re.compile(r"\s+[A-Z][a-z]")
_TITLED = re.compile(r" [A-Z][a-z]+\b")
_GOES_ON = re.compile(r"[\w,)%’'-]\s+$")
_AFTER, _BEFORE = re.compile(r"\s+([^\W\d_]+)"), re.compile(r"\b(?:an?|the)\s+$", re.IGNORECASE)
_ARTICLE = re.compile(r"\b([aA])(n?) (?=(h(?!our|onest|eir)|[bcdfgjklmnpqrstvwyz])|([aeio]))")


class _Read(NamedTuple):
    """A name as the record reads it."""

    start: int
    end: int
    name: str
    category: Category | None
    concept: str


def in_plain_terms(text: str) -> str:
    """A few words of a note in plain words, without a reading of the note they are from."""
    return _unread().said(text, 0)


@lru_cache(maxsize=1)
def _unread() -> "PlainTerms":
    return PlainTerms((), {})


class PlainTerms:
    """Says the words of one note plainly. Build one a story.

    Args:
        statements: of the record: a short form that they read otherwise stays.
        plain: everyday words by concept id.
        periods: the note means three days by "3/7".
    """

    def __init__(self, statements: Sequence[Statement], plain: Mapping[str, str], *, periods: bool = False) -> None:
        self._plain, self._periods = plain, periods
        self._read: list[_Read] = []
        known: set[str] = set()
        for one in statements:
            name = getattr(one, "name", "") or getattr(one, "agent", "") or getattr(one, "measure", "")
            if not one.spans or not name:
                continue
            span = one.spans[0]
            category = one.category if isinstance(one, ProblemStatement) and not self._breaks_a_list(one) else None
            if isinstance(one, ProcedureStatement):
                category = Category.PROCEDURE
            self._read.append(
                _Read(span.start_char, span.end_char, name, category, getattr(one, "concept_id", None) or "")
            )
            clinical = isinstance(one, ProblemStatement | ProcedureStatement)
            unknown = clinical and getattr(one, "concept_id", None) is None
            # a name that the note clips ("ankle frac") is shorthand for all that it was read; "polycythemia vera" is none
            called = _words(name)
            known.update(
                w
                for w in _words(span.text)
                if not clinical
                or len(w) >= _SHORT
                or (len(w) >= _LEAST and w in span.text and not any(each.startswith(w) for each in called))
            )
            known.update(w for w in _words(name) if not unknown or len(w) >= _SHORT)
        self._read.sort(key=lambda one: (one.start, -one.end))
        self._known = frozenset(known)
        doses = [one.dosage for one in statements if isinstance(one, MedicationStatement)]
        self._regimens = frozenset(
            word
            for one in statements
            if isinstance(one, MedicationStatement)
            for span in one.spans
            for word in _CAPITALS.findall(span.text)
        )
        self._od = any(dose.timing == "QD" and dose.timing_text.lower() == "od" for dose in doses)

    def _breaks_a_list(self, one: ProblemStatement) -> bool:
        """Whether the plain words of what is denied hold a clause: "no cough, pain when passing urine, fever" denies no fever."""
        said = self._plain.get(one.concept_id or "", "").split()
        dependent = word_lists("attributes/words_clauses")["dependent"]
        return (
            one.verification_status is VerificationStatus.REFUTED and len(said) > 1 and not dependent.isdisjoint(said)
        )

    def said(self, text: str, start: int) -> str:
        """A stretch of the note in plain words.

        Args:
            text: of the stretch.
            start: where it begins in the note.
        """
        out: list[str] = []
        at = 0
        for part in _QUOTED.split(text):
            if part[:1] in _QUOTE_MARKS and part[-1:] in _QUOTE_MARKS and len(part) > 1:
                out.append(part)
            else:
                out.append(self._part(part, start + at))
            at += len(part)
        worded = "".join(out)
        worded = plain_shapes(worded, od=self._od, periods=self._periods)
        worded = _CAPITALS.sub(lambda match: match[0] if match[0] in self._regimens else _quiet(match), worded)
        return spelled(without_doubles(worded), text, self._known)

    def residue(self, text: str, *, names: bool = False) -> bool:
        """Whether shorthand is left that a patient could not read.

        Args:
            text: in plain words.
            names: what is written in capitals ("CD4", "MRCP") may stay, as names of tests and regimens do.
        """
        bare = _PLACE.sub(" ", _QUOTED.sub(" ", text))
        bare = _BRACKETED.sub(lambda match: " " if match[1] in _allowed() else match[0], bare)
        if _BARE_DOSE.search(bare):
            return True
        if names and any(map(str.islower, bare.split())):
            bare = _IN_CAPITALS.sub(" ", bare)
        if _MARKS.search(bare):
            return True
        if any(not _WITH_UNIT.fullmatch(found) for found in _MIXED.findall(bare)):
            return True
        return any(self._is_short_form(found, bool(number)) for number, found in enumerate(_TOKEN.findall(bare)))

    def _is_short_form(self, found: str, inside: bool) -> bool:
        low = found.lower()
        if low in _allowed() or found in _allowed() or _STAGE.fullmatch(found) or low in lists()["titles"]:
            return False
        if "/" in found:
            units = lists()["units"]
            return not all(
                p.lower() in english_words() or p.lower() in units or p in _allowed() for p in found.split("/")
            )
        capitals = sum(1 for c in found if c.isupper())
        if capitals > 1 and not any(c.islower() for c in found):
            return True
        camel = capitals and any(c.isupper() for part in found.split("-") for c in part[1:]) and not _NAME.match(found)
        if camel and low not in self._known:
            return True
        if (capitals and inside) or low in lists()["units"]:  # a name, a unit
            return False
        plain = low.replace("’", "'")
        if plain.endswith("n't"):
            return False
        plain = _JOINED.sub("", plain)
        if plain in english_words() or plain == "i" or low in self._known:
            return False
        return len(low) <= _SHORT or not _VOWEL.search(low)

    def _part(self, text: str, start: int) -> str:
        out: list[Piece] = []
        at = 0
        for first, last, one in self._named(text, start):
            out += self._replaced(text, at, first, None)
            out += self._name(text, first, last, one) if one else self._replaced(text, first, last, None)
            at = last
        out += self._replaced(text, at, len(text), None)
        return _with_article(with_places_behind(without_repeats(out)))

    def _named(self, text: str, start: int) -> Iterator[tuple[int, int, _Read | None]]:
        """Yield the names in a text in order, each with its reading; None where a row says a phrase that holds whole names."""
        names: list[tuple[int, int, _Read]] = []
        for one in self._read:
            first, last = one.start - start, one.end - start
            if first >= (names[-1][1] if names else 0) and last <= len(text):
                names.append((first, last, one))
        wider: list[tuple[int, int, _Read | None]] = []
        for match in _phrases().found(text):
            met = [(a, b) for a, b, _ in names if a < match.end() and match.start() < b]
            inside = all(match.start() <= a and b <= match.end() for a, b in met)
            if met and inside and match.span() not in met and _term(match[0]) is not None:
                wider.append((*match.span(), None))
        alone = [one for one in names if not any(a <= one[0] and one[1] <= b for a, b, _ in wider)]
        yield from sorted([*wider, *alone], key=lambda one: one[0])

    def _name(self, text: str, first: int, last: int, one: _Read) -> list[Piece]:
        """A name of the record. Of a disease, or an operation that brackets explain, no single word is changed."""
        name = text[first:last]
        known = _bare(name) in _terms()
        if len(name.split()) > 1 and one.category in _WHOLE and not known:
            told = one.category is Category.DISEASE or one.concept in self._plain
            return [Piece(name)] if told else self._replaced(text, first, last, None)
        meant = name if known else self._meant(name, one)
        if meant != name:
            return [Piece(placed(text, first, last, meant), name, meant)]
        return self._replaced(text, first, last, one)

    def _replaced(self, text: str, first: int, last: int, one: _Read | None) -> list[Piece]:
        """A stretch of a text with the written forms in it said plainly; one: whose name the stretch is."""
        out: list[Piece] = []
        at = first
        for match in _phrases().found(text[first:last]):
            found, term = match[0], _term(match[0])
            begin, end = first + match.start(), first + match.end()
            if term is None or (term.last and not _is_last(text, begin, end)):
                continue
            if _in_name(text, begin, end):
                continue
            if one is not None and last - first == len(found) and found.isupper() and not self._agrees(term.plain, one):
                continue  # the reading says another meaning: shorthand is left, and seen
            said = placed(text, begin, end, term.plain)
            if found.endswith(".") and not said.endswith(".") and _NEW_SENTENCE.match(text[end:]):
                said += "."
            capital = found[1:2].islower() and not _GOES_ON.search(text[:begin])
            out += [Piece(text[at:begin]), Piece(_as(found, said) if capital else said, found, term.plain)]
            at = end
        return [*out, Piece(text[at:last])]

    def _meant(self, found: str, one: _Read) -> str:
        """A symptom's name in everyday words; any other name, and a reading by another name, stays."""
        plain = self._plain.get(one.concept, "")
        if (
            one.category not in _REPLACED
            or not plain
            or plain.startswith(_ARTICLES)
            or len(plain.split()) > _MOST_WORDS
        ):
            return found
        if stem(found.lower()) != stem(one.name.lower()) or all(word in english_words() for word in _words(found)):
            return found
        return plain

    def _agrees(self, plain: str, one: _Read) -> bool:
        mine = {stem(w) for w in _words(plain)}
        return bool(mine & {stem(w) for w in _words(f"{one.name} {self._plain.get(one.concept, '')}")})


def _is_last(text: str, begin: int, end: int) -> bool:
    """Whether an adjective stands after its noun or alone: no article before it, and behind it a mark or a small word."""
    after = _AFTER.match(text, end)
    own = lists()
    small = own["prepositions"] | own["joins"] | own["openers"] | own["modals"] | own["adverbs"] | own["negations"]
    ends = after is None or after[1].lower() in small or is_auxiliary(after[1].lower())
    return ends and _BEFORE.search(text, 0, begin) is None


def _in_name(text: str, begin: int, end: int) -> bool:
    """Whether a word in the middle of a sentence is part of a name: "Med" of "Med Center", "Rehab" of "the Rehab Service"."""
    titled = text[begin : begin + 1].isupper() and text[begin + 1 : end].islower()
    return titled and _GOES_ON.search(text[:begin]) is not None and _TITLED.match(text, end) is not None


def _quiet(match: re.Match[str]) -> str:
    """A shouted English word in small letters; a short form stays."""
    low = match[0].lower()
    own = lists()
    small = own["negations"] | own["joins"] | own["openers"] | own["determiners"] | own["prepositions"]
    if match[0] in _allowed() or low not in english_words() or (len(low) <= _SHORTEST and low not in small):
        return match[0]
    return low.capitalize() if not match.string[: match.start()].strip() else low


def _with_article(text: str) -> str:
    """The text with "a" before consonants and "an" before vowels, since a term may have taken another's place."""

    def say(match: re.Match[str]) -> str:
        if match[3]:
            return f"{match[1]} "
        named = match[1] == "A" and match.start()  # "hepatitis A infection"
        return match[0] if named or text[match.end() :].startswith(("one", "eu")) else f"{match[1]}n "

    return _ARTICLE.sub(say, text)


def _as(model: str, text: str) -> str:
    return text[:1].upper() + text[1:] if model[:1].isupper() else text


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text.lower())


@lru_cache(maxsize=1)
def _terms() -> dict[str, list[Term]]:
    """The rows by written form in lower case."""
    found: dict[str, list[Term]] = {}
    for row in sorted(plain_words(), key=lambda one: not one.exact):
        found.setdefault(row.written.lower(), []).append(row)
    for form, sense, case, _ in rule_rows(RULES / "lexicon" / "short_forms.tsv", 4):
        name = sense.split("|")[0]
        if form not in found and "+" not in sense:
            found[form] = [Term(form.upper() if case == "upper" else form, name, case == "upper")]
    return found


def _bare(text: str) -> str:
    return " ".join(text.lower().split())


def _term(found: str) -> Term | None:
    rows = _terms().get(_bare(found), [])
    return next((row for row in rows if not row.exact or row.written == " ".join(found.split())), None)


@lru_cache(maxsize=1)
def _allowed() -> frozenset[str]:
    """Short forms that a patient may read: those that rows leave or give, as written."""
    return (
        frozenset(
            word
            for rows in _terms().values()
            for row in rows
            for word in _TOKEN.findall(row.plain)
            if sum(c.isupper() for c in word) > 1 or row.plain == row.written
        )
        | lists()["readable"]
    )


@lru_cache(maxsize=1)
def _phrases() -> Phrases:
    return compiled("plain-terms", (), lambda: Phrases(_terms()))
