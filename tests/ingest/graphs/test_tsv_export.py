"""A graph as TSV files: the importer makes the same graph of them."""

from pathlib import Path

import pytest

from backend.errors import KnowledgeError
from backend.ingest.graphs.tsv_export import Written, exported_licence, write_tsv
from backend.ingest.graphs.tsv_graph import TsvFiles, import_tsv
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow
from backend.stores.graph.snapshot_meta import About

ABOUT = About("tiny", "made up for the tests", "none needed", "2024-01-31", {})


def again(folder: Path) -> Graph:
    files = TsvFiles(folder / "concepts.tsv", folder / "edges.tsv", folder / "relations.tsv")
    return import_tsv(files, folder.parent / "again", ABOUT)[0]


def test_what_was_exported_is_imported_as_it_was(tiny_graph: Graph, tmp_path: Path) -> None:
    written = write_tsv(tiny_graph, tmp_path / "out", ABOUT)
    facts = len(list(tiny_graph.triples()))
    assert written == Written(len(tiny_graph), facts, len(tiny_graph.relation_table.rows), 0)
    graph = again(tmp_path / "out")
    assert graph.fingerprint == tiny_graph.fingerprint
    # what a candidate condition is has no column
    assert list(graph.concepts) == [row._replace(condition=False, must_not_miss=False) for row in tiny_graph.concepts]
    assert graph.words == tiny_graph.words


def test_texts_that_a_cell_cannot_hold_are_changed_and_counted(
    relations: dict[str, RelationRow], tmp_path: Path
) -> None:
    rows = [
        ConceptRow("A", "one\ttwo", "DISO", "disease", ("a|b", "c"), "first\nsecond"),
        ConceptRow("B", "plain", "DISO", "disease", ("x\r\ny",)),
    ]
    graph = Graph(rows, [TripleRow("A", "isa", "B", " when\tso ")], relations)
    written = write_tsv(graph, tmp_path / "out", ABOUT)
    assert written.changed == 5  # the name, a|b, the definition, x\r\ny, the qualifier
    found = again(tmp_path / "out")
    assert found.row("A") == ConceptRow("A", "one two", "DISO", "disease", ("a/b", "c"), "first second")
    assert found.row("B").synonyms == ("x  y",)
    assert [triple.qualifier for triple in found.triples()] == ["when so"]


def test_the_licence_of_an_export_is_read_again_and_no_other_file_is_taken_for_one(
    tiny_graph: Graph, tmp_path: Path
) -> None:
    write_tsv(tiny_graph, tmp_path / "out", ABOUT)
    assert exported_licence(tmp_path / "out") == ABOUT.licence != ""
    assert exported_licence(tmp_path) == ""
    for text in ('{"kind": "something else", "licence": "X"}', "[]", "{", ""):
        (tmp_path / "meta.json").write_text(text)
        assert exported_licence(tmp_path) == ""


def test_an_older_export_is_replaced_and_nothing_else_is(tiny_graph: Graph, tmp_path: Path) -> None:
    write_tsv(tiny_graph, tmp_path / "out", ABOUT)
    write_tsv(tiny_graph, tmp_path / "out", ABOUT)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    with pytest.raises(KnowledgeError, match="'mine' exists and holds no leapnote graph tsv"):
        write_tsv(tiny_graph, tmp_path / "mine", ABOUT)


def test_progress_is_told_for_large_files(tiny_graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backend.ingest.graphs.tsv_export.EVERY", 10)
    progress: list[tuple[int, int, str]] = []
    write_tsv(tiny_graph, tmp_path / "out", ABOUT, lambda *now: progress.append(now))
    assert (10, len(tiny_graph), "rows of concepts.tsv written") in progress
    assert all(done <= total for done, total, _ in progress)
