"""The text sources of a process: the handbook and what was imported, who may change them, and what is refused."""

from pathlib import Path

import numpy as np
import pytest

from backend.container.text_sources import TextSources, open_sources
from backend.errors import ConflictError, KnowledgeError
from backend.schemas.vocabulary import Source
from backend.stores.passages.bm25 import Bm25Index
from backend.stores.passages.collections import MemoryCollection
from backend.stores.passages.passage_index import PassageRow
from backend.stores.passages.sources_lock import SourceLock
from tests.conftest import WordEncoder
from tests.stores.passages.test_stored_sources import store

PAGE = PassageRow("handbook/gout/0", Source.BOOK, "handbook/gout", "Gout: Diet", "Drink enough water.", 0, 19)


@pytest.fixture
def handbook() -> MemoryCollection:
    return MemoryCollection([PAGE], Bm25Index([PAGE.text]), np.asarray(WordEncoder().encode([PAGE.text])))


def test_the_handbook_is_the_book_and_an_empty_source_is_left_out(tmp_path: Path, handbook: MemoryCollection) -> None:
    sources = TextSources(tmp_path, "words", handbook)
    assert (sources.filled(), list(sources), len(sources)) == ((Source.BOOK,), [Source.BOOK], 1)
    assert [row.title for row in sources[Source.BOOK].rows([0])] == ["Gout: Diet"]
    with pytest.raises(KeyError):
        sources[Source.WIKI]


def test_without_a_handbook_or_an_import_there_is_nothing_to_search(tmp_path: Path) -> None:
    assert TextSources(tmp_path, "words", None).filled() == ()


def test_an_import_that_ends_is_searched_from_then_on(tmp_path: Path, handbook: MemoryCollection) -> None:
    sources = TextSources(tmp_path, "words", handbook)
    before, state = sources[Source.BOOK], sources.state
    assert sources[Source.BOOK] is before  # nothing changed, nothing read again
    store(tmp_path, "stones", ["kidney stones hurt"])
    assert sources[Source.BOOK] is before  # on disk, and not yet taken in
    sources.stored.adopt("stones")
    assert sources.state != state
    assert [row.text for row in sources[Source.BOOK].rows([0, 1])] == ["Drink enough water.", "kidney stones hurt"]


def test_a_source_that_cannot_be_read_is_refused_with_its_reason_and_the_others_stay(
    tmp_path: Path, handbook: MemoryCollection, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = TextSources(tmp_path, "words", handbook)
    whole = sources.stored.source

    def broken(source: Source, first: object) -> object:
        if source is Source.WIKI:
            raise KnowledgeError("the index is damaged")
        return whole(source, first)  # type: ignore[arg-type]

    monkeypatch.setattr(sources.stored, "source", broken)
    assert sources.filled() == (Source.BOOK,)
    assert sources.refused == {Source.WIKI: "the index is damaged"}


def test_beside_a_holder_of_the_lock_the_sources_are_only_searched(tmp_path: Path, handbook: MemoryCollection) -> None:
    with SourceLock(tmp_path, "the API"):
        sources, reason = open_sources(tmp_path, "words", handbook, "knowledge add")
        assert "in use by the API" in reason
        assert sources.filled() == (Source.BOOK,)
    free, none = open_sources(tmp_path, "words", handbook, "knowledge add")
    assert none == ""
    with pytest.raises(ConflictError, match="knowledge add"):
        SourceLock(tmp_path, "another")
    free.close()
    SourceLock(tmp_path, "another").release()
