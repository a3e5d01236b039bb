"""A clinician's work on a letter beside its sentences: medicines, verdicts on problems, answers to alerts, and what is still open."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from backend.schemas.base import Frozen
from backend.schemas.drafts.medicines import MedicineAction, MedicineRow
from backend.schemas.drafts.request import PatientNote
from backend.schemas.patients.case_text import Person, Phrase, Words
from backend.schemas.vocabulary import Document, Length, Locale


class Verdict(StrEnum):
    """What a clinician says of a problem. lead: it is confirmed, and the letter is about it first."""

    CONFIRMED = "confirmed"
    RULED_OUT = "ruled_out"
    PAST = "past"
    LEAD = "lead"


class Judgement(Frozen):
    """A clinician's verdict on one problem."""

    concept_id: str
    verdict: Verdict


class FlagAnswerKind(Frozen):
    """One answer that an alert can be given.

    needs_words: it says nothing without a few words of the person's own. fits: the kinds of alerts that it answers; empty for all.
    """

    code: str
    label: str
    needs_words: bool = False
    fits: tuple[str, ...] = ()


_OF_ALLERGIES = ("allergy_conflict", "allergy_possible")
_OF_MEDICINES = (
    *_OF_ALLERGIES, "contraindication", "dose", "formulary", "interaction", "monitoring", "not_to_give", "untreated",
)  # fmt: skip
FLAG_ANSWERS: tuple[FlagAnswerKind, ...] = (
    FlagAnswerKind(code="tolerated", label="Taken before without a reaction", fits=_OF_ALLERGIES),
    FlagAnswerKind(code="benefit", label="Benefit outweighs the risk", fits=_OF_MEDICINES),
    FlagAnswerKind(code="monitored", label="Known, and will be monitored", fits=_OF_MEDICINES),
    FlagAnswerKind(code="dose_checked", label="Dose checked for this patient", fits=("dose",)),
    FlagAnswerKind(code="asked", label="Asked the patient", needs_words=True),
    FlagAnswerKind(code="not_this_patient", label="Does not apply to this patient", needs_words=True),
    FlagAnswerKind(code="other", label="Other reason", needs_words=True),
)
"""The answers that solve a severe alert where the letter is not changed."""


class FlagAnswer(Frozen):
    """An answer to an alert: a code of FLAG_ANSWERS, and words where the code asks for them."""

    code: str = Field(max_length=40)
    words: Phrase = ""


class GivenAnswer(FlagAnswer):
    """An answer as it is kept: to which flag, by whom, when."""

    words: Words = ""
    flag: str
    name: str
    at: datetime


class MedicineEdit(Frozen):
    """A row of the medicines table as a clinician wants it. id: the row's; empty for a new row."""

    id: str = Field(default="", max_length=40)
    name: Annotated[Phrase, Field(min_length=1, max_length=300)]
    action: MedicineAction
    dose: Annotated[Phrase, Field(max_length=300)] = ""
    timing: Annotated[Phrase, Field(max_length=300)] = ""
    reason: Annotated[Phrase, Field(max_length=300)] = ""
    removed: bool = False


class MedicineKey(Frozen):
    """What a row is known by in every draft: its ingredients, else its name."""

    ingredients: tuple[str, ...] = ()
    name: str = ""


class MedicineDecision(Frozen):
    """A row that stands as a clinician has it, through all drafts.

    replaces: the draft's row that it was made of; None for one that the clinician added. lone: an added one that no row of
    the draft had the ingredients of, so that one which comes later is the same.
    """

    id: str
    row: MedicineRow
    replaces: MedicineKey | None = None
    lone: bool = True
    removed: bool = False
    author: str
    at: datetime


class LetterContext(Frozen):
    """What the letter is written from besides the note, and how; None: as it was."""

    hospital_course: Annotated[Words, Field(max_length=50_000)] | None = None
    discharge_medicines: tuple[Words, ...] | None = Field(default=None, max_length=200)
    patient_notes: tuple[PatientNote, ...] | None = Field(default=None, max_length=200)
    length: Length | None = None
    locale: Locale | None = None
    document: Document | None = None
    question: Words | None = None
    options: tuple[Words, ...] | None = Field(default=None, max_length=10)


class Origin(Frozen):
    """What the program first wrote where a sentence stands. now: what its newest draft writes there; empty for nothing."""

    text: str
    section: str
    now: str = ""


class BlockKind(StrEnum):
    """What can stand against signing."""

    SEVERE = "severe"
    GAP = "gap"
    UNCONFIRMED = "unconfirmed"
    UNCHECKED_REQUIRED = "unchecked_required"


class Block(Frozen):
    """One thing that stands against signing now. id: of the flag, gap, condition or sentence."""

    kind: BlockKind
    id: str
    message: str


class Progress(Frozen):
    """How far a letter is: sentences and those a person has checked, gaps, severe alerts without an answer, unconfirmed problems."""

    sentences: int = 0
    checked: int = 0
    gaps: int = 0
    required_gaps: int = 0
    open_severe: int = 0
    unconfirmed: int = 0


class PresentPerson(Frozen):
    """Somebody else who has the letter open. seen_s: seconds since they were last heard of."""

    name: Person
    sentence: str = ""
    seen_s: float


class Presence(Frozen):
    """The newest version's number, and who else has the letter open."""

    newest: int
    others: tuple[PresentPerson, ...] = ()


class ComparedState(StrEnum):
    """What became of a sentence from one version to another."""

    SAME = "same"
    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"


class ComparedSentence(Frozen):
    """A sentence in two versions. by: who wrote it, or took it out; empty where nothing changed."""

    section: str
    before: str | None
    after: str | None
    state: ComparedState
    by: str = ""
