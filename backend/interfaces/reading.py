"""Reading a note: the linker, the record, the candidate conditions and the medicine table."""

from collections.abc import Sequence
from typing import Protocol

from backend.schemas.corrections import Correction
from backend.schemas.drafts.evidence import Condition, Evidence
from backend.schemas.drafts.medicines import MedicineRow
from backend.schemas.drafts.note import LinkedNote, Mention
from backend.schemas.drafts.request import DraftRequest


class Linker(Protocol):
    """Reads a text: what it mentions and what it says of the patient."""

    def link(self, text: str) -> LinkedNote:
        """Sections, mentions with assertions, allergies and patient of one note. Finding nothing is a value."""

    def named(self, text: str) -> tuple[Mention, ...]:
        """What a text names that is nobody's note, such as a passage: no allergens are marked, no past reactions told."""

    def read(self, text: str, corrections: Sequence[Correction] = ()) -> LinkedNote:
        """The same as link with the patient record and a clinician's corrections: for a note, not for sentences and passages."""

    def correct(self, linked: LinkedNote, corrections: Sequence[Correction]) -> LinkedNote:
        """The note with a clinician's corrections, which must be of its text."""


class RecordReader(Protocol):
    """Reads a note's record with a model, beside the rules."""

    def read(self, linked: LinkedNote, seed: int) -> tuple[LinkedNote, str]:
        """The note with the merged record, and what is to be said of it: what fell back, or was dropped."""


class ConditionRanker(Protocol):
    """Ranks the candidate conditions of a note.

    Registered with `@condition_ranker(name, label=…)`, in a module of `backend/diagnosis/ranking`, on what builds it from
    `RankerParts`; the setting LEAPNOTE_CONDITION_RANKER names it. It keeps nothing between notes: one serves several requests at
    once, and the same note and request give the same ranking.
    """

    def rank(self, linked: LinkedNote, request: DraftRequest) -> tuple[Condition, ...]:
        """Conditions that fit the note.

        Args:
            linked: the note as it was read.
            request: what a clinician confirmed and ruled out, and the question.

        Returns:
            Each condition of the graph at most once, with a finite score, the best first: what is confirmed leads, what is ruled
            out is never possible. At most the limit of the parts, besides those that must not be missed and those confirmed. A
            note without a finding has none.
        """


class MedicineTable(Protocol):
    """Makes the medicine table of a draft, whoever writes it."""

    def rows(self, request: DraftRequest, linked: LinkedNote, evidence: Evidence) -> tuple[MedicineRow, ...]:
        """The rows in the order of the table."""
