"""The cells of an evaluation of progress notes: a system that writes one visit, its visits in turn, or all notes at once."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from backend.container import Container
from backend.evaluation.progress_notes.patient_visits import PatientVisits
from backend.evaluation.reports.cell_use import WARM_NOTE, metered, warm_up
from backend.evaluation.reports.failed_items import whole
from backend.retrieval.patient_notes.note_allergies import StatedAllergies
from backend.retrieval.patient_notes.notes_by_visit import write_visits
from backend.retrieval.patient_notes.visit_summary import visit_summary
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.patients.written_notes import latest
from backend.schemas.vocabulary import Document
from backend.systems import NO_RETRIEVAL

ASKED = "Write the progress note of this visit."
ALL_NOTES = "all-notes"
Summarise = Callable[[Draft], str]


class WrittenNote(NamedTuple):
    """A visit's note with how it came about, as `cell_use` keeps it."""

    draft: Draft
    use: dict[str, Any]


class NoteCell(Protocol):
    """Who writes the note of a visit."""

    @property
    def name(self) -> str:
        """What the cell is called in figures."""
        ...

    def write(self, patient: PatientVisits, seed: int) -> WrittenNote:
        """The note of the patient's last visit. Raises LeapnoteError where it cannot be written."""
        ...


class OneVisit:
    """A system that is given the notes of the visit alone.

    Args:
        container: whose pipeline it is, and whose models are counted.
        system: by name.
        generator: who writes; empty for the one that is set.
        label: the end of the cell's name, where a setting is varied.
    """

    def __init__(self, container: Container, system: str, generator: str, label: str = "") -> None:
        self.name = f"{system}{label}"
        self._container, self._system, self._generator = container, system, generator
        self._pipeline = container.pipeline(system, generator)

    def warm(self) -> None:
        """Run once, unmeasured."""
        request = self._request((PatientNote(text=WARM_NOTE),), 0)
        warm_up(self._container, self._pipeline, request, self._generator)

    def write(self, patient: PatientVisits, seed: int) -> WrittenNote:
        """The note from the visit's notes."""
        return self._written(self._request(patient.notes, seed))

    def _request(self, notes: Sequence[PatientNote], seed: int) -> DraftRequest:
        return DraftRequest(
            question=ASKED,
            document=Document.PROGRESS_NOTE,
            system=self._system,
            seed=seed,
            patient_notes=latest(notes)[0],
        )

    def _written(self, request: DraftRequest) -> WrittenNote:
        return WrittenNote(*metered(self._container, lambda: whole(self._pipeline.run(request))))


class AllNotes(OneVisit):
    """The baseline that is given the notes of all visits at once, none retrieved."""

    def __init__(self, container: Container, generator: str) -> None:
        super().__init__(container, NO_RETRIEVAL, generator)
        self.name = ALL_NOTES

    def write(self, patient: PatientVisits, seed: int) -> WrittenNote:
        """The note from every note."""
        return self._written(self._request(patient.every, seed))


class VisitsInTurn(OneVisit):
    """A system that writes every visit, each with the summary of the one before where the setting has it so (CLI-RAG)."""

    def __init__(self, container: Container, system: str, generator: str, label: str = "") -> None:
        super().__init__(container, system, generator, label)
        self._allergies = StatedAllergies(container.linker).handed_on

    def write(self, patient: PatientVisits, seed: int) -> WrittenNote:
        """The last visit's note, after all before; its use is of that note alone."""
        return self.chain(patient, seed, visit_summary)

    def chain(self, patient: PatientVisits, seed: int, summarise: Summarise) -> WrittenNote:
        """The last visit's note, each visit before it told by `summarise`."""
        written: list[WrittenNote] = []

        def write(request: DraftRequest) -> Draft:
            written.append(self._written(request))
            return written[-1].draft

        settings = self._container.settings
        request = self._request(patient.notes, seed)
        for _ in write_visits(
            request,
            write,
            settings.patient_visit_gap_days,
            settings.patient_previous_visit,
            summarise,
            allergies=self._allergies,
            in_visits=(*patient.earlier, patient.visit),
        ):
            pass
        return written[-1]
