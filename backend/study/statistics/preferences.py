"""How often one arm was preferred to another, from side-by-side choices or from rankings."""

from collections.abc import Sequence

import numpy as np

from backend.schemas.analysis import Preference
from backend.study.statistics.data import Choice
from backend.study.statistics.intervals import Sampling, bootstrap_mean, undefined, wilson
from backend.study.statistics.tables import CaseMeans


def preference(question: str, choices: Sequence[Choice], arms: tuple[str, str], sampling: Sampling) -> Preference:
    """share: choices for the first among those that are no ties, with Wilson's interval, which takes choices to be
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


def _toward(choice: Choice, arm: str) -> float:
    return -choice.toward_second if choice.first == arm else choice.toward_second
