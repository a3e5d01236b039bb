"""What raters send and what the record keeps of it: answers, comments, profile, events."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import Field, model_validator

from backend.schemas.base import Frozen
from backend.schemas.patients.case_text import Label, Words
from backend.schemas.studies.study_instrument import ErrorSeverity, ErrorType

Part = Annotated[str, Field(pattern="^[A-H]?$", description="The draft it is about: A is left; empty: the whole item")]
QuestionKey = Annotated[str, Field(pattern=r"^(q[1-9]\d{0,2}|comment)$", max_length=20)]
Offset = Annotated[int, Field(ge=0, le=1_000_000)]
Revision = Annotated[int, Field(ge=0, le=1_000_000)]
Visible = Annotated[int, Field(ge=0, le=86_400_000)]


class Phase(StrEnum):
    """blind: the first rating. informed: again, with the evidence shown. guess, closing: after the last item."""

    BLIND = "blind"
    INFORMED = "informed"
    GUESS = "guess"
    CLOSING = "closing"


class Role(StrEnum):
    """Whose answers they are: a rater's, or those of a third person on the items that disagree."""

    RATER = "rater"
    ADJUDICATOR = "adjudicator"


class MarkedError(Frozen):
    """An error in a draft. What is missing has no span."""

    type: ErrorType
    severity: ErrorSeverity
    start_char: Offset | None = None
    end_char: Offset | None = None
    note: Words = ""

    @model_validator(mode="after")
    def _spanned(self) -> Self:
        if (self.start_char is None) != (self.end_char is None):
            raise ValueError("give both start_char and end_char, or neither")
        if self.start_char is not None and self.end_char is not None and self.end_char <= self.start_char:
            raise ValueError("end_char must be greater than start_char")
        if self.start_char is None and self.type != ErrorType.MISSING:
            raise ValueError("only a missing thing has no span: mark where the error is")
        return self


class ValueAnswer(Frozen):
    """One of a question's options."""

    kind: Literal["value"] = "value"
    value: Annotated[int, Field(ge=-100, le=100)]


class RankingAnswer(Frozen):
    """The drafts from best to worst; drafts in one group are tied."""

    kind: Literal["ranking"] = "ranking"
    order: tuple[tuple[Part, ...], ...] = Field(min_length=1, max_length=8)


class ErrorsAnswer(Frozen):
    """The errors found; an empty list says that there are none."""

    kind: Literal["errors"] = "errors"
    errors: tuple[MarkedError, ...] = Field(default=(), max_length=200)


class TextAnswer(Frozen):
    """An answer in words."""

    kind: Literal["text"] = "text"
    text: Words


class CannotJudge(Frozen):
    """The answer that there is none, with a reason if one is given."""

    kind: Literal["cannot_judge"] = "cannot_judge"
    reason: Words = ""


class CommentAnswer(Frozen):
    """A remark about the item, or about a span of one of its drafts. thread keeps its revisions together."""

    kind: Literal["comment"] = "comment"
    thread: UUID
    text: Words
    start_char: Offset | None = None
    end_char: Offset | None = None
    deleted: bool = False


Answer = Annotated[
    ValueAnswer | RankingAnswer | ErrorsAnswer | TextAnswer | CannotJudge | CommentAnswer, Field(discriminator="kind")
]


class AnswerRequest(Frozen):
    """One click. Sent again with the same id it changes nothing and gets the same reply.

    seen_revision: the revision this tab last saw, 0 for none. visible_ms: how long the page was visible since the item
    was opened or the last answer was sent, by the browser's own steady clock.
    """

    key: QuestionKey
    part: Part = ""
    phase: Phase = Phase.BLIND
    answer: Answer
    seen_revision: Revision = 0
    visible_ms: Visible | None = None
    tab: Annotated[str, Field(pattern=r"^[\w-]*$", max_length=40)] = ""


class ProfileRequest(Frozen):
    """Asked once, before the first item."""

    profession: Label
    specialty: Label
    years: Annotated[float, Field(ge=0, le=80)]
    conflicts: Words = Field(description="Conflicts of interest; 'none' is an answer, empty is not")

    @model_validator(mode="after")
    def _stated(self) -> Self:
        if not self.conflicts.strip():
            raise ValueError("say 'none' if there are no conflicts of interest")
        return self


class Profile(ProfileRequest):
    """Who a rater is, as it is kept."""

    rater_id: str
    at: datetime


class Stamp(Frozen):
    """When by the wall clock, and by the steady clock of the process that took it. Only ticks of one process compare.

    step counts what one rater did, in the order the database took it: it is right even when the wall clock was set back.
    """

    at: datetime
    process: str
    tick_s: float
    step: int = 0


class RatingRecord(Frozen):
    """One revision of one answer, as shown: parts are letters. Earlier revisions are kept.

    question is 'instrument/question', or comment/<thread>. overwrote: the tab that sent it had not seen the revision before.
    """

    id: str
    rater_id: str
    role: Role
    item_id: str
    number: int
    phase: Phase
    question: str
    part: str = ""
    revision: int
    seen_revision: int
    overwrote: bool = False
    answer: Answer
    visible_ms: int | None = None
    tab: str = ""
    stamp: Stamp


class EventKind(StrEnum):
    """What the trail of a study can say. It only grows."""

    CREATE = "create"
    CHANGE_SETUP = "change_setup"
    ADD_CASES = "add_cases"
    UPLOAD_DRAFTS = "upload_drafts"
    GENERATE = "generate"
    GENERATED = "generated"
    FREEZE = "freeze"
    INVITE = "invite"
    WITHDRAW = "withdraw"
    CLOSE = "close"
    UNLOCK = "unlock"
    EXPORT = "export"
    IMPORT = "import"
    ADJUDICATE = "adjudicate"
    JUDGE = "judge"
    PROFILE = "profile"
    OPENED = "opened"
    EVIDENCE_SHOWN = "evidence_shown"
    PAUSE = "pause"
    RESUME = "resume"
    LEAK = "leak"
    TOO_FAST = "too_fast"
    ATTENTION = "attention"
    COMPLETED = "completed"
    FINISHED = "finished"


class StudyEvent(Frozen):
    """actor: a rater's id, or who the coordinator said to be. details are counts, reasons and ids, never a note's text."""

    id: str
    kind: EventKind
    actor: str
    item_id: str = ""
    details: dict[str, Any] = {}
    stamp: Stamp
