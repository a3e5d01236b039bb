"""What a coordinator decides about a study before it is frozen: arms, cases, instruments, raters, analysis plan."""

from enum import StrEnum
from typing import Annotated, Self

from pydantic import AfterValidator, AliasChoices, Field, model_validator

from backend.schemas.base import Frozen
from backend.schemas.patients.case_text import Because, Label, Words, plain
from backend.schemas.studies.study_instrument import Design, Instrument, Key
from backend.schemas.vocabulary import Document

LongText = Annotated[str, AfterValidator(plain), Field(max_length=200_000)]
Short = Annotated[str, AfterValidator(plain), Field(max_length=200)]
OPEN_TITLE = "Rating session"


class StudyState(StrEnum):
    """draft: being set up. generating: drafts are missing. ready: every draft is made or has failed with its reason.

    frozen: raters work; nothing of it changes. closed: no more ratings.
    """

    DRAFT = "draft"
    GENERATING = "generating"
    READY = "ready"
    FROZEN = "frozen"
    CLOSED = "closed"


class Factor(StrEnum):
    """What differs between the arms. All else is the same in every arm."""

    SYSTEM = "system"
    GENERATOR = "generator"
    UPLOAD = "upload"


class EvidenceShown(StrEnum):
    """When raters see the evidence of a draft: never, always, or after a first rating without it."""

    NEVER = "never"
    ALWAYS = "always"
    AFTER_FIRST = "after_first"


class CaseRole(StrEnum):
    """rated: part of the results. calibration: rated by everybody first. attention: only for planted errors."""

    RATED = "rated"
    CALIBRATION = "calibration"
    ATTENTION = "attention"


class UnitOfAnalysis(StrEnum):
    """The case alone: drafts of one case, and ratings of one draft, are not independent."""

    CASE = "case"


class PrimaryTest(StrEnum):
    """The test of the primary outcome."""

    WILCOXON_CASE_MEANS = "wilcoxon_case_means"
    SIGN_CASE_MEANS = "sign_case_means"
    ORDINAL_GEE = "ordinal_gee"
    MIXED_MODEL = "mixed_model"
    BRADLEY_TERRY = "bradley_terry"


class Correction(StrEnum):
    """The correction for several tests."""

    HOLM = "holm"
    NONE = "none"


class Arm(Frozen):
    """One of the things compared. guess_label tells raters at the end what it is, without its name."""

    id: Key
    system: Label | None = Field(default=None, description="A system of Leapnote; None for uploaded drafts")
    generator: Label | None = Field(default=None, description="Who writes; None: the setting, or uploaded drafts")
    name: Words = Field(default="", description="Its full name for reports; empty: its id")
    guess_label: Words = ""


class StudyCase(Frozen):
    """A case's own copy in a study. reference: a text written by people for this case, if there is one."""

    id: Key
    label: Short = ""
    text: LongText = ""
    question: LongText = ""
    reference: LongText = ""
    set: Short = Field(default="", description="The set it belongs to, if several")
    role: CaseRole = CaseRole.RATED
    demonstration: bool = False
    hospital_course: LongText = ""
    discharge_medicines: tuple[Short, ...] = Field(default=(), max_length=200)
    confirmed_conditions: tuple[Short, ...] = Field(default=(), max_length=200)

    @model_validator(mode="after")
    def _readable(self) -> Self:
        if not self.text.strip() and not self.question.strip():
            raise ValueError("give 'text' (the note) or 'question'; both are empty")
        return self


class AnalysisPlan(Frozen):
    """What is decided before the first rating. primary_outcome is 'instrument/question', or 'instrument/mean'."""

    primary_outcome: Annotated[str, Field(pattern=r"^[\w.-]+/[\w.-]+$", max_length=130)]
    unit_of_analysis: UnitOfAnalysis
    test: PrimaryTest
    exclusions: Because
    sample_size_reason: Because
    correction: Correction
    correction_reason: Words = Field(default="", description="Required when the correction is none")

    @model_validator(mode="after")
    def _reasoned(self) -> Self:
        if self.correction == Correction.NONE and not self.correction_reason.strip():
            raise ValueError("no correction for several tests needs a reason: give correction_reason")
        return self


class StudySetup(Frozen):
    """Everything about a study but its cases and drafts. Instruments are copies, so a later file changes nothing."""

    name: Label
    public_title: Label = Field(default=OPEN_TITLE, description="What raters see instead of the name")
    instructions: Words = Field(default="", description="What raters read first")
    design: Design = Design.SINGLE
    factor: Factor = Factor.SYSTEM
    document: Document = Document.DISCHARGE_INSTRUCTIONS
    style: Annotated[str, Field(pattern="^(sections|paragraph)$")] = "sections"
    arms: tuple[Arm, ...] = Field(min_length=2, max_length=8)
    instruments: tuple[Instrument, ...] = Field(min_length=1, max_length=12)
    raters: Annotated[int, Field(ge=1, le=200)] = 2
    overlap: Annotated[int, Field(ge=1, le=200)] = 2
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] = 0
    rated_cases: Annotated[int, Field(ge=1, le=5_000)] | None = Field(default=None, description="None: all there are")
    calibration_items: Annotated[int, Field(ge=0, le=20)] = 3
    attention_checks: Annotated[int, Field(ge=0, le=20)] = 0
    guess_items: Annotated[int, Field(ge=0, le=50)] = 6
    spacing: Annotated[int, Field(ge=0, le=50)] = 5
    evidence: EvidenceShown = EvidenceShown.NEVER
    fastest_wpm: Annotated[int, Field(ge=100, le=5_000)] = Field(default=600, description="Faster is warned of")
    extra_terms: tuple[Label, ...] = Field(
        default=(),
        max_length=100,
        # the name that frozen studies bear, whose hash must stay
        serialization_alias="extra_tells",
        validation_alias=AliasChoices("extra_terms", "extra_tells"),
        description="More words to take out of all arms",
    )
    extra_headings: tuple[Label, ...] = Field(default=(), max_length=100, description="More headings to take out")
    plan: AnalysisPlan | None = None
    template: Short = ""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        for what, names in (("arms", [a.id for a in self.arms]), ("instruments", [i.id for i in self.instruments])):
            if len(set(names)) < len(names):
                raise ValueError(f"two {what} have the same id")
        if self.overlap > self.raters:
            raise ValueError(f"overlap {self.overlap} is more than the {self.raters} raters there are")
        for instrument in self.instruments:
            if self.design not in instrument.designs:
                raise ValueError(f"instrument {instrument.id!r} does not suit the design {self.design.value!r}")
        generators = {arm.generator for arm in self.arms}
        systems = {arm.system for arm in self.arms}
        if self.factor == Factor.SYSTEM and (len(generators) > 1 or None in systems):
            raise ValueError("the factor is the system: every arm needs a system, and all arms the same generator")
        if self.factor == Factor.GENERATOR and (len(systems) > 1 or None in generators):
            raise ValueError("the factor is the generator: every arm needs a generator, and all arms the same system")
        return self
