"""The entity indexes of handbook and collections: made once, kept beside, made anew when something changed."""

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from backend.ingest.documents.import_task import ImportTask
from backend.ingest.documents.importing import ImportJob
from backend.nlp.extraction.linker import DictionaryLinker
from backend.retrieval.entities.entity_collections import EntityCollections
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.vocabulary import Source
from backend.stores.graph.graph import Graph
from backend.stores.passages.stored_sources import Sources
from tests.retrieval.sources import BOOK, rows_of

PAGES = {"Heart failure": "Heart failure is a weak pump.", "Lung": "The lung takes up air."}
HANDBOOK = rows_of(Source.BOOK, BOOK)


class Counting:
    """A linker that counts the texts it is given."""

    def __init__(self, linker: DictionaryLinker) -> None:
        self._linker = linker
        self.read: list[str] = []

    def link(self, text: str) -> LinkedNote:
        self.read.append(text)
        return self._linker.link(text)


def quiet(done: int, total: int, what: str) -> None:
    """Nobody watches."""


def imported(sources: Sources, encoder: Any, folder: Path, name: str, pages: dict[str, str]) -> None:
    lines = [json.dumps({"id": title, "title": title, "text": text}) for title, text in pages.items()]
    path = folder / f"{name}.jsonl"
    path.write_text("\n".join(lines))
    ImportJob(ImportTask("wikipedia", Source.WIKI, path, name), sources, encoder).run()


@pytest.fixture
def sources(tmp_path: Path, encoder: Any) -> Iterator[Sources]:
    sources = Sources(tmp_path / "data", encoder.name)
    yield sources
    sources.close()


@pytest.fixture
def counting(tiny_linker: DictionaryLinker) -> Counting:
    return Counting(tiny_linker)


@pytest.fixture
def collection(tiny_graph: Graph, counting: Counting, sources: Sources) -> Callable[..., EntityCollections]:
    def make(at_once: int = 100, handbook: Any = HANDBOOK) -> EntityCollections:
        return EntityCollections(tiny_graph, counting, sources.data, handbook, lambda: sources, at_once)

    return make


def test_a_request_that_comes_while_the_index_is_made_waits_for_it_and_is_right(
    collection: Callable[..., EntityCollections], counting: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    link = counting.link

    def slowly(text: str) -> LinkedNote:
        begun.set()
        assert go_on.wait(30)
        return link(text)

    monkeypatch.setattr(counting, "link", slowly)
    held, found, reported = collection(), list[Any](), list[str]()
    first = threading.Thread(target=lambda: held.parts(Source.BOOK, quiet))
    first.start()
    assert begun.wait(30)
    assert held.reading == f"starter handbook: 0 of {len(HANDBOOK)} passages linked"

    def ask() -> None:
        found.append(held.parts(Source.BOOK, lambda done, total, what: reported.append(what)))

    second = threading.Thread(target=ask)
    second.start()
    while not reported:
        second.join(0.01)
    assert reported == [f"waiting for {held.reading}"] and not found
    go_on.set()
    first.join(30), second.join(30)
    assert found[0][0][0].table is not None and not found[0][0][0].missing
    assert sorted(counting.read) == sorted({*counting.read})  # each passage once
    assert held.reading == ""


def test_the_handbook_is_linked_when_first_asked_for_and_never_again(
    collection: Callable[..., EntityCollections], counting: Counting, tiny_graph: Graph
) -> None:
    first = collection()
    assert counting.read == []
    ((part,), refused) = first.parts(Source.BOOK, quiet)
    assert (part.name, part.missing, refused) == ("starter handbook", "", "")
    assert part.table is not None
    assert {tiny_graph.names[c] for c in part.table.present.tolist()} == {"heart failure", "pneumonia", "gout", "fever"}
    assert part.held.titled("botulism") == 4
    assert len(counting.read) == len(BOOK)
    first.parts(Source.BOOK, quiet)
    collection().parts(Source.BOOK, quiet)  # after a restart it is read from its file
    assert len(counting.read) == len(BOOK)


def test_a_handbook_edited_in_one_place_is_linked_in_that_place(
    collection: Callable[..., EntityCollections], counting: Counting
) -> None:
    collection().parts(Source.BOOK, quiet)
    edited = [HANDBOOK[0]._replace(text="Salt brings on leg swelling."), *HANDBOOK[1:]]
    collection(handbook=edited).parts(Source.BOOK, quiet)
    assert counting.read[len(BOOK) :] == ["Heart failure: Diet. Salt brings on leg swelling."]


def test_a_large_collection_waits_for_its_build_and_says_so(
    collection: Callable[..., EntityCollections], counting: Counting, sources: Sources, encoder: Any, tmp_path: Path
) -> None:
    imported(sources, encoder, tmp_path, "pages", PAGES)
    held = collection(at_once=1)
    ((part,), _) = held.parts(Source.WIKI, quiet)
    assert part.table is None
    assert "'pages' has no entity index yet" in part.missing
    assert "knowledge load entities" in part.missing
    assert counting.read == []
    steps: list[tuple[int, int, str]] = []
    assert held.build(lambda *step: steps.append(step)) == {"starter handbook": len(BOOK), "pages": 2}
    assert steps == [(5, 5, "passages linked"), (2, 2, "passages linked")]
    ((part,), _) = held.parts(Source.WIKI, quiet)
    assert part.table is not None
    assert held.build(quiet) == {}
    files = sorted(p.name for p in (sources.data / "sources" / "wiki").iterdir())
    assert files == [".pages.collection.entities.npz", "pages"]


def test_an_import_that_replaces_a_collection_makes_its_index_stale_and_keeps_what_did_not_change(
    collection: Callable[..., EntityCollections], counting: Counting, sources: Sources, encoder: Any, tmp_path: Path
) -> None:
    imported(sources, encoder, tmp_path, "pages", PAGES)
    held = collection()
    held.parts(Source.WIKI, quiet)
    imported(sources, encoder, tmp_path, "pages", PAGES | {"Gout": "Gout is a sore toe."})
    ((part,), _) = held.parts(Source.WIKI, quiet)
    assert part.table is not None
    assert len(part.table) == 3
    assert counting.read[2:] == ["Gout. Gout is a sore toe."]


def test_the_index_of_a_removed_collection_goes_with_the_next_build(
    collection: Callable[..., EntityCollections], sources: Sources, encoder: Any, tmp_path: Path
) -> None:
    imported(sources, encoder, tmp_path, "pages", PAGES)
    imported(sources, encoder, tmp_path, "more", {"Fever": "Fever is heat."})
    held = collection()
    held.build(quiet)
    sources.remove("pages")
    assert held.tidy() == 1
    left = sorted(p.name for p in (sources.data / "sources").glob("*/.*.entities.npz"))
    assert left == [".handbook.entities.npz", ".more.collection.entities.npz"]


def test_sources_that_cannot_be_searched_are_refused_with_the_reason(
    tiny_graph: Graph, counting: Counting, sources: Sources, encoder: Any, tmp_path: Path
) -> None:
    imported(sources, encoder, tmp_path, "pages", PAGES)
    other = Sources(sources.data, "another encoder", chroma=False)
    held = EntityCollections(tiny_graph, counting, sources.data, (), lambda: other)
    parts, refused = held.parts(Source.WIKI, quiet)
    assert parts == ()
    assert "cannot be searched with 'another encoder'" in refused
    assert held.parts(Source.BOOK, quiet) == ((), "")


def test_without_sources_there_is_the_handbook_alone(tiny_graph: Graph, counting: Counting, tmp_path: Path) -> None:
    held = EntityCollections(tiny_graph, counting, tmp_path, HANDBOOK)
    assert held.parts(Source.WIKI, quiet) == ((), "")
    assert held.tidy() == 0
    assert held.build(quiet) == {"starter handbook": len(BOOK)}


def test_where_nothing_can_be_stored_the_index_is_kept_in_memory(
    tiny_graph: Graph, counting: Counting, tmp_path: Path
) -> None:
    (tmp_path / "full").write_text("a file where the data folder should be")
    held = EntityCollections(tiny_graph, counting, tmp_path / "full", HANDBOOK)
    for _ in range(2):
        ((part,), _) = held.parts(Source.BOOK, quiet)
        assert part.table is not None
    assert len(counting.read) == len(BOOK)
