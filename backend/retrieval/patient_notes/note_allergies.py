"""Allergies that a patient's notes state: for the page, and carried from each visit to the next.

An allergy does not end with a visit. A later visit's request brings the notes of that visit alone, so what earlier notes
state is handed on as a note of type "Previous visit": the writer is told it with its date, and the safety check compares with it.
"""

from collections.abc import Iterable

from backend.interfaces import Linker
from backend.nlp.allergies.dangerous_reactions import gravity
from backend.retrieval.patient_notes.notes_by_visit import DatedNote
from backend.schemas.drafts.note import Allergies
from backend.schemas.drafts.request import PatientNote
from backend.schemas.patients.patient_files import StatedAllergy
from backend.schemas.patients.patient_notes import PREVIOUS_VISIT, dated_statement
from backend.schemas.vocabulary import AllergyKind, AllergyStatus

ORDER = (AllergyStatus.LISTED, AllergyStatus.UNREADABLE, AllergyStatus.NONE_KNOWN)


class StatedAllergies:
    """Reads the allergies of one patient's notes; a note is linked once."""

    def __init__(self, linker: Linker) -> None:
        self._linker = linker
        self._read: dict[str, Allergies] = {}

    def of(self, notes: Iterable[DatedNote]) -> tuple[StatedAllergy, ...]:
        """Every allergy of the notes, once, in the order of the notes: as the latest note words it that tells the gravest reaction."""
        found: dict[str, StatedAllergy] = {}
        for note in notes:
            for item in self._linked(note.note.text).items:
                key = item.concept_id or " ".join(item.text.lower().split())
                if key in found and gravity(item.reaction) < gravity(found[key].reaction):
                    continue
                found[key] = StatedAllergy(
                    text=item.text,
                    reaction=item.reaction,
                    kind=item.kind,
                    checked=item.checked,
                    date=note.when.day,
                    note_type=note.shown,
                )
        return tuple(found.values())

    def handed_on(self, notes: Iterable[DatedNote], day: str | None) -> PatientNote | None:
        """What the next visit is told, a dated statement a line; None where no note states any. day: of the visit before."""
        lines = [dated_statement(_statement(one), one.date, one.note_type) for one in self.of(notes)]
        return PatientNote(note_type=PREVIOUS_VISIT, date=day, text="\n".join(lines)) if lines else None

    def status(self, notes: Iterable[DatedNote]) -> AllergyStatus:
        """Of all notes together: listed before unreadable, that before none known, not stated where none says anything."""
        found = {self._linked(note.note.text).status for note in notes}
        return next((status for status in ORDER if status in found), AllergyStatus.NOT_STATED)

    def _linked(self, text: str) -> Allergies:
        if text not in self._read:
            self._read[text] = self._linker.link(text).allergies
        return self._read[text]


def _statement(one: StatedAllergy) -> str:
    kind = "Intolerance of" if one.kind is AllergyKind.INTOLERANCE else "Allergy to"
    return f"{kind} {' '.join(one.text.split())}{f': {one.reaction}' if one.reaction else ''}."
