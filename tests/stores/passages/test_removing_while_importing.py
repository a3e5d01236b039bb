"""Removing a collection while an import runs: nobody waits for it, and what is being made stays."""

from pathlib import Path

import pytest

from backend.errors import ConflictError, NotFoundError
from backend.schemas.vocabulary import Source
from backend.stores.passages.collection_meta import collection_folder, listed
from backend.stores.passages.collection_swap import building
from backend.stores.passages.stored_sources import Sources
from tests.stores.passages.test_stored_sources import store


@pytest.mark.timeout(30)
def test_other_collections_can_be_removed_and_the_one_in_the_making_cannot(tmp_path: Path) -> None:
    for name in ("one", "two"):
        store(tmp_path, name, ["rest helps the leg"])
    sources = Sources(tmp_path, "words")
    building(collection_folder(tmp_path, Source.BOOK, "two")).mkdir()
    with sources.changing:  # as an import holds it
        with pytest.raises(ConflictError, match="'two' may be in the making while an import runs"):
            sources.remove("two")
        sources.remove("one")
        with pytest.raises(NotFoundError):
            sources.remove("one")
    assert [meta.name for meta in listed(tmp_path)] == ["two"]
    assert len(sources.source(Source.BOOK)) == 1
    sources.remove("two")  # the import is over: what is half made goes too
    assert not listed(tmp_path) and not building(collection_folder(tmp_path, Source.BOOK, "two")).exists()
    assert not sources.changing.locked()
    sources.close()
