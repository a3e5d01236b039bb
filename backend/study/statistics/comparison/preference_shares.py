"""How often one arm was preferred to another, from side-by-side choices or from rankings.

And whether raters agree in it, lean to a side, or change while they work.
"""

from collections.abc import Sequence

import numpy as np

from backend.schemas.studies.preferences import HalfPreference, Preference, SideBias
from backend.study.statistics.intervals import Sampling, bootstrap, bootstrap_mean, undefined, wilson
from backend.study.statistics.rating_data import CaseMeans, Choice, Scale, Score


def preference(question: str, choices: Sequence[Choice], arms: tuple[str, str], sampling: Sampling) -> Preference:
    """How often the first of two arms was preferred.

    share: choices for the first among those that are no ties, with Wilson's interval, which takes choices to be
    independent. share_by_cases: a tie is half a choice for each; cases count the same, and the interval resamples them.
    """
    first, second = arms
    toward_first = [
        (choice.case, _toward(choice, first)) for choice in choices if {choice.first, choice.second} == set(arms)
    ]
    wins = sum(value > 0 for _, value in toward_first)
    losses = sum(value < 0 for _, value in toward_first)
    by_case: dict[str, list[float]] = {}
    for case, value in toward_first:
        by_case.setdefault(case, []).append(0.5 + 0.5 * float(np.sign(value)))
    means = np.array([np.mean(by_case[case]) for case in sorted(by_case)])
    return Preference(
        question=question,
        first=first,
        second=second,
        for_first=wins,
        ties=len(toward_first) - wins - losses,
        for_second=losses,
        share=wilson(wins, wins + losses) if wins + losses else undefined("nobody preferred either arm"),
        share_by_cases=bootstrap_mean(means, np.arange(len(means)), sampling),
    )


def preference_table(choices: Sequence[Choice], arms: tuple[str, str]) -> CaseMeans:
    """How strongly each case's choices lean to the first arm, in points of preference, against 0: for paired tests."""
    by_case: dict[str, list[float]] = {}
    for choice in choices:
        if {choice.first, choice.second} == set(arms):
            by_case.setdefault(choice.case, []).append(_toward(choice, arms[0]))
    cases = tuple(sorted(by_case))
    means = np.array([[float(np.mean(by_case[case])), 0.0] for case in cases]).reshape(len(cases), 2)
    return CaseMeans(cases, arms, means)


def pair_name(first: str, second: str) -> str:
    """The words for a pair of arms."""
    return f"{first} over {second}"


def directions(choices: Sequence[Choice], arms: Sequence[str]) -> tuple[Score, ...]:
    """Each choice as a score of its pair of drafts: 1 the first was preferred, 0 a tie, -1 the second. For agreement."""
    order = {arm: n for n, arm in enumerate(arms)}
    made = []
    for choice in choices:
        first, second = sorted((choice.first, choice.second), key=order.__getitem__)
        value = float(np.sign(_toward(choice, first)))
        made.append(Score(choice.question, choice.case, pair_name(first, second), choice.rater, value, choice.period))
    return tuple(made)


def direction_scale(question: str) -> Scale:
    """The scale of a choice's direction: -1 second, 0 tie, 1 first."""
    return Scale(question, (-1.0, 0.0, 1.0))


def side_biases(question: str, choices: Sequence[Choice]) -> tuple[SideBias, ...]:
    """Of all raters, then of each.

    Sides are permuted evenly, so whoever has no bias prefers each side half the time, however good an arm is. Wilson's
    interval takes choices to be independent.
    """
    known = [choice for choice in choices if choice.toward_later is not None]
    raters = sorted({choice.rater for choice in known})
    made = []
    for rater in ("", *raters) if raters else ():
        toward = [choice.toward_later or 0.0 for choice in known if rater in ("", choice.rater)]
        later, earlier = sum(value > 0 for value in toward), sum(value < 0 for value in toward)
        share = wilson(later, later + earlier) if later + earlier else undefined("every choice was a tie")
        ties = len(toward) - later - earlier
        made.append(SideBias(question=question, rater=rater, choices=len(toward), ties=ties, share_later=share))
    return tuple(made)


def half_preference(
    question: str, choices: Sequence[Choice], arms: tuple[str, str], sampling: Sampling
) -> HalfPreference:
    """Choices count the same here, not cases: in one half of a rater's items many cases do not come."""
    used = [c for c in choices if {c.first, c.second} == set(arms) and c.period in (1, 2)]
    first = np.array([0.5 + 0.5 * float(np.sign(_toward(c, arms[0]))) for c in used])
    late = np.array([c.period == 2 for c in used], dtype=bool)
    _, cases = np.unique([c.case for c in used], return_inverse=True)

    def change(rows: np.ndarray) -> float | None:
        after, before = first[rows][late[rows]], first[rows][~late[rows]]
        return float(after.mean() - before.mean()) if len(after) and len(before) else None

    reason = "only one half of the items is known or was chosen in"
    both = bool(late.any() and (~late).any())
    return HalfPreference(
        question=question,
        first=arms[0],
        second=arms[1],
        first_half=bootstrap_mean(first[~late], cases[~late], sampling) if (~late).any() else undefined(reason),
        second_half=bootstrap_mean(first[late], cases[late], sampling) if late.any() else undefined(reason),
        change=bootstrap(change, cases, sampling) if both else undefined(reason),
    )


def _toward(choice: Choice, arm: str) -> float:
    return -choice.toward_second if choice.first == arm else choice.toward_second
