"""What the ratings of a study show, with an interval for each figure, or the reason why it has none.

A figure that cannot be had is None with a reason, never 0 and never NaN. Intervals are of 95 %.
"""

from pydantic import Field

from backend.schemas.base import Frozen
from backend.schemas.studies.estimates import Coefficient, Estimate, TestName, ValueCount
from backend.schemas.studies.preferences import HalfPreference, PlaceSummary, Preference, SideBias, Strengths


class ArmSummary(Frozen):
    """One arm's answers to one question. sd, median and quartiles are of single ratings; None where there are too few."""

    question: str
    arm: str
    ratings: int
    cases: int
    cannot_judge: int
    mean: Estimate
    sd: float | None = None
    median: float | None = None
    quartiles: tuple[float, float] | None = None
    range: tuple[float, float] | None = None
    distribution: tuple[ValueCount, ...] = ()


class Effect(Frozen):
    """name says which; scale says its range, direction and what it may be compared with."""

    name: str
    scale: str
    estimate: Estimate


class Comparison(Frozen):
    """One test of two arms.

    Differences and effects are first minus second: positive favours the first on a scale where higher is better.
    p_adjusted is there for the planned test alone. converged is None for a test that fits nothing.
    """

    question: str
    first: str
    second: str
    test: TestName
    planned: bool = False
    primary: bool = False
    cases: int = 0
    dropped: int = Field(default=0, description="Cases without a difference, which the test leaves out")
    statistic: float | None = None
    p: float | None = None
    p_adjusted: float | None = None
    effects: tuple[Effect, ...] = ()
    converged: bool | None = None
    reason: str = Field(default="", description="Why there is no p")
    note: str = ""


class Agreement(Frozen):
    """One coefficient of agreement on one question.

    arm: the arm whose drafts it is about; empty for all. items: drafts that two raters or more have rated, or for
    choices pairs of drafts.
    """

    question: str
    arm: str = ""
    coefficient: Coefficient
    estimate: Estimate
    items: int
    raters: int
    meaning: str


class GuessCount(Frozen):
    """What raters guessed of one arm's drafts. bang: Bang's index, -1 to 1, 0 when guesses are no better than chance."""

    arm: str
    correct: int
    wrong: int
    unknown: int
    bang: Estimate


class Blinding(Frozen):
    """james: 0 all guess right, 1 nobody knows, 0.5 guesses by chance. chance: what guessing at random gets right."""

    counts: tuple[GuessCount, ...] = ()
    james: Estimate
    correct_share: Estimate
    chance: float | None = None
    notes: tuple[str, ...] = ()


class Severity(Frozen):
    """How much higher a rater scores than the others do on the same drafts, in points; positive is milder.

    deviation needs no model; modelled is the rater's effect in the mixed model, drawn towards 0.
    """

    question: str
    rater: str
    drafts: int
    deviation: Estimate
    modelled: Estimate


class Learning(Frozen):
    """What changes from the first to the second half of a rater's items, in points.

    by_arm: whether it does so more for the first arm than for the second.
    """

    question: str
    period: Estimate
    by_arm: tuple[Effect, ...] = ()
    converged: bool | None = None


class TimeOnItem(Frozen):
    """Seconds on an item. of: 'rater R01', 'all', 'first half' or 'second half'."""

    of: str
    items: int
    median_s: float | None = None
    quartiles_s: tuple[float, float] | None = None
    reason: str = ""


class JudgeAgreement(Frozen):
    """A judge model against the mean of the people who rated the same draft. judge: its name, where it has one."""

    judge: str = ""
    question: str
    drafts: int
    spearman: Estimate
    kendall: Estimate
    kappa_quadratic: Estimate
    mean_excess: Estimate = Field(description="Judge minus people, in points")
    by_length: Estimate = Field(description="Spearman of judge minus people with the length in words; 0 is no bias")
    by_order: Estimate = Field(description="Judge minus people, shown first minus shown later, in points; 0 is no bias")


class Adjudicated(Frozen):
    """What a third person said where raters disagreed. It changes none of their answers and no other figure.

    of: the arm, or of a preference 'first over second', whose values are positive toward the second. value None: cannot
    judge. raters: what each rater gave, in the order of their names.
    """

    question: str
    case: str
    of: str
    adjudicator: str
    value: float | None
    raters: tuple[float, ...] = ()


class SupportScores(Frozen):
    """Omni-RAG's Table 9: a method's yes or no against a person's, who is taken to be right. 0 to 1."""

    method: str
    judged: int
    accuracy: Estimate
    precision: Estimate
    recall: Estimate
    f1: Estimate


class Analysis(Frozen):
    """Everything at once. arms stand under the names the data had, which are codes while the study is blind."""

    arms: tuple[str, ...]
    questions: tuple[str, ...]
    cases: int
    raters: int
    ratings: int
    primary_outcome: str = ""
    planned_test: TestName | None = None
    correction: str = ""
    blind: bool = False
    stamps: tuple[str, ...] = ()
    seed: int
    resamples: int
    versions: dict[str, str] = {}
    summaries: tuple[ArmSummary, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    agreement: tuple[Agreement, ...] = ()
    preferences: tuple[Preference, ...] = ()
    strengths: tuple[Strengths, ...] = ()
    places: tuple[PlaceSummary, ...] = ()
    sides: tuple[SideBias, ...] = ()
    halves: tuple[HalfPreference, ...] = ()
    blinding: Blinding
    severity: tuple[Severity, ...] = ()
    learning: tuple[Learning, ...] = ()
    times: tuple[TimeOnItem, ...] = ()
    judges: tuple[JudgeAgreement, ...] = ()
    support: tuple[SupportScores, ...] = ()
    adjudicated: tuple[Adjudicated, ...] = ()
    notes: tuple[str, ...] = ()
