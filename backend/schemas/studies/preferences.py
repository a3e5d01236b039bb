"""What pairs and rankings of drafts show: who was preferred, by how much, and whether the side or place mattered."""

from pydantic import Field

from backend.schemas.base import Frozen
from backend.schemas.studies.estimates import Estimate, ValueCount


class Preference(Frozen):
    """How often one arm was preferred. share leaves ties out; share_by_cases is half a point for a tie, mean by case."""

    question: str
    first: str
    second: str
    for_first: int
    ties: int
    for_second: int
    share: Estimate
    share_by_cases: Estimate


class HalfPreference(Frozen):
    """Whether raters' choices change while they work.

    The share of the first arm, a tie half a choice, in each half of their items. change: second minus first half; 0 is
    none, and its interval resamples cases.
    """

    question: str
    first: str
    second: str
    first_half: Estimate
    second_half: Estimate
    change: Estimate


class SideBias(Frozen):
    """How often the draft on the right, or further down in a list, was preferred; 0.5 is no bias, ties left out.

    rater: empty for all together.
    """

    question: str
    rater: str = ""
    choices: int
    ties: int
    share_later: Estimate


class PlaceSummary(Frozen):
    """The places of one arm in raters' orders, 1 the best; drafts placed equal share the mean of their places."""

    question: str
    arm: str
    rankings: int
    cases: int
    mean: Estimate
    range: tuple[float, float] | None = None
    distribution: tuple[ValueCount, ...] = ()


class Strength(Frozen):
    """A Bradley-Terry log strength; those of one group add up to 0, and only they may be compared."""

    arm: str
    group: int
    strength: Estimate


class Strengths(Frozen):
    """A Bradley-Terry model. groups: sets of arms that comparisons join."""

    question: str
    strengths: tuple[Strength, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    comparisons: int = 0
    ties: int = 0
    regularisation: float = Field(default=0.0, description="Ties added to each pair that was compared")
    converged: bool | None = None
    notes: tuple[str, ...] = ()
