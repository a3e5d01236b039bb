"""Reasoning paths guided by the candidate conditions: keyword, condition, and what a discharge document talks about.

For each condition in the ranking, a path starts at a present mention that speaks for it and ends in advice, a warning
sign, a test or a treatment of that condition. Every step is an edge of the graph: nothing leaps. The choice of the ten
prefers high-ranked conditions, similarity of the end to the note, and ends in groups that no path has reached yet.
"""

from collections import Counter
from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

import numpy as np

from backend.interfaces import Encoder, PathRetriever
from backend.knowledge.allergy_reach import AllergyReach
from backend.retrieval.paths.path_baselines import as_step
from backend.retrieval.paths.path_text import chain
from backend.schemas.drafts.evidence import Condition, PolicyStep, ReasoningPath
from backend.schemas.drafts.note import LinkedNote, Mention
from backend.schemas.vocabulary import Assertion, ConditionStatus
from backend.stores.graph.graph import Edge, Graph
from backend.stores.graph.vector_file import VectorFile

ENDS = {
    "has_warning_sign": 1.0,
    "has_precaution": 0.95,
    "has_diet_advice": 0.95,
    "has_activity_advice": 0.95,
    "has_follow_up": 0.9,
    "treated_by": 0.9,
    "managed_by": 0.85,
    "diagnosed_by": 0.8,
    "monitored_by": 0.8,
    "cared_for_by": 0.7,
    "has_complication": 0.6,
}
TO_CONDITION = ("finding_of", "possible_finding_of", "warning_sign_of", "risk_factor_of", "isa", "cause_of")
REPEAT_COST = 0.25  # what an end costs for each path that already ends in its semantic group
MOST_STARTS = 3


class _Option(NamedTuple):
    mention: Mention
    condition: Condition
    first: Edge | None
    last: Edge
    score: float


class InsteadPaths:
    """Another retriever's paths, told to stand in for a policy that could not be used, and why."""

    def __init__(self, inner: PathRetriever, why: str) -> None:
        self._inner = inner
        self._why = why
        self.notice = f"paths by graph edges: {why}"

    def paths(
        self, linked: LinkedNote, conditions: Sequence[Condition], seed: int
    ) -> tuple[tuple[ReasoningPath, ...], tuple[PolicyStep, ...], str]:
        """The guided paths, with the reason why the policy does not walk."""
        paths, policy, reason = self._inner.paths(linked, conditions, seed)
        return paths, policy, f"{reason}. {self._why}"


class NoPaths:
    """No paths, and why: a published system has no stand-in."""

    def __init__(self, why: str) -> None:
        self._why = why
        self.notice = f"no paths: {why}"

    def paths(
        self, linked: LinkedNote, conditions: Sequence[Condition], seed: int
    ) -> tuple[tuple[ReasoningPath, ...], tuple[PolicyStep, ...], str]:
        """Nothing, with the reason."""
        return (), (), self._why


class GuidedPaths:
    """most is how many paths a note gets. No path ends in anything that an allergy of the patient reaches.

    allowed: (concepts,) bool, False for fillers, at which no path starts or ends; None for all.
    """

    def __init__(
        self,
        graph: Graph,
        reach: AllergyReach,
        encoder: Encoder,
        vectors: VectorFile,
        most: int,
        allowed: np.ndarray | None = None,
    ) -> None:
        self._graph = graph
        self._reach = reach
        self._encoder = encoder
        self._vectors = vectors
        self._most = most
        self._fillers = set() if allowed is None else {graph.ids[i] for i in np.flatnonzero(~allowed).tolist()}

    def paths(
        self, linked: LinkedNote, conditions: Sequence[Condition], seed: int
    ) -> tuple[tuple[ReasoningPath, ...], tuple[PolicyStep, ...], str]:
        """Paths through the conditions in focus, without a policy's steps, and the reason where there are none."""
        options = self._options(linked, conditions)
        if not options:
            why = "no present finding leads to a condition" if conditions else "no condition to lead to"
            return (), (), why
        chosen = self._choose(options, linked)
        paths = tuple(self._path(number, option) for number, option in enumerate(chosen, start=1))
        return paths, (), f"{len(paths)} of {len(options)} candidate paths, by graph edges; no trained policy took part"

    def _options(self, linked: LinkedNote, conditions: Sequence[Condition]) -> list[_Option]:
        blocked = self._blocked(linked) | self._fillers
        absent = {
            m.concept_id for m in linked.note.mentions if m.assertion in (Assertion.NEGATED, Assertion.FAMILY)
        } - {m.concept_id for m in linked.note.mentions if m.assertion == Assertion.PRESENT}
        keywords: dict[str, Mention] = {}
        for mention in linked.note.mentions:
            if (
                mention.assertion == Assertion.PRESENT
                and not mention.allergen
                and mention.concept_id not in self._fillers
            ):
                keywords.setdefault(mention.concept_id, mention)
        options: list[_Option] = []
        for condition in conditions:
            unknown = condition.concept_id not in self._graph.index
            if unknown or condition.status == ConditionStatus.RULED_OUT or condition.concept_id in absent:
                continue
            starts = self._starts(condition, keywords)
            for edge in self._graph.edges(condition.concept_id, tuple(ENDS)):
                end = self._graph.concepts[edge.tail].concept_id
                if end in blocked or end in absent:
                    continue
                rank = condition.score + (0.5 if condition.focus else 0.0)
                options.extend(
                    _Option(m, condition, first, edge, rank * ENDS[edge.relation])
                    for m, first in starts
                    if m.concept_id != end
                )
        return options

    def _blocked(self, linked: LinkedNote) -> set[str]:
        known = [item.concept_id for item in linked.allergies.items if item.concept_id]
        return {concept for allergen in known for concept in self._reach.avoided(allergen)}

    def _starts(self, condition: Condition, keywords: dict[str, Mention]) -> list[tuple[Mention, Edge | None]]:
        """The mentions that speak for a condition, heaviest first, with the edge that joins them (None: it is named)."""
        starts: list[tuple[Mention, Edge | None]] = []
        if condition.concept_id in keywords:
            starts.append((keywords[condition.concept_id], None))
        for reason in condition.because:
            mention = keywords.get(reason.concept_id)
            if mention is None or reason.weight <= 0 or mention.concept_id == condition.concept_id:
                continue
            for edge in self._graph.edges(mention.concept_id, TO_CONDITION):
                if self._graph.concepts[edge.tail].concept_id == condition.concept_id:
                    starts.append((mention, edge))
                    break
        return starts[:MOST_STARTS]

    def _choose(self, options: list[_Option], linked: LinkedNote) -> list[_Option]:
        names = sorted({self._graph.concepts[o.last.tail].name for o in options})
        note = " ".join(dict.fromkeys(o.mention.name for o in options))
        rows = self._vectors.vectors(names, self._encoder)
        query = self._encoder.encode([note])[0]
        cosine = dict(zip(names, np.asarray(rows @ query).tolist(), strict=True))
        scored = [o._replace(score=o.score * (1.0 + cosine[self._graph.concepts[o.last.tail].name])) for o in options]
        chosen: list[_Option] = []
        groups: Counter[int] = Counter()
        relations: Counter[str] = Counter()
        ends: set[int] = set()
        starts: Counter[str] = Counter()
        # costs only grow, so an option whose value is still what it was when it was filed is the best of all
        filed = [(-o.score, o.last.tail, o.mention.start_char, place) for place, o in enumerate(scored)]
        heapify(filed)
        while filed and len(chosen) < self._most:
            value, end, start_char, place = heappop(filed)
            option = scored[place]
            group, relation, start = int(self._graph.groups[end]), option.last.relation, option.mention.concept_id
            if end in ends:
                continue
            now = -(option.score - REPEAT_COST * (groups[group] + relations[relation]) - 0.1 * starts[start])
            if now > value:
                heappush(filed, (now, end, start_char, place))
                continue
            chosen.append(option)
            ends.add(end)
            groups[group] += 1
            relations[relation] += 1
            starts[start] += 1
        return sorted(chosen, key=lambda o: -o.score)

    def _path(self, number: int, option: _Option) -> ReasoningPath:
        steps = [as_step(self._graph, option.first.head if option.first else option.last.head)]
        if option.first:
            steps.append(as_step(self._graph, option.last.head, option.first.relation, option.first.qualifier))
        steps.append(as_step(self._graph, option.last.tail, option.last.relation, option.last.qualifier))
        verbalised = chain(self._graph, [edge for edge in (option.first, option.last) if edge])
        return ReasoningPath(
            id=f"K{number}",
            keyword=option.mention.name,
            steps=tuple(steps),
            score=round(option.score, 4),
            text=verbalised,
            supported_text=verbalised,
            condition_id=option.condition.concept_id,
        )
