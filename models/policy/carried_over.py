"""A policy on another graph than the one it was trained over: by the ids and names of concepts and the names of relations.

The walk itself reads vectors and semantic groups, so it needs no change. The learned concept step counts concepts and weighs relations: what
the other graph holds as well is carried over, what it lacks is dropped, and what is new to the policy has no weight of its own.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from models.policy.concept_step.concept_features import NAMES, Statistics
from models.policy.concept_step.concept_scorer import ScorerWeights

LAST = 2  # weights behind those of the relations: no relation, and a leap


class GraphNames(NamedTuple):
    """What the places of a checkpoint mean: concept ids and relations of the graph that it was trained over, in that graph's order.

    names: the name and synonyms of each concept, parted by `|`, empty for one that no training pair held; none where nothing was counted.
    """

    ids: tuple[str, ...]
    relations: tuple[str, ...]
    names: tuple[str, ...] = ()


class NamedConcept(Protocol):
    """A concept as another graph calls it."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def synonyms(self) -> tuple[str, ...]:
        """What else it is called."""
        ...


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

    @property
    def concepts(self) -> Sequence[NamedConcept]:
        """Its concepts, by place."""
        ...


def names_of(graph: OtherGraph, ids: Sequence[str], counted: Statistics | None) -> GraphNames:
    """What the places of a checkpoint over this graph mean, with the names of the concepts that it counts."""
    if counted is None:
        return GraphNames(tuple(ids), tuple(graph.relations))
    names = [""] * len(ids)
    for place in _counted(counted).tolist():
        row = graph.concepts[place]
        names[place] = "|".join(one.replace("|", " ").replace("\n", " ") for one in (row.name, *row.synonyms))
    return GraphNames(tuple(ids), tuple(graph.relations), tuple(names))


class Places(NamedTuple):
    """Where another graph has the concepts of a training graph.

    where: (concepts of the training graph,) int32 places in the other, -1 for none, none twice. share: of the concepts that were
    counted in training, or of all where none was. by_name: how many of them were found by a name alone.
    """

    where: np.ndarray
    share: float
    by_name: int


def carried_places(names: GraphNames, graph: OtherGraph, counted: Statistics | None) -> Places:
    """The concepts of a training graph in another one: by id, else by name, then by synonym; the first to come keeps its place."""
    where = np.array([graph.index.get(one, -1) for one in names.ids], dtype=np.int32)
    missing = [place for place in np.flatnonzero(where < 0).tolist() if place < len(names.names) and names.names[place]]
    called = {place: [_folded(one) for one in names.names[place].split("|")] for place in missing}
    theirs = _called(graph, {name for own in called.values() for name in own})
    taken = set(where[where >= 0].tolist())
    for place, own in called.items():
        found = next((theirs[name] for name in own if name in theirs and theirs[name] not in taken), -1)
        if found >= 0:
            where[place] = found
            taken.add(found)
    asked = _counted(counted) if counted is not None else np.arange(len(names.ids))
    held = where[asked] >= 0
    by_name = np.isin(asked[held], missing).sum()
    return Places(where, float(held.mean()) if len(held) else 0.0, int(by_name))


def carried_statistics(counted: Statistics, where: np.ndarray) -> Statistics:
    """The counts of the concepts that the other graph holds, by their places there, as Places has them."""
    words, columns = _moved(counted.vocabulary, where)
    keywords, rows = _moved(counted.keywords, where)
    return Statistics(
        counted.notes,
        words,
        counted.truth_counts[columns],
        keywords,
        counted.keyword_counts[rows],
        counted.joint[rows][:, columns].tocsr(),
        counted.texts,
        counted.held[:, columns].tocsr(),
        counted.pair_ids,
    )


def carried_weights(weights: ScorerWeights, names: GraphNames, graph: OtherGraph) -> ScorerWeights:
    """The weights by the other graph's relations; a relation that the policy never met weighs nothing."""
    old = {relation: place for place, relation in enumerate(names.relations)}
    known = [old.get(relation, -1) for relation in graph.relations]
    own, first = len(names.relations), len(NAMES)

    def columns(values: np.ndarray, absent: float) -> np.ndarray:
        halves = (values[first : first + own], values[first + own :])
        return np.concatenate([values[:first], *(_taken(half, known, absent) for half in halves)])

    towers = weights.towers
    if towers is not None:
        towers = towers._replace(path=np.stack([columns(one, 0.0) for one in towers.path.T], axis=1))
    return ScorerWeights(
        columns(weights.centre, 0.0),
        columns(weights.scale, 1.0),
        columns(weights.base, 0.0),
        weights.shift,
        weights.path,
        np.concatenate([_taken(weights.relation[:own], known, 0.0), weights.relation[-LAST:]]),
        towers,
    )


def _counted(counted: Statistics | None) -> np.ndarray:
    return np.zeros(0, dtype=np.int32) if counted is None else np.union1d(counted.vocabulary, counted.keywords)


def _called(graph: OtherGraph, wanted: set[str]) -> dict[str, int]:
    """The first place that has each wanted name, one that has it as its own name before one that has it as a synonym."""
    if not wanted:
        return {}
    own, other = dict[str, int](), dict[str, int]()
    for place, row in enumerate(graph.concepts):
        _note(own, (row.name,), wanted, place)
        _note(other, row.synonyms, wanted, place)
    return other | own


def _note(found: dict[str, int], names: Iterable[str], wanted: set[str], place: int) -> None:
    for name in names:
        if (folded := _folded(name)) in wanted:
            found.setdefault(folded, place)


def _folded(name: str) -> str:
    return " ".join(re.findall(r"\w+", name.casefold()))


def _moved(places: np.ndarray, where: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places in the other graph, sorted, and which of the old ones they are."""
    found = where[places]
    order = np.argsort(found, kind="stable")
    order = order[found[order] >= 0]
    return found[order], order


def _taken(values: np.ndarray, known: Sequence[int], absent: float) -> np.ndarray:
    taken = [values[place] if place >= 0 else absent for place in known]
    return np.array(taken, dtype=values.dtype)
