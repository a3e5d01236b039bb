"""The ratings of a study as plain rows, and as tables of drafts by raters: what every statistic here takes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from backend.schemas.studies.estimates import Level, TestName

MEAN = "mean"


class Scale(NamedTuple):
    """A question's possible values in rising order. part_of: the instrument, for the mean of its scales."""

    question: str
    values: tuple[float, ...]
    level: Level = Level.ORDINAL
    higher_is_better: bool = True
    part_of: str = ""


class Score(NamedTuple):
    """A rater's answer to a question about one arm's draft of one case. value None: cannot judge.

    period: 1 or 2, the half of the rater's items; 0 unknown.
    """

    question: str
    case: str
    arm: str
    rater: str
    value: float | None
    period: int = 0


class Choice(NamedTuple):
    """One comparison. toward_second: positive where the second arm was preferred, 0 for a tie.

    toward_later: positive where the draft on the right, or further down, was; None unknown. period as in Score.
    """

    question: str
    case: str
    rater: str
    first: str
    second: str
    toward_second: float
    toward_later: float | None = None
    period: int = 0


class Placed(NamedTuple):
    """The place of one draft in a rater's order, 1 the best. Drafts placed equal share the mean of their places."""

    question: str
    case: str
    arm: str
    rater: str
    place: float


class Guess(NamedTuple):
    """What a rater guessed at the end. guessed is empty for 'I do not know'."""

    rater: str
    arm: str
    guessed: str


class Timed(NamedTuple):
    """Seconds one rater spent on one item. period as in Score."""

    rater: str
    item: str
    seconds: float
    period: int = 0


class Judged(NamedTuple):
    """A judge model's score of a draft. words: the draft's length. place: 1 shown first to the judge; 0 unknown.

    judge: which of several models; each is compared with people by itself.
    """

    question: str
    case: str
    arm: str
    value: float
    words: int
    place: int = 0
    judge: str = ""


class Support(NamedTuple):
    """'Do the documents support the answer': a method's verdict and a person's. cluster: the question they belong to."""

    method: str
    cluster: str
    verdict: bool
    human: bool


class Ruling(NamedTuple):
    """A third person's answer where raters disagreed. of: an arm, or a pair as 'first over second'; raters: theirs."""

    question: str
    case: str
    of: str
    adjudicator: str
    value: float | None
    raters: tuple[float, ...]


class StudyData(NamedTuple):
    """primary_outcome is 'instrument/question' or 'instrument/mean'. correction: 'holm' or 'none'."""

    arms: tuple[str, ...]
    scales: tuple[Scale, ...] = ()
    scores: tuple[Score, ...] = ()
    choices: tuple[Choice, ...] = ()
    places: tuple[Placed, ...] = ()
    guesses: tuple[Guess, ...] = ()
    times: tuple[Timed, ...] = ()
    judged: tuple[Judged, ...] = ()
    support: tuple[Support, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    primary_outcome: str = ""
    planned_test: TestName | None = None
    correction: str = "holm"
    blind: bool = False
    stamps: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def scores_by_question(data: StudyData) -> Mapping[str, tuple[Score, ...]]:
    """Scores of every question, and the mean of each instrument that has two scales or more, as 'instrument/mean'.

    A mean is of one rater's scales on one draft, reversed where lower is better; a draft with a scale that the rater
    could not judge has none, since a mean of other questions is another quantity.
    """
    found: dict[str, list[Score]] = {scale.question: [] for scale in data.scales}
    for score in data.scores:
        if score.question in found:
            found[score.question].append(score)
    for instrument in dict.fromkeys(scale.part_of for scale in data.scales if scale.part_of):
        parts = {scale.question: scale for scale in data.scales if scale.part_of == instrument}
        if len(parts) > 1:
            found[f"{instrument}/{MEAN}"] = _means(f"{instrument}/{MEAN}", parts, data.scores)
    return {question: tuple(scores) for question, scores in found.items()}


def scale_of(data: StudyData, question: str) -> Scale | None:
    """None for a mean: its values have no list."""
    return next((scale for scale in data.scales if scale.question == question), None)


def _means(question: str, parts: Mapping[str, Scale], scores: tuple[Score, ...]) -> list[Score]:
    drafts: dict[tuple[str, str, str], list[Score]] = {}
    for score in scores:
        if score.question in parts:
            drafts.setdefault((score.case, score.arm, score.rater), []).append(score)
    made = []
    for (case, arm, rater), given in drafts.items():
        values = [_directed(parts[score.question], score.value) for score in given if score.value is not None]
        value = sum(values) / len(values) if len(values) == len(parts) else None
        made.append(Score(question, case, arm, rater, value, given[0].period))
    return made


def _directed(scale: Scale, value: float) -> float:
    return value if scale.higher_is_better else scale.values[0] + scale.values[-1] - value


Array = np.ndarray


class CaseMeans(NamedTuple):
    """means: (cases, arms), the mean over raters; NaN where no rater could judge."""

    cases: tuple[str, ...]
    arms: tuple[str, ...]
    means: Array


class RatingTable(NamedTuple):
    """values: (drafts, raters); clusters: (drafts,) the number of each draft's case."""

    drafts: tuple[tuple[str, str], ...]
    raters: tuple[str, ...]
    values: Array
    clusters: Array


def case_means(scores: Iterable[Score], arms: Sequence[str]) -> CaseMeans:
    """Each rater counts once for a draft, each draft once for its case: ratings of one draft are not independent."""
    rated = [score for score in scores if score.value is not None and score.arm in arms]
    cases = tuple(sorted({score.case for score in rated}))
    row, column = {case: n for n, case in enumerate(cases)}, {arm: n for n, arm in enumerate(arms)}
    sums, counts = np.zeros((len(cases), len(arms))), np.zeros((len(cases), len(arms)))
    for score in rated:
        assert score.value is not None
        sums[row[score.case], column[score.arm]] += score.value
        counts[row[score.case], column[score.arm]] += 1
    means = np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
    return CaseMeans(cases, tuple(arms), means)


def rating_table(scores: Iterable[Score]) -> RatingTable:
    """Every draft that anybody rated, in the order of case and arm."""
    rated = [score for score in scores if score.value is not None]
    drafts = tuple(sorted({(score.case, score.arm) for score in rated}))
    raters = tuple(sorted({score.rater for score in rated}))
    row, column = {draft: n for n, draft in enumerate(drafts)}, {rater: n for n, rater in enumerate(raters)}
    values = np.full((len(drafts), len(raters)), np.nan)
    for score in rated:
        values[row[score.case, score.arm], column[score.rater]] = score.value
    numbers = {case: n for n, case in enumerate(dict.fromkeys(case for case, _ in drafts))}
    return RatingTable(drafts, raters, values, np.array([numbers[case] for case, _ in drafts], dtype=np.int64))


def value_counts(values: Array, categories: Sequence[float]) -> Array:
    """How many raters gave each item each value, (items, categories).

    Raises:
        ValueError: a value is not one of the categories.
    """
    known = np.asarray(sorted(categories), dtype=float)
    given = values[~np.isnan(values)]
    strange = np.setdiff1d(given, known)
    if len(strange):
        raise ValueError(f"the value {strange[0]:g} is not on the scale {', '.join(f'{v:g}' for v in known)}")
    return np.asarray((values[:, :, None] == known).sum(axis=1), dtype=float)
