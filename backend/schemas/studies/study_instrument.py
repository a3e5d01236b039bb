"""A rating instrument, as a file in assets/instruments holds it: its questions, their scales and where they come from.

A published instrument's name is used only for a faithful version; `wording` and `wording_note` say whose words they are.
"""

from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, model_validator

from backend.schemas.base import Frozen
from backend.schemas.patients.case_text import Label, Words

Key = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$")]


class Design(StrEnum):
    """What a rater sees at once: one draft, two side by side, or all arms of a case to put in order."""

    SINGLE = "single"
    PAIRWISE = "pairwise"
    RANKING = "ranking"


class QuestionKind(StrEnum):
    """scale, choice and preference are answered by one of the options; the others have a form of their own."""

    SCALE = "scale"
    CHOICE = "choice"
    PREFERENCE = "preference"
    RANKING = "ranking"
    ERRORS = "errors"
    TEXT = "text"


class Target(StrEnum):
    """What a question is about: each draft shown, the item as a whole, or at the end each blinded arm."""

    DRAFT = "draft"
    ITEM = "item"
    ARM = "arm"


class Polarity(StrEnum):
    """Which end of a scale is the better one, if any."""

    HIGHER_IS_BETTER = "higher_is_better"
    LOWER_IS_BETTER = "lower_is_better"
    NONE = "none"


class Wording(StrEnum):
    """Whose words the questions are: the publication's or ours."""

    PUBLISHED = "published"
    OURS = "ours"


class ErrorType(StrEnum):
    """What is wrong with a marked place."""

    WRONG = "wrong"
    UNSUPPORTED = "unsupported"
    MISSING = "missing"
    HARMFUL = "harmful"


class ErrorSeverity(StrEnum):
    """How much a marked error matters."""

    MINOR = "minor"
    MODERATE = "moderate"
    SEVERE = "severe"


class Option(Frozen):
    """One answer. anchor says what the value means on this question, where the scale has anchors."""

    value: Annotated[int, Field(ge=-100, le=100)]
    label: Label
    anchor: Words = ""


class Question(Frozen):
    """One question. Values of a preference are negative for the left draft, positive for the right, 0 for neither."""

    id: Key
    kind: QuestionKind
    target: Target = Target.DRAFT
    prompt: Words
    help: Words = ""
    options: tuple[Option, ...] = Field(default=(), max_length=21)
    required: bool = True
    cannot_judge: bool = Field(default=True, description="Whether 'cannot judge' is offered")
    needs_reference: bool = Field(default=False, description="Without a reference text only 'cannot judge' is offered")
    needs_evidence: bool = Field(default=False, description="Without shown evidence only 'cannot judge' is offered")
    polarity: Polarity = Polarity.NONE

    @model_validator(mode="after")
    def _whole(self) -> Self:
        values = [option.value for option in self.options]
        if self.kind in (QuestionKind.SCALE, QuestionKind.CHOICE, QuestionKind.PREFERENCE):
            if len(values) < 2:
                raise ValueError(f"question {self.id!r} needs two options or more")
            if values != sorted(set(values)):
                raise ValueError(f"the options of {self.id!r} must have different values in rising order")
        elif values:
            raise ValueError(f"question {self.id!r} is of kind {self.kind.value}, which has no options")
        if self.kind == QuestionKind.PREFERENCE and values != [-value for value in reversed(values)]:
            raise ValueError(f"the options of {self.id!r} must be the same to the left and to the right of 0")
        if (self.kind in (QuestionKind.PREFERENCE, QuestionKind.RANKING)) and self.target != Target.ITEM:
            raise ValueError(f"question {self.id!r} compares drafts, so its target must be 'item'")
        if self.kind == QuestionKind.ERRORS and self.target != Target.DRAFT:
            raise ValueError(f"question {self.id!r} marks errors in a draft, so its target must be 'draft'")
        if (self.needs_reference or self.needs_evidence) and not self.cannot_judge:
            raise ValueError(f"question {self.id!r} may lack what it needs, so it must offer 'cannot judge'")
        if not self.prompt.strip():
            raise ValueError(f"question {self.id!r} has no prompt")
        return self


class Instrument(Frozen):
    """Questions that belong together. Raters see neither its title nor its source: they could name a system."""

    id: Key
    version: Annotated[int, Field(ge=1, le=1_000)] = 1
    title: Label
    source: Words = Field(default="", description="The publication it follows; empty for our own")
    faithful: bool = Field(default=False, description="A faithful version of what the source publishes")
    wording: Wording = Wording.OURS
    wording_note: Words = ""
    designs: tuple[Design, ...] = Field(default=tuple(Design), min_length=1)
    questions: tuple[Question, ...] = Field(min_length=1, max_length=60)

    @model_validator(mode="after")
    def _whole(self) -> Self:
        names = [question.id for question in self.questions]
        if len(set(names)) < len(names):
            raise ValueError("two questions have the same id")
        if self.faithful and not self.source:
            raise ValueError("a faithful version must name its source")
        if self.wording == Wording.PUBLISHED and not self.source:
            raise ValueError("published wording must name its source")
        if self.wording == Wording.OURS and self.source and not self.wording_note:
            raise ValueError("wording_note must say what of the wording is ours")
        for question in self.questions:
            if question.kind == QuestionKind.PREFERENCE and self.designs != (Design.PAIRWISE,):
                raise ValueError(f"{question.id!r} is a preference, so designs must be ['pairwise']")
            if question.kind == QuestionKind.RANKING and self.designs != (Design.RANKING,):
                raise ValueError(f"{question.id!r} is a ranking, so designs must be ['ranking']")
        return self
