"""Rows by the likeliest reading of all that the note says of a medicine, where the rules leave them open, make none, or are likely wrong.

The record tells what most likely becomes of each medicine, and how likely (`afterwards`). It is right far oftener than the rules where they
differ and it is sure; so it decides there, and what it only doubts is asked about. In a stay that goes on, and beside a discharge list
that was given apart from the note, nothing is decided so. A row that is decided so is marked, for whoever signs to check.
"""

from collections.abc import Callable, Collection, Iterator, Sequence

from backend.generation.letter.medicines.listed_rows import THE_NOTE, DecidedMedicine, going_on
from backend.generation.letter.medicines.medicine_groups import Medicine
from backend.generation.letter.medicines.medicine_prompts import Prompt
from backend.generation.letter.medicines.readings import Reading, Readings, reading_of
from backend.generation.letter.medicines.stated.regimens import (
    Regimen,
    as_one,
    distinct,
    fuller,
    is_stepped,
    same_regimen,
    stated,
)
from backend.schemas.drafts.medicines import MedicineAction
from backend.schemas.record import Afterwards, MedicationCategory, MedicationStatement, MedicationStatus

_OPEN = frozenset({
    Prompt.TAKEN_BEFORE, Prompt.NEEDED_BEFORE, Prompt.BEGUN_BEFORE, Prompt.STOP_MEANT, Prompt.STOPPED_BEFORE,
    Prompt.PLANNED, Prompt.PLANNED_SO, Prompt.DOSES_DISAGREE, Prompt.NAMED_ONLY,
    Prompt.NOT_ON_LIST, Prompt.DOSE_NOT_STATED, Prompt.UNCHANGED,
})  # fmt: skip
"""What is asked where the rules found no decision; who signs is asked nothing else of these."""
_LEAST = {
    Afterwards.CONTINUED: 0.9, Afterwards.CHANGED: 0.75, Afterwards.STARTED: 0.8, Afterwards.STOPPED: 0.85, Afterwards.ON_HOLD: 0.8,
    Afterwards.HERE: 0.8, Afterwards.NONE: 0.85,
}  # fmt: skip
"""How likely a reading must be to decide a row that the rules leave open."""
_SURER, _DOUBT, _SURE = 0.9, 0.75, 0.8
"""How likely a reading must be to decide what the rules decide otherwise or not at all; to ask about it; and to show that a note decides on medicines."""
_TAKEN = frozenset(
    {MedicineAction.CONTINUE, MedicineAction.AS_NEEDED, MedicineAction.TAKE, MedicineAction.NEW, MedicineAction.CHANGED}
)
_ENDED = frozenset({MedicineAction.STOPPED, MedicineAction.ON_HOLD})
_GOES = frozenset({Afterwards.CONTINUED, Afterwards.CHANGED, Afterwards.STARTED})
_DECISIONS = frozenset({Afterwards.CHANGED, Afterwards.STOPPED, Afterwards.ON_HOLD})
_MADE = frozenset(
    {Afterwards.CONTINUED, Afterwards.CHANGED, Afterwards.STARTED, Afterwards.STOPPED, Afterwards.ON_HOLD}
)
"""Readings that make a row where the rules make none."""
_ALIKE = {
    MedicineAction.CONTINUE: frozenset({Afterwards.CONTINUED}),
    MedicineAction.AS_NEEDED: frozenset({Afterwards.CONTINUED}),
    MedicineAction.TAKE: frozenset({Afterwards.CONTINUED, Afterwards.STARTED}),
    MedicineAction.NEW: frozenset({Afterwards.STARTED}),
    MedicineAction.CHANGED: frozenset({Afterwards.CHANGED}),
    MedicineAction.STOPPED: frozenset({Afterwards.STOPPED}),
    MedicineAction.ON_HOLD: frozenset({Afterwards.ON_HOLD}),
    MedicineAction.HOSPITAL_ONLY: frozenset({Afterwards.HERE, Afterwards.NONE}),
}
"""Readings that say the same as an action of the rules."""


def likely_rows(
    rows: Sequence[DecidedMedicine],
    of_note: Sequence[Medicine],
    classes: Callable[[str], Collection[str]] = lambda _: (),
) -> list[DecidedMedicine]:
    """The rows with those that the likeliest reading decides.

    Args:
        rows: as the rules decide them.
        of_note: the note's medicines.
        classes: the classes above a medicine, by concept id.

    Returns:
        The rows in their order, then those that only the reading makes, in the order of the note. A note of which nothing is decided, and
        nothing surely read as a decision, only lists what is taken, and nothing is read into it.
    """
    readings = [reading for one in of_note if (reading := reading_of(one.statements)) is not None]
    sure = any(one.action in _DECISIONS and one.likelihood >= _SURE for one in readings)
    if not sure and not any(row.action in _TAKEN | _ENDED for row in rows):
        return list(rows)
    read = Readings(of_note, classes)
    kept = [found for row in rows if (found := _read(row, read)) is not None]
    met = {statement.id for row in rows for statement in (*row.statements, *row.medicine.statements)}
    return [*kept, *_unmet(of_note, met, read)]


def _read(row: DecidedMedicine, read: Readings) -> DecidedMedicine | None:
    """The row as it is read; None where the medicine is none of the patient's now."""
    statements = row.statements or row.medicine.statements
    reading = read.of(row.medicine.concept_id, statements)
    if reading is None or row.medicine.is_class or row.entries:
        return row
    if row.action is not MedicineAction.UNDECIDED:
        return _weighed(row, reading, statements)
    if reading.action is Afterwards.STARTED and any(map(_is_listed, statements)):
        return row  # what is listed as taken is not begun
    least = _SURER if row.prompt == Prompt.DOSES_DISAGREE else _LEAST.get(reading.action, 2)
    if row.prompt not in _OPEN or reading.likelihood < least:
        return row
    if reading.action is Afterwards.NONE:
        return row if row.prompt in (Prompt.UNCHANGED, Prompt.STOPPED_BEFORE) else None
    return _decided(row, reading, statements) or row


def _weighed(row: DecidedMedicine, reading: Reading, statements: Sequence[MedicationStatement]) -> DecidedMedicine:
    """The row of the rules, as it is read where the reading is surer, and in question where it says the opposite."""
    if reading.action in _ALIKE.get(row.action, ()) or reading.action is Afterwards.OPEN:
        return row
    if reading.likelihood >= _SURER and reading.action is not Afterwards.NONE:
        found = _decided(row, reading, statements)
        if found is not None:
            return found
    here, goes = row.action is MedicineAction.HOSPITAL_ONLY, reading.action in _GOES
    if reading.likelihood < _DOUBT or (not here and goes == (row.action in _TAKEN)):
        return row  # "continued" beside "new", "stopped" beside "on hold"
    prompt = (Prompt.STARTED_IN_STAY if goes else Prompt.STOP_MEANT) if here else Prompt.DECISIONS_DISAGREE
    return row._replace(action=MedicineAction.UNDECIDED, prompt=prompt)


def _is_listed(one: MedicationStatement) -> bool:
    """Whether a statement stands in a list of what is taken at home, unchanged."""
    home = one.category is MedicationCategory.COMMUNITY and one.status is MedicationStatus.ACTIVE and not one.change
    return home and one.listed is MedicationCategory.COMMUNITY


def _unmet(of_note: Sequence[Medicine], met: set[str], read: Readings) -> Iterator[DecidedMedicine]:
    for one in of_note:
        reading = read.of(one.concept_id, one.statements)
        if (
            reading is None
            or not one.recognised
            or one.is_class
            or not met.isdisjoint(own.id for own in one.statements)
        ):
            continue
        if reading.action not in _MADE or reading.likelihood < _DOUBT:
            continue
        row = DecidedMedicine(MedicineAction.UNDECIDED, one, source=THE_NOTE, statements=one.statements)
        found = _decided(row, reading, one.statements) if reading.likelihood >= _SURER else None
        yield found or row._replace(prompt=Prompt.NAMED_ONLY)


def _decided(
    row: DecidedMedicine, reading: Reading, statements: Sequence[MedicationStatement]
) -> DecidedMedicine | None:
    """The row by its reading; None where the dose that would be told is not sure."""
    told = _told(statements)
    apart = row.prompt == Prompt.DOSES_DISAGREE or (
        not row.regimen and len(told) > 1
    )  # else steps or turns of one course
    row = row._replace(prompt="", old="", dose="" if apart else row.dose, likely=True)
    match reading.action:
        case Afterwards.STOPPED:
            return row._replace(action=MedicineAction.STOPPED, regimen=(), dose="")
        case Afterwards.ON_HOLD:
            return row._replace(action=MedicineAction.ON_HOLD, regimen=(), dose="")
        case Afterwards.HERE:
            return row._replace(action=MedicineAction.HOSPITAL_ONLY, regimen=())
        case Afterwards.CONTINUED if not apart:
            regimen = row.regimen or fuller(told)
            return row._replace(action=going_on(regimen), regimen=regimen)
        case Afterwards.STARTED if not apart:
            return row._replace(action=MedicineAction.NEW, regimen=row.regimen or fuller(told))
        case Afterwards.CHANGED:
            return _changed(row, statements, told if apart or len(row.regimen) < 2 else told[:1])
    return None


def _told(statements: Sequence[MedicationStatement]) -> list[Regimen]:
    """The dosages that the note tells, each once, in order of place, those of before a change left out."""
    placed = sorted(statements, key=lambda one: one.spans[0].start_char if one.spans else 0)
    return distinct([(one.dosage,) for one in placed if stated((one.dosage,))])


def _changed(
    row: DecidedMedicine, statements: Sequence[MedicationStatement], told: Sequence[Regimen]
) -> DecidedMedicine | None:
    """A changed dose: the one that the note tells beside the old one, or the last of two."""
    old = next((one.old_dosage for one in statements if one.old_dosage is not None), None)
    if old is not None and len(told) == 1 and not same_regimen((old,), told[0]):
        return row._replace(action=MedicineAction.CHANGED, regimen=told[0], old=as_one((old,)))
    if old is None and len(told) == 2 and not any(map(is_stepped, told)):
        return row._replace(action=MedicineAction.CHANGED, regimen=told[1], old=as_one(told[0]))
    return None
