"""Tells an adult which vital signs and blood tests were not normal, in plain words: "blood pressure 186/101 (high)".

Dated values of earlier days and values computed by the program are left out; of one measure two values are told, in the note's order:
where the last is normal again, that one is the second.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from backend.generation.letter.story_likeness import numbers, stems
from backend.nlp.document import sections
from backend.nlp.measures.told_limits import LEADS, SIGN, TEST, side_of, told_measures
from backend.schemas.record import ObservationStatement, PatientRecord, Setting
from backend.schemas.vocabulary import SectionCategory

_TOLD_OF = frozenset((SectionCategory.HISTORY_OF_PRESENT_ILLNESS, SectionCategory.PAST_MEDICAL_HISTORY))
"""Sections of a clinic's note whose values are of other days and places."""
_MOST_OF_ONE = 2
_NUMBER = re.compile(r"\d[\d.,/]*$")
_PERCENT = frozenset(("oxygen saturation", "ejection fraction", "HbA1c"))


class MeasuredValue(NamedTuple):
    """A measure that is low or high, in words, and the statements it is read from."""

    text: str
    statements: tuple[ObservationStatement, ...]


def measured_values(observations: Iterable[ObservationStatement], kind: str) -> Iterator[MeasuredValue]:
    """Yield the measures that are not normal, in the order of the limits.

    Args:
        observations: of the record of an adult.
        kind: vital signs or blood tests (told_limits.SIGN, TEST).
    """
    today = [one for one in observations if one.spans and not one.formula and not one.date]
    for measure, words in told_measures(kind):
        held: dict[str, ObservationStatement] = {}
        for one in today:
            side = side_of(measure, one.value_text, one.unit) if one.measure == measure else ""
            if side and len(held) < _MOST_OF_ONE:
                held.setdefault(f"{one.value_text}{_unit(one)} ({side})", one)
        last = next((one for one in reversed(today) if one.measure == measure and _NUMBER.match(one.value_text)), None)
        if held and last is not None and not side_of(measure, last.value_text, last.unit):
            held = dict([*held.items()][:1])
            if last.spans[0].start_char > next(iter(held.values())).spans[0].start_char:
                held[f"{last.value_text}{_unit(last)}"] = last
        if held:
            yield MeasuredValue(f"{words} {', then '.join(held)}", tuple(held.values()))


def measured_lines(
    observations: Iterable[ObservationStatement], seen: str
) -> Iterator[tuple[str, tuple[ObservationStatement, ...]]]:
    """Yield a sentence of the vital signs and one of the blood tests that are not normal, each with its statements.

    Args:
        observations: of the record of an adult.
        seen: who was seen: "you were seen".
    """
    held = tuple(observations)
    for kind, lead in ((SIGN, f"{LEADS[SIGN]} {seen}"), (TEST, LEADS[TEST])):
        values = list(measured_values(held, kind))
        if values:
            text = f"{lead}: {'; '.join(value.text for value in values)}."
            yield text, tuple(one for value in values for one in value.statements)


def of_visit(
    record: PatientRecord, note_text: str, told: Collection[str], texts: Sequence[str]
) -> list[ObservationStatement]:
    """The values that a letter tells as measured at this visit: those that no sentence tells, and of a clinic's note none that its story tells.

    Args:
        record: of the note.
        note_text: the note.
        told: ids of what the letter tells in its own words.
        texts: its sentences, one of which may tell a value that stands in another place as well.
    """
    narrated = [
        (one.start_char, one.end_char)
        for one in sections(note_text)
        if record.encounter.setting is Setting.CLINIC and one.category in _TOLD_OF
    ]
    return [
        one
        for one in record.observations
        if one.id not in told
        and not _is_told(one, texts)
        and not any(a <= span.start_char < b for span in one.spans[:1] for a, b in narrated)
    ]


def _is_told(one: ObservationStatement, texts: Iterable[str]) -> bool:
    """Whether a sentence tells a measured value already: its number, beside a word of what is measured."""
    words = stems(
        " ".join(said for kind in (SIGN, TEST) for measure, said in told_measures(kind) if measure == one.measure)
    )
    number = one.value_text.rstrip("%")
    return any(number in numbers(text) and not words.isdisjoint(stems(text)) for text in texts)


def _unit(one: ObservationStatement) -> str:
    if one.measure in _PERCENT and one.unit == "%":
        return "" if one.value_text.endswith("%") else "%"
    return f" {one.unit.lstrip('°')}" if one.measure == "temperature" and one.unit else ""
