"""Rows of small notes, read with the starter's vocabulary, for the tests of the medicine table."""

from backend.generation.letter.medicines.medicine_table import medicine_rows
from backend.schemas.drafts.medicines import MedicineRow
from backend.schemas.record import PatientRecord
from tests.nlp.fresh import linker

CLINIC = "CLINIC VISIT\nCHIEF COMPLAINT: Follow-up visit in the office.\n"
DECIDED = "PLAN: He is seen again in three months.\n"
WARD = "ADMISSION NOTE\nREASON FOR ADMISSION: He is admitted to the hospital for pneumonia.\n"


def record_of(note: str) -> PatientRecord:
    """What is read in a note."""
    found = linker().read(note).record
    assert found is not None
    return found


def rows_of(note: str, *entries: str, blocked: tuple[str, ...] = ()) -> dict[str, MedicineRow]:
    """The rows by their names, in their order; a name stands for one row."""
    places = {i: (f"E{i}",) for i in range(len(entries))}
    rows = medicine_rows(
        record_of(note),
        entries,
        linker(),
        lambda place: (f"N{note.count(chr(10), 0, place) + 1}",),
        frozenset(blocked),
        cite_entry=lambda number: places[number],
        note_text=note,
    )
    named = {row.name: row for row in rows}
    assert len(named) == len(rows), [row.name for row in rows]
    return named


def actions_of(note: str, *entries: str, blocked: tuple[str, ...] = ()) -> dict[str, str]:
    """The actions by the rows' names."""
    return {name: row.action.value for name, row in rows_of(note, *entries, blocked=blocked).items()}
