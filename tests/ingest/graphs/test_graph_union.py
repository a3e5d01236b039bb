"""The union: what both know becomes one, the starter's facts stay as they were, and every doubt is listed."""

from pathlib import Path

import pytest

from backend.errors import KnowledgeError
from backend.ingest.graphs.graph_union import Union, join_graphs, normal_name, short_form
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow
from backend.stores.graph.snapshot import read_snapshot
from backend.stores.graph.snapshot_meta import About

ABOUT = About("union", "made up for the tests", "none needed", "2024-01-31", {})
EVERY = frozenset("*")


def relation(name: str, inverse: str) -> dict[str, RelationRow]:
    return {name: RelationRow(name, inverse, EVERY, EVERY, name, inverse, "")}


def concept(concept_id: str, name: str, *synonyms: str, group: str = "DISO") -> ConceptRow:
    return ConceptRow(concept_id, name, group, "disease", synonyms)


STARTER = Graph(
    [
        concept("LN:asthma", "asthma", "bronchial asthma"),
        concept("LN:crohn", "Crohn's disease", "regional enteritis"),
        concept("LN:ra", "rheumatoid arthritis", "RA"),
        concept("LN:cold", "common cold"),
        concept("LN:chill", "feeling cold", "cold"),
        concept("LN:flu", "influenza", "cold"),
        concept("LN:lung", "lung", group="ANAT"),
    ],
    [TripleRow("LN:asthma", "has_site", "LN:lung", "always"), TripleRow("LN:flu", "has_site", "LN:lung")],
    {**relation("has_site", "site_of"), **relation("isa", "inverse_isa")},
)
IMPORTED = Graph(
    [
        concept("I:1", "Asthma, bronchial", "Bronchial  ASTHMA"),
        concept("I:2", "Crohns disease"),
        concept("I:3", "right atrium", "RA"),
        concept("I:4", "cold"),
        concept("I:5", "lung"),  # a disorder, not the organ
        concept("I:6", "lung", group="ANAT"),
        concept("I:7", "inflammation"),
    ],
    [
        TripleRow("I:1", "isa", "I:7", "mostly"),
        TripleRow("I:2", "isa", "I:7"),
        TripleRow("I:1", "has_site", "I:6"),  # between two starter concepts
        TripleRow("I:6", "holds", "I:5"),
        TripleRow("I:7", "hosts", "I:6"),
    ],
    {**relation("isa", "isa_inverse"), **relation("holds", "held_by"), **relation("hosts", "has_site")},
)


def triples_of(graph: Graph) -> set[TripleRow]:
    return set(graph.triples())


@pytest.fixture
def union(tmp_path: Path) -> Union:
    # `hosts` names has_site as its inverse and so disagrees with nothing else of the import
    return join_graphs(STARTER, _imported(), tmp_path / "u", ABOUT)


def _imported() -> Graph:
    relations = {row.relation: row for row in IMPORTED.relation_table.rows}
    return Graph(IMPORTED.concepts, IMPORTED.triples(), relations)


def test_a_concept_is_merged_by_a_name_or_synonym_in_its_group(union: Union, tmp_path: Path) -> None:
    assert {merge.imported: merge.starter for merge in union.merged} == {
        "I:1": ("LN:asthma",),
        "I:2": ("LN:crohn",),
        "I:6": ("LN:lung",),
    }
    assert sorted(union.graph.ids) == sorted([*STARTER.ids, "I:3", "I:4", "I:5", "I:7"])
    assert (tmp_path / "u" / "merged.tsv").read_text() == (
        "imported_id\tstarter_id\tby\nI:1\tLN:asthma\tbronchial asthma\nI:2\tLN:crohn\tcrohns disease\nI:6\tLN:lung\tlung\n"
    )


def test_a_name_of_two_starter_concepts_merges_with_neither_and_is_listed(union: Union, tmp_path: Path) -> None:
    assert [(merge.imported, merge.starter) for merge in union.ambiguous] == [("I:4", ("LN:chill", "LN:flu"))]
    assert "I:4\tLN:chill|LN:flu\tcold\n" in (tmp_path / "u" / "ambiguous.tsv").read_text()
    assert union.report.notes[-3:] == [
        "3 imported concepts were merged into starter concepts; merged.tsv lists them.",
        "1 of their names are new synonyms; 0 that name another starter concept are not.",
        "1 met several starter concepts and joined as they are; ambiguous.tsv lists them.",
    ]


def test_nothing_changes_between_starter_concepts(union: Union) -> None:
    starter = set(STARTER.ids)
    own = [union.graph.row(row.concept_id) for row in STARTER.concepts]
    assert [
        row._replace(synonyms=row.synonyms[: len(was.synonyms)]) for row, was in zip(own, STARTER.concepts, strict=True)
    ] == list(STARTER.concepts)
    assert {t for t in triples_of(union.graph) if t.head in starter and t.tail in starter} == triples_of(STARTER)
    assert union.report.skipped["triple joins two starter concepts, which the import may not do"] == 1


def test_a_merged_concept_keeps_the_names_and_codes_of_both(tmp_path: Path) -> None:
    ours = Graph(
        [concept("LN:gout", "gout", "gouty arthritis"), concept("LN:ra", "rheumatoid arthritis", "RA")], [], {}
    )
    theirs = Graph(
        [
            concept("I:1", "Gout", "podagra", "Gouty Arthritis", "PODAGRA"),
            concept("I:2", "gouty arthritis", "uratic arthritis", "RA"),  # RA names another starter concept
            concept("I:3", "tophus"),
        ],
        [],
        {},
    )
    given = "concept_id\txref\nI:1\tMESH:D006073\nI:1\tICD10:M10\nI:2\tICD10:M10\nI:3\tICD10:M10.9\n"
    union = join_graphs(ours, theirs, tmp_path / "u", ABOUT, xrefs=given)
    assert union.graph.row("LN:gout") == concept("LN:gout", "gout", "gouty arthritis", "podagra", "uratic arthritis")
    assert union.graph.row("LN:ra") == ours.row("LN:ra")
    assert "2 of their names are new synonyms; 1 that name another starter concept are not." in union.report.notes
    assert (tmp_path / "u" / "xrefs.tsv").read_text() == (
        "concept_id\txref\nLN:gout\tI:1\nLN:gout\tI:2\nLN:gout\tMESH:D006073\nLN:gout\tICD10:M10\nI:3\tICD10:M10.9\n"
    )


def test_imported_facts_of_merged_concepts_are_the_starter_concepts(union: Union) -> None:
    added = triples_of(union.graph) - triples_of(STARTER)
    assert added == {
        TripleRow("LN:asthma", "isa", "I:7", "mostly"),
        TripleRow("LN:crohn", "isa", "I:7"),
        TripleRow("LN:lung", "holds", "I:5"),
        # hosts is the inverse of has_site there; here has_site has the inverse site_of, so the fact is told by its name
        TripleRow("LN:lung", "has_site", "I:7"),
    }
    assert union.graph.inverse["isa"] == "inverse_isa"  # the starter's, not the import's
    assert "isa_inverse" not in union.graph.inverse


def test_facts_between_starter_concepts_come_in_where_that_is_asked_for(tmp_path: Path) -> None:
    union = join_graphs(STARTER, _imported(), tmp_path / "u", ABOUT, between_starter=True)
    assert TripleRow("LN:asthma", "has_site", "LN:lung", "") in triples_of(union.graph)
    assert triples_of(STARTER) < triples_of(union.graph)


def test_the_union_is_a_snapshot(union: Union, tmp_path: Path) -> None:
    assert read_snapshot(tmp_path / "u", verify=True).fingerprint == union.graph.fingerprint


def test_joining_the_starter_with_itself_changes_nothing(tmp_path: Path) -> None:
    union = join_graphs(STARTER, STARTER, tmp_path / "u", ABOUT)
    assert union.graph.fingerprint == STARTER.fingerprint
    assert len(union.merged) == len(STARTER)


def test_one_id_in_two_groups_is_refused(tmp_path: Path) -> None:
    other = Graph([concept("LN:lung", "lung", group="CHEM")], [], {})
    with pytest.raises(KnowledgeError, match="LN:lung is in the semantic group CHEM, the starter concept"):
        join_graphs(STARTER, other, tmp_path / "u", ABOUT)


def test_an_abbreviation_counts_only_as_the_name_of_both(tmp_path: Path) -> None:
    ours = Graph([concept("LN:g", "BRCA1", group="GENE"), concept("LN:m", "myelodysplasia", "MDS")], [], {})
    theirs = Graph([concept("I:g", "BRCA1", group="GENE"), concept("I:m", "lissencephaly", "MDS")], [], {})
    union = join_graphs(ours, theirs, tmp_path / "u", ABOUT)
    assert [merge.imported for merge in union.merged] == ["I:g"]
    assert [short_form(name) for name in ("MDS", "B-ALL", "gout", "Gout", "type A", "HODGKIN")] == [
        True,
        True,
        False,
        False,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("name", "normal"),
    [
        ("Crohn's  Disease", "crohns disease"),
        ("Sjögren\u2019s", "sjogrens"),
        ("T-cell (B)", "t cell b"),
        ("α-thalassemia", "α thalassemia"),
        ("--", ""),
    ],
)
def test_names_are_compared_without_case_punctuation_and_accents(name: str, normal: str) -> None:
    assert normal_name(name) == normal
