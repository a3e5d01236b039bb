"""The ages a note states of its patient, in every form: "2-1/2-year-old", "18 month old", "6/12 boy", "78F", "aged 45".

Takes a parsed note; phrases are rows of assets/rules/people/age_triggers.tsv, numbers are read from the words beside them. An age of
a relative, of another time ("at 12 years of age", "hives age 6") or of a decade ("in her 80s") is none. An adult's age outweighs a
child's that stands behind it: a mother's note tells of her baby, and a history of her own childhood.
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from backend.nlp.attributes.family import person_words
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.tokens import APOSTROPHES, WordTest
from backend.nlp.document.trigger_automaton import FoundTrigger
from backend.nlp.rules import RULES, rule_rows, words_by_kind
from backend.schemas.vocabulary import SectionCategory

FAMILY, MEASURES = "people/age", "procedures/measure"
_OLDEST = 120
_PER_YEAR = {"years": 1, "sexed": 1, "after": 1, "is": 1, "name": 1, "months": 12, "weeks": 52, "days": 365, "day": 365}
_LETTER_UNITS = {"y": "years", "m": "months", "w": "weeks", "d": "days"}
_BEHIND = ("after", "day", "is", "name")
_GLUED = re.compile(r"(?<![\w./+-])(\d{1,3})(?:(y|m|w|d)/?o|yrs?|y)?\s?([mf])?(?![\w%/]|\.\d)", re.IGNORECASE)
_NUMBERED = WordTest(lambda word: word[:1].isdigit())
_SEXED = re.compile(
    r"(?<![\w./])(?:(?P<age>\d{1,3})\s?/\s?(?P<sex>[MF])|(?P<sex2>[MF])\s?/\s?(?P<age2>\d{1,3}))(?![\w/])"
    r"|^[ \t]*(?P<sex3>M|F|Male|Female),?[ \t](?P<age3>\d{1,3})(?=[ ,.;]|$)"
    r"|\((?P<age4>\d{1,3})\s?(?:y|yo|yrs?)\s?(?P<sex4>[MF])?\)"
    r"|(?<![\w./])(?P<age5>\d{1,2})\s(?P<month>mo)\s(?P<sex5>[MF])(?!\w)",
    re.MULTILINE,
)
"""Ages by a sex or in brackets: "45/F", "M 45, fell", "(47 y)", "15 mo M"."""
_SEX_OR_NUMBER = WordTest(lambda word: word[:1].isdigit() or word in ("m", "f", "male", "female"))
_TOP = 600
"""Characters from the beginning of a note in which the patient is named with an age."""
_TITLED = re.compile(
    r"^[ \t]*((?:(?:re|patient|name|pt|child|resident)\s?:?\s+)?(?:[\"\u201c]?[^\W\d_][\w.'\u2019\"\u201c\u201d-]*\s+){0,3}[^\W\d_][\w.'\u2019-]*),"
    r"\s*(?:DOB[^,\n]{0,30},\s*)?(\d{1,3})(?=\s*(?:$|[.,;]|yrs?\b|years?\b|y\b|  ))",
    re.MULTILINE | re.IGNORECASE,
)
_YEARS = re.compile(r"(\d{1,3})(?:y|yo|yrs?)")
_YEAR_WORDS = frozenset(("year", "years", "yr", "yrs", "y"))
_PRONOUNS = frozenset(("her", "his", "their", "my", "she", "he", "the"))
_MONTHS = re.compile(
    r"\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
    r"|room|rm|ward|bed|chair|bay)\b",
    re.IGNORECASE,
)
_BACK, _AHEAD, _NAME = 5, 8, 3
_SURE, _LIKELY, _WEAK, _TOLD = 1.0, 0.9, 0.7, 0.5
_GROWN = 16
"""Years from which an age is an adult's."""
_OF_OTHER_TIMES = frozenset((
    SectionCategory.ALLERGIES, SectionCategory.PAST_MEDICAL_HISTORY, SectionCategory.PAST_SURGICAL_HISTORY,
    SectionCategory.SOCIAL_HISTORY,
))  # fmt: skip
"""Sections that tell of earlier years and of others in the house: what they give as an age counts least."""


class Kind(StrEnum):
    """What a word beside an age does; the file words_age.tsv explains each."""

    OPENS = "opens"
    CLAUSE = "clause"
    ENDS = "ends"
    NOT_AFTER = "not_after"
    OF = "of"
    FEMALE = "female"
    MALE = "male"
    PERSON = "person"
    OWNER = "owner"


class Age(NamedTuple):
    """An age in years, a fraction for children, with the place of its words, the tokens after them and how sure it is."""

    years: float
    start_char: int
    end_char: int
    next_token: int
    sex: str
    certainty: float
    rule_id: str


def stated_ages(note: ParsedNote) -> list[Age]:
    """The patient's ages, the surest first, of equals the first; before a child's age the adult's that stands before it."""
    apart = [s for s in note.sections if s.category is SectionCategory.FAMILY_HISTORY]
    then = {t.last for t in note.triggers[FAMILY] if t.row.event == "then"}
    found = [
        _as_placed(note, age)
        for age in (*_phrased(note, then), *_glued(note, then), *_sexed(note, then), *_titled(note))
        if 0 <= age.years <= _OLDEST and not any(s.start_char <= age.start_char < s.end_char for s in apart)
    ]
    ordered = sorted(found, key=lambda age: (-age.certainty, age.start_char))
    if not ordered or ordered[0].years >= _GROWN:
        return ordered
    child = ordered[0].start_char
    grown = [age for age in ordered if age.years >= _GROWN and age.certainty >= _LIKELY and age.start_char < child]
    return [*grown[:1], *(age for age in ordered if age not in grown[:1])]


def _as_placed(note: ParsedNote, age: Age) -> Age:
    """An age with the certainty that its section leaves it; one joined with a sex or with a person's title keeps its own."""
    section = note.section_at(age.start_char)
    if section is None or section.category not in _OF_OTHER_TIMES or (age.sex and age.certainty == _SURE):
        return age
    return age._replace(certainty=min(age.certainty, _TOLD))


def number_before(note: ParsedNote, i: int) -> tuple[float, int] | None:
    """The number whose words end before token i, with its first token: digits, words, halves ("2-1/2", "three and a half")."""
    words, stop = note.words, i
    if i > 3 and words[i - 1].isdigit() and words[i - 2] == "/" and words[i - 3].isdigit():
        top, low = int(words[i - 3]), int(words[i - 1])
        if not top < low <= 12:
            return None
        whole = _value(words, i - 4 - (words[i - 4] == "-"))
        return (whole[0] + top / low, whole[1]) if whole else (top / low, i - 3)
    if i > 1 and words[i - 1] == "half":
        k = i - 1
        for between in (("a", "one"), ("and", "-")):
            k -= k > 0 and words[k - 1] in between
        whole = _value(words, k - 1)
        return (whole[0] + 0.5, whole[1]) if whole else None
    if i > 3 and words[i - 2] == "." and words[i - 1].isdigit() and words[i - 3].isdigit():
        return float(f"{words[i - 3]}.{words[i - 1]}"), i - 3
    return _value(words, stop - 1)


def _value(words: Sequence[str], i: int) -> tuple[float, int] | None:
    if i < 0:
        return None
    word = words[i]
    if word.isdigit() and len(word) <= 3 and word.isascii():
        return float(word), i
    numbers = _numbers()
    if word not in numbers or word == "half":
        return None
    k = i - 1 - (i > 0 and words[i - 1] == "-")
    if k >= 0 and numbers[word] < 10 and numbers.get(words[k], 0) >= 20:
        return numbers[words[k]] + numbers[word], k
    return numbers[word], i


def _phrased(note: ParsedNote, then: set[int]) -> Iterator[Age]:
    for t in note.triggers[FAMILY]:
        event = t.row.event
        if event == "then":
            continue
        read = _number_behind(note, t) if event in _BEHIND else number_before(note, t.first)
        if read is None:
            continue
        number, place = read
        first, last = (t.first, place + 1) if event in _BEHIND else (place, t.last)
        if event in ("is", "name"):
            first = place
            if not _ends(note, last):
                continue
        if event == "months" and note.words[t.first] == "/" and number > 12:
            continue
        sex, near = _sex_after(note, last)
        if event == "sexed" and not (sex and near <= 3):
            continue
        if event != "day" and _of_another(note, first, last, then):
            continue
        sure = sex or event in ("after", "is", "name") or (event == "years" and _opens(note, first))
        number += _years_before(note, place) if event == "months" else 0
        certainty = _SURE if sure else _LIKELY if _opens(note, first) else _WEAK
        if event == "after" and not _of_person(note, first):
            if number / _PER_YEAR[event] < _GROWN:
                continue  # "hives age 6", "appendicectomy aged 9": of the past
            certainty = _TOLD
        yield Age(
            number / _PER_YEAR[event], note.tokens.starts[first], note.tokens.ends[last - 1], last, sex, certainty,
            t.row.rule_id,
        )  # fmt: skip


def _years_before(note: ParsedNote, place: int) -> float:
    """The months of the years that stand before a number of months, "3-year 2-month-old"; 0 for none."""
    words = note.words
    if place < 2 or words[place - 1] not in _YEAR_WORDS:
        return 0
    years = number_before(note, place - 1 - (words[place - 2] == "-"))
    return 12 * years[0] if years else 0


def _glued(note: ParsedNote, then: set[int]) -> Iterator[Age]:
    """Ages glued to a unit or a sex ("72yo", "78F", "6mo", "82 F"): a shape, read where a sentence or a noun phrase begins."""
    for match in note.shapes(_GLUED, _NUMBERED):
        unit, sex = match[2], match[3]
        if not (unit or sex or match[0].lower().endswith(("y", "yr", "yrs"))):
            continue
        first, last = note.token_range(match.start(), match.end())
        sure = bool(unit)
        measured = any(
            first - _BACK < t.last <= first for t in note.triggers_within(MEASURES, max(0, first - 2 * _BACK), first)
        )
        if not sure and (measured or not (_opens(note, first) and _goes_on(note, last))):
            continue
        if unit and unit.lower() != "y" and not (_opens(note, first) or _sex_after(note, last)[0]):
            continue
        if _of_another(note, first, last, then):
            continue
        said = {"m": "male", "f": "female"}.get((sex or "").lower(), "") or _sex_after(note, last)[0]
        if not (unit or said):
            continue
        per = _PER_YEAR[_LETTER_UNITS[(unit or "y").lower()]]
        yield Age(
            int(match[1]) / per, match.start(), match.end(), last, said, _SURE if said else _LIKELY, "people/age.glued"
        )


def _sexed(note: ParsedNote, then: set[int]) -> Iterator[Age]:
    """Ages whose shape says so: a sex beside a slash, at the beginning of a line, or years in brackets."""
    for match in _sexed_shapes(note):
        said = {name: value for name, value in match.groupdict().items() if value}
        number = next(int(value) for name, value in said.items() if name.startswith("age"))
        sex = next((value for name, value in said.items() if name.startswith("sex")), "")
        first, last = note.token_range(match.start(), match.end())
        if not _of_another(note, first, last, then):
            years = number / (_PER_YEAR["months"] if "month" in said else 1)
            full = {"m": "male", "f": "female"}.get(sex[:1].lower(), "")
            certainty = _LIKELY if full or _of_person(note, first) else _TOLD  # "Kawasaki (3 y)"
            yield Age(years, match.start(), match.end(), last, full, certainty, "people/age.sexed")


def _sexed_shapes(note: ParsedNote) -> Iterator[re.Match[str]]:
    """The matches of _SEXED, each sought at the word, the bracket or the line that it may begin with."""
    text, starts, ends, done = note.text, note.tokens.starts, note.tokens.ends, 0
    if not text.isascii():
        yield from _SEXED.finditer(text)  # a token may begin with what nobody sees
        return
    for i in note.where(_SEX_OR_NUMBER):
        gap = text[ends[i - 1] if i else 0 : starts[i]]
        blanks = len(gap) - len(gap.rstrip(" \t"))
        bracket = not gap and note.words[max(0, i - 1)] == "("
        for begin in dict.fromkeys((starts[i] - blanks, starts[i] - bracket, starts[i])):
            match = _SEXED.match(text, begin) if begin >= done else None
            if match is not None:
                yield match
                done = match.end()
                break


def _titled(note: ParsedNote) -> Iterator[Age]:
    """An age that ends the name of the patient in the first lines: "RE: Idris B., 9 years", "Wilfred ODUYA-HART, 84."."""
    for match in _TITLED.finditer(note.text, 0, _TOP):
        last = note.token_range(match.start(2), match.end(2))[1]
        named = match[1].split()
        whole = all(word.strip('"\u201c')[:1].isupper() or word.endswith(":") for word in named)
        another = not (person_words().others | _PRONOUNS).isdisjoint(match[1].lower().split())
        if whole and not another and not _MONTHS.search(match[1]):
            yield Age(
                int(match[2]),
                match.start(2),
                match.end(2),
                last,
                _sex_after(note, last)[0],
                _LIKELY,
                "people/age.titled",
            )


def _number_behind(note: ParsedNote, t: FoundTrigger) -> tuple[float, int] | None:
    words = note.words
    i = t.last
    if t.row.event == "name":
        k = i
        while k < min(len(words), i + _NAME) and note.text[note.tokens.starts[k]].isupper():
            k += 1
        if k == i or k >= len(words) or words[k] not in (",", "(", "is"):
            return None
        i = k + 1
    glued = _YEARS.fullmatch(words[i]) if i < len(words) else None
    if glued is not None:
        return float(glued[1]), i
    if i >= len(words) or not words[i].isdigit() or len(words[i]) > 3:
        return None
    after = words[i + 1 : i + 3]
    if after[:1] in (["/"], ["-"], ["%"]) or (after[:1] == ["."] and after[1:] and after[1].isdigit()):
        return None
    unit = next((one for one in ("months", "weeks", "days") if after and after[0] in (one, one[:-1])), "")
    if unit:
        return (float(words[i]) / _PER_YEAR[unit], i + 1) if t.row.event == "after" else None  # "Age: 20 months"
    return float(words[i]), i


def _ends(note: ParsedNote, i: int) -> bool:
    """Whether a bare age may end before token i: at a mark or a joining word."""
    return i >= len(note.words) or note.words[i] in _words()[Kind.ENDS]


def _sex_after(note: ParsedNote, i: int) -> tuple[str, int]:
    """The sex of the noun that an age belongs to, and how many words on; empty where a clause begins first."""
    words = note.words
    for k in range(i, min(len(words), i + _AHEAD)):
        word = words[k]
        if word in _words()[Kind.CLAUSE]:
            break
        if word in ("m", "f") and k - i < 2 and not words[k - 1].isdigit():
            return ("male" if word == "m" else "female"), k - i
        for sex in (Kind.FEMALE, Kind.MALE):
            if word in _words()[sex]:
                return sex.value, k - i
    return "", 0


def _opens(note: ParsedNote, first: int) -> bool:
    """Whether an age begins a sentence or stands behind an article or "is"."""
    if first == 0 or note.words[first - 1] == "\n" or note.words[first - 1] in _words()[Kind.OPENS]:
        return True
    at = note.sentence_at(note.tokens.starts[first])
    return at is not None and first - note.sentences[at].first <= 1 and note.words[note.sentences[at].first] != "t"


def _of_person(note: ParsedNote, first: int) -> bool:
    """Whether an age told behind what it belongs to is a person's: "woman aged 45", "Jaden, age 4" in the first sentence, "Age: 7"."""
    words, i = note.words, first
    while i and words[i - 1] in _words()[Kind.ENDS] | {"("}:
        i -= 1
    if i == 0 or words[i - 1] in ("\n", "."):
        return True
    named = frozenset[str]().union(*(_words()[kind] for kind in (Kind.FEMALE, Kind.MALE, Kind.PERSON)))
    if words[i - 1] in named | person_words().own:
        return True
    at = note.sentence_at(note.tokens.starts[i - 1])
    name = range(note.sentences[0].first, i)
    return (
        at == 0 and i < first and len(name) <= _NAME and all(note.text[note.tokens.starts[k]].isupper() for k in name)
    )


def _goes_on(note: ParsedNote, last: int) -> bool:
    return last >= len(note.words) or note.words[last] not in _words()[Kind.NOT_AFTER]


def _of_another(note: ParsedNote, first: int, last: int, then: set[int]) -> bool:
    """Whether a relative stands beside an age, or a word for another time shortly before it."""
    words = note.words
    persons = person_words()
    if _is_owned(note, first):
        return True
    for k in range(last, min(len(words), last + 4)):
        if words[k] == ",":
            break
        relative = words[k] in persons.others and words[k] not in persons.workers and words[k + 1 : k + 2] != ["of"]
        if relative or (words[k] in persons.own and words[max(0, first - 2)] in ("has", "have", "her", "his")):
            return True
        if words[k] in _words()[Kind.CLAUSE]:
            break
    joined = False
    for k in range(first - 1, max(-1, first - 1 - _BACK), -1):
        word = words[k]
        if word in (".", ";", "\n", ":"):
            return False
        if k + 1 in then and not joined:
            return True
        joined |= word == ","  # "born at 39 weeks, day of life 3"
        if word in ("patient", "pt", "this", "he", "she", "i"):
            return False
        if word in persons.others and not _of_patient(words[k + 1 : k + 3]):
            return True
        if word == "s" and words[k - 1] in APOSTROPHES and words[k - 2] in ("patient", "pt"):
            return any(w in persons.others for w in words[k:first])
    return False


def _is_owned(note: ParsedNote, first: int) -> bool:
    """Whether the one whose age it is belongs to another: "her 6-week-old", "has a 5 year old"; a parent's child is the patient."""
    owner = first - 1 - (note.words[max(0, first - 1)] in ("a", "an"))
    if owner < 0 or note.words[owner] not in _words()[Kind.OWNER]:
        return False
    at = note.sentence_at(note.tokens.starts[first])
    begin = note.sentences[at].first if at is not None else 0
    return person_words().parents.isdisjoint(note.words[begin:owner])


def _of_patient(following: Sequence[str]) -> bool:
    """Whether a person's word is no subject of the age: "mother of this 3-year-old", "son reports 86-year-old"."""
    return not _words()[Kind.OF].isdisjoint(following)


@lru_cache(maxsize=1)
def _words() -> dict[Kind, frozenset[str]]:
    return words_by_kind(RULES / "people" / "words_age.tsv", Kind)


@lru_cache(maxsize=1)
def _numbers() -> dict[str, float]:
    return {word: float(value) for word, value in rule_rows(RULES / "people" / "words_numbers.tsv", 2)}
