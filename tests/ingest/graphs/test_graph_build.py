"""The builder gives the graph that the rows give, counts what it leaves out, and needs no order of ids."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.ingest.graphs.graph_build import GraphBuilder, build_snapshot, completed, in_words
from backend.knowledge.starter import read_relations
from backend.settings import ROOT
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow
from backend.stores.graph.snapshot import read_snapshot
from backend.stores.graph.snapshot_meta import About

RELATIONS = read_relations(ROOT / "assets" / "knowledge" / "relations.tsv")
ABOUT = About("built", "made up for the tests", "none needed", "2024-01-31", {})
NAMES = [f"c{i}" for i in range(8)]
ROWS = [ConceptRow(name, f"name of {name}", "DISO", "disease") for name in NAMES]
FACTS = st.lists(
    st.tuples(
        st.sampled_from(NAMES),
        st.sampled_from([name for row in RELATIONS.values() for name in (row.relation, row.inverse)]),
        st.sampled_from(NAMES),
        st.sampled_from(["", "acute", "late"]),
    ).filter(lambda fact: fact[0] != fact[2]),
    max_size=40,
)


@settings(max_examples=60, deadline=None)
@given(FACTS, st.permutations(ROWS))
def test_a_built_graph_is_the_graph_of_the_rows(facts: list[tuple[str, str, str, str]], rows: list[ConceptRow]) -> None:
    triples = [TripleRow(*fact) for fact in facts]
    builder = GraphBuilder()
    for row in rows:
        assert builder.add_concept(row)
    for triple in triples:
        assert builder.add_triple(triple)
    built, plain = builder.finish(RELATIONS), Graph(ROWS, triples, RELATIONS)
    assert list(built.concepts) == list(plain.concepts)
    assert [built.edges(i) for i in range(8)] == [plain.edges(i) for i in range(8)]
    assert built.fingerprint == plain.fingerprint
    report = builder.triples
    assert report.read == len(facts)
    assert report.kept == len(list(plain.triples()))
    assert report.read == report.kept + report.skipped_count


def test_what_is_left_out_is_counted_with_its_lines() -> None:
    builder = GraphBuilder()
    concepts = [
        ConceptRow("A", "a", "DISO", "disease"),
        ConceptRow("B", "b", "CHEM", "drug"),
        ConceptRow("A", "again", "DISO", "disease"),
        ConceptRow("", "no id", "DISO", "disease"),
        ConceptRow("D", "", "DISO", "disease"),
        ConceptRow("E", "e", "XXXX", "disease"),
    ]
    assert [builder.add_concept(row, line) for line, row in enumerate(concepts, 2)] == [True, True, *[False] * 4]
    triples = [
        ("A", "treated_by", "B"),
        ("B", "treats", "A"),  # the same fact, the other way round
        ("A", "treated_by", "A"),
        ("A", "treated_by", "D"),
        ("D", "treated_by", "B"),
        ("A", "", "B"),
        ("A", "treated_by", "B"),
    ]
    for line, triple in enumerate(triples, 1):
        builder.add_triple(TripleRow(*triple), line)
    graph = builder.finish(RELATIONS)
    assert graph.row("A").name == "a"  # the first row of an id stands
    assert graph.edge_count == 2
    assert (builder.concepts.read, builder.concepts.kept) == (6, 2)
    assert builder.concepts.examples == {
        "id seen before": [4],
        "without an id": [5],
        "without a name": [6],
        "semantic group is none of the 15": [7],
    }
    assert (builder.triples.read, builder.triples.kept) == (7, 1)
    assert builder.triples.examples == {
        "leads to itself": [3],
        "tail is no concept kept": [4],
        "head is no concept kept": [5],
        "without a relation": [6],
        "fact seen before": [2, 7],
    }


def test_the_qualifier_of_a_triple_that_was_left_out_leaves_no_trace() -> None:
    rows = [ConceptRow("A", "a", "DISO", "disease"), ConceptRow("B", "b", "DISO", "disease")]
    builder = GraphBuilder()
    for row in rows:
        builder.add_concept(row)
    builder.add_triple(TripleRow("A", "isa", "A", "never"))
    builder.add_triple(TripleRow("A", "isa", "B", "often"))
    graph = builder.finish(RELATIONS)
    assert list(graph.qualifiers) == ["", "often"]
    assert graph.fingerprint == Graph(rows, [TripleRow("A", "isa", "B", "often")], RELATIONS).fingerprint


def test_a_relation_nobody_knows_gets_an_inverse_and_words_from_its_name() -> None:
    rows = {row.relation: row for row in completed({}, ["has_part", "so#member:of", "has_part_inverse"])}
    assert rows["so#member:of"].words == "so member of"
    assert rows["so#member:of"].inverse == "so#member:of_inverse"
    assert rows["so#member:of"].inverse_words == "inverse of so member of"
    # the name that would be made up is taken by a relation of its own
    assert rows["has_part"].inverse == "has_part_inverse_"
    assert rows["has_part_inverse"].inverse == "has_part_inverse_inverse"
    assert in_words("disease_has_location") == "disease has location"


def test_a_known_inverse_is_no_relation_to_make_up() -> None:
    every = frozenset("*")
    known = {"part_of": RelationRow("part_of", "has_part", every, every, "is part of", "has", "")}
    assert completed(known, ["has_part", "part_of"]) == list(known.values())


def test_rows_stream_into_a_snapshot_and_relations_are_asked_for_last(tmp_path: Path) -> None:
    asked: list[str] = []

    def triples() -> object:
        yield TripleRow("c0", "isa", "c1")
        asked.append("triples read")

    def relations() -> dict[str, RelationRow]:
        asked.append("relations")
        return RELATIONS

    progress: list[tuple[int, int, str]] = []
    graph, report = build_snapshot(
        iter(ROWS),
        triples(),
        relations,
        tmp_path / "g",
        ABOUT,
        lambda *step: progress.append(step),  # type: ignore[arg-type]
    )
    assert asked == ["triples read", "relations"]
    assert progress[-1] == (8, 8, "concepts written")
    assert (report.read, report.kept) == (9, 9)
    assert read_snapshot(tmp_path / "g", verify=True).fingerprint == graph.fingerprint


def test_an_interrupted_stream_leaves_nothing(tmp_path: Path) -> None:
    def stopped() -> object:
        yield ROWS[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_snapshot(stopped(), [], RELATIONS, tmp_path / "g", ABOUT)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_names_lose_what_nobody_sees_and_keep_what_is_seen() -> None:
    builder = GraphBuilder()
    assert builder.add_concept(
        ConceptRow(
            "A", "pen\u202eicillin\u202c", "CHEM", "dr\u200bug", ("\u200f", "péni\u2066\u200dcilline"), "a\ufeff b"
        )
    )
    assert builder.add_concept(ConceptRow("B", "rash", "DISO", "disease"))
    assert not builder.add_concept(ConceptRow("C", "\u200b\u202e", "DISO", "disease"))
    assert builder.concepts.skipped["without a name"] == 1
    assert builder.add_triple(TripleRow("A", "gi\u200eves", "B", "la\u061cte"))
    everything = frozenset("*")
    known = {
        "gi\u200eves": RelationRow("gi\u200eves", "given\u2069", everything, everything, "gi\u202eves", "given", "x")
    }
    graph = builder.finish(known)
    concept = graph.concepts[0]
    assert (concept.name, concept.category, concept.synonyms, concept.definition) == (
        "penicillin",
        "drug",
        ("pénicilline",),
        "a b",
    )
    fact = next(iter(graph.triples()))
    assert ("gives" in fact or "given" in fact) and "late" in fact
    assert {(row.relation, row.inverse, row.words) for row in graph.relation_table.rows} == {
        ("gives", "given", "gives")
    }
