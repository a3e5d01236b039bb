"""What a sentence tells of a recorded value or dose, put back into the note's own words: "pulse 124 (high)" is "HR 124".

A letter calls a measure by its everyday name, says whether it is low or high, and adds the unit that a note leaves out and that alone is
usual for the medicine. Only what the record has read from the cited text is put back, with the same number; what is compared then is the
same word on both sides.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from backend.nlp.measures.timing import frequency_name, per_day
from backend.nlp.measures.told_limits import LEADS, told_values
from backend.schemas.record import Dosage, MedicationStatement, ObservationStatement

UsualUnit = Callable[[MedicationStatement], str]
"""The one unit in which a dose without a unit is usual; empty for none or several."""
_ITEM = re.compile(r"[^;:]+")


def as_recorded(
    text: str,
    observations: Sequence[ObservationStatement],
    medications: Sequence[MedicationStatement],
    usual_unit: UsualUnit,
) -> str:
    """The sentence with recorded values and doses as the note has them.

    Args:
        text: the sentence.
        observations: the record's, of what the sentence cites.
        medications: the same.
        usual_unit: tells the unit of a dose without one.
    """
    return _with_bare_doses(_with_values(text, observations), list(_bare_doses(medications, usual_unit)))


def _with_values(text: str, observations: Sequence[ObservationStatement]) -> str:
    """The sentence with the values as the note has them, alone where it tells nothing else."""
    written = {
        (one.measure, one.value_text.rstrip("%")): one.spans[0].text
        for one in observations
        if one.spans and one.value_text
    }
    put, rest = list[str](), text
    for told in sorted(told_values(text), key=lambda one: -one.start) if written else ():
        said = [written.get((told.measure, value), "") for value in told.values]
        if all(said):
            put[:0] = said
            text = f"{text[: told.start]}{', then '.join(said)}{text[told.end :]}"
            rest = f"{rest[: told.start]}{rest[told.end :]}"
    lead, _, others = rest.partition(":")
    alone = lead.startswith(tuple(LEADS.values())) and not any(map(str.isalnum, others))
    return f"{'; '.join(put)}." if put and alone else text


class _BareDose(NamedTuple):
    """A dose without its unit, as the note has it and as a letter tells it."""

    names: frozenset[str]
    dose: float
    unit: str
    often: str
    timing_text: str


def _bare_doses(medications: Sequence[MedicationStatement], usual_unit: UsualUnit) -> Iterator[_BareDose]:
    for one in medications:
        for dosage in (one.dosage, one.old_dosage or Dosage()):
            if dosage.dose is not None and not dosage.unit:
                names = frozenset({one.name.lower(), *(span.text.lower() for span in one.spans[:1])})
                times = per_day(dosage.timing)
                often = frequency_name(times) if times and dosage.timing_text else ""
                unit = usual_unit(one.model_copy(update={"dosage": dosage}))
                yield _BareDose(names, dosage.dose, unit, often, dosage.timing_text)


def _with_bare_doses(text: str, doses: Sequence[_BareDose]) -> str:
    def bare(item: re.Match[str]) -> str:
        told = item[0]
        for one in doses:
            if not any(name in told.lower() for name in one.names):
                continue
            if one.unit:
                number = f"({re.escape(f'{one.dose:,g}')}|{re.escape(f'{one.dose:g}')})"
                told = re.sub(rf"(?<![\w.,/]){number} {re.escape(one.unit)}\b", r"\1", told)
            if one.often:
                told = told.replace(one.often, one.timing_text)
        return told

    return _ITEM.sub(bare, text) if doses else text
