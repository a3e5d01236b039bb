"""Bradley-Terry strengths (1952) from comparisons of two: log odds that one is preferred = difference of their strengths.

A tie is half a choice for each side; how strongly somebody preferred is not used. Strengths are maximum likelihood. An arm
that always wins, or a set that always wins against the rest, has no finite one (Ford 1957); then half a tie is added to every pair that was compared, and it says so.
"""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from backend.schemas.studies.estimates import IntervalMethod, TestName
from backend.schemas.studies.preferences import Strength, Strengths
from backend.schemas.studies.study_analysis import Comparison, Effect
from backend.study.statistics.intervals import symmetric, undefined
from backend.study.statistics.rating_data import Choice

REGULARISATION = 0.5
NORMAL_975 = 1.959963984540054
FEWEST_CASES = 10
"""Below it the sandwich over cases is worth nothing, and the model's own error is used."""


class GroupFit(NamedTuple):
    """Strengths of arms that comparisons join, (arms,), and their covariance. added: the ties put in."""

    arms: tuple[str, ...]
    strengths: np.ndarray
    covariance: np.ndarray
    added: float
    converged: bool
    notes: tuple[str, ...]


def bradley_terry(question: str, choices: Sequence[Choice], arms: Sequence[str]) -> Strengths:
    """Strengths of each set of arms that comparisons join; between sets nothing can be said."""
    used = [c for c in choices if c.first in arms and c.second in arms and c.first != c.second]
    groups = joined(arms, [(c.first, c.second) for c in used])
    notes = []
    if len(groups) > 1:
        parts = "; ".join(", ".join(group) for group in groups)
        notes.append(f"Comparisons do not join all arms, so strengths compare only within each set: {parts}.")
    strengths: list[Strength] = []
    added, converged = 0.0, True
    for number, group in enumerate(groups):
        mine = [c for c in used if c.first in group]
        if len(group) == 1:
            reason = "it was compared with no other arm"
            strengths.append(Strength(arm=group[0], group=number, strength=undefined(reason)))
            continue
        found = _fit_group(group, mine)
        errors = np.sqrt(np.maximum(0.0, np.diag(found.covariance)))
        strengths += [
            Strength(
                arm=arm, group=number, strength=symmetric(float(value), float(error), NORMAL_975, IntervalMethod.NORMAL)
            )
            for arm, value, error in zip(group, found.strengths, errors, strict=True)
        ]
        added, converged = max(added, found.added), converged and found.converged
        notes += found.notes
    return Strengths(
        question=question,
        strengths=tuple(strengths),
        groups=groups,
        comparisons=len(used),
        ties=sum(c.toward_second == 0 for c in used),
        regularisation=added,
        converged=converged if used else None,
        notes=tuple(notes),
    )


def contrasts(question: str, choices: Sequence[Choice], arms: Sequence[str]) -> tuple[Comparison, ...]:
    """The difference of strengths of each pair of arms, with Wald's test. It is the log odds that the first is preferred."""
    from scipy.stats import norm

    used = [c for c in choices if c.first in arms and c.second in arms and c.first != c.second]
    groups = joined(arms, [(c.first, c.second) for c in used])
    fits = {group: _fit_group(group, [c for c in used if c.first in group]) for group in groups if len(group) > 1}
    made = []
    for first, second in combinations(arms, 2):
        fitted = next((fit for group, fit in fits.items() if first in group and second in group), None)
        base: dict[str, Any] = {"question": question, "first": first, "second": second, "test": TestName.BRADLEY_TERRY}
        base |= {"cases": len({c.case for c in used})}
        if fitted is None:
            made.append(Comparison.model_validate({**base, "reason": "no chain of comparisons joins the two arms"}))
            continue
        pick = np.array([float(arm == first) - float(arm == second) for arm in fitted.arms])
        gap, error = float(pick @ fitted.strengths), math.sqrt(max(0.0, float(pick @ fitted.covariance @ pick)))
        sound = fitted.converged and not fitted.added and error > 0
        effect = Effect(
            name="log odds of preference",
            scale="natural logarithm; 0 is no preference, positive favours the first",
            estimate=symmetric(gap, error, NORMAL_975, IntervalMethod.NORMAL),
        )
        done = {"statistic": gap / error, "p": 2 * float(norm.sf(abs(gap / error)))} if sound else {}
        why = (
            ""
            if sound
            else "an arm always won or always lost, or the model did not converge: Wald's test does not hold"
        )
        made.append(
            Comparison.model_validate(
                {**base, **done, "effects": (effect,), "converged": fitted.converged, "reason": why}
            )
        )
    return tuple(made)


def joined(arms: Sequence[str], pairs: Sequence[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """Sets of arms that pairs connect, in the arms' order."""
    root = {arm: arm for arm in arms}

    def top(arm: str) -> str:
        while root[arm] != arm:
            arm = root[arm]
        return arm

    for one, other in pairs:
        root[top(other)] = top(one)
    sets: dict[str, list[str]] = {}
    for arm in arms:
        sets.setdefault(top(arm), []).append(arm)
    return tuple(tuple(members) for members in sets.values())


def finite(wins: np.ndarray) -> bool:
    """Ford's condition: however the arms are split in two, somebody of each side beat somebody of the other.

    wins: (arms, arms), row beats column.
    """
    reached = wins > 0
    for middle in range(len(wins)):
        reached = reached | (reached[:, [middle]] & reached[[middle], :])
    return bool((reached | np.eye(len(wins), dtype=bool)).all())


def _fit_group(group: tuple[str, ...], choices: Sequence[Choice]) -> GroupFit:
    place = {arm: n for n, arm in enumerate(group)}
    cluster = {case: n for n, case in enumerate(dict.fromkeys(c.case for c in choices))}
    counted: Counter[tuple[int, int, int]] = Counter()
    for c in choices:
        one, other = place[c.first], place[c.second]
        for winner, loser, share in ((one, other, c.toward_second <= 0), (other, one, c.toward_second >= 0)):
            counted[winner, loser, cluster[c.case]] += (1 if c.toward_second == 0 else 2) * int(share)
    wins = np.zeros((len(group), len(group)))
    for (winner, loser, _), halves in counted.items():
        wins[winner, loser] += halves / 2
    notes: list[str] = []
    added = 0.0
    if not finite(wins):
        added = REGULARISATION
        wins = wins + added / 2 * ((wins + wins.T) > 0)
        notes.append(
            f"An arm or set of arms of {', '.join(group)} always won or always lost, so that its strength has no finite"
            f" estimate: {added:g} of a tie was added to each pair that was compared, which draws strengths together."
        )
    found, converged = _newton(wins)
    inverse = np.linalg.pinv(_information(wins, found))
    cover, how = inverse, "the model's own error"
    if len(cluster) >= FEWEST_CASES and not added:
        pulls = np.zeros((len(cluster), len(group)))
        for (winner, loser, case), halves in counted.items():
            pull = halves / 2 * (1 - _chance(found[winner] - found[loser]))
            pulls[case, winner] += pull
            pulls[case, loser] -= pull
        scale = len(cluster) / (len(cluster) - 1)
        cover, how = scale * inverse @ pulls.T @ pulls @ inverse, "an error clustered by case"
    notes.append(f"Intervals of {', '.join(group)} rest on {how}.")
    return GroupFit(group, found, cover, added, converged, tuple(notes))


def _newton(wins: np.ndarray, steps: int = 100) -> tuple[np.ndarray, bool]:
    """The maximum of a concave likelihood; strengths add up to 0. A step that would overshoot is halved."""
    strengths = np.zeros(len(wins))
    for _ in range(steps):
        played = wins + wins.T
        pull = wins.sum(axis=1) - (played * _chance(strengths[:, None] - strengths)).sum(axis=1)
        if np.abs(pull).max() < 1e-9 * max(1.0, played.sum()):
            return strengths, True
        step = np.linalg.pinv(_information(wins, strengths)) @ pull
        step *= min(1.0, 2.0 / max(np.abs(step).max(), 1e-12))
        strengths = strengths + step - (strengths + step).mean()
    return strengths, False


def _information(wins: np.ndarray, strengths: np.ndarray) -> np.ndarray:
    chance = _chance(strengths[:, None] - strengths)
    weight = (wins + wins.T) * chance * (1 - chance)
    return np.asarray(np.diag(weight.sum(axis=1)) - weight)


def _chance(difference: np.ndarray) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(-np.asarray(difference))))
