"""The words of a sentence held against those of its cited text, and the everyday words that stand for a concept.

Words are shared, said in another form, strange to the cited text, or put in another's place. No synonyms are known: what the
linker names is passed in, so that "edema" beside "swelling" is no strange word. A sentence may say a concept in the everyday
words of the knowledge: "throwing up and high blood sugar" is vomiting and a blood sugar, and no vomiting of blood.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from backend.nlp.document.tokens import letter_words, word_set
from backend.nlp.measures.units import NUMBER_WORDS, UNITS
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.drafts.note import Mention
from backend.verification.support.opposites import shared_poles

COMMON = word_set(
    "a about also an and any are as at be because been by can came could did do does due each for from given had has have he her his him hospital how if in"
    " into is it its just lists may me more most my no not note noted of on one or our out patient patients report reports reported yourself said says she should so some"
    " states stated than that the their them then there these they this those to told took until was we were what when where which while who will with would"
    " measured seen you your yours team plan shows showed show found had having being during over still since after before again per today every"
)
"""Words that separate no two medical statements."""
_FRAMING = word_set(
    "possible possibly likely probable probably suspected must missed consider considered decide decides decided precaution precautions list listed home"
    " reaction reactions intolerance intolerances named names agree fits follow follows test tests treatment treatments told tell tells came come comes"
    " because advised recommended felt feel feels want need needs needed help called call know known good well just like make made take takes taking taken took medicine medicines"
    " medication medications doctor nurse clinic visit care condition problem problems history record records describe describes described complain"
    " complains complained present presents presented presenting experience experienced experiencing develop developed suffer suffers suffering admitted"
    " admission discharge discharged once twice daily weekly monthly morning evening night stay written confirmed ruled people person someone past medical surgical social family order orders changed unchanged examination results imaging alone other chief complaint vital signs recorded none emergency department allergic allergy temperature pulse"
)

QUESTIONS = (
    "until now by yourself what keep taking take only when needed changed new stop taking on hold until your team tells you start again ask about taken before whether to go on not discharge "
    "list continue leave it needed hospital which one at home for too dose disagree different right two things less exactly same so far check checked tolerated"
)
"""What the medicine table asks and orders, in the words of its rows."""


@lru_cache(maxsize=1)
def framing() -> frozenset[str]:
    """Words that frame a statement and are no part of what it states: those of the letter's frames and table are among them."""
    frames = (text for _, _, text in rule_rows(RULES / "letter" / "frames.tsv", 3))
    return _FRAMING | frozenset(
        word for text in (*frames, QUESTIONS) for word in _words(text.replace("{", " ").replace("}", " "))
    )


_COMPARED_ELSEWHERE = frozenset(word for word in (*UNITS, *NUMBER_WORDS) if word.isalpha()) | {
    *("side", "sides", "both", "bilateral", "bilaterally"),
    "deny",
    "denies",
    "denied",
    "denying",
    "times",
}
"""Units, numbers, sides and denials: what compares measures, places and assertions judges them."""
_NEARLY = 0.5  # share of words in common from which a sentence retells one cited sentence
_FEW = 3  # words that may stand in the place of others
_FORMS = 4  # letters that two forms of one word share at least


class Compared(NamedTuple):
    """How the words of a sentence compare with its cited text.

    Attributes:
        overlap: the share of the sentence's content words that the cited text has, 1 where there are none.
        strange: words that are no ordinary English and not in the cited text.
        swapped: words that stand where the one cited sentence which it retells has others.
    """

    overlap: float
    strange: tuple[str, ...]
    swapped: tuple[str, ...]


def compared(text: str, units: Sequence[str], named: Iterable[str]) -> Compared:
    """units: the sentences of the cited text. named: words of the sentence that are known to be in it under another name."""
    said = [word for word in _words(text) if word not in COMMON]
    if not said:
        return Compared(1.0, (), ())
    source = {word for unit in units for word in _words(unit)}
    stems = {_stem(word) for word in source}
    # "better" beside "improved": the same side of one axis
    known = {word for part in named for word in _words(part)} | shared_poles(text, units) | _COMPARED_ELSEWHERE
    matched = {word: _stem(word) in stems or _formed(word, source) for word in said}
    open_words = [word for word in dict.fromkeys(said) if not matched[word] and word not in known]
    overlap = sum(matched[word] or word in known for word in set(said)) / len(set(said))
    strange = tuple(
        word for word in open_words if len(word) >= 4 and word not in english() and _stem(word) not in english()
    )
    return Compared(overlap, strange, _swapped(said, open_words, known, units))


def overlap(text: str, source: str) -> float:
    """The share of a text's content words that the source has; 1 for a text without any."""
    return compared(text, [source], ()).overlap


def said_in(text: str, units: Iterable[str]) -> bool:
    """Whether one sentence of the source has every longer word of a mention, in whatever form: `allergic to latex`, `Latex allergy`."""
    words = [word for word in _words(text) if len(word) >= 4]
    return bool(words) and any(_has_all(words, unit) for unit in units)


def _has_all(words: Sequence[str], unit: str) -> bool:
    there = _words(unit)
    return all(any(_forms_of_one(word, other) for other in there) for word in words)


def _swapped(
    said: Sequence[str], open_words: Sequence[str], known: Collection[str], units: Sequence[str]
) -> tuple[str, ...]:
    """The words of a sentence that stand where the one cited sentence which it retells has others, between the same neighbours."""
    if not open_words:
        return ()
    wanted, best, most = set(said), list[str](), 0.0
    for unit in units:
        own = [word for word in _words(unit) if word not in COMMON]
        stems = {_stem(word) for word in own}
        shared = sum(_stem(word) in stems or word in known for word in wanted) / len(wanted)
        if own and shared > most:
            best, most = own, shared
    if most < _NEARLY:
        return ()
    out = list[str]()
    theirs, ours = [_stem(word) for word in best], [_stem(word) for word in said]
    for kind, i, j, k, n in SequenceMatcher(None, theirs, ours, autojunk=False).get_opcodes():
        if kind == "replace" and j - i <= _FEW and n - k <= _FEW and (k > 0 or n < len(ours)):
            out += [word for word in said[k:n] if word in open_words and len(word) >= _FORMS and word not in framing()]
    return tuple(out)


@lru_cache(maxsize=1)
def english() -> frozenset[str]:
    """Ordinary English words."""
    lines = (RULES / "english_words.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line.strip() for line in lines if line and not line.startswith("#"))


@lru_cache(maxsize=8192)
def _words(text: str) -> tuple[str, ...]:
    return tuple(letter_words(text.lower().replace("'s", ""), 3))


@lru_cache(maxsize=1)
def _base_forms() -> dict[str, str]:
    """The base of each form of an irregular verb: wake for woke."""
    verbs = rule_rows(RULES / "letter" / "verbs.tsv", 5)
    return {form: base for base, third, past, participle, _ in verbs for form in (third, past, participle)}


@lru_cache(maxsize=16384)
def _stem(word: str) -> str:
    word = _base_forms().get(word, word)
    if re.fullmatch(r"allerg(?:y|ies|ic)", word):
        return "allerg"
    for end in ("ing", "ies", "ed", "es", "s"):
        if word.endswith(end) and len(word) - len(end) >= 4:
            return word[: -len(end)]
    return word


def _formed(word: str, source: Collection[str]) -> bool:
    return any(_forms_of_one(word, other) for other in source if other[:_FORMS] == word[:_FORMS])


@lru_cache(maxsize=32768)
def _forms_of_one(one: str, other: str) -> bool:
    """Whether two words share all but their ends: allergic and allergy, hypertension and hypertensive; not pneumonia and pneumothorax."""
    if one == other:
        return True
    shared = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return shared >= max(_FORMS, min(len(one), len(other)) - 2) and abs(len(one) - len(other)) <= 4


Span = tuple[int, int]
SHORTEST = 6  # characters; "pain" says too little to hide what stands around it


def phrases(text: str, words: Iterable[str]) -> list[Span]:
    """Where each of the phrases stands in a text, whole words, case aside."""
    found: list[Span] = []
    for phrase in {one for one in words if len(one) >= SHORTEST}:
        if phrase.lower() in text.lower():
            found.extend(m.span() for m in re.finditer(rf"\b{re.escape(phrase)}(?!\w)", text, re.IGNORECASE))
    return sorted(found)


def blanked(text: str, spans: Sequence[Span]) -> str:
    """A sentence with blanks for some spans, every other word in its place: a thing under another name is no opposite."""
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def overlaps(mention: Mention, spans: Sequence[Span]) -> bool:
    """Whether a mention begins or ends inside one of the phrases, or holds one."""
    return any(mention.start_char < end and start < mention.end_char for start, end in spans)
