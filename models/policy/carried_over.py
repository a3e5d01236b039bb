"""A policy on another graph than the one it was trained over: by the ids of concepts and the names of relations.

The walk itself reads vectors and semantic groups, so it needs no change. The learned concept step counts concepts and weighs relations: what
the other graph holds as well is carried over, what it lacks is dropped, and what is new to the policy has no weight of its own.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from models.policy.concept_step.concept_features import NAMES, Statistics
from models.policy.concept_step.concept_scorer import ScorerWeights

LEAST_SHARED = 0.9
"""The share of its own graph's concepts that another graph must hold for a policy to be carried over."""
LAST = 2  # weights behind those of the relations: no relation, and a leap


class GraphNames(NamedTuple):
    """What the places of a checkpoint mean: concept ids and relations of the graph that it was trained over, in that graph's order."""

    ids: tuple[str, ...]
    relations: tuple[str, ...]


class OtherGraph(Protocol):
    """What is asked of the graph that a policy is carried over to."""

    @property
    def index(self) -> Mapping[str, int]:
        """The place of each concept, by id."""
        ...

    @property
    def relations(self) -> tuple[str, ...]:
        """The names of the relations."""
        ...

    def __len__(self) -> int:
        """How many concepts it has."""
        ...


def shared(names: GraphNames, graph: OtherGraph) -> int:
    """How many concepts of the training graph another graph holds."""
    return sum(one in graph.index for one in names.ids)


def carried_statistics(counted: Statistics, names: GraphNames, graph: OtherGraph) -> Statistics:
    """The counts of the concepts that the other graph holds, by their places there."""
    words, columns = _places(counted.vocabulary, names.ids, graph)
    keywords, rows = _places(counted.keywords, names.ids, graph)
    return Statistics(
        counted.notes,
        words,
        counted.truth_counts[columns],
        keywords,
        counted.keyword_counts[rows],
        counted.joint[rows][:, columns].tocsr(),
    )


def carried_weights(weights: ScorerWeights, names: GraphNames, graph: OtherGraph) -> ScorerWeights:
    """The weights by the other graph's relations; a relation that the policy never met weighs nothing."""
    old = {relation: place for place, relation in enumerate(names.relations)}
    known = [old.get(relation, -1) for relation in graph.relations]
    own, first = len(names.relations), len(NAMES)

    def columns(values: np.ndarray, absent: float) -> np.ndarray:
        halves = (values[first : first + own], values[first + own :])
        return np.concatenate([values[:first], *(_taken(half, known, absent) for half in halves)])

    return ScorerWeights(
        columns(weights.centre, 0.0),
        columns(weights.scale, 1.0),
        columns(weights.base, 0.0),
        weights.shift,
        weights.path,
        np.concatenate([_taken(weights.relation[:own], known, 0.0), weights.relation[-LAST:]]),
    )


def _places(places: np.ndarray, ids: Sequence[str], graph: OtherGraph) -> tuple[np.ndarray, np.ndarray]:
    """Places in the other graph, sorted, and which of the old ones they are."""
    found = np.array([graph.index.get(ids[place], -1) for place in places], dtype=np.int32)
    order = np.argsort(found, kind="stable")
    order = order[found[order] >= 0]
    return found[order], order


def _taken(values: np.ndarray, known: Sequence[int], absent: float) -> np.ndarray:
    taken = [values[place] if place >= 0 else absent for place in known]
    return np.array(taken, dtype=values.dtype)
