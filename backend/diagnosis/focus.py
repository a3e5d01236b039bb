"""Which of the ranked conditions a document is about, how sure the ranking is, and which dangers are shown beside them."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from backend.diagnosis.ranking.condition_courses import UNLISTED, ConditionCourse, Course
from backend.diagnosis.ranking.likelihoods import LIKELIHOOD
from backend.schemas.drafts.evidence import Condition
from backend.schemas.vocabulary import ConditionStatus
from backend.stores.graph.graph import Graph

MOST_FOCUS = 2
EXPLAINED_BY = ("finding_of", "possible_finding_of")
CAUSED = ("cause_of", "risk_factor_of")  # a mere sign gives way to what it has led to as well: a fall to the fracture
EXPLAINS = 0.6  # share of the leader's score that a stated condition needs to explain another away
SUPPOSED_EXPLAINS = 0.85  # the same for one that the note does not name; findings besides must speak for it
FOLLOWS = 0.85  # share of its chronic cause's score that an acute consequence needs to come first
FOLLOWS_NEW = 0.95  # the same where the note does not name the chronic condition: its findings are then the news
CONSEQUENCES = ("has_complication", "may_progress_to", "cause_of")
SECOND_FOCUS = 0.6  # share of the leader's score that a stated condition needs beside it


def focused(graph: Graph, shown: Sequence[Condition], courses: Mapping[str, ConditionCourse]) -> tuple[Condition, ...]:
    """Mark what the document is about: the confirmed conditions, else the best fit and what the note states beside it.

    A condition that another well-fitting one explains (an effusion by heart failure) leaves it the place. What the note
    states gives way only to what it states as well, unless it is a mere sign; a long-standing condition to the acute one it has
    led to.
    """
    alive = [c for c in shown if c.status != ConditionStatus.RULED_OUT]
    confirmed = [c for c in alive if c.status == ConditionStatus.CONFIRMED]
    possible = sorted((c for c in alive if not c.historical or c.stated or _shows(c)), key=lambda c: -c.score)

    def course(condition: Condition) -> Course:
        return courses.get(condition.concept_id, UNLISTED).course

    able = {c.concept_id for c in possible if c.stated and course(c) != Course.SIGN and c.score >= EXPLAINS}
    supposed = {c.concept_id for c in possible if not c.stated and c.score >= SUPPOSED_EXPLAINS and _shows(c)}

    acute = {c.concept_id for c in possible if course(c) == Course.ACUTE}

    def explained(condition: Condition) -> bool:
        by = set(graph.related(condition.concept_id, *EXPLAINED_BY))
        if course(condition) == Course.SIGN:
            by |= acute.intersection(graph.related(condition.concept_id, *CAUSED))
        elif course(condition) == Course.ACUTE:
            by &= acute  # what is known for long explains no acute illness away
        return bool(by & able) or (not (condition.stated and course(condition) != Course.SIGN) and bool(by & supposed))

    own = [c for c in possible if not explained(c)] or possible
    with_chapter = [c for c in own if c.score >= SECOND_FOCUS and graph.row(c.concept_id).condition]
    own = with_chapter or own  # a document needs a handbook chapter; close rivals without one stay in the list
    if own and course(own[0]) == Course.CHRONIC:
        needed = (FOLLOWS if own[0].stated or own[0].historical else FOLLOWS_NEW) * own[0].score
        caused = set(graph.related(own[0].concept_id, *CONSEQUENCES))
        ahead = [c for c in own if c.concept_id in caused & acute and c.score >= needed and (c.stated or _shows(c))]
        own = [*ahead[:1], *(c for c in own if c not in ahead[:1])]
    leading = [c for i, c in enumerate(own) if i == 0 or (c.stated and c.score >= SECOND_FOCUS and _shows(c))]
    chosen = [c.concept_id for c in (confirmed or leading or alive[:1])[:MOST_FOCUS]]
    marked = [c.model_copy(update={"focus": c.concept_id in chosen}) for c in shown]
    return tuple(sorted(marked, key=lambda c: chosen.index(c.concept_id) if c.focus else MOST_FOCUS))


def confidence(stated: bool, findings: int, margin: float) -> str:
    """How sure the ranking is, in words, with its reason.

    findings: how many findings speak for the condition. margin: nats between it and its best rival.
    """
    if stated:
        return "high: the note names it as present"
    if findings >= 4 and margin > 1.0:
        return f"moderate: {findings} findings fit, clearly more than for any other condition"
    if findings >= 2:
        return f"low: {findings} findings fit, but other conditions fit about as well"
    return "low: little in the note points to it"


def _shows(condition: Condition) -> bool:
    """Whether at least two findings of the note speak for a condition besides its name."""
    return sum(r.relation in LIKELIHOOD and r.weight > 0.3 for r in condition.because) >= 2


MOST_DANGERS = 3
# Shares of the leader's score that a danger needs: with one telling finding; with two, the chief complaint or what it cannot be without
# (a lake, mushrooms); where it is rare and no look-alike; and where it is a look-alike or a complication of what leads.
ALONE, TOGETHER, RARE, RELATED = 0.4, 0.2, 0.5, 0.1
RELATED_BY = ("has_differential", "differential_of", "has_complication", "complication_of", "may_progress_to")
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
    """The ids of the dangers to show: those that need what the note tells (a lake), those related to what leads, then by score."""
    related = {other for concept in leading for other in graph.related(concept, *RELATED_BY)}
    able = [danger for danger in dangers if danger.findings and danger.share >= _needed(danger, related)]
    able.sort(key=lambda danger: (not danger.asked, danger.concept_id not in related, -danger.share))
    return {danger.concept_id for danger in able[:MOST_DANGERS]}


def _needed(danger: Danger, related: Collection[str]) -> float:
    if danger.concept_id in related:
        return RELATED
    if danger.frequency < COMMON and not danger.more:
        return RARE
    return TOGETHER if danger.more or danger.findings > 1 else ALONE
