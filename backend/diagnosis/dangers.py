"""Which must-not-miss conditions are shown beyond the best-fitting ones: those that a careful reader of the note would want ruled out.

A danger that is a look-alike or a complication of what leads needs little of its own; any other needs more, and a rare one most. It
knows the ranking's scores and the graph, not the note's text.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from backend.stores.graph.graph import Graph

MOST_DANGERS = 3
# Shares of the leader's score that a danger needs: with one telling finding; with two, the chief complaint or what it cannot be without
# (a lake, mushrooms); where it is rare and no look-alike; and where it is a look-alike or a complication of what leads.
ALONE, TOGETHER, RARE, KIN = 0.4, 0.2, 0.5, 0.1
KINSHIP = ("has_differential", "differential_of", "has_complication", "complication_of", "may_progress_to")
COMMON = 2  # the rank of frequency from which a condition is not rare


class Danger(NamedTuple):
    """A must-not-miss condition that has no place among the best. share: of the leader's score. findings: how many tell of it.

    more: the chief complaint is one of them, or the note speaks of what the condition cannot be without (asked).
    """

    concept_id: str
    share: float
    findings: int
    more: bool
    frequency: int
    asked: bool = False


def warranted(graph: Graph, leading: Sequence[str], dangers: Sequence[Danger]) -> Collection[str]:
    """The ids of the dangers to show: those that need what the note tells (a lake), those akin to what leads, then by score."""
    akin = {other for concept in leading for other in graph.related(concept, *KINSHIP)}
    able = [danger for danger in dangers if danger.findings and danger.share >= _needed(danger, akin)]
    able.sort(key=lambda danger: (not danger.asked, danger.concept_id not in akin, -danger.share))
    return {danger.concept_id for danger in able[:MOST_DANGERS]}


def _needed(danger: Danger, akin: Collection[str]) -> float:
    if danger.concept_id in akin:
        return KIN
    if danger.frequency < COMMON and not danger.more:
        return RARE
    return TOGETHER if danger.more or danger.findings > 1 else ALONE
