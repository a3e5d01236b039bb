"""What a coordinator sends and sees of studies."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import Field

from backend.schemas.base import Frozen
from backend.schemas.patients.case_text import Label, Person, Words
from backend.schemas.studies.study_design import AnalysisPlan, LongText, StudyCase, StudySetup, StudyState
from backend.schemas.studies.study_frozen import Leak
from backend.schemas.studies.study_instrument import Instrument
from backend.schemas.studies.study_rating import Role

NOBODY = "not given"


class StudyFile(NamedTuple):
    """What a file of a study is. label is what a person reads; suffix ends the file's name."""

    label: str
    suffix: str
    media_type: str


class StudyFormat(StrEnum):
    """What can be taken of a study: its answers as a table, everything with provenance, or the frozen design alone."""

    CSV = "csv"
    JSONL = "jsonl"
    DESIGN = "design"

    @property
    def file(self) -> StudyFile:
        """What a file of this format is."""
        return STUDY_FILES[self]


class ReportFormat(StrEnum):
    """The report of a study: methods text, tables and figures."""

    HTML = "html"
    PDF = "pdf"

    @property
    def file(self) -> StudyFile:
        """What a file of this format is."""
        return REPORT_FILES[self]


STUDY_FILES = {
    StudyFormat.CSV: StudyFile("Ratings, CSV", "csv", "text/csv; charset=utf-8"),
    StudyFormat.JSONL: StudyFile("Everything, JSONL", "jsonl", "application/x-ndjson"),
    StudyFormat.DESIGN: StudyFile("Frozen design", "design.jsonl", "application/x-ndjson"),
}
REPORT_FILES = {
    ReportFormat.HTML: StudyFile("Report, HTML", "html", "text/html; charset=utf-8"),
    ReportFormat.PDF: StudyFile("Report, PDF", "pdf", "application/pdf"),
}


class NewStudy(Frozen):
    """setup holds its instruments in full; GET /v1/instruments gives those that ship."""

    setup: StudySetup
    author: Person = NOBODY


class SetupChange(Frozen):
    """Another setup for the version that was looked at."""

    setup: StudySetup
    version: Annotated[int, Field(ge=1)]
    author: Person = NOBODY


class CasesRequest(Frozen):
    """Cases to add: your own, demonstration cases, or saved ones."""

    cases: tuple[StudyCase, ...] = Field(default=(), max_length=5_000)
    demonstration: tuple[str, ...] = Field(default=(), max_length=500, description="Names of demonstration cases")
    saved: tuple[str, ...] = Field(default=(), max_length=500, description="Ids of saved cases")
    author: Person = NOBODY


class UploadedDraft(Frozen):
    """A draft made elsewhere."""

    case: Label
    arm: Label
    text: LongText = ""
    failed: Words = Field(default="", description="Why there is no text")
    evidence: tuple[LongText, ...] = Field(default=(), max_length=200)
    system: Words = ""
    generator: Words = ""


class UploadRequest(Frozen):
    """Drafts made elsewhere."""

    drafts: tuple[UploadedDraft, ...] = Field(min_length=1, max_length=10_000)
    author: Person = NOBODY


class AuthoredRequest(Frozen):
    """Who does it, for the trail."""

    author: Person = NOBODY


class GenerateRequest(AuthoredRequest):
    """Write the missing drafts; with retry_failed also those that failed."""

    retry_failed: bool = False


class FreezeRequest(AuthoredRequest):
    """Freeze the study, with its analysis plan, and with the warnings accepted or not."""

    plan: AnalysisPlan | None = Field(default=None, description="None: the plan of the setup")
    accept_warnings: bool = Field(default=False, description="Freeze although the detector warns; it is recorded")


class InviteRequest(AuthoredRequest):
    """A personal link for one place."""

    rater: Annotated[str, Field(pattern=r"^[RJ]\d{2,3}$")]
    label: Words = Field(default="", description="Whom it is for; kept here, in no export")


class AdjudicateRequest(AuthoredRequest):
    """How many of the items that disagree go to a third person."""

    items: Annotated[int, Field(ge=1, le=500)] = 10


class GivenLink(Frozen):
    """The token is shown this once; only its hash is kept."""

    id: str
    rater_id: str
    token: str


class LinkView(Frozen):
    """A personal link without its token."""

    id: str
    rater_id: str
    label: str
    created_at: datetime
    withdrawn_at: datetime | None = None


class StudySummary(Frozen):
    """A study as a line of the list."""

    id: str
    name: str
    state: StudyState
    version: int
    created_at: datetime
    updated_at: datetime
    sha256: str | None = None
    unlocked_at: datetime | None = None


class DraftCount(Frozen):
    """How many drafts the study needs, has, and lost."""

    wanted: int = 0
    made: int = 0
    failed: int = 0


class FailedDraft(Frozen):
    """A draft that could not be made, and why."""

    case_id: str
    arm_id: str
    reason: str


class StudyView(StudySummary):
    """stamps say what a reader of any figure must know."""

    setup: StudySetup
    cases: tuple[StudyCase, ...] = ()
    drafts: DraftCount = DraftCount()
    failed: tuple[FailedDraft, ...] = ()
    stamps: tuple[str, ...] = ()


class RaterProgress(Frozen):
    """A rater's live progress. attention counts planted errors: noticed and missed of those reached."""

    rater_id: str
    role: Role
    done: int
    total: int
    finished: bool
    profile: bool
    too_fast: int = 0
    leaks: int = 0
    noticed: int = 0
    missed: int = 0
    last_at: datetime | None = None


class StudyProgress(Frozen):
    """Progress only: no answer and no arm, so that it can be watched while the study is blind."""

    id: str
    state: StudyState
    sha256: str | None
    drafts: DraftCount
    generating: bool = False
    raters: tuple[RaterProgress, ...] = ()
    items: int = 0
    items_failed: int = 0
    ratings_wanted: int = 0
    ratings_done: int = 0
    unlocked: bool = False
    stamps: tuple[str, ...] = ()


class LeakReport(Frozen):
    """What could tell the arms apart, and what the blinding rule took out of each arm, by kind."""

    leaks: tuple[Leak, ...]
    removed: dict[str, dict[str, int]] = Field(default={}, description="By arm, what the rule took out, by kind")


class InstrumentList(Frozen):
    """The instruments that ship."""

    instruments: tuple[Instrument, ...]
