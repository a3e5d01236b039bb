"""The graph: both directions of every fact, edges ordered by group, nothing invented."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.errors import KnowledgeError
from backend.knowledge.starter import read_relations
from backend.schemas.vocabulary import SemanticGroup
from backend.settings import ROOT
from backend.stores.graph.graph import GROUPS, Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow

Named = Callable[[str], str]
RELATIONS = read_relations(ROOT / "assets" / "knowledge" / "relations.tsv")


def three(triples: list[tuple[str, str, str, str]]) -> Graph:
    """Concepts A (DISO), B (CHEM), C (ANAT): indices 0, 1, 2."""
    rows = [ConceptRow(c, c, g, "disease") for c, g in (("C", "ANAT"), ("A", "DISO"), ("B", "CHEM"))]
    return Graph(rows, [TripleRow(*t) for t in triples], RELATIONS)


def test_csr_by_hand() -> None:
    graph = three([("A", "treated_by", "B", ""), ("A", "has_finding_site", "C", "acute")])
    # A: two edges out; B: the inverse `treats`; C: the inverse `finding_site_of`.
    assert graph.offsets.tolist() == [0, 2, 3, 4]
    # ANAT comes before CHEM among the groups, so C (2) stands before B (1).
    assert graph.tails.tolist() == [2, 1, 0, 0]
    assert [graph.relations[r] for r in graph.relation_ids] == [
        "has_finding_site",
        "treated_by",
        "treats",
        "finding_site_of",
    ]
    assert graph.edge_count == 4
    assert graph.degree(0) == 2


def test_every_fact_is_stored_in_both_directions_with_its_qualifier() -> None:
    graph = three([("A", "has_finding_site", "C", "acute")])
    (there,) = graph.edges("A")
    (back,) = graph.edges("C")
    assert (there.relation, there.qualifier) == ("has_finding_site", "acute")
    assert (back.relation, back.tail, back.qualifier) == ("finding_site_of", graph.index["A"], "acute")


def test_a_symmetric_relation_is_its_own_inverse() -> None:
    graph = three([("A", "associated_with", "B", "")])
    assert [e.relation for e in graph.edges("B")] == ["associated_with"]
    assert graph.edge_count == 2


def test_parallel_edges_stay_and_repeated_ones_fall_together() -> None:
    graph = three(
        [
            ("B", "contraindicated_with", "A", "acute"),
            ("A", "treated_by", "B", "chronic"),
            ("A", "treated_by", "B", "chronic"),
        ]
    )
    assert sorted((e.relation, e.qualifier) for e in graph.edges("A")) == [
        ("contraindication_of", "acute"),
        ("treated_by", "chronic"),
    ]


def test_into_group_is_the_slice_of_that_group() -> None:
    graph = three([("A", "treated_by", "B", ""), ("A", "has_finding_site", "C", "")])
    assert graph.into_group(0, GROUPS.index(SemanticGroup.CHEM)).tolist() == [1]
    assert graph.into_group(0, GROUPS.index(SemanticGroup.ANAT)).tolist() == [2]
    assert graph.into_group(0, GROUPS.index(SemanticGroup.GENE)).tolist() == []
    assert graph.into_group(1, GROUPS.index(SemanticGroup.DISO)).tolist() == [0]


def test_edges_can_be_limited_to_relations_and_an_unknown_concept_has_none(tiny_graph: Graph, named: Named) -> None:
    found = tiny_graph.related(named("heart failure"), "treated_by", "has_diet_advice")
    assert sorted(found) == [named("furosemide"), named("lisinopril"), named("low salt diet")]
    assert tiny_graph.edges("T:nothing") == []
    assert tiny_graph.neighbour_ids("T:nothing") == frozenset()


def test_a_relation_is_told_in_both_directions(tiny_graph: Graph) -> None:
    assert tiny_graph.relation_words("has_finding") == "commonly shows as"
    assert tiny_graph.relation_words("finding_of") == "is a common sign of"


def test_a_graph_without_triples_is_a_graph() -> None:
    graph = three([])
    assert graph.edge_count == 0
    assert graph.edges("A") == []
    assert graph.into_group(0, 0).tolist() == []


def test_the_arrays_cannot_be_written_to() -> None:
    graph = three([("A", "treated_by", "B", "")])
    with pytest.raises(ValueError, match="read-only"):
        graph.tails[0] = 2


@pytest.mark.parametrize(
    ("triple", "missing"),
    [
        (("A", "treated_by", "Z", ""), "Z"),
        (("Z", "treated_by", "A", ""), "Z"),
        (("A", "cures", "B", ""), "cures"),
    ],
)
def test_a_triple_that_names_what_does_not_exist_is_refused(triple: tuple[str, str, str, str], missing: str) -> None:
    with pytest.raises(KnowledgeError, match=f"'{missing}'.*knowledge check"):
        three([triple])


def test_two_concepts_of_one_id_are_refused(relations: dict[str, RelationRow]) -> None:
    with pytest.raises(KnowledgeError, match="share an id"):
        Graph([ConceptRow("A", "a", "DISO", "disease"), ConceptRow("A", "b", "DISO", "disease")], [], relations)


def test_two_inverses_of_one_relation_are_refused() -> None:
    every = frozenset("*")
    rows = {name: RelationRow(name, "back", every, every, name, "back", "") for name in ("there", "over")}
    with pytest.raises(KnowledgeError, match="'back' has two inverses, 'over' and 'there'"):
        Graph([], [], rows)


def test_the_facts_come_back_once_each_in_their_own_direction() -> None:
    rows = [("A", "treated_by", "B", ""), ("C", "associated_with", "A", "late"), ("B", "treats", "A", "")]
    # `treats` is the inverse of `treated_by`, so the third repeats the first; the symmetric one is told from the lower id
    assert list(three(rows).triples()) == [
        TripleRow("A", "associated_with", "C", "late"),
        TripleRow("A", "treated_by", "B", ""),
    ]


def test_a_fact_is_told_once_where_both_directions_are_relations_of_their_own() -> None:
    every = frozenset("*")
    pair = [("has_part", "part_of"), ("part_of", "has_part")]
    rows = {name: RelationRow(name, inverse, every, every, name, inverse, "") for name, inverse in pair}
    graph = Graph(
        [ConceptRow("A", "a", "ANAT", "anatomy"), ConceptRow("B", "b", "ANAT", "anatomy")],
        [TripleRow("A", "part_of", "B"), TripleRow("B", "has_part", "A")],
        rows,
    )
    assert list(graph.triples()) == [TripleRow("B", "has_part", "A")]


def test_the_fingerprint_is_the_same_for_the_same_content_in_any_order() -> None:
    facts = [("A", "treated_by", "B", "late"), ("A", "treated_by", "B", "early"), ("A", "has_finding_site", "C", "")]
    assert three(facts).fingerprint == three([facts[2], ("B", "treats", "A", "early"), facts[0]]).fingerprint


@pytest.mark.parametrize(
    "other",
    [
        [("A", "treated_by", "B", "")],
        [("A", "treated_by", "B", "late"), ("A", "has_finding_site", "C", "")],
        [("A", "managed_by", "B", "late")],
        [("B", "treated_by", "A", "late")],
    ],
)
def test_the_fingerprint_tells_another_graph(other: list[tuple[str, str, str, str]]) -> None:
    assert three([("A", "treated_by", "B", "late")]).fingerprint != three(other).fingerprint


def test_the_fingerprint_does_not_see_names_but_sees_groups(relations: dict[str, RelationRow]) -> None:
    def one(name: str, group: str) -> str:
        return Graph([ConceptRow("A", name, group, "disease")], [], relations).fingerprint

    assert one("a", "DISO") == one("b", "DISO")
    assert one("a", "DISO") != one("a", "CHEM")


NAMES = [f"c{i}" for i in range(8)]
FACTS = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(sorted(RELATIONS)), st.sampled_from(NAMES)), max_size=40
)


@settings(max_examples=60, deadline=None)
@given(FACTS, st.lists(st.sampled_from([g.value for g in SemanticGroup]), min_size=8, max_size=8))
def test_any_graph_holds_exactly_its_facts_and_groups_partition_the_edges(
    facts: list[tuple[str, str, str]], groups: list[str]
) -> None:
    rows = [ConceptRow(name, name, group, "disease") for name, group in zip(NAMES, groups, strict=True)]
    graph = Graph(rows, [TripleRow(*fact) for fact in facts], RELATIONS)
    stored = {
        (graph.concepts[e.head].concept_id, e.relation, graph.concepts[e.tail].concept_id)
        for concept in range(len(graph))
        for e in graph.edges(concept)
    }
    wanted = set(facts) | {(tail, RELATIONS[relation].inverse, head) for head, relation, tail in facts}
    assert stored == wanted
    for concept in range(len(graph)):
        slices = [graph.into_group(concept, g) for g in range(len(GROUPS))]
        for group, tails in enumerate(slices):
            assert all(graph.groups[tail] == group for tail in tails.tolist())
        joined = np.concatenate(slices)
        assert joined.tolist() == graph.tails[graph.offsets[concept] : graph.offsets[concept + 1]].tolist()


def test_joining_gives_the_edges_between_two_concepts_alone() -> None:
    graph = three([("A", "treated_by", "B", ""), ("A", "managed_by", "B", "acute"), ("A", "has_finding_site", "C", "")])
    a, b, c = (graph.index[name] for name in "ABC")
    assert [(e.relation, e.qualifier) for e in graph.joining(a, b)] == [("managed_by", "acute"), ("treated_by", "")]
    assert [e.relation for e in graph.joining(c, a)] == ["finding_site_of"]
    assert graph.joining(b, c) == []
