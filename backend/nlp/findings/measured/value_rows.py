"""Rows of results and of vital signs: which names in them are measures, where the same name or letter could be something else.

A name may be a medicine's as well ("digoxin 1.4", "vit D 18", "iron 200"), a letter a side's ("calf R 38 L 34"). Such a name is a measure
where its own value says so (a concentration, a flag), in a section of results, or in a row with values of its kind; a dose, a timing or a
list of medicines makes it none. Takes a parsed note; reading of values and of medicines ask it alike.
"""

from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from backend.nlp.document.parsed_note import ParsedNote, Sentence
from backend.nlp.document.trigger_automaton import FoundTrigger
from backend.nlp.findings.measured.value_shapes import NUMBER, unit_behind
from backend.nlp.measures.timing import FAMILY as TIMING
from backend.nlp.measures.units import unit_of
from backend.nlp.rules import RULES, words_by_kind
from backend.schemas.vocabulary import SectionCategory

FAMILY = "procedures/measure"
EVENTS = "medications/medication"
_NAME_TO_VALUE, _TOLD_WITHIN = 3, 6


class WordKind(StrEnum):
    """What a word beside a measure does; the rules file explains each."""

    FILLER = "filler"
    NOT_NOW = "not_now"
    OVER = "over"
    FOLLOWS = "follows"
    SPOILT = "spoilt"
    UNSPOILT = "unspoilt"
    FLAG = "flag"
    SIDE = "side"
    BODY = "body"
    CHANGE = "change"
    LEVEL = "level"


class Kind(StrEnum):
    """Of which row a measure is; a medicine's: its name is a medicine's as well."""

    LAB = "lab"
    VITAL = "vital"
    LAB_MEDICINE = "lab, medicine"
    VITAL_MEDICINE = "vital, medicine"
    BODY = "body"


_MEDICINES = frozenset((Kind.LAB_MEDICINE, Kind.VITAL_MEDICINE))
_BOUNDS = frozenset("<>≤≥")
_FLAGS = frozenset(("H", "L", "HH", "LL"))
_SAME = {Kind.LAB_MEDICINE: Kind.LAB, Kind.VITAL_MEDICINE: Kind.VITAL, Kind.BODY: Kind.VITAL}


class _Valued(NamedTuple):
    """A name of a row with the token behind its number; flagged: its own unit or flag says that it is a result."""

    trigger: FoundTrigger
    last: int
    flagged: bool


@lru_cache(maxsize=1)
def beside() -> dict[WordKind, frozenset[str]]:
    """The words beside measures, by what they do."""
    return words_by_kind(RULES / "procedures" / "words_measures.tsv", WordKind)


def kind_of(one: FoundTrigger) -> Kind:
    """Of which row a measure is."""
    return Kind(one.row.cells["kind"])


def is_doubtful(note: ParsedNote, one: FoundTrigger) -> bool:
    """Whether the name of a measure could be something else: a medicine, a side, a unit behind a number."""
    word = note.words[one.first]
    if one.last > one.first + 1:
        return kind_of(one) in _MEDICINES and not _level(note, one)
    return kind_of(one) in _MEDICINES or word in beside()[WordKind.SIDE] or _is_unit(word)


def measures_in_rows(note: ParsedNote) -> frozenset[int]:
    """The first tokens of doubtful names that are measures, for `ParsedNote.once`."""
    found: set[int] = set()
    for sentence in note.sentences:
        doubtful = [
            one for one in note.triggers_within(FAMILY, sentence.first, sentence.last) if is_doubtful(note, one)
        ]
        if doubtful:
            found.update(_of_sentence(note, sentence))
    return frozenset(found)


def _of_sentence(note: ParsedNote, sentence: Sentence) -> Iterator[int]:
    section = note.sections[sentence.section].category
    for row in _rows(note, sentence):
        sure = {_SAME.get(kind_of(one.trigger), kind_of(one.trigger)) for one in row if one.flagged}
        sure |= {kind_of(one.trigger) for one in row if not is_doubtful(note, one.trigger)}
        for one in row:
            kind = _SAME.get(kind_of(one.trigger), kind_of(one.trigger))
            alone = one.flagged or (section is SectionCategory.RESULTS and kind is Kind.LAB)
            if alone or (kind in sure and section is not SectionCategory.MEDICATIONS):
                yield one.trigger.first


def _rows(note: ParsedNote, sentence: Sentence) -> Iterator[list[_Valued]]:
    """The names with a value of a sentence, those in one row together: only values, units and flags stand between."""
    row: list[_Valued] = []
    for one in note.triggers_within(FAMILY, sentence.first, sentence.last):
        valued = _valued(note, one, sentence)
        if valued is None:
            continue
        if row and not _joined(note, row[-1].last, one.first):
            yield row
            row = []
        row.append(valued)
    if row:
        yield row


def _valued(note: ParsedNote, one: FoundTrigger, sentence: Sentence) -> _Valued | None:
    """A name with its value; None where none stands behind it, or a dose does."""
    words, i = note.words, one.last
    if _is_unit(words[one.first]) and words[one.first - 1 : one.first] and words[one.first - 1][-1:].isdigit():
        return None  # "5 mg 1 tablet"
    if kind_of(one) in _MEDICINES and _is_taken(note, one.first):
        return None
    while i < min(sentence.last, one.last + _NAME_TO_VALUE) and (
        words[i] in beside()[WordKind.FILLER] or words[i] in _BOUNDS
    ):
        i += 1
    if i >= sentence.last or not words[i][:1].isdigit():
        return None
    match = NUMBER.match(note.text, note.tokens.starts[i])
    if match is None or not float(one.row.cells["least"]) <= float(match["first"].replace(",", "")) <= float(
        one.row.cells["most"]
    ):
        return None
    unit, end, is_dose = unit_behind(note.text, match.end())
    last, _ = note.token_range(end, len(note.text))
    timed = any(t.first == last for t in note.triggers_within(TIMING, last, min(sentence.last, last + 4)))
    medicine = kind_of(one) is not Kind.BODY and (unit in beside()[WordKind.BODY] or is_dose)
    if medicine or (timed and kind_of(one) in _MEDICINES):
        return None
    flagged = "/" in unit or unit == "%" or is_flag(note, last)
    return _Valued(one, last, flagged)


def _is_taken(note: ParsedNote, first: int) -> bool:
    """Whether what is told of a medicine stands right before a name: "takes iron 200"."""
    told = note.triggers_within(EVENTS, max(0, first - _TOLD_WITHIN), first)
    return any(one.last == first and not one.row.event.startswith("LIST") for one in told)


def is_flag(note: ParsedNote, i: int) -> bool:
    """Whether a token is a flag of a result with nothing behind it: "18 L", "6 (low)", "B12 normal"; or begins a bound: "<10"."""
    words = note.words
    i += words[i : i + 1] == ["("]
    if i >= len(words):
        return False
    if words[i] in _BOUNDS:
        return words[i + 1 : i + 2] != [] and words[i + 1][:1].isdigit()
    ends = (
        i + 1 == len(words)
        or not words[i + 1][:1].isalnum()
        or "\n" in note.text[note.tokens.ends[i] : note.tokens.starts[i + 1]]
    )
    return ends and (note.written(i, i + 1) in _FLAGS or words[i] in beside()[WordKind.FLAG])


def _joined(note: ParsedNote, first: int, last: int) -> bool:
    """Whether nothing but numbers, marks, units, flags and words beside values stands between a value and the next name."""
    return all(
        not note.words[i][:1].isalpha()
        or note.words[i] in beside()[WordKind.FILLER] | beside()[WordKind.FOLLOWS] | beside()[WordKind.FLAG]
        or len(note.words[i]) == 1
        or unit_behind(note.text, note.tokens.starts[i] - 1)[1] > note.tokens.starts[i]
        for i in range(first, last)
    ) and not any(t.first >= first for t in note.triggers_within(TIMING, first, last))


def _level(note: ParsedNote, one: FoundTrigger) -> bool:
    """Whether a phrase names a level: "digoxin level"."""
    return not beside()[WordKind.LEVEL].isdisjoint(note.words[one.first : one.last])


def _is_unit(word: str) -> bool:
    unit = unit_of(word)
    return unit is not None and unit.kind == "dose"
