"""The entity indexes of the text sources, as they are now: made where they are small, opened where they are stored.

Takes what holds passages: the starter handbook, and the stored collections. A small part is linked when it is first asked
for; a large one takes minutes, so `build` does it, with progress, and until then the part says that it has no index. Each
index lies beside its collection and is kept by content: what did not change is not linked again.
"""

import hashlib
import logging
import shutil
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from backend.errors import KnowledgeError
from backend.interfaces import Linker
from backend.schemas.vocabulary import Source
from backend.stores.graph.concept_vectors import names_digest
from backend.stores.graph.graph import Graph
from backend.stores.passages.collection_meta import sources_folder
from backend.stores.passages.collections import Collection
from backend.stores.passages.entity_table import EntityTable, Named, Progress, Rows, TableKey, build_table, read_table
from backend.stores.passages.passage_index import PassageRow
from backend.stores.passages.stored_sources import Sources

log = logging.getLogger("leapnote")
READ_SOURCES = (Source.BOOK, Source.WIKI)  # knowledge base B and online O; "online" was downloaded, nothing is fetched
ENDING = ".entities.npz"
AT_ONCE = 4_000  # passages that are linked while a request waits: seconds
BY_HAND = 50_000  # concepts of the largest graph whose synonyms are compared
NOT_BUILT = (
    "the collection {name!r} has no entity index yet, so its passages are found by BM25. Make it with: "
    "python -m backend knowledge load entities"
)


class Titled(Rows, Protocol):
    """Passages by number and by title."""

    def titled(self, title: str) -> int | None:
        """The number of the row whose title this is, case aside; None where there is none."""
        ...


class EntityPart(NamedTuple):
    """Passages of one origin with their entity index, or with why there is none."""

    name: str
    held: Titled
    table: EntityTable | None
    missing: str = ""


class _Part(NamedTuple):
    name: str
    held: Titled
    content: str
    path: Path


class Handbook:
    """Passages in memory as a part of the source book."""

    def __init__(self, passages: Sequence[PassageRow]) -> None:
        self.passages = tuple(passages)
        self.digest = hashlib.sha256(repr(self.passages).encode()).hexdigest()
        self._titles = {row.title.lower(): i for i, row in reversed(list(enumerate(passages)))}

    def __len__(self) -> int:
        return len(self.passages)

    def rows(self, numbers: Sequence[int]) -> list[PassageRow]:
        """The rows of these numbers, in their order."""
        return [self.passages[number] for number in numbers]

    def titled(self, title: str) -> int | None:
        """The number of the first row whose title this is, case aside; None where there is none."""
        return self._titles.get(title.lower())


class EntityCollections:
    """linker: reads passages; one without a memory, since each is read once. sources: asks what is stored now, or None.

    data: LEAPNOTE_DATA, where indexes are kept. Safe to share between threads.
    """

    def __init__(
        self,
        graph: Graph,
        linker: Linker,
        data: Path,
        handbook: Sequence[PassageRow] = (),
        sources: Callable[[], Sources | None] = lambda: None,
        at_once: int = AT_ONCE,
    ) -> None:
        self._graph = graph
        self._named = named_by(linker)
        self._data = data
        self._handbook = Handbook(handbook)
        self._sources = sources
        self._at_once = at_once
        self._handbook_path = sources_folder(data) / Source.BOOK.value / f".handbook{ENDING}"
        self._names = _names_of(graph)
        self._open: dict[Path, tuple[str, EntityTable]] = {}
        self._making = threading.Lock()
        self._at = ""

    def parts(self, source: Source, progress: Progress) -> tuple[tuple[EntityPart, ...], str]:
        """The parts of a source that hold something, and why one that is stored is not searched, else empty."""
        found, refused = self._held(source)
        return tuple(self._part(part, progress, self._at_once) for part in found), refused

    @property
    def reading(self) -> str:
        """What is being linked now, and how far it is; empty while nothing is. Whoever asks for it meanwhile waits for it."""
        return self._at

    def build(self, progress: Progress) -> dict[str, int]:
        """Make every index that is missing; a killed run goes on where it stopped. Gives passages linked, by part."""
        self.tidy()
        made: dict[str, int] = {}
        for source in READ_SOURCES:
            for part in self._held(source)[0]:
                if self._stored(part) is None:
                    self._part(part, progress, len(part.held))
                    made[part.name] = len(part.held)
        return made

    def tidy(self) -> int:
        """Remove what is stored for collections that are no more; gives how many. Nothing while no sources are open."""
        stored = self._sources()
        if stored is None:
            return 0
        kept = {_path(self._data, meta.source, meta.name) for meta in stored.metas()} | {self._handbook_path}
        gone = [path for path in sources_folder(self._data).glob(f"*/.*{ENDING}*") if _index_of(path) not in kept]
        for path in gone:
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
        return len(gone)

    def _held(self, source: Source) -> tuple[list[_Part], str]:
        parts: list[_Part] = []
        if source == Source.BOOK and len(self._handbook):
            parts.append(_Part("starter handbook", self._handbook, self._handbook.digest, self._handbook_path))
        stored = self._sources()
        if stored is None:
            return parts, ""
        try:
            text_collections = stored.source(source).text_collections
        except KnowledgeError as error:
            return parts, str(error)
        for collection in text_collections:
            if isinstance(collection, Collection):
                meta = collection.meta
                parts.append(_Part(meta.name, collection.table, meta.fingerprint, _path(self._data, source, meta.name)))
        refused = stored.refused and [m.name for m in stored.metas() if m.source == source and m.name in stored.refused]
        return parts, " ".join(stored.refused[name] for name in refused)

    def _part(self, part: _Part, progress: Progress, most: int) -> EntityPart:
        table = self._stored(part)
        if table is None and len(part.held) <= most:
            if self._making.locked():
                progress(0, 0, f"waiting for {self._at or 'an entity index'}")
            with self._making:
                table = self._stored(part)  # another request may have made it meanwhile
                if table is None:
                    table = self._made(part, progress)
        missing = "" if table is not None else NOT_BUILT.format(name=part.name)
        return EntityPart(part.name, part.held, table, missing)

    def _made(self, part: _Part, progress: Progress) -> EntityTable:
        """The index, made and stored; where it cannot be stored, it is kept in memory alone."""
        key = self._key(part)

        def report(done: int, total: int, what: str) -> None:
            self._at = f"{part.name}: {done:,} of {total:,} {what}"
            progress(done, total, what)

        self._at = f"{part.name}: 0 of {len(part.held):,} passages linked"
        try:
            table = build_table(part.held, self._named, self._graph.index, part.path, key, report)
        except OSError as error:
            log.warning("the entity index of %s is not stored: %s", part.name, error.strerror)
            table = build_table(part.held, self._named, self._graph.index, None, key, report)
        finally:
            self._at = ""
        self._open[part.path] = (key.fingerprint, table)
        return table

    def _stored(self, part: _Part) -> EntityTable | None:
        """The index as it is in memory or on disk, if it is of what the part holds now."""
        key = self._key(part)
        known = self._open.get(part.path)
        if known is not None and known[0] == key.fingerprint:
            return known[1]
        table = read_table(part.path, key)
        if table is not None:
            self._open[part.path] = (key.fingerprint, table)
        return table

    def _key(self, part: _Part) -> TableKey:
        return TableKey(part.content, self._names)


def named_by(linker: Linker) -> Named:
    """What a linker finds in a passage, denied or not: the passage is about it all the same."""

    def named(text: str) -> list[tuple[int, str]]:
        return [(mention.start_char, mention.concept_id) for mention in linker.link(text).note.mentions]

    return named


def _path(data: Path, source: Source, name: str) -> Path:
    """Beside the collection's folder, not in it: an import replaces that, and what it did not change is known here."""
    return sources_folder(data) / source.value / f".{name}.collection{ENDING}"


def _index_of(path: Path) -> Path:
    """The index that a file or folder belongs to, which it is or is a part of."""
    return path.with_name(path.name.split(ENDING)[0] + ENDING)


def _names_of(graph: Graph) -> str:
    """Changes with what the linker seeks and with the numbers of the concepts.

    Synonyms count one by one only where people edit them by hand: a graph from outside does not change in place.
    """
    identity = f"{graph.fingerprint} {names_digest(graph)}"
    if len(graph) <= BY_HAND:
        synonyms = "\n".join("|".join(row.synonyms) for row in graph.concepts)
        identity += hashlib.sha256(synonyms.encode()).hexdigest()
    return hashlib.sha256(identity.encode()).hexdigest()[:16]
