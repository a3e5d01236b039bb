"""What a coordinator sends and sees of studies."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from backend.schemas.base import Frozen
from backend.schemas.patients.saved_case import Label, Person, Words
from backend.schemas.studies.study import AnalysisPlan, LongText, StudyCase, StudySetup, StudyState
from backend.schemas.studies.study_frozen import Leak
from backend.schemas.studies.study_instrument import Instrument
from backend.schemas.studies.study_rating import Role

NOBODY = "not given"


class NewStudy(Frozen):
    """setup holds its instruments in full; GET /v1/instruments gives those that ship."""

    setup: StudySetup
    author: Person = NOBODY


class SetupChange(Frozen):
    setup: StudySetup
    version: Annotated[int, Field(ge=1)]
    author: Person = NOBODY


class CasesRequest(Frozen):
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
    drafts: tuple[UploadedDraft, ...] = Field(min_length=1, max_length=10_000)
    author: Person = NOBODY


class Deed(Frozen):
    """Who does it, for the trail."""

    author: Person = NOBODY


class GenerateRequest(Deed):
    retry_failed: bool = False


class FreezeRequest(Deed):
    plan: AnalysisPlan | None = Field(default=None, description="None: the plan of the setup")
    accept_warnings: bool = Field(default=False, description="Freeze although the detector warns; it is recorded")


class InviteRequest(Deed):
    rater: Annotated[str, Field(pattern=r"^[RJ]\d{2,3}$")]
    label: Words = Field(default="", description="Whom it is for; kept here, in no export")


class AdjudicateRequest(Deed):
    items: Annotated[int, Field(ge=1, le=500)] = 10


class GivenLink(Frozen):
    """The token is shown this once; only its hash is kept."""

    id: str
    rater_id: str
    token: str


class LinkView(Frozen):
    id: str
    rater_id: str
    label: str
    created_at: datetime
    withdrawn_at: datetime | None = None


class StudySummary(Frozen):
    id: str
    name: str
    state: StudyState
    version: int
    created_at: datetime
    updated_at: datetime
    sha256: str | None = None
    unlocked_at: datetime | None = None


class DraftCount(Frozen):
    wanted: int = 0
    made: int = 0
    failed: int = 0


class FailedDraft(Frozen):
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
    leaks: tuple[Leak, ...]
    removed: dict[str, dict[str, int]] = Field(default={}, description="By arm, what the rule took out, by kind")


class InstrumentList(Frozen):
    instruments: tuple[Instrument, ...]
