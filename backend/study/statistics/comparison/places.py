"""Where each arm stood in raters' orders: mean place, distribution and range."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from backend.schemas.studies.estimates import ValueCount
from backend.schemas.studies.preferences import PlaceSummary
from backend.study.statistics.intervals import Sampling, bootstrap_mean
from backend.study.statistics.rating_data import Placed


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
