"""A saved case: its versions, who wrote each sentence, edits, signatures and the audit trail, as the wire has them."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field

from backend.schemas.base import Frozen
from backend.schemas.corrections import Correction
from backend.schemas.drafts.draft import Checks, Draft, Flag, Readability, Sentence
from backend.schemas.drafts.evidence import Condition
from backend.schemas.drafts.gaps import GapKind
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.case_text import Because, Heading, Person, SentenceId, VersionNumber, Words, folded
from backend.schemas.patients.letter_details import LetterDetails
from backend.schemas.patients.letter_work import (
    Block,
    FlagAnswer,
    GivenAnswer,
    Judgement,
    LetterContext,
    MedicineDecision,
    MedicineEdit,
    Origin,
    Progress,
)


class CaseState(StrEnum):
    """draft: as it was written. in_review: a person has changed it. signed. superseded: a newer version exists."""

    DRAFT = "draft"
    IN_REVIEW = "in_review"
    SIGNED = "signed"
    SUPERSEDED = "superseded"


class EditKind(StrEnum):
    """What a person can do to a version."""

    REPLACE = "replace"
    INSERT_AFTER = "insert_after"
    DELETE = "delete"
    RESTORE = "restore"
    CONFIRM_CONDITION = "confirm_condition"
    RULE_OUT_CONDITION = "rule_out_condition"
    NOTE_GAP = "note_gap"
    CHECK = "check"
    UNCHECK = "uncheck"
    CLEAR_CONDITION = "clear_condition"
    PAST_CONDITION = "past_condition"
    LEAD_CONDITION = "lead_condition"
    CORRECT = "correct"
    UNCORRECT = "uncorrect"
    MEDICINE = "medicine"
    FILL_GAP = "fill_gap"
    ANSWER_FLAG = "answer_flag"
    UNANSWER_FLAG = "unanswer_flag"
    DETAILS = "details"
    CONTEXT = "context"


class AuditAction(StrEnum):
    """What the audit trail can say of a whole case; of an edit it says the edit's kind."""

    CREATE = "create"
    SIGN = "sign"
    EXPORT_CLINICIAN = "export_clinician"
    EXPORT_PATIENT = "export_patient"
    DELETE_CASE = "delete_case"
    EXPIRE = "expire"


class CopyKind(StrEnum):
    """clinician: all that the case holds. patient: the text alone, of a signed version only."""

    CLINICIAN = "clinician"
    PATIENT = "patient"


class ExportFormat(Frozen):
    """A file format in which a copy of a case can be exported, as its exporter states it.

    name is what a request calls it, label what a person reads. for_programs: another program reads it rather than a
    person, so the page offers no patient's copy in it.
    """

    name: str
    label: str
    media_type: str
    suffix: str = Field(pattern=r"^[a-z0-9]+$")
    copies: tuple[CopyKind, ...] = Field(min_length=1)
    for_programs: bool = False


class WriterKind(StrEnum):
    """Who wrote a text: the composer, a language model, or a person."""

    COMPOSER = "composer"
    MODEL = "model"
    PERSON = "person"


class Provenance(Frozen):
    """Who wrote a text, in which version; at is None for what came with the draft."""

    kind: WriterKind
    name: str
    version: int
    at: datetime | None = None


class EarlierText(Frozen):
    """A text that once stood in a sentence's place, and the last version in which it did."""

    text: str
    written_by: Provenance
    last_version: int


class ReviewedSentence(Sentence):
    """A sentence of a version, kept when deleted. id is stable through all versions; offsets of a deleted one are 0."""

    id: str
    written_by: Provenance
    earlier: tuple[EarlierText, ...] = ()
    deleted: bool = False
    deleted_reason: str = ""
    rests_on: str | None = Field(default=None, description="The condition it was written for, confirmed or not")
    checked_by: str = Field(default="", description="Who has checked it as it stands; empty for nobody")
    changed: bool = Field(
        default=False, description="A new draft brought or changed it, and nobody has looked at it since"
    )
    outdated: str = Field(default="", description="Why it may no longer fit, after the letter was drafted anew")
    origin: Origin | None = Field(default=None, description="What the program wrote; None where a person added it")


class ReviewFlag(Flag):
    """A flag with an id by which a signer acknowledges it; sentence indexes the draft as it stands."""

    id: str


class Gap(Frozen):
    """A place left for the team to complete. id counts them in the order of the text; text is its sentence."""

    id: str = ""
    sentence: str
    section: str
    text: str
    prompt: str = ""
    required: bool = Field(default=False, description="The letter cannot be signed without it")
    kind: GapKind = GapKind.WORDS


class VersionContent(Frozen):
    """What one version holds, beside the draft that all versions share. A written version never changes."""

    text: str
    sentences: tuple[ReviewedSentence, ...]
    conditions: tuple[Condition, ...]
    flags: tuple[ReviewFlag, ...]
    checks: Checks
    readability: Readability
    next_sentence: int
    draft_number: int = Field(default=1, description="The draft it stands on, by the version that brought it")
    details: LetterDetails = LetterDetails()
    judgements: tuple[Judgement, ...] = ()
    medicines: tuple[MedicineDecision, ...] = ()
    answers: tuple[GivenAnswer, ...] = ()
    key: str = Field(default="", description="The key of the request that made it")


class SaveRequest(Frozen):
    """A letter to keep.

    label tells it from others on a list; an empty one is made of the person and the reason. draft is the JSON of a finished
    draft, request what it answered; without one the letter cannot be drafted anew.
    """

    label: Annotated[str, AfterValidator(folded), Field(max_length=200)] = ""
    draft: Draft
    author: Person
    request: DraftRequest | None = None
    key: str = Field(default="", max_length=80, description="Of whoever sends it: sent again, it saves nothing twice")
    details: LetterDetails = Field(
        default=LetterDetails(), description="For the letter's head; an empty one is as the lines over the note give it"
    )


class Edit(Frozen):
    """One change. sentence is an index into the sentences of the draft as the named version has it, or a sentence's id.

    replace and insert_after need text (insert_after without a sentence: at the end of `section`, or else at the top);
    restore brings one sentence back, or without a sentence the whole version; the condition kinds need concept_id, or
    a sentence that rests on the condition; note_gap leaves "[team to complete: text]" after the sentence. fill_gap puts text
    in the place of a gap, by its id as the letter stands when this edit is made; a correction is named by its place and
    text; each other kind needs the field of its name.
    """

    kind: EditKind
    sentence: Annotated[int, Field(ge=0)] | SentenceId | None = None
    text: Words = ""
    author: Person
    section: Heading = ""
    concept_id: str = Field(default="", max_length=200)
    to_version: VersionNumber | None = Field(default=None, description="For restore; default: the change before last")
    citations: tuple[str, ...] | None = Field(
        default=None, max_length=50, description="Default: those it had, as far as they support the new text"
    )
    gap: str = Field(default="", max_length=20)
    not_needed: bool = Field(default=False, description="For fill_gap: it stays empty, and text is the reason")
    flag: str = Field(default="", max_length=100)
    answer: FlagAnswer | None = None
    correction: Correction | None = None
    medicine: MedicineEdit | None = None
    details: LetterDetails | None = None
    context: LetterContext | None = None


class EditsRequest(Frozen):
    """Edits of one version, all of them or none."""

    version: VersionNumber = Field(description="The version that was looked at; an older one than the newest gets 409")
    edits: tuple[Edit, ...] = Field(min_length=1, max_length=500)
    reopen: bool = Field(
        default=False, description="Change a signed letter; its signature stays with the signed version"
    )
    key: str = Field(default="", max_length=80, description="Of whoever sends it: sent again, it changes nothing twice")


class Acknowledgement(Frozen):
    """A signer's answer to a severe flag: a code of FLAG_ANSWERS, with a reason in words where the code asks for them."""

    flag: str = Field(max_length=100, description="Id of the flag")
    reason: Because
    code: str = Field(default="", max_length=40, description="Empty in signatures of earlier versions")


class SignatureRequest(Frozen):
    """Who signs a version, and what they acknowledge."""

    version: VersionNumber
    name: Person
    role: Person
    acknowledgements: tuple[Acknowledgement, ...] = Field(default=(), max_length=500)


class Signature(Frozen):
    """A signature as it is kept."""

    version: int
    name: str
    role: str
    at: datetime
    acknowledgements: tuple[Acknowledgement, ...] = ()


class EditRecord(Frozen):
    """An edit as it was made; the records are never changed."""

    version: int
    kind: EditKind
    sentence: str | None
    text: str
    earlier_text: str
    concept_id: str = ""
    flag: str = ""
    to_version: int | None = None
    author: str
    at: datetime


class VersionRecord(Frozen):
    """One version in the list of a case's versions."""

    version: int
    state: CaseState
    author: str
    at: datetime
    corrects_signed: bool = Field(default=False, description="It was made from a signed version")
    signature: Signature | None = None


class CaseSummary(Frozen):
    """A case as a line of a list; version is the newest, unless another was asked for. Name and number: as the newest has them."""

    id: str
    label: str
    patient_name: str = ""
    record_number: str = ""
    state: CaseState
    version: int
    created_at: datetime
    updated_at: datetime


class CasePage(Frozen):
    """total counts all cases that match; the most lately changed come first."""

    total: int
    limit: int
    offset: int
    cases: tuple[CaseSummary, ...]


class CaseView(CaseSummary):
    """One version of a case, the newest unless another was asked for. draft is the draft as that version has it."""

    newest: int
    author: str
    draft: Draft
    sentences: tuple[ReviewedSentence, ...]
    flags: tuple[ReviewFlag, ...]
    gaps: tuple[Gap, ...]
    edits: tuple[EditRecord, ...]
    versions: tuple[VersionRecord, ...]
    signature: Signature | None = None
    exports: tuple[ExportFormat, ...] = Field(default=(), description="The files a copy can be taken as")
    request: DraftRequest | None = Field(
        default=None, description="What the draft answered; without one the letter cannot be drafted anew"
    )
    details: LetterDetails = LetterDetails()
    answers: dict[str, GivenAnswer] = Field(default={}, description="Answers to flags, by the flag's id")
    judgements: tuple[Judgement, ...] = ()
    corrections: tuple[Correction, ...] = ()
    expires_at: datetime | None = Field(default=None, description="When it is deleted unless changed; None: it is kept")
    progress: Progress = Progress()
    blocks: tuple[Block, ...] = Field(default=(), description="What stands against signing this version now")


class AuditEntry(Frozen):
    """Who did what to which case, and when; never a word of its text."""

    id: str
    at: datetime
    actor: str
    action: EditKind | AuditAction
    case_id: str
    version: int
