"""The comparisons, on a graph known by heart: a-c, a-d, b-c, c-f, d-e, e-g; edges go both ways."""

import numpy as np
import pytest

from backend.errors import InputError, NotFoundError
from backend.evaluation.paths.retrievers.concept_baselines import (
    DenseNeighbours,
    PopularityPrior,
    RandomOneHop,
    SimilarOneHop,
    TwoHop,
    nearest,
)
from backend.evaluation.paths.retrievers.concept_retrievers import Knowledge, best, common_order
from backend.evaluation.paths.retrievers.drknows import DrKnowsConcepts
from backend.evaluation.paths.retrievers.retriever_table import COMPARISONS, Material, make_comparison
from tests.evaluation.conftest import ANGLES, pair

A, B, C, D, E, F, G = range(7)


def test_sim1hop_orders_one_hop_concepts_by_cosine_to_the_note(knowledge: Knowledge) -> None:
    # of a: c at 10 and d at 60 degrees. A note at 50 degrees is nearer to d
    example = pair("1", [A], [], angle=50)
    assert SimilarOneHop(knowledge).ranked(example, 5).tolist() == [D, C]
    # by the keyword's own vector, at 0 degrees, c is nearer
    assert SimilarOneHop(knowledge, by_keywords=True).ranked(example, 5).tolist() == [C, D]


def test_keywords_are_never_retrieved(knowledge: Knowledge) -> None:
    example = pair("1", [A, C], [], angle=0)
    # neighbours of a and c are a, b, c, d, f; less the keywords: b (90), d (60), f (20)
    assert SimilarOneHop(knowledge).ranked(example, 5).tolist() == [F, D, B]


def test_random_one_hop_is_the_same_for_the_same_seed_and_note_and_differs_between_notes(knowledge: Knowledge) -> None:
    retriever = RandomOneHop(knowledge, seed=4)
    first = [retriever.ranked(pair("1", [C, D, E], []), 9).tolist() for _ in range(2)]
    assert first[0] == first[1]
    assert sorted(first[0]) == [A, B, F, G]
    orders = {tuple(retriever.ranked(pair(str(i), [C, D, E], []), 9).tolist()) for i in range(20)}
    assert len(orders) > 5


def test_two_hops_reach_what_one_hop_cannot(knowledge: Knowledge) -> None:
    # from a: c, d; then b, f, e. g is three edges away. By angle to a: c 10, f 20, e 45, d 60, b 90
    assert TwoHop(knowledge).ranked(pair("1", [A], []), 9).tolist() == [C, F, E, D, B]
    assert TwoHop(knowledge).ranked(pair("1", [A], []), 2).tolist() == [C, F]


def test_drknows_gives_the_concepts_of_its_paths_in_their_order(knowledge: Knowledge) -> None:
    # from a, note at 20 degrees; ends of one hop: c (10 off), d (40 off); of two: a-c-f (0), a-d-e (25), a-c-b (70)
    # paths by score: c-f 0, c 10, d-e 25, d 40, c-b 70; their concepts: c, f, d, e, b
    assert DrKnowsConcepts(knowledge).ranked(pair("1", [A], [], angle=20), 9).tolist() == [C, F, D, E, B]


def test_a_narrow_beam_drops_what_lies_far_from_the_note(knowledge: Knowledge) -> None:
    # only c survives the first hop, and f the second
    assert DrKnowsConcepts(knowledge, beam=1).ranked(pair("1", [A], [], angle=20), 9).tolist() == [C, F]


def test_dense_neighbours_need_no_edge(knowledge: Knowledge) -> None:
    # nearest to 85 degrees: g 80 and b 90 tie at 5 off but for float16; then d 60
    found = DenseNeighbours(knowledge).ranked(pair("1", [A], [], angle=85), 3).tolist()
    assert sorted(found[:2]) == [B, G] and found[2] == D
    assert DenseNeighbours(knowledge, by_keywords=True).ranked(pair("1", [A], [], angle=85), 2).tolist() == [C, F]


def test_dense_by_keywords_finds_nothing_without_keywords(knowledge: Knowledge) -> None:
    assert not len(DenseNeighbours(knowledge, by_keywords=True).ranked(pair("1", [], []), 5))


def test_nearest_over_blocks_equals_sorting_one_product(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = np.random.default_rng(0)
    vectors = drawn.normal(size=(500, 8)).astype(np.float16)
    vectors[400] = vectors[7]  # a tie
    goals = np.concatenate([drawn.normal(size=(3, 8)), vectors[[7]].astype(float)]).astype(np.float32)
    monkeypatch.setattr("backend.evaluation.paths.retrievers.concept_baselines.BLOCK", 64)
    products = np.round(vectors.astype(float) @ goals.astype(float).T, 9)
    for goal, found in enumerate(nearest(vectors, goals, 20)):
        assert found.tolist() == np.lexsort((np.arange(500), -products[:, goal]))[:20].tolist()
    found = nearest(vectors, goals, 20)[3].tolist()
    assert found.index(400) == found.index(7) + 1


def test_dense_neighbours_are_the_same_prepared_or_not(knowledge: Knowledge) -> None:
    examples = [pair(str(i), [i % 7], [], angle=13 * i) for i in range(9)]
    for by_keywords in (False, True):
        prepared, alone = DenseNeighbours(knowledge, by_keywords), DenseNeighbours(knowledge, by_keywords)
        prepared.prepare(examples, 3)
        for example in examples:
            for budget in (1, 3, 5):
                assert prepared.ranked(example, budget).tolist() == alone.ranked(example, budget).tolist()
        prepared.prepare([], 3)


def test_popularity_counts_documents_and_knows_no_note(knowledge: Knowledge) -> None:
    # d in two documents (its repeat counts once), g and b in one each, equal counts by index
    prior = PopularityPrior([np.array([D, D, G]), np.array([D, B])], 7)
    assert prior.ranked(pair("1", [A], []), 9).tolist() == [D, B, G]
    assert prior.ranked(pair("1", [D], []), 1).tolist() == [B]


def test_equal_scores_go_by_index_also_after_the_partial_sort() -> None:
    concepts = np.arange(100)
    assert best(concepts, np.zeros(100), 3).tolist() == [0, 1, 2]
    assert best(concepts, np.arange(100) % 2, 3).tolist() == [1, 3, 5]


def test_the_common_order_is_half_keywords_half_note(knowledge: Knowledge) -> None:
    # keyword a at 0, note at 90: cos + sin is highest at 45 degrees: e 45 (1.41), d 60 (1.37), f 20 (1.28), c 10 (1.16)
    example = pair("1", [A], [], angle=90)
    assert common_order(knowledge, example, np.array([C, D, E, F])).tolist() == [E, D, F, C]
    assert common_order(knowledge, example, np.zeros(0, dtype=np.int64)).tolist() == []


@pytest.mark.parametrize("entry", COMPARISONS, ids=lambda entry: entry.name)
def test_every_comparison_keeps_the_contract(knowledge: Knowledge, entry: object) -> None:
    name = entry.name  # type: ignore[attr-defined]
    retriever = make_comparison(name, Material(knowledge, [np.array([A, B, C, D, E, F, G])], seed=1))
    assert retriever.name == name
    for keywords in ([], [A], [A, B], list(range(7))):
        for budget in (1, 3, 50):
            found = retriever.ranked(pair("1", keywords, [D], angle=30), budget)
            assert len(found) <= budget
            assert len(set(found.tolist())) == len(found)
            assert not set(found.tolist()) & set(keywords)
            again = retriever.ranked(pair("1", keywords, [D], angle=30), budget)
            assert found.tolist() == again.tolist()


@pytest.mark.parametrize("entry", COMPARISONS, ids=lambda entry: entry.name)
def test_no_comparison_gives_a_filler_or_goes_through_it(knowledge: Knowledge, entry: object) -> None:
    name = entry.name  # type: ignore[attr-defined]
    allowed = np.arange(7) != D
    # documents hold no filler, as their examples are made without
    closed = knowledge._replace(allowed=allowed)
    retriever = make_comparison(name, Material(closed, [np.array([B, C, E, F, G])], seed=1))
    found = retriever.ranked(pair("1", [A], [], angle=30), 50).tolist()
    assert D not in found
    if name in ("two-hop", "drknows"):
        assert sorted(found) == [B, C, F]  # e lies behind d


def test_the_prior_refuses_to_do_without_training_pairs(knowledge: Knowledge) -> None:
    with pytest.raises(InputError, match="train"):
        make_comparison("popularity", Material(knowledge, [], seed=1))


def test_an_unknown_comparison_names_those_there_are(knowledge: Knowledge) -> None:
    with pytest.raises(NotFoundError, match="two-hop"):
        make_comparison("magic", Material(knowledge, [], seed=1))


def test_the_angles_of_this_file_are_those_of_the_graph(knowledge: Knowledge) -> None:
    assert np.degrees(np.arctan2(*knowledge.vectors.T[::-1].astype(float))) == pytest.approx(np.array(ANGLES), abs=0.1)
