"""What one arm's answers to one question look like before any test, and where it stood in raters' orders."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from backend.schemas.studies.estimates import ValueCount
from backend.schemas.studies.preferences import PlaceSummary
from backend.schemas.studies.study_analysis import ArmSummary
from backend.study.statistics.intervals import Sampling, bootstrap_mean
from backend.study.statistics.rating_data import Placed, Score


def summarise(question: str, arm: str, scores: Sequence[Score], sampling: Sampling) -> ArmSummary:
    """scores: those of this question and arm.

    The mean is over case means, so that a case with more ratings counts no more; its interval resamples cases. sd,
    median and quartiles are of single ratings (sd with n - 1).
    """
    rated = [(score.case, score.value) for score in scores if score.value is not None]
    values = np.array([value for _, value in rated])
    by_case: dict[str, list[float]] = {}
    for case, value in rated:
        by_case.setdefault(case, []).append(value)
    means = np.array([np.mean(by_case[case]) for case in sorted(by_case)])
    mean = bootstrap_mean(means, np.arange(len(means)), sampling)
    counted = {"question": question, "arm": arm, "ratings": len(rated), "cases": len(by_case)}
    missing = len(scores) - len(rated)
    if not rated:
        return ArmSummary.model_validate({**counted, "cannot_judge": missing, "mean": mean})
    lower, median, upper = (float(q) for q in np.quantile(values, [0.25, 0.5, 0.75]))
    return ArmSummary(
        question=question,
        arm=arm,
        ratings=len(rated),
        cases=len(by_case),
        cannot_judge=missing,
        mean=mean,
        sd=float(values.std(ddof=1)) if len(values) > 1 else None,
        median=median,
        quartiles=(lower, upper),
        range=(float(values.min()), float(values.max())),
        distribution=tuple(
            ValueCount(value=value, count=count) for value, count in sorted(Counter(values.tolist()).items())
        ),
    )


def place_summary(question: str, arm: str, places: Sequence[Placed], sampling: Sampling) -> PlaceSummary:
    """places: of this question and arm. mean: of case means, so that each case counts once; 1 is the best."""
    by_case: dict[str, list[float]] = {}
    for placed in places:
        by_case.setdefault(placed.case, []).append(placed.place)
    means = np.array([np.mean(by_case[case]) for case in sorted(by_case)])
    counted = Counter(placed.place for placed in places)
    return PlaceSummary(
        question=question,
        arm=arm,
        rankings=len(places),
        cases=len(by_case),
        mean=bootstrap_mean(means, np.arange(len(means)), sampling),
        range=(min(counted), max(counted)) if counted else None,
        distribution=tuple(ValueCount(value=place, count=counted[place]) for place in sorted(counted)),
    )
