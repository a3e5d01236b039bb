"""The text sources as they are searched now, and what searches them: indexes, reranker, entity index.

The starter handbook is in memory, imported collections are in their files.
"""

import logging
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from backend.container.lazy_part import is_built, lazy_part
from backend.container.loaded_knowledge import LoadedGraph, ShippedKnowledge
from backend.container.note_reading import NoteReading
from backend.errors import ConflictError, KnowledgeError
from backend.ingest.graphs.drug_facts import read_drug_texts
from backend.interfaces import Reranker
from backend.registry import PASSAGE_RANKERS
from backend.retrieval.entities.entity_collections import EntityCollections
from backend.retrieval.entities.entity_index import EntityVectors
from backend.retrieval.entities.entity_search import EntitySearch
from backend.retrieval.passages.ranker import PassageRanker
from backend.retrieval.passages.source_search import IndexedSearch
from backend.retrieval.strategies.strategy import TEXT_SOURCES
from backend.schemas.vocabulary import Source
from backend.stores.passages.collections import MemoryCollection
from backend.stores.passages.stored_sources import Sources, StoredSource
from models.encoders.rerankers import make_reranker

log = logging.getLogger("leapnote")
FUSION = "fusion"
"""The setting of the reranker that is none: BM25 and cosine by rank, for which no text need be encoded again."""


class TextSources(Mapping[Source, StoredSource]):
    """Each source with its handbook and collections. An import that ends is searched from the next request on.

    Args:
        data: folder of the imported collections.
        encoder: name of the weights that their vectors must be of.
        handbook: the starter's passages.
        who: the name under which this process holds the folder's lock and opens Chroma; empty for a process that only
            searches, which compares with every vector instead.

    Raises:
        ConflictError: another process has the lock that `who` asks for.
    """

    def __init__(self, data: Path, encoder: str, handbook: MemoryCollection | None, who: str = "") -> None:
        self.stored = Sources(data, encoder, who, chroma=bool(who))
        self._first: dict[Source, Sequence[MemoryCollection]] = {Source.BOOK: [handbook]} if handbook else {}
        self._held: dict[Source, StoredSource] = {}
        self._state: tuple[str, ...] | None = None
        self._reading = threading.Lock()
        self.refused: dict[Source, str] = {}

    def __getitem__(self, source: Source) -> StoredSource:
        return self._now()[source]

    def __iter__(self) -> Iterator[Source]:
        return iter(self._now())

    def __len__(self) -> int:
        return len(self._now())

    @property
    def state(self) -> tuple[str, ...]:
        """Changes whenever what can be searched does."""
        return self.stored.state

    def filled(self) -> tuple[Source, ...]:
        """The text sources that hold something that can be searched."""
        return tuple(self._now())

    def close(self) -> None:
        """Give back the lock."""
        self.stored.close()

    def _now(self) -> dict[Source, StoredSource]:
        with self._reading:
            if self._state != self.stored.state:
                state = self.stored.state
                held: dict[Source, StoredSource] = {}
                refused: dict[Source, str] = {}
                for source in TEXT_SOURCES:
                    try:
                        found = self.stored.source(source, self._first.get(source, ()))
                    except KnowledgeError as error:
                        refused[source] = str(error)
                        continue
                    if len(found):
                        held[source] = found
                self._held, self.refused, self._state = held, refused, state
            return self._held


def open_sources(data: Path, encoder: str, handbook: MemoryCollection | None, who: str) -> tuple[TextSources, str]:
    """The sources, and why this process may not change them: empty when it may.

    Where another process holds the lock, they are searched without it.
    """
    try:
        return TextSources(data, encoder, handbook, who), ""
    except ConflictError as error:
        log.warning("the sources are opened for searching alone: another process holds them")
        return TextSources(data, encoder, handbook), str(error)


class TextSearch:
    """What the text sources are searched with.

    Args:
        shipped: the starter knowledge and the encoder.
        loaded: the graph whose concepts passages name.
        reading: recognises them.
        data: folder of what was imported.
        passage_ranker: name of the ranking of hybrid searches.
        reranker: the setting: `fusion`, `medcpt`, or a cross-encoder.
        keeper: the name under which this process alone may change the sources; empty where it only searches.
    """

    def __init__(
        self,
        shipped: ShippedKnowledge,
        loaded: LoadedGraph,
        reading: NoteReading,
        data: Path,
        passage_ranker: str,
        reranker: str,
        keeper: str,
    ) -> None:
        self._shipped = shipped
        self._loaded = loaded
        self._reading = reading
        self._data = data
        self._passage_ranker = passage_ranker
        self._reranker = reranker
        self._keeper = keeper

    @lazy_part
    def _sources(self) -> tuple[TextSources, str]:
        return open_sources(self._data, self._shipped.encoder.name, self._shipped.handbook, self._keeper)

    @property
    def sources(self) -> TextSources:
        """The sources by name."""
        return self._sources[0]

    @property
    def read_only_reason(self) -> str:
        """Why this process may not change the sources; empty when it may."""
        return self._sources[1]

    @lazy_part
    def index(self) -> IndexedSearch:
        """BM25 and vectors over the sources."""
        ranker: PassageRanker = PASSAGE_RANKERS.get(self._passage_ranker).value()
        return IndexedSearch(self.sources, self._shipped.encoder.encode_queries, ranker)

    @lazy_part
    def reranker(self) -> Reranker | None:
        """The cross-encoder that is set; None for rank fusion."""
        return None if self._reranker == FUSION else make_reranker(self._reranker, self._shipped.encoder)

    @lazy_part
    def drug_texts(self) -> dict[str, tuple[tuple[str, str], ...]]:
        """What DrugBank says of the graph's medicines, by concept id; empty where it was not imported."""
        return read_drug_texts(self._data / "definitions" / f"{self._loaded.graph.fingerprint}-drugbank.jsonl")

    @lazy_part
    def entity_collections(self) -> EntityCollections:
        """Which passages name which concept; the dictionary reads each once, so no memory of texts is wanted."""
        return EntityCollections(
            self._loaded.graph,
            self._reading.dictionary,
            self._data,
            self._shipped.passages,
            lambda: self.sources.stored,
        )

    @lazy_part
    def entities(self) -> EntitySearch:
        """The entity index over graph, book and wiki."""
        graph = self._loaded.graph
        try:
            vectors, missing = self._loaded.concept_vectors, ""
        except KnowledgeError as error:
            vectors, missing = None, str(error)
        near = EntityVectors(graph, vectors, self._shipped.encoder.encode, missing)
        return EntitySearch(graph, near, self.entity_collections, self.index)

    def close(self) -> None:
        """Give back the lock of the sources, where they were opened."""
        if is_built(self, "_sources"):
            self.sources.close()
