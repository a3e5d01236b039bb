"""One request's look-up in the entity indexes: graph, book and wiki, each by itself (ClinicalRAG Eq. 3).

Takes entities, or the whole text where extraction is switched off; gives what each source holds, best first, with how much
each entity brought. A piece found for several entities is there once. A collection without an entity index is searched by
BM25 instead, which is said; what is found so has no score of Eq. 2 and comes last.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from backend.retrieval.entities.entity_collections import EntityPart
from backend.retrieval.entities.entity_extraction import Entity
from backend.retrieval.entities.entity_index import (
    EntityVectors,
    Found,
    FoundFact,
    find_facts,
    find_passages,
    nearest_of,
)
from backend.retrieval.entities.knowledge_to_language import fact_key
from backend.retrieval.passages.passage_rows import as_passage, passage_key
from backend.retrieval.passages.source_search import UNNUMBERED, SearchMode, SourceSearch
from backend.schemas.drafts.evidence import Passage
from backend.schemas.vocabulary import Source
from backend.stores.graph.graph import Graph

Progress = Callable[[int, int, str], None]


class Reach(NamedTuple):
    """k: pieces that an entity brings from a source. least: the cosine from which two entities are near, -1 to 1.

    whole: entities of a source that the whole note leads to, where it stands for its entities.
    """

    k: int
    least: float
    whole: int


class EntityIndexes(Protocol):
    """What holds the entity indexes of text sources; entity_shelf.EntityShelf is one."""

    def parts(self, source: Source, progress: Progress) -> tuple[tuple[EntityPart, ...], str]:
        """The entity indexes of a source, and the reason where there are none."""
        ...


class Ranked(NamedTuple):
    """One piece as one entity found it. score: Eq. 2, 0 where it is not known. relevance: as in entity_index.Found."""

    score: float
    relevance: float
    key: Hashable


class SourceFinds(NamedTuple):
    """pieces: each once, best first. brought: how many each entity found. holds: whether the source holds anything.

    fallbacks: what was searched otherwise, or not at all, and why.
    """

    facts: tuple[FoundFact, ...] = ()
    passages: tuple[Passage, ...] = ()
    brought: tuple[int, ...] = ()
    holds: bool = True
    fallbacks: tuple[str, ...] = ()


class EntitySearch:
    """search: for collections without an entity index; None leaves them out. graph: the one the vectors belong to."""

    def __init__(
        self, graph: Graph, vectors: EntityVectors, collection: EntityIndexes, search: SourceSearch | None = None
    ) -> None:
        self._graph = graph
        self._vectors = vectors
        self._collections = collection
        self._search = search

    @property
    def exact(self) -> str:
        """Why an entity finds nothing but itself; empty where near ones are found too."""
        return self._vectors.missing

    def query(self, entities: Sequence[Entity], whole: str) -> "EntityQuery":
        """The cosines of a request, compared once for all sources. whole: the text, used where there are no entities."""
        if entities or not whole:
            return EntityQuery(tuple(entities), self._vectors.cosines(entities), None)
        return EntityQuery((), np.zeros((0, len(self._graph)), dtype=np.float32), self._vectors.of_text(whole))

    def facts(self, query: "EntityQuery", reach: Reach, ranked: bool) -> SourceFinds:
        """Facts and definitions of the graph. ranked: best first, else in the order of the entities (without KRG)."""
        joined = np.flatnonzero(np.diff(self._graph.offsets) > 0)
        lists = find_facts(self._graph, *query.rows(joined, reach), reach.k)
        by_key = {fact_key(self._graph, f): f for found in reversed(lists) for f in reversed(found)}
        order = ordered(
            [[Ranked(f.score, f.relevance, fact_key(self._graph, f)) for f in found] for found in lists], ranked
        )
        facts = tuple(by_key[key] for key in order)  # type: ignore[index]
        return SourceFinds(facts=facts, brought=tuple(map(len, lists)), holds=len(self._graph) > 0)

    def passages(
        self, source: Source, query: "EntityQuery", reach: Reach, ranked: bool, progress: Progress
    ) -> SourceFinds:
        """Passages of one text source, ids all P0; scores: entity (Eq. 2) and relevance, or bm25."""
        parts, refused = self._collections.parts(source, progress)
        fallbacks = [f"{source}: {text}" for text in (refused, *(part.missing for part in parts)) if text]
        lists: list[list[tuple[Found, EntityPart]]] = []
        for part in parts:
            if part.table is not None:
                near, least = query.rows(part.table.present, reach)
                found = [[(f, part) for f in one] for one in find_passages(part.table, near, least, reach.k)]
                lists = [a + b for a, b in zip(lists, found, strict=True)] if lists else found
        best = [_best(one, reach.k) for one in lists]
        best = [_with_title(query.entities, i, parts, one)[: reach.k] for i, one in enumerate(best)]
        by_key: dict[Hashable, Passage] = {}
        rankings: list[list[Ranked]] = []
        for one, passages in zip(best, _passages(best), strict=True):
            for passage in passages:
                by_key.setdefault(passage_key(passage), passage)
            rankings.append(
                [Ranked(f.score, f.relevance, passage_key(p)) for (f, _), p in zip(one, passages, strict=True)]
            )
        if any(part.missing for part in parts):
            rankings = self._by_words(source, query, reach, rankings, by_key)
        kept = tuple(by_key[key] for key in ordered(rankings, ranked))
        holds = any(len(part.held) for part in parts)
        return SourceFinds(passages=kept, brought=tuple(map(len, rankings)), holds=holds, fallbacks=tuple(fallbacks))

    def _by_words(
        self,
        source: Source,
        query: "EntityQuery",
        reach: Reach,
        rankings: list[list[Ranked]],
        by_key: dict[Hashable, Passage],
    ) -> list[list[Ranked]]:
        """What BM25 finds by the entities' names, behind what the indexes found."""
        if self._search is None or not query.entities:
            return rankings
        names = [entity.name for entity in query.entities]
        found = self._search.search(source, names, SearchMode.LEXICAL, reach.k)
        rankings = rankings or [[] for _ in names]
        for one, passages in zip(rankings, found, strict=True):
            for passage in passages[: max(reach.k - len(one), 0)]:
                by_key.setdefault(passage_key(passage), passage)
                one.append(Ranked(0.0, 0.0, passage_key(passage)))
        return rankings


class EntityQuery(NamedTuple):
    """cosines: (entities, concepts of the graph). whole: (concepts,) of the whole text, where that is the query."""

    entities: tuple[Entity, ...]
    cosines: np.ndarray
    whole: np.ndarray | None

    def rows(self, present: np.ndarray, reach: Reach) -> tuple[np.ndarray, float]:
        """The cosines to look up a source with, and the least that counts; present: the concepts it holds."""
        if self.whole is None:
            return self.cosines, reach.least
        return nearest_of(self.whole, present, reach.whole), 0.0


def ordered(lists: Sequence[Sequence[Ranked]], ranked: bool) -> list[Hashable]:
    """The keys of several entities' pieces, each once.

    ranked: by score, then by the place in the entity's own list, so that no entity pushes out another, then by relevance.
    Else entity by entity.
    """
    if not ranked:
        return list(dict.fromkeys(piece.key for one in lists for piece in one))
    first: dict[Hashable, tuple[float, int, float, int]] = {}
    for number, one in enumerate(lists):
        for place, piece in enumerate(one):
            rank = (-round(piece.score, 3), place, -piece.relevance, number)
            if piece.key not in first or rank < first[piece.key]:
                first[piece.key] = rank
    return sorted(first, key=lambda key: first[key])


def _best(found: Sequence[tuple[Found, EntityPart]], k: int) -> list[tuple[Found, EntityPart]]:
    """One entity's finds in several collections: relevance is a share, so it may be compared between them."""
    return sorted(found, key=lambda one: (-one[0].score, -one[0].relevance))[:k]


def _with_title(
    entities: Sequence[Entity], number: int, parts: Sequence[EntityPart], found: list[tuple[Found, EntityPart]]
) -> list[tuple[Found, EntityPart]]:
    """An entity that the graph does not know may have a page of its own: its title is the entity, so the cosine is 1."""
    if number >= len(entities) or entities[number].concept_id:
        return found
    for part in parts:
        row = part.held.titled(entities[number].name)
        if row is not None:
            return [(Found(row, 1.0, 1.0 / len(entities)), part), *(f for f in found if f[0].place != row)]
    return found


def _passages(lists: Sequence[Sequence[tuple[Found, EntityPart]]]) -> list[list[Passage]]:
    """The passages of several entities' finds; each part is read once."""
    places: dict[str, dict[int, EntityPart]] = {}
    for hit, part in (found for one in lists for found in one):
        places.setdefault(part.name, {})[hit.place] = part
    rows = {}
    for name, wanted in places.items():
        held = next(iter(wanted.values())).held
        rows.update({(name, n): row for n, row in zip(wanted, held.rows(list(wanted)), strict=True)})
    return [
        [
            as_passage(
                UNNUMBERED,
                rows[part.name, hit.place],
                {"entity": round(hit.score, 4), "relevance": round(hit.relevance, 4)},
            )
            for hit, part in one
        ]
        for one in lists
    ]
