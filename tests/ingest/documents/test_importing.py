"""Imports as jobs: resumed after any stop with the same result, nothing encoded twice, readers served throughout."""

import gzip
import json
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from backend.errors import ConflictError, InputError, NotFoundError
from backend.ingest.documents.cutting import cut
from backend.ingest.documents.import_task import Cancelled, ImportResult, ImportTask
from backend.ingest.documents.importing import SAVED_EVERY, EncodeJob, ImportJob
from backend.ingest.documents.source_documents import Section, SourceDocument
from backend.schemas.vocabulary import Source
from backend.stores.passages.collection_meta import half_imported, listed
from backend.stores.passages.passage_vectors import WINDOW
from backend.stores.passages.stored_sources import Sources
from tests.conftest import WordEncoder

WORDS = ["heart", "failure", "kidney", "stone", "pain", "chest", "walking", "salt", "water", "rest", "legs", "swell"]


def corpus(path: Path, count: int, seed: int = 0) -> Path:
    """JSONL with documents of a few sentences; every tenth is the same as the one before."""
    rng = np.random.default_rng(seed)
    lines = []
    for number in range(count):
        if number % 10 != 9 or not lines:
            text = " ".join(f"{' '.join(rng.choice(WORDS, 8)).capitalize()} {number}." for _ in range(3))
        lines.append(json.dumps({"id": f"d{number}", "title": "A page", "content": text}))
    path.write_text("\n".join(lines))
    return path


def imported(data: Path, path: Path, encoder: WordEncoder | None = None, **fields: object) -> ImportResult:
    encoder = encoder or WordEncoder()
    sources = Sources(data, encoder.name)
    try:
        task = ImportTask("jsonl", Source.BOOK, path, **fields)  # type: ignore[arg-type]
        return ImportJob(task, sources, encoder).run()
    finally:
        sources.close()


def test_the_report_tells_what_was_kept_and_what_was_the_same(tmp_path: Path) -> None:
    result = imported(tmp_path, corpus(tmp_path / "pages.jsonl", 50), licence="CC0")
    assert (result.meta.name, result.meta.licence, result.meta.origin) == ("pages", "CC0", "pages.jsonl")
    # documents 9, 19, 29, 39 and 49 repeat the one before
    assert result.reports["documents"].as_json()["skipped"] == {"the same title and text as a document before": 5}
    assert (result.meta.documents, result.meta.passages, result.encoded) == (45, 45, 45)
    assert result.reports["items"].read == 50
    assert "45 passages encoded" in result.as_text()
    assert listed(tmp_path)[0].reports["documents"]["kept"] == 45


@pytest.mark.parametrize("content", [b"", b"{x\n", gzip.compress(b'{"id": "a", "content": "Rest."}\n' * 900)[:-9]])
def test_what_cannot_be_imported_leaves_nothing_half_imported(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError):
        imported(tmp_path / "data", path)
    assert (half_imported(tmp_path / "data"), listed(tmp_path / "data")) == ((), ())


@pytest.mark.parametrize("stop", range(1, 12))
def test_stopped_anywhere_it_goes_on_to_the_same_result(tmp_path: Path, stop: int) -> None:
    """The job is broken off at its stop-th sign of progress, then each time one sign later, until it is through."""
    path = corpus(tmp_path / "pages.jsonl", 3 * SAVED_EVERY + 20)
    whole = imported(tmp_path / "a", path)
    encoder = WordEncoder()
    left = [stop]

    def cancel() -> bool:
        left[0] -= 1
        return left[0] == 0

    for _ in range(20):
        sources = Sources(tmp_path / "b", encoder.name)
        try:
            result = ImportJob(ImportTask("jsonl", Source.BOOK, path), sources, encoder, cancel=cancel).run()
            break
        except Cancelled:
            assert listed(tmp_path / "b") == ()
        finally:
            sources.close()
        left[0] = stop = stop + 1
    assert result.meta.fingerprint == whole.meta.fingerprint
    assert {k: r.as_json() for k, r in result.reports.items()} == {k: r.as_json() for k, r in whole.reports.items()}
    assert half_imported(tmp_path / "b") == ()
    # the one topic of all pages beside them
    assert len(encoder.encoded) == len(set(encoder.encoded)) == whole.encoded + 1


def test_a_second_import_takes_over_the_vectors_of_texts_it_knows(tmp_path: Path) -> None:
    path = corpus(tmp_path / "pages.jsonl", 40)
    first = imported(tmp_path, path)
    again = imported(tmp_path, path, name="another")
    assert (again.encoded, again.taken_over) == (0, first.encoded)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:20], json.dumps({"id": "new", "title": "New", "content": "Quite new words."})]))
    encoder = WordEncoder()
    updated = imported(tmp_path, path, encoder, name="another")
    assert encoder.encoded == ["New. Quite new words.", "New"]  # the other topic is taken over too
    assert (updated.encoded, updated.meta.documents) == (1, 19)
    assert [meta.name for meta in listed(tmp_path)] == ["another", "pages"]


def test_a_changed_file_is_begun_anew(tmp_path: Path) -> None:
    path = corpus(tmp_path / "pages.jsonl", 30)
    sources = Sources(tmp_path, "words")
    with pytest.raises(Cancelled, match="goes on where it stopped"):
        ImportJob(ImportTask("jsonl", Source.BOOK, path), sources, WordEncoder(), cancel=lambda: True).run()
    sources.close()
    corpus(path, 12, seed=1)
    assert imported(tmp_path, path).meta.documents == 11


def test_what_was_encoded_for_a_broken_off_import_serves_the_next_one(tmp_path: Path) -> None:
    path = corpus(tmp_path / "pages.jsonl", 2 * WINDOW)
    encoder = WordEncoder()
    sources = Sources(tmp_path, "words")
    stopped: list[str] = []

    def cancel() -> bool:
        return bool(encoder.encoded)  # asked after the first window

    with pytest.raises(Cancelled):
        ImportJob(ImportTask("jsonl", Source.BOOK, path), sources, encoder, cancel=cancel).run()
    sources.close()
    stopped.extend(encoder.encoded)
    assert len(stopped) == WINDOW
    with path.open("a") as lines:
        lines.write('\n{"id": "new", "title": "New", "content": "Quite new words."}')
    again = WordEncoder()
    result = imported(tmp_path, path, again)
    assert result.taken_over == WINDOW
    assert not set(again.encoded) & set(stopped)
    assert not list((tmp_path / "sources" / "book").glob("**/*kept*"))


def test_readers_keep_the_old_collection_and_get_answers_while_the_new_one_is_made(tmp_path: Path) -> None:
    path = corpus(tmp_path / "pages.jsonl", 200)
    imported(tmp_path, path)
    corpus(path, 2 * WINDOW, seed=1)

    class Held(WordEncoder):
        """Waits in the middle of the import until the reader has had its answers."""

        def encode(self, texts: Sequence[str]) -> np.ndarray:
            if threading.current_thread() is not threading.main_thread():
                began.set()
                assert go_on.wait(30)
            return super().encode(texts)

    began, go_on = threading.Event(), threading.Event()
    encoder = Held()
    sources = Sources(tmp_path, encoder.name)
    results: list[ImportResult] = []
    job = ImportJob(ImportTask("jsonl", Source.BOOK, path), sources, encoder)
    thread = threading.Thread(target=lambda: results.append(job.run()))
    thread.start()
    assert began.wait(30)
    before = sources.source(Source.BOOK)
    assert len(before) == 180
    assert before.nearest(encoder.encode(["heart"]), 5)[0]
    assert before.lexical("heart", 5)
    with pytest.raises(ConflictError, match="Another import is running"):
        ImportJob(ImportTask("jsonl", Source.BOOK, path, "other"), sources, encoder).run()
    go_on.set()
    thread.join()
    assert len(sources.source(Source.BOOK)) == results[0].meta.passages != 180
    # whoever still holds the old collection is answered from it
    assert max(row for row, _ in before.nearest(WordEncoder().encode(["heart"]), 180)[0]) < 180
    sources.close()


def test_a_collection_is_encoded_again_by_another_encoder(tmp_path: Path) -> None:
    class Other(WordEncoder):
        name, dimension = "other", 32

    imported(tmp_path, corpus(tmp_path / "pages.jsonl", 20))
    sources = Sources(tmp_path, "other")
    assert "pages" in sources.refused
    result = EncodeJob("pages", sources, Other()).run()
    assert (result.meta.encoder, result.meta.dimension, result.encoded) == ("other", 32, 18)
    assert not sources.refused
    assert sources.source(Source.BOOK).nearest(Other().encode(["heart"]), 3)[0]
    sources.close()
    with pytest.raises(NotFoundError, match="There are: pages"):
        EncodeJob("none-such", Sources(tmp_path, "other", chroma=False), Other())


def test_what_cannot_be_imported_says_why(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text('{"id": "1"}\nnot json\n')
    with pytest.raises(InputError, match=r"no content \(1\); a line that is not JSON \(1\)|a line that is not JSON"):
        imported(tmp_path, empty)
    assert half_imported(tmp_path) == ()
    with pytest.raises(InputError, match="There is no file or folder"):
        imported(tmp_path, tmp_path / "nowhere")
    imported(tmp_path, corpus(tmp_path / "pages.jsonl", 5))
    sources = Sources(tmp_path, "words")
    with pytest.raises(InputError, match="belongs to a collection of the source 'book'"):
        ImportJob(ImportTask("jsonl", Source.WIKI, tmp_path / "pages.jsonl"), sources, WordEncoder())
    with pytest.raises(ConflictError, match="open for the encoder 'words'"):
        other = WordEncoder()
        other.name = "other"
        ImportJob(ImportTask("jsonl", Source.BOOK, tmp_path / "pages.jsonl"), sources, other)
    sources.close()


def test_passages_keep_their_section_and_index_the_document() -> None:
    first, second = "One sentence here. " * 80, "Short."
    document = SourceDocument("d", "T", (Section("A", first.strip()), Section("B", second)))
    whole = "\n\n".join(section.text for section in document.sections)
    cuts = cut(document, 1000)
    assert [piece.section for piece in cuts] == ["A", "A", "B"]
    for piece in cuts:
        assert len(piece.text) <= 1000
        assert whole[piece.start_char : piece.end_char] == piece.text
        assert piece.text.endswith(".")
