"""Small text sources in memory, for strategies."""

from collections.abc import Mapping
from typing import Any

from backend.nlp.extraction.linker import DictionaryLinker
from backend.retrieval.entities.entity_collections import EntityPart, Handbook, named_by
from backend.retrieval.passages.passage_rows import passage_text
from backend.retrieval.passages.source_search import IndexedSearch, InMemory
from backend.schemas.vocabulary import Source
from backend.stores.graph.graph import Graph
from backend.stores.passages.entity_table import Progress, TableKey, build_table
from backend.stores.passages.passage_index import PassageRow

BOOK = {
    "Heart failure: Diet": "Salt makes the body hold water. Eat less salt.",
    "Heart failure: Activity": "Walk a little every day.",
    "Pneumonia: Diet": "Drink water when you have a fever.",
    "Gout: Diet": "Beer can bring on gout.",
    "Botulism": "Infant botulism brings weak arms and constipation.",
}
WIKI = {"Heart failure": "Heart failure is a weak pump. Swelling of legs.", "Sodium": "Sodium is a part of salt."}


def rows_of(source: Source, texts: Mapping[str, str]) -> list[PassageRow]:
    return [
        PassageRow(f"{source}{i}", source, f"{source}/{i}", title, text, 0, len(text), licence="none")
        for i, (title, text) in enumerate(texts.items())
    ]


def in_memory(source: Source, texts: Mapping[str, str], encoder: Any) -> InMemory:
    rows = rows_of(source, texts)
    return InMemory(rows, encoder.encode([passage_text(row) for row in rows]))


def searched(encoder: Any, **texts: Mapping[str, str]) -> IndexedSearch:
    """`book=BOOK` and so on."""
    held = {Source(name): in_memory(Source(name), found, encoder) for name, found in texts.items()}
    return IndexedSearch(held, encoder.encode)


class EntityIndexes:
    """Entity indexes made on the spot.

    unbuilt: the index of the wiki is not made yet. texts: the passages of book and wiki.
    """

    def __init__(
        self,
        linker: DictionaryLinker,
        graph: Graph,
        wiki: Mapping[str, str],
        unbuilt: bool,
        book: Mapping[str, str] = BOOK,
    ) -> None:
        self._linker, self._graph, self._unbuilt = linker, graph, unbuilt
        self._texts = {Source.BOOK: book, Source.WIKI: wiki}

    def parts(self, source: Source, progress: Progress) -> tuple[tuple[EntityPart, ...], str]:
        held = Handbook(rows_of(source, self._texts[source]))
        if not len(held):
            return (), ""
        if self._unbuilt and source == Source.WIKI:
            return (EntityPart("pages", held, None, "its index is not made"),), ""
        key = TableKey("", "")
        table = build_table(held, named_by(self._linker), self._graph.index, None, key, progress)
        return (EntityPart("pages", held, table),), ""
