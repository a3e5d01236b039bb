"""Concepts and edges from TSV: headers by name or none, groups by code or name, and every skipped row accounted for."""

import gzip
import os
from pathlib import Path

import pytest

from backend.errors import KnowledgeError
from backend.ingest.documents.import_report import ImportReport
from backend.ingest.graphs.tsv_graph import TsvFiles, group_code, import_tsv, read_relation_file
from backend.knowledge.starter import read_relations
from backend.settings import ROOT
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow
from backend.stores.graph.snapshot import read_snapshot
from backend.stores.graph.snapshot_meta import About

ABOUT = About("tsv", "made up for the tests", "none needed", "2024-01-31", {})
CONCEPTS = "id\tname\tgroup\nA\tasthma\tDISO\nB\tsalbutamol\tCHEM\nC\tlung\tANAT\n"
EDGES = "head\trelation\ttail\nB\teases\tA\nA\tsits_in\tC\n"


def imported(
    tmp_path: Path, concepts: str = CONCEPTS, edges: str = EDGES, **more: object
) -> tuple[Graph, ImportReport]:
    (tmp_path / "concepts.tsv").write_bytes(concepts.encode())
    (tmp_path / "edges.tsv").write_bytes(edges.encode())
    files = TsvFiles(tmp_path / "concepts.tsv", tmp_path / "edges.tsv")._replace(**more)  # type: ignore[arg-type]
    return import_tsv(files, tmp_path / "g", ABOUT)


def test_a_pair_of_files_becomes_a_snapshot(tmp_path: Path) -> None:
    graph, report = imported(tmp_path)
    assert list(graph.concepts) == [
        ConceptRow("A", "asthma", "DISO", "disease"),
        ConceptRow("B", "salbutamol", "CHEM", "substance"),
        ConceptRow("C", "lung", "ANAT", "anatomy"),
    ]
    assert graph.related("A", "eases_inverse", "sits_in") == ["C", "B"]
    assert graph.relation_words("eases_inverse") == "inverse of eases"
    assert (report.read, report.kept, report.skipped) == (5, 5, {})
    assert report.notes == ["2 relations came without an inverse; it was made up from their names."]
    assert read_snapshot(tmp_path / "g", verify=True).fingerprint == graph.fingerprint


def test_columns_are_found_by_the_names_others_give_them_in_any_order(tmp_path: Path) -> None:
    concepts = (
        "\ufeff#Semantic Group\tdefinition\tCUI\tsynonyms\tignored\tLabel\tcategory\r\n"
        "Disorders\twheezy airways\tA\tRAD| asthma | bronchial asthma |RAD\tx\tasthma\tfinding\r\n"
        "chemicals & drugs\t\tB\t\ty\tsalbutamol\tno such category\r\n"
    )
    graph, report = imported(tmp_path, concepts, "qualifier\tobject\tpredicate\tsubject\nat night\tA\teases\tB\n")
    assert graph.row("A") == ConceptRow("A", "asthma", "DISO", "finding", ("RAD", "bronchial asthma"), "wheezy airways")
    assert graph.row("B").category == "substance"
    assert [(e.relation, e.qualifier) for e in graph.edges("B")] == [("eases", "at night")]
    assert any("categories" in note for note in report.notes)


def test_files_without_a_header_stand_in_the_plain_order(tmp_path: Path) -> None:
    graph, report = imported(tmp_path, "A\tasthma\tDISO\tC0004096|C1\nB\tlung\tANAT\t\n", "A\tsits_in\tB\n")
    assert (len(graph), graph.edge_count, report.skipped_count) == (2, 2, 0)
    assert graph.row("A").synonyms == ()  # what follows the group has no name, so nothing is made of it


def test_rows_that_cannot_be_used_are_skipped_with_reason_and_line(tmp_path: Path) -> None:
    concepts = CONCEPTS + "D\tstatute\tLAWS\n\nE\tshort\nA\tagain\tDISO\nF\t\tDISO\n"
    edges = EDGES + "Z\teases\tA\nA\teases\tZ\nA\teases\tA\nA\teases\nB\teases\tA\n"
    _, report = imported(tmp_path, concepts, edges)
    assert report.examples == {
        "concept semantic group is none of the 15": [5],
        "concept too few cells": [7],
        "concept id seen before": [8],
        "concept without a name": [9],
        "triple head is no concept kept": [4],
        "triple tail is no concept kept": [5],
        "triple leads to itself": [6],
        "triple too few cells": [7],
        "triple fact seen before": [8],
    }
    assert report.read == report.kept + report.skipped_count == 14


def test_a_concept_without_a_name_can_be_named_by_its_id(tmp_path: Path) -> None:
    graph, _ = imported(tmp_path, CONCEPTS + "F\t\tDISO\n", name_from_id=True)
    assert graph.row("F").name == "F"


def test_a_line_that_is_not_utf8_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "c.tsv").write_bytes(CONCEPTS.encode() + b"D\tm\xe9ni\xe8re\tDISO\n")
    (tmp_path / "e.tsv").write_text(EDGES)
    _, report = import_tsv(TsvFiles(tmp_path / "c.tsv", tmp_path / "e.tsv"), tmp_path / "g", ABOUT)
    assert report.examples == {"concept not UTF-8": [5]}


def test_gzipped_files_are_read(tmp_path: Path) -> None:
    for name, text in (("c.tsv.gz", CONCEPTS), ("e.tsv.gz", EDGES)):
        (tmp_path / name).write_bytes(gzip.compress(text.encode()))
    graph, _ = import_tsv(TsvFiles(tmp_path / "c.tsv.gz", tmp_path / "e.tsv.gz"), tmp_path / "g", ABOUT)
    assert len(graph) == 3


def test_inverses_and_words_come_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "r.tsv").write_text("relation\tinverse\twords\neases\teased_by\tmakes better\n")
    graph, report = imported(tmp_path, relations=tmp_path / "r.tsv")
    assert graph.related("A", "eased_by") == ["B"]
    assert graph.relation_words("eases") == "makes better"
    assert graph.relation_words("eased_by") == "eased by"
    assert report.notes == ["1 relations came without an inverse; it was made up from their names."]
    (tmp_path / "r.tsv").write_text("relation\tinverse\neases\t\n")
    with pytest.raises(KnowledgeError, match=r"r\.tsv:2 names no relation or no inverse"):
        read_relation_file(tmp_path / "r.tsv")


def test_edges_may_be_told_by_a_known_inverse(tmp_path: Path) -> None:
    (tmp_path / "r.tsv").write_text("relation\tinverse\neased_by\teases\nsits_in\tseat_of\n")
    graph, _ = imported(tmp_path, relations=tmp_path / "r.tsv")
    assert graph.related("B", "eases") == ["A"]
    assert [t.relation for t in graph.triples()] == ["sits_in", "eased_by"]


def test_no_edges_at_all_is_a_graph(tmp_path: Path) -> None:
    graph, _ = imported(tmp_path, edges="head\trelation\ttail\n")
    assert (len(graph), graph.edge_count) == (3, 0)


@pytest.mark.parametrize(
    ("concepts", "edges", "said"),
    [
        ("", EDGES, r"concepts.tsv.*it has no rows"),
        ("code\ttitle\tkind\n1\tasthma\tillness\n", EDGES, r"concepts.tsv.*semantic group is none of the 15.*id, name"),
        (CONCEPTS, "X\teases\tY\n", r"edges.tsv.*head is no concept kept"),
    ],
)
def test_files_of_which_nothing_can_be_used_are_refused(tmp_path: Path, concepts: str, edges: str, said: str) -> None:
    with pytest.raises(KnowledgeError, match=said):
        imported(tmp_path, concepts, edges)
    assert not (tmp_path / "g").exists()


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match=r"no file 'nothing\.tsv'"):
        imported(tmp_path, edges=EDGES, concepts=CONCEPTS, relations=tmp_path / "nothing.tsv")


def test_groups_go_by_code_and_by_name() -> None:
    assert group_code("diso") == "DISO"
    assert group_code("Genes and Molecular  Sequences") == group_code("Genes & Molecular Sequences") == "GENE"
    assert group_code("Law") == group_code("") == ""


@pytest.mark.data
def test_a_real_graph_of_a_hundred_thousand_concepts_is_imported(tmp_path: Path) -> None:
    folder = Path(os.environ.get("LEAPNOTE_TEST_DATA") or ROOT.parent / "shared" / "data") / "kg_clean"
    if not folder.is_dir():
        pytest.skip("the open data is not there (LEAPNOTE_TEST_DATA)")
    known = read_relations(ROOT / "assets" / "knowledge" / "relations.tsv")
    files = TsvFiles(folder / "concepts.tsv", folder / "edges.tsv", name_from_id=True)
    graph, report = import_tsv(files, tmp_path / "g", ABOUT, known)
    # 105,177 ids and 332,388 rows, all distinct (sort, uniq). By awk: 219 heads and, of the other rows, 147 tails are no
    # concept of the file, no row leads to itself, and 124 rows of has_part repeat a part_of of the same two
    assert len(graph) == 105_177
    assert report.read == 105_177 + 332_388
    assert report.skipped == {
        "triple head is no concept kept": 219,
        "triple tail is no concept kept": 147,
        "triple fact seen before": 124,
    }
    assert graph.row("DOID:0001816").name == "angiosarcoma"
    assert read_snapshot(tmp_path / "g", verify=True).edge_count == graph.edge_count
