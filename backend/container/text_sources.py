"""The text sources as they are searched now: the starter handbook in memory, imported collections from their files."""

import logging
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from backend.errors import ConflictError, KnowledgeError
from backend.retrieval.strategies.strategy import TEXT_SOURCES
from backend.schemas.vocabulary import Source
from backend.stores.passages.collections import MemoryCollection
from backend.stores.passages.stored_sources import Sources, StoredSource

log = logging.getLogger("leapnote")


class TextSources(Mapping[Source, StoredSource]):
    """Each source with its handbook and collections. An import that ends is searched from the next request on.

    who: the name under which this process holds the folder's lock and opens Chroma; empty for a process that only
    searches, which compares with every vector instead.
    """

    def __init__(self, data: Path, encoder: str, handbook: MemoryCollection | None, who: str = "") -> None:
        """Raises ConflictError when another process has the lock that `who` asks for."""
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
