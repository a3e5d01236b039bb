"""Stored sources: tables, swaps, the lock, searching several collections as one."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from backend.errors import ConflictError, InputError, KnowledgeError, MissingError, NotFoundError
from backend.schemas.vocabulary import Source
from backend.settings import ROOT
from backend.stores.passages.bm25 import Bm25Group, Bm25Index
from backend.stores.passages.collection_build import BuildTask, CollectionBuild
from backend.stores.passages.collection_meta import (
    checked_name,
    checked_source,
    damaged,
    half_imported,
    listed,
    name_of,
)
from backend.stores.passages.collection_swap import building, mend
from backend.stores.passages.passage_table import Cut, DocumentRow, PassageTable, TableWriter, shown_title
from backend.stores.passages.sources_lock import SourceLock
from backend.stores.passages.stored_sources import Sources
from backend.stores.swapped_folder import MARK
from tests.conftest import WordEncoder

TEXTS = {
    "one": ["heart failure swells the legs", "kidney stones hurt", "salt draws water"],
    "two": ["a failing heart needs rest", "walking helps the heart", "stones pass by themselves"],
}
TOPICS = {"kidney stones hurt": "kidney stones; salt", "walking helps the heart": "walking"}
"""What some documents are about."""


def store(data: Path, name: str, texts: list[str], source: Source = Source.BOOK, key: str = "1") -> None:
    """Put a collection on disk as an import does: a document a text."""
    encoder = WordEncoder()
    sources = Sources(data, encoder.name)
    task = BuildTask(name, source, "jsonl", f"{name}.jsonl", key, "a licence", 1000, encoder.name, encoder.dimension)
    build = CollectionBuild(data, task)
    writer = build.writer()
    for number, text in enumerate(texts):
        writer.add(
            DocumentRow(f"{name}/{number}", f"Page {number}", "https://x.test", "", "2020", TOPICS.get(text, "")),
            [Cut("", text, 0, len(text))],
        )
    writer.save({})
    writer.close()
    build.encode(encoder, lambda *_: None)
    build.index(lambda *_: None)
    assert sources.indexes is not None
    build.finish(sources.indexes, {}, lambda *_: None)
    sources.close()


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    for name, texts in TEXTS.items():
        store(folder, name, texts)
    return folder


def test_two_collections_are_searched_as_one(data: Path) -> None:
    sources = Sources(data, "words")
    book = sources.source(Source.BOOK)
    assert (len(book), book.documents) == (6, 6)
    everything = [f"Page {i}. {text}" for texts in TEXTS.values() for i, text in enumerate(texts)]
    vectors = WordEncoder().encode(everything)
    query = WordEncoder().encode(["heart failure"])
    wanted = np.argsort(-(vectors @ query[0]), kind="stable")[:3]
    found = book.nearest(query, 3)[0]
    assert [row for row, _ in found][:2] == wanted.tolist()[:2]
    # vectors are stored in 16 bits, 11 of them for the number itself
    assert [cosine for _, cosine in found] == pytest.approx((vectors @ query[0])[wanted].tolist(), abs=2e-3)
    assert np.allclose(book.vectors([5, 0]), vectors[[5, 0]], atol=2e-3)
    # all texts have about the same length, so one index over all gives nearly the same scores
    whole = Bm25Index(everything).search("heart stones", 6)
    assert {row for row, _ in book.lexical("heart stones", 6)} == {row for row, _ in whole}
    assert [row.text for row in book.rows([4, 0, 4])] == [TEXTS["two"][1], TEXTS["one"][0], TEXTS["two"][1]]
    assert book.rows([3])[0].key == "two/0"
    assert (book.titled("PAGE 2"), book.titled("page 9")) == (2, None)
    assert [[row.text for row in rows] for rows in book.documents_named("two/1")] == [[TEXTS["two"][1]]]
    assert book.documents_named("two/9") == []
    sources.close()


def test_without_chroma_the_same_is_found_and_no_lock_is_taken(data: Path) -> None:
    holder = SourceLock(data, "the API")
    sources = Sources(data, "words", chroma=False)
    query = WordEncoder().encode(["heart failure"])
    exact = sources.source(Source.BOOK).nearest(query, 6)[0]
    assert [cosine for _, cosine in exact] == sorted((cosine for _, cosine in exact), reverse=True)
    with pytest.raises(ConflictError, match="searching only"):
        sources.remove("one")
    holder.release()
    locked = Sources(data, "words")  # stored in 16 bits, rows are of length 1 to a thousandth; Chroma divides by it
    assert locked.source(Source.BOOK).nearest(query, 6)[0] == [(row, pytest.approx(c, abs=1e-3)) for row, c in exact]
    locked.close()


def test_a_second_process_is_told_who_has_the_sources(data: Path) -> None:
    program = "from pathlib import Path; from backend.stores.passages.stored_sources import Sources; Sources(Path(__import__('sys').argv[1]), 'words')"
    with SourceLock(data, "the API"):
        done = subprocess.run(
            [sys.executable, "-c", program, str(data)], capture_output=True, text=True, check=False, cwd=ROOT
        )
    assert f"in use by the API (process {os.getpid()}" in done.stderr
    assert "ConflictError" in done.stderr
    SourceLock(data, "again").release()


def test_another_encoder_is_refused_with_what_to_do(data: Path) -> None:
    sources = Sources(data, "other-encoder", chroma=False)
    assert set(sources.refused) == set(TEXTS)
    with pytest.raises(
        KnowledgeError, match=r"encoded by 'words' and cannot be searched with 'other-encoder'.*load collection one"
    ):
        sources.source(Source.BOOK)


def test_a_source_that_holds_nothing_is_empty(data: Path) -> None:
    wiki = Sources(data, "words", chroma=False).source(Source.WIKI)
    assert (len(wiki), wiki.lexical("heart", 5), wiki.titled("x"), wiki.rows([])) == (0, [], None, [])
    assert wiki.nearest(np.zeros((2, 64), dtype=np.float32), 5) == [[], []]
    with pytest.raises(MissingError, match=r"'wiki'.*knowledge add jsonl --source wiki"):
        wiki.vectors([0])


def test_listing_needs_no_encoder_and_names_the_damaged(tmp_path: Path) -> None:
    store(tmp_path, "one", TEXTS["one"])
    store(tmp_path, "two", TEXTS["two"], Source.WIKI)
    (tmp_path / "sources" / "book" / "one" / MARK).write_text("{")
    assert [(meta.name, meta.source, meta.documents, meta.passages) for meta in listed(tmp_path)] == [
        ("two", Source.WIKI, 3, 3)
    ]
    assert "Import it again" in damaged(tmp_path)["one"]
    sources = Sources(tmp_path, "words", chroma=False)
    with pytest.raises(NotFoundError, match="There are: one, two"):
        Sources(tmp_path, "words").remove("three")
    assert set(sources.refused) == {"one"}


@pytest.mark.parametrize("broken", ["passages.sqlite", "vectors.npy", "bm25/rows.npy", "bm25/meta.json"])
def test_a_damaged_file_keeps_the_collection_out_of_the_search(tmp_path: Path, broken: str) -> None:
    store(tmp_path, "one", TEXTS["one"])
    path = tmp_path / "sources" / "book" / "one" / broken
    path.write_bytes(path.read_bytes()[:20])
    assert set(Sources(tmp_path, "words", chroma=False).refused) == {"one"}


def test_a_removed_collection_is_gone_and_who_still_holds_it_gets_an_answer(tmp_path: Path) -> None:
    for name, texts in TEXTS.items():
        store(tmp_path, name, texts)
    sources = Sources(tmp_path, "words")
    before = sources.source(Source.BOOK)
    sources.remove("one")
    assert [meta.name for meta in sources.metas()] == ["two"]
    assert len(sources.source(Source.BOOK)) == 3
    query = WordEncoder().encode(["heart"])
    assert len(before.nearest(query, 6)[0]) == 6
    assert before.rows([0])[0].text == TEXTS["one"][0]
    assert sources.indexes is not None
    assert sources.indexes.names() == {meta.vectors for meta in sources.metas()}
    sources.close()


def test_a_lost_index_of_nearest_rows_is_filled_again(tmp_path: Path) -> None:
    store(tmp_path, "one", TEXTS["one"])
    sources = Sources(tmp_path, "words")
    assert sources.indexes is not None
    sources.indexes.drop(sources.metas()[0].vectors)
    sources.close()
    again = Sources(tmp_path, "words")
    assert len(again.source(Source.BOOK).nearest(WordEncoder().encode(["heart"]), 9)[0]) == 3
    again.close()


def test_what_a_kill_left_is_finished_or_undone(tmp_path: Path) -> None:
    store(tmp_path, "one", TEXTS["one"])
    folder = tmp_path / "sources" / "book" / "one"
    mark = (folder / MARK).read_text()
    # killed between the two renames: the new one is whole
    folder.rename(building(folder))
    (folder.parent / ".one.old").mkdir()
    mend(folder)
    assert (folder / MARK).read_text() == mark
    assert not (folder.parent / ".one.old").exists()
    # killed before the new one was whole, the old one already away
    folder.rename(folder.parent / ".one.old")
    building(folder).mkdir()
    mend(folder)
    assert (folder / MARK).read_text() == mark
    assert half_imported(tmp_path) == ("one",)


def test_the_same_text_is_kept_once_but_for_another_title(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path / "t.sqlite")
    text = Cut("", "It is inherited in a recessive pattern.", 0, 39)
    again = Cut("", "it is  inherited in a recessive pattern", 50, 89)
    assert writer.add(DocumentRow("a", "One disease"), [text, again])[1:] == (1, 1)
    assert writer.add(DocumentRow("b", "Another disease"), [text])[1:] == (1, 0)
    assert writer.add(DocumentRow("c", "ONE disease"), [text, again]).refused.startswith("the same title and text")
    assert writer.add(DocumentRow("c", "one disease"), [text]).refused.startswith("every passage")
    assert writer.add(DocumentRow("a", "x"), [text]).refused == "an id that came before"
    writer.save({"position": 5})
    writer.add(DocumentRow("never saved", "x"), [text])
    writer.close()
    assert TableWriter(tmp_path / "t.sqlite").state() == {"position": 5}
    table = PassageTable(tmp_path / "t.sqlite", Source.WIKI, "t")
    assert (table.size, table.documents) == (2, 2)
    assert [row.document_id for row in table.rows([1, 0])] == ["b", "a"]


def test_a_passages_title_tells_its_section_once() -> None:
    assert shown_title("Asthma", "Treatment") == "Asthma: Treatment"
    assert shown_title("Asthma treatment", "Treatment") == "Asthma treatment"
    assert (shown_title("Asthma", ""), shown_title("", "Methods"), shown_title("", "")) == ("Asthma", "Methods", "")


def test_names_and_sources_are_checked() -> None:
    assert name_of(Path("/x/MedQuAD-master.zip")) == "medquad-master"
    assert name_of(Path("/x/µ.gz")) == "collection-unnamed"
    for wrong in ("a", "../up", "Upper", "x" * 49, "-ab"):
        with pytest.raises(InputError, match="cannot name a collection"):
            checked_name(wrong)
    with pytest.raises(InputError, match="graph that is loaded"):
        checked_source("graph")
    with pytest.raises(InputError, match="is no source"):
        checked_source("library")


def test_an_index_of_words_is_the_same_when_opened_from_its_folder(tmp_path: Path) -> None:
    texts = [text for part in TEXTS.values() for text in part]
    made = Bm25Index(texts)
    made.write(tmp_path / "bm25")
    stored = Bm25Index.read(tmp_path / "bm25")
    for query in ("heart failure", "stones", "the", "unknown heart"):
        assert stored.search(query, 4) == made.search(query, 4)
        assert np.array_equal(stored.scores(query), made.scores(query))
    (tmp_path / "bm25" / MARK).write_text(json.dumps({"kind": "another"}))
    with pytest.raises(KnowledgeError, match="BM25 index"):
        Bm25Index.read(tmp_path / "bm25")


def test_a_word_weighs_the_same_in_each_index_of_a_group() -> None:
    # "heart" stands in 3 of all 6 rows. Alone, the second index would take it for commoner (2 of 3), and weigh it less.
    # Every text has 2 words, so that the mean length is the same everywhere and the group equals one index.
    parts = [["heart pain", "kidney stone", "salt water"], ["heart rest", "heart walk", "stone pass"]]
    group = Bm25Group([Bm25Index(part) for part in parts])
    whole = Bm25Index([text for part in parts for text in part])
    for query in ("heart", "heart stone", "pain walk heart"):
        wanted = whole.search(query, 6)
        found = group.search(query, 6)
        assert [row for row, _ in found] == [row for row, _ in wanted]
        assert [score for _, score in found] == pytest.approx([score for _, score in wanted], rel=1e-5)


def test_each_row_has_the_vector_of_what_its_document_is_about_and_its_exact_score(data: Path) -> None:
    sources = Sources(data, "words")
    book = sources.source(Source.BOOK)
    # rows 0 to 2 are of one, 3 to 5 of the other collection; two documents have a topic
    found = book.topics([4, 1, 0])
    wanted = WordEncoder().encode([TOPICS["walking helps the heart"], TOPICS["kidney stones hurt"]])
    assert found[:2] == pytest.approx(wanted, abs=1e-3)
    assert not found[2].any()
    lexical = dict(book.lexical("heart stones", 6))
    rows = [5, 2, 0, 3]
    assert book.lexical_of("heart stones", rows).tolist() == pytest.approx([lexical.get(row, 0.0) for row in rows])
    assert lexical.get(2, 0.0) == 0.0
    sources.close()
