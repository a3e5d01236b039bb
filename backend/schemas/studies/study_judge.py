"""A judge model's scores of a study's drafts, to set beside the raters'; and how many cases a study needs."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from backend.schemas.base import Frozen
from backend.schemas.patients.case_text import Label
from backend.schemas.studies.study_views import AuthoredRequest


class JudgeScore(Frozen):
    """question: instrument/question, or instrument/mean. place: 1 if the judge saw this draft first, 2 later; 0 unknown."""

    question: Label
    case: Label
    arm: Label
    value: Annotated[float, Field(allow_inf_nan=False, ge=-1e6, le=1e6)]
    place: Annotated[int, Field(ge=0, le=100)] = 0


class JudgeRequest(AuthoredRequest):
    """judge: the model's name. Another upload of the same name replaces it in the analysis; both are kept."""

    judge: Annotated[Label, Field(max_length=120)]
    scores: tuple[JudgeScore, ...] = Field(min_length=1, max_length=20_000)


class JudgeUpload(Frozen):
    """An upload as it is kept."""

    judge: str
    scores: tuple[JudgeScore, ...]
    author: str
    at: datetime


class JudgeView(Frozen):
    """counts: whether it is the newest of its name."""

    judge: str
    scores: int
    author: str
    at: datetime
    counts: bool


class CasesNeeded(Frozen):
    """The fewest cases that see a difference in points, each case rated in both arms, two-sided."""

    difference: float
    sd: float = Field(description="Standard deviation of a case's difference of the two arms, in points")
    power: float
    alpha: float
    t_cases: int = Field(description="For the paired t-test, by the noncentral t distribution")
    t_power: float
    wilcoxon_cases: int = Field(description="For Wilcoxon's signed ranks, by seeded simulation")
    wilcoxon_power: float
