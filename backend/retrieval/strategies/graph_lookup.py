"""The graph as a source: a term's definition and those of its one-hop relations that fit what is wanted about it.

What another source says of a concept (DrugBank's texts; Omni-RAG section 3.2) stands beside its definition, an item a text.
A hub may have thousands of relations: all of them are scored and the best 10 kept
(Omni-RAG section 5.1.2). Without a cross-encoder they are ordered by the ranks of BM25 over their sentences and of cosine
between the query and their other end, summed.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from backend.interfaces import Linker, Reranker
from backend.prompts.task import first_words
from backend.retrieval.passages.fusion import rank_fused
from backend.retrieval.paths.graph_facts import capital, fact_sentence
from backend.schemas.drafts.evidence import GraphItem
from backend.stores.graph.graph import Edge, Graph
from backend.stores.passages.bm25 import Bm25Index

TOP_RELATIONS = 10
TEXT_WORDS = 120  # of a text beside the definition; DrugBank's may have thousands
DEFINITION, DESCRIPTION = "definition", "description"
EMBEDDED = "rank fusion of BM25 and cosine"


class LookedUp(NamedTuple):
    """items: the definition first, then relations, best first, ids all G0. missing: why there is nothing, else empty."""

    items: tuple[GraphItem, ...]
    missing: str = ""


class GraphLookup:
    """Looks up a term.

    Args:
        graph: the knowledge graph.
        linker: finds the concept that a term names.
        encode_queries: texts to vectors.
        vectors: (concepts, d) in the order of the graph's ids, by the encoder of encode_queries; used without a reranker.
        reranker: orders the relations; None for rank fusion.
        k: relations kept.
        texts: by concept id, kind and text of what is said of it beside the graph's own definition.
    """

    def __init__(
        self,
        graph: Graph,
        linker: Linker,
        encode_queries: Callable[[Sequence[str]], np.ndarray],
        vectors: np.ndarray,
        reranker: Reranker | None = None,
        k: int = TOP_RELATIONS,
        texts: Mapping[str, Sequence[tuple[str, str]]] = MappingProxyType({}),
    ) -> None:
        self._graph = graph
        self._linker = linker
        self._encode = encode_queries
        self._vectors = vectors
        self._reranker = reranker
        self._k = k
        self._texts = texts

    @property
    def ranked_by(self) -> str:
        """What orders the relations, in words."""
        return self._reranker.name if self._reranker else EMBEDDED

    def look_up(self, term: str, query: str) -> LookedUp:
        """What the graph has of a term.

        Args:
            term: names a concept.
            query: what is wanted about it; the term itself where it is empty.
        """
        concept = self._concept(term)
        if concept is None:
            return LookedUp((), "The graph knows no concept of this name.")
        row = self._graph.row(concept)
        edges = self._graph.edges(concept)
        sentences = [fact_sentence(self._graph, edge) for edge in edges]
        # two sources of one graph may hold one fact twice
        first = {text: place for place, text in reversed(list(enumerate(sentences)))}
        places = sorted(first.values())
        kept = self._best(query or term, [edges[i] for i in places], [sentences[i] for i in places])
        items = [self._item(edge, text) for edge, text in kept]
        items = [*self._defined(concept, row.name, row.definition), *items]
        return LookedUp(tuple(items), "" if items else "The graph has no definition and no relation of this concept.")

    def _defined(self, concept: str, name: str, definition: str) -> list[GraphItem]:
        """The graph's definition, then the other texts of the concept. One without a relation is what defines it."""
        items = []
        if definition:
            items.append(GraphItem(id="G0", concept_id=concept, text=f"{capital(name)}: {definition}."))
        for kind, text in self._texts.get(concept, ()):
            said = first_words(" ".join(text.split()), TEXT_WORDS)
            if kind == DEFINITION and not items:
                items.append(GraphItem(id="G0", concept_id=concept, text=f"{capital(name)}: {said}"))
            else:
                part = DESCRIPTION if kind == DEFINITION else kind
                items.append(
                    GraphItem(id="G0", concept_id=concept, text=f"{capital(name)}, {part}: {said}", relation=part)
                )
        return items

    def _concept(self, term: str) -> str | None:
        """The concept that the longest stretch of the term names, the first of equals."""
        mentions = self._linker.link(term).note.mentions
        known = [m for m in mentions if m.concept_id in self._graph.index]
        return max(known, key=lambda m: m.end_char - m.start_char).concept_id if known else None

    def _best(self, query: str, edges: Sequence[Edge], sentences: Sequence[str]) -> list[tuple[Edge, str]]:
        if not edges:
            return []
        if self._reranker is not None:
            scores = self._reranker.scores(query, sentences)
        else:
            tails = np.array([edge.tail for edge in edges], dtype=np.int64)
            cosine = np.asarray(self._vectors[tails], dtype=np.float32) @ self._encode([query])[0]
            scores = rank_fused(Bm25Index(sentences).scores(query), cosine)
        order = np.lexsort((np.arange(len(edges)), -scores))[: self._k]
        return [(edges[i], sentences[i]) for i in order.tolist()]

    def _item(self, edge: Edge, text: str) -> GraphItem:
        tail = self._graph.row(edge.tail)
        return GraphItem(
            id="G0",
            concept_id=self._graph.ids[edge.head],
            text=text,
            relation=edge.relation,
            tail_id=tail.concept_id,
            tail_name=tail.name,
        )


def numbered_items(items: Sequence[GraphItem]) -> tuple[GraphItem, ...]:
    """The items once each, in order, as G1, G2 and so on."""
    distinct: dict[tuple[str, str, str | None, str], GraphItem] = {}
    for item in items:
        distinct.setdefault((item.concept_id, item.relation, item.tail_id, item.text), item)
    return tuple(item.model_copy(update={"id": f"G{i}"}) for i, item in enumerate(distinct.values(), start=1))
