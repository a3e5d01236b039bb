"""What any PathGraph must do, whatever lies behind it. A subclass gives the fixture `graph_of`.

`graph_of(rows, triples, relations)` gives a graph of these rows for one walk. Expected values are derived by hand, or
by `_expected`, which reads the triples one by one and knows no index.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest

from backend.errors import LeapnoteError
from backend.interfaces import PathGraph
from backend.stores.graph.graph import GROUPS, Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow
from models.policy.walking.environment import Environment
from models.policy.walking.note_view import NoteView
from models.policy.walking.walk_settings import OURS, PAPER, WalkSettings
from models.policy.walking.walks import UniformPolicy, walk

GraphOf = Callable[[Sequence[ConceptRow], Sequence[TripleRow], Mapping[str, RelationRow]], PathGraph]
ANY = frozenset("*")
RELATIONS = {
    row.relation: row
    for row in (
        RelationRow("treats", "treated_by", ANY, ANY, "treats", "is treated by", ""),
        RelationRow("shows", "sign_of", ANY, ANY, "shows as", "is a sign of", ""),
        RelationRow("near", "near", ANY, ANY, "is near", "is near", ""),
    )
}
# relation ids: the names in order
NEAR, SHOWS, SIGN_OF, TREATED_BY, TREATS = range(5)
CHEM, DISO, PROC = (GROUPS.index(group) for group in ("CHEM", "DISO", "PROC"))
PLACES = [("a", "DISO"), ("b", "CHEM"), ("c", "CHEM"), ("d", "DISO"), ("e", "PROC")]


def rows_of(*places: tuple[str, str]) -> list[ConceptRow]:
    return [ConceptRow(concept, f"name of {concept}", group, "concept") for concept, group in places]


def triples_of(*triples: tuple[str, ...]) -> list[TripleRow]:
    return [TripleRow(*triple) for triple in triples]


def edges(graph: PathGraph, concept: int, group: int) -> list[tuple[int, int]]:
    """(relation id, tail) of one concept's edges into a group, fetched first."""
    asked = np.array([concept], dtype=np.int32)
    graph.fetch(asked, group)
    offsets, tails, relations = graph.into_group_many(asked, group)
    assert offsets.tolist() == [0, len(tails)]
    return list(zip(relations.tolist(), tails.tolist(), strict=True))


class PathGraphConformance:
    def test_a_concept_is_a_place_in_the_order_of_the_ids(self, graph_of: GraphOf) -> None:
        graph = graph_of(rows_of(("c", "PROC"), ("a", "DISO"), ("b", "CHEM")), [], RELATIONS)
        assert graph.groups.tolist() == [DISO, CHEM, PROC]
        assert graph.groups.dtype == np.int8

    def test_ids_of_any_characters_keep_their_order_and_their_edges(self, graph_of: GraphOf) -> None:
        odd = ["10", "9", "B", "a", 'a"b', "a'); DROP", "a`b", "a{b}", "a\\b", "US$", "é", "字", "😀 smile", " lead"]
        graph = graph_of(
            rows_of(*((concept, "CHEM") for concept in odd)),
            triples_of(*((concept, "near", "9") for concept in odd)),
            RELATIONS,
        )
        nine = sorted(odd).index("9")
        for place, concept in enumerate(sorted(odd)):
            expected = list(range(len(odd))) if concept == "9" else [nine]
            assert [tail for _, tail in edges(graph, place, CHEM)] == expected, concept

    def test_relations_are_all_names_in_order_used_or_not(self, graph_of: GraphOf) -> None:
        graph = graph_of(rows_of(*PLACES), [], RELATIONS)
        assert graph.relations == ("near", "shows", "sign_of", "treated_by", "treats")

    def test_a_fact_is_read_in_both_directions(self, graph_of: GraphOf) -> None:
        graph = graph_of(rows_of(*PLACES), triples_of(("b", "treats", "a")), RELATIONS)
        assert edges(graph, 1, DISO) == [(TREATS, 0)]
        assert edges(graph, 0, CHEM) == [(TREATED_BY, 1)]

    def test_a_fact_stated_by_the_inverse_relation_is_the_same_fact(self, graph_of: GraphOf) -> None:
        graph = graph_of(rows_of(*PLACES), triples_of(("a", "treated_by", "b"), ("b", "treats", "a")), RELATIONS)
        assert edges(graph, 1, DISO) == [(TREATS, 0)]
        assert edges(graph, 0, CHEM) == [(TREATED_BY, 1)]

    def test_a_symmetric_fact_is_one_edge_from_either_end(self, graph_of: GraphOf) -> None:
        graph = graph_of(rows_of(*PLACES), triples_of(("b", "near", "a"), ("a", "near", "b")), RELATIONS)
        assert edges(graph, 0, CHEM) == [(NEAR, 1)]
        assert edges(graph, 1, DISO) == [(NEAR, 0)]

    def test_a_fact_of_a_concept_with_itself_is_read_in_both_directions_too(self, graph_of: GraphOf) -> None:
        graph = graph_of(rows_of(*PLACES), triples_of(("a", "shows", "a"), ("d", "near", "d")), RELATIONS)
        assert edges(graph, 0, DISO) == [(SHOWS, 0), (SIGN_OF, 0)]
        assert edges(graph, 3, DISO) == [(NEAR, 3)]

    def test_edges_come_by_relation_then_tail(self, graph_of: GraphOf) -> None:
        facts = triples_of(("c", "treats", "a"), ("a", "near", "c"), ("b", "treats", "a"), ("a", "near", "b"))
        graph = graph_of(rows_of(*PLACES), facts, RELATIONS)
        assert edges(graph, 0, CHEM) == [(NEAR, 1), (NEAR, 2), (TREATED_BY, 1), (TREATED_BY, 2)]

    def test_parallel_edges_stay_and_qualifiers_tell_them_apart(self, graph_of: GraphOf) -> None:
        facts = triples_of(
            ("b", "treats", "a", "acute"),
            ("b", "treats", "a"),
            ("b", "treats", "a", "acute"),  # stated twice: one edge
            ("a", "shows", "b", 'in the "third" trimester'),
        )
        graph = graph_of(rows_of(*PLACES), facts, RELATIONS)
        assert edges(graph, 0, CHEM) == [(SHOWS, 1), (TREATED_BY, 1), (TREATED_BY, 1)]
        assert edges(graph, 1, DISO) == [(SIGN_OF, 0), (TREATS, 0), (TREATS, 0)]

    def test_a_group_without_edges_and_a_concept_without_edges_give_nothing(self, graph_of: GraphOf) -> None:
        graph = graph_of(rows_of(*PLACES), triples_of(("b", "treats", "a")), RELATIONS)
        assert edges(graph, 0, PROC) == []
        assert edges(graph, 4, CHEM) == []

    def test_a_graph_without_facts_and_one_without_concepts_are_graphs(self, graph_of: GraphOf) -> None:
        graph = graph_of(rows_of(*PLACES), [], RELATIONS)
        assert graph.reach.tolist() == [0] * 5
        assert edges(graph, 0, CHEM) == []
        nothing = graph_of([], [], RELATIONS)
        assert (len(nothing.groups), len(nothing.reach)) == (0, 0)

    def test_no_concepts_asked_give_one_offset_and_no_edge(self, graph_of: GraphOf) -> None:
        graph = graph_of(rows_of(*PLACES), triples_of(("b", "treats", "a")), RELATIONS)
        none = np.zeros(0, dtype=np.int32)
        graph.fetch(none, CHEM)
        offsets, tails, relations = graph.into_group_many(none, CHEM)
        assert (offsets.tolist(), len(tails), len(relations)) == ([0], 0, 0)

    def test_an_unknown_concept_is_an_error(self, graph_of: GraphOf) -> None:
        graph = graph_of(rows_of(*PLACES), triples_of(("b", "treats", "a")), RELATIONS)
        with pytest.raises((IndexError, LeapnoteError)):
            edges(graph, 5, CHEM)

    def test_many_concepts_are_answered_in_the_order_they_are_asked_in_repeats_too(self, graph_of: GraphOf) -> None:
        graph = graph_of(rows_of(*PLACES), triples_of(("b", "treats", "a"), ("c", "treats", "d")), RELATIONS)
        asked = np.array([3, 4, 0, 3], dtype=np.int32)
        graph.fetch(asked, CHEM)
        offsets, tails, relations = graph.into_group_many(asked, CHEM)
        # d: c; e: nothing; a: b; d again
        assert offsets.tolist() == [0, 1, 1, 2, 3]
        assert tails.tolist() == [2, 1, 2]
        assert relations.tolist() == [TREATED_BY] * 3
        assert (offsets.dtype, tails.dtype, relations.dtype) == (np.int64, np.int32, np.int16)

    def test_one_fetch_makes_the_neighbours_edges_ready_as_well(self, graph_of: GraphOf) -> None:
        graph = graph_of(rows_of(*PLACES), triples_of(("a", "near", "b"), ("b", "near", "c")), RELATIONS)
        graph.fetch(np.array([0], dtype=np.int32), CHEM)
        _, tails, _ = graph.into_group_many(np.array([1], dtype=np.int32), CHEM)  # b was not asked for
        assert tails.tolist() == [2]

    def test_a_hub_gives_all_its_edges(self, graph_of: GraphOf) -> None:
        count = 2_500  # more than a driver fetches at once
        spokes = [(f"s{i:04d}", "CHEM") for i in range(count)]
        facts = triples_of(*((spoke, "treats", "hub") for spoke, _ in spokes))
        graph = graph_of(rows_of(("hub", "DISO"), *spokes), facts, RELATIONS)
        # "hub" stands before "s0000"
        assert edges(graph, 0, CHEM) == [(TREATED_BY, place) for place in range(1, count + 1)]
        assert edges(graph, count, DISO) == [(TREATS, 0)]

    def test_reach_tells_the_groups_that_edges_lead_into(self, graph_of: GraphOf) -> None:
        graph = graph_of(rows_of(*PLACES), triples_of(("b", "treats", "a"), ("a", "shows", "e")), RELATIONS)
        assert graph.reach.tolist() == [1 << CHEM | 1 << PROC, 1 << DISO, 0, 0, 1 << DISO]
        assert graph.reach.dtype == np.uint16

    def test_a_random_graph_gives_what_its_triples_say(self, graph_of: GraphOf) -> None:
        rows, facts = random_graph(np.random.default_rng(5), concepts=40, facts=160)
        graph = graph_of(rows, facts, RELATIONS)
        for group in range(len(GROUPS)):
            asked = np.arange(len(rows), dtype=np.int32)
            graph.fetch(asked, group)
            offsets, tails, relations = graph.into_group_many(asked, group)
            for concept in range(len(rows)):
                mine = slice(offsets[concept], offsets[concept + 1])
                got = list(zip(relations[mine].tolist(), tails[mine].tolist(), strict=True))
                assert got == _expected(rows, facts, concept, group)

    @pytest.mark.parametrize("settings", [OURS, PAPER], ids=["ours", "paper"])
    def test_a_walk_takes_the_same_paths_as_in_memory(self, graph_of: GraphOf, settings: WalkSettings) -> None:
        draw = np.random.default_rng(8)
        rows, facts = random_graph(draw, concepts=60, facts=300)
        vectors = draw.standard_normal((len(rows), 16)).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        graph = graph_of(rows, facts, RELATIONS)
        found, wanted = (
            walk(
                Environment(one, settings),
                NoteView(np.array([3, 17, 41], dtype=np.int32), vectors),
                UniformPolicy(),
                np.random.default_rng(2),
            ).end
            for one in (graph, Graph(rows, facts, RELATIONS))
        )
        assert found.paths.tolist() == wanted.paths.tolist()
        assert found.links.tolist() == wanted.links.tolist()
        assert len(wanted.explored) > 3  # it did go somewhere


def random_graph(draw: np.random.Generator, concepts: int, facts: int) -> tuple[list[ConceptRow], list[TripleRow]]:
    """Concepts of four groups, and facts whose tails are often the same few; some are qualified, some parallel."""
    groups = ("DISO", "CHEM", "PROC", "ANAT")
    rows = rows_of(*((f"C{i:05d}", groups[int(draw.integers(4))]) for i in range(concepts)))
    names = sorted(RELATIONS)
    heads = draw.integers(concepts, size=facts)
    tails = (concepts * draw.random(facts) ** 3).astype(int)
    kinds, qualified = draw.integers(len(names), size=facts), draw.random(facts) < 0.2
    return rows, [
        TripleRow(rows[h].concept_id, names[k], rows[t].concept_id, "late" if q else "")
        for h, k, t, q in zip(heads.tolist(), kinds.tolist(), tails.tolist(), qualified.tolist(), strict=True)
    ]


def _expected(
    rows: Sequence[ConceptRow], facts: Sequence[TripleRow], concept: int, group: int
) -> list[tuple[int, int]]:
    ids = sorted(row.concept_id for row in rows)
    group_of = {row.concept_id: row.group for row in rows}
    names = sorted({row.relation for row in RELATIONS.values()} | {row.inverse for row in RELATIONS.values()})
    found = set()
    for head, relation, tail, qualifier in facts:
        for start, name, end in ((head, relation, tail), (tail, RELATIONS[relation].inverse, head)):
            if start == ids[concept] and group_of[end] == GROUPS[group]:
                found.add((names.index(name), ids.index(end), qualifier))
    return [(relation, tail) for relation, tail, _ in sorted(found)]
