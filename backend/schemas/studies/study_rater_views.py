"""What raters see and send around an answer. No value here names a system, an arm or another rater."""

from typing import Annotated

from pydantic import Field

from backend.schemas.base import Frozen
from backend.schemas.patients.case_text import Because
from backend.schemas.studies.study_design import EvidenceShown
from backend.schemas.studies.study_instrument import Design, Option, QuestionKind, Target
from backend.schemas.studies.study_rating import Answer, Part, Phase, QuestionKey


class AskedQuestion(Frozen):
    """A question under a key of this session; nothing names its instrument."""

    key: str
    kind: QuestionKind
    target: Target
    prompt: str
    help: str = ""
    options: tuple[Option, ...] = ()
    required: bool
    cannot_judge: bool
    only_cannot_judge: bool = Field(default=False, description="What it needs is not there for this item")


class RaterSession(Frozen):
    """stage: profile, rating, guesses, closing, done or closed."""

    title: str
    instructions: str
    notice: str = ""
    design: Design
    evidence: EvidenceShown
    questions: tuple[AskedQuestion, ...]
    stage: str
    total: int
    done: int
    calibration: int
    next_number: int
    paused: bool = False


class TextSpan(Frozen):
    """A place in a text: half-open, in Unicode code points."""

    start_char: int
    end_char: int


class ShownDraft(Frozen):
    """A draft under a letter. evidence is None unless the study shows it now."""

    part: str
    text: str
    sentences: tuple[TextSpan, ...]
    evidence: tuple[str, ...] | None = None


class SavedAnswer(Frozen):
    """The newest revision of an answer."""

    key: str
    part: str
    phase: Phase
    revision: int
    answer: Answer


class RaterItem(Frozen):
    """One item as a rater sees it, with what they answered before."""

    number: int
    total: int
    calibration: bool
    note: str
    question: str
    reference: str | None
    drafts: tuple[ShownDraft, ...]
    questions: tuple[AskedQuestion, ...]
    answers: tuple[SavedAnswer, ...]
    phase: Phase
    evidence_pending: bool = Field(description="The evidence can be shown once the blind answers are complete")
    complete: bool


class AnswerSaved(Frozen):
    """It is on the disk. overwrote: another tab had saved something this tab had not seen; that revision is kept."""

    key: str
    part: str
    phase: Phase
    revision: int
    overwrote: bool
    complete: bool
    done: int
    warning: str = ""


class LeakNote(Frozen):
    """A rater recognised who wrote something."""

    number: Annotated[int, Field(ge=1, le=100_000)]
    text: Because


class GuessItem(Frozen):
    """One draft to guess about, with the guess so far; 0 is 'I do not know'."""

    number: int
    part: str
    text: str
    guess: int | None = None
    revision: int = 0


class GuessView(Frozen):
    """options: values 1, 2, …; 0 is 'do not know'."""

    options: tuple[Option, ...]
    items: tuple[GuessItem, ...]
    complete: bool


class GuessRequest(Frozen):
    """A guess about one draft: the value of an option, 0 for 'I do not know'."""

    number: Annotated[int, Field(ge=1, le=100_000)]
    part: Part = "A"
    guess: Annotated[int, Field(ge=0, le=8)]
    seen_revision: Annotated[int, Field(ge=0)] = 0


class ClosingGroup(Frozen):
    """The items that one blinded arm wrote, under a number of this rater's own."""

    group: int
    items: tuple[str, ...]
    answers: tuple[SavedAnswer, ...] = ()


class ClosingView(Frozen):
    """The closing questions, and a group for each arm."""

    questions: tuple[AskedQuestion, ...]
    groups: tuple[ClosingGroup, ...]
    complete: bool


class ClosingRequest(Frozen):
    """An answer to a closing question about one group."""

    group: Annotated[int, Field(ge=1, le=8)]
    key: QuestionKey
    answer: Answer
    seen_revision: Annotated[int, Field(ge=0)] = 0
