"""The learned concept step: counts by hand, nothing of a note's own document, and that it finds what repeats."""

import numpy as np
import pytest

from models.policy.concept_step import concept_features
from models.policy.concept_step.concept_edges import flow
from models.policy.concept_step.concept_features import (
    LIKE,
    LIKE_SHRINK,
    NAMES,
    NEAREST_SHRINK,
    SHRINK,
    Features,
    count,
)
from models.policy.concept_step.concept_scorer import LearnedStep
from models.policy.concept_step.concept_training import fit_concept_step, logistic, neighbours
from models.policy.rollouts import Example
from models.policy.walking.note_view import NoteView
from models.policy.walking.walk_settings import OURS
from tests.models.world import random_world, world


def example(name: str, keywords: list[int], truth: list[int]) -> Example:
    return Example(name, np.array(keywords, dtype=np.int32), np.array(truth, dtype=np.int32))


THREE = [example("a", [1, 2], [5, 6]), example("b", [1], [5]), example("c", [3], [7])]


def test_counts_by_hand() -> None:
    found = count(THREE)
    assert found.notes == 3
    assert found.vocabulary.tolist() == [5, 6, 7]
    assert found.truth_counts.tolist() == [2, 1, 1]
    assert found.keywords.tolist() == [1, 2, 3]
    assert found.keyword_counts.tolist() == [2, 1, 1]
    assert found.joint.toarray().tolist() == [[2, 1, 0], [1, 1, 0], [0, 0, 1]]


def test_features_by_hand_and_without_the_notes_own_document() -> None:
    graph, vectors = random_world(0)
    other = NoteView(np.array([1], dtype=np.int32), vectors)
    row = Features(count(THREE), graph, other).of(np.array([5]))[0]
    # Concept 5 is in 2 of 3 documents: share (2 + 0.5)/4 = 0.625. Keyword 1 has 2 notes, both with 5:
    # log((2 + 5 * 0.625)/((2 + 5) * 0.625)) = log(5.125/4.375)
    association = np.log((2 + SHRINK * 0.625) / ((2 + SHRINK) * 0.625))
    assert row[0] == pytest.approx(np.log(0.625), abs=1e-5)
    assert row[2:5] == pytest.approx([association] * 3, abs=1e-5)
    own = NoteView(np.array([1], dtype=np.int32), vectors, left_out=(THREE[1],))
    row = Features(count(THREE), graph, own).of(np.array([5]))[0]
    # without note b: 2 notes, 1 document with 5: share 1.5/3 = 0.5; keyword 1 has 1 note, with 5
    assert row[0] == pytest.approx(np.log(0.5), abs=1e-5)
    assert row[3] == pytest.approx(np.log((1 + SHRINK * 0.5) / ((1 + SHRINK) * 0.5)), abs=1e-5)


def test_a_concept_of_no_document_and_a_keyword_of_no_note_are_values() -> None:
    graph, vectors = random_world(0)
    view = NoteView(np.array([100], dtype=np.int32), vectors)
    found = Features(count(THREE), graph, view).of(np.array([90, 5]))
    assert np.isfinite(found).all()
    assert found[:, 1].tolist() == [1.0, 0.0]
    assert found[:, 2].tolist() == [0.0, 0.0]


def test_logistic_finds_the_log_odds() -> None:
    # 3 of 4 are true where the column is 1, 1 of 4 where it is 0: log-odds ln 3 and -ln 3, so the weight is 2 ln 3
    rows = np.repeat([[1.0], [0.0]], 4000, axis=0)
    labels = np.tile([1, 1, 1, 0], 1000).tolist() + np.tile([1, 0, 0, 0], 1000).tolist()
    weight, shift = logistic(rows, np.array(labels, dtype=float), np.ones(8000), np.zeros(1))
    # the penalty pulls the weight a little towards 0
    assert 0.93 * 2 * np.log(3) < weight < 2 * np.log(3)
    assert shift == pytest.approx(-np.log(3), abs=0.1)


def test_a_fit_on_few_notes_stays_near_what_it_starts_from() -> None:
    # two rows tell nothing against the penalty, eight thousand tell nearly all: the true weight is 2 ln 3 = 2.2
    rows, labels, start = np.array([[1.0], [0.0]]), np.array([1.0, 0.0]), np.array([-1.0])
    assert logistic(rows, labels, np.ones(2), start)[0] == pytest.approx(-1.0, abs=0.1)
    labels = np.tile([1, 1, 1, 0], 1000).tolist() + np.tile([1, 0, 0, 0], 1000).tolist()
    assert logistic(np.repeat(rows, 4000, axis=0), np.array(labels, dtype=float), np.ones(8000), start)[0] > 2.0


def test_what_no_other_document_holds_does_not_teach_that_the_unseen_is_likely() -> None:
    # Every document holds 60 and one concept that is in no other and that no edge leads to. Neighbours are never in one.
    graph, vectors = random_world(4)
    rng = np.random.default_rng(0)
    made = []
    for i in range(40):
        keywords = rng.choice(30, 2, replace=False)
        alone = 70 + i
        if alone not in neighbours(graph, keywords):
            made.append(example(str(i), keywords.tolist(), [60, alone]))
    step = fit_concept_step(made, graph, vectors, OURS, 0)
    view = NoteView(np.array([3, 25], dtype=np.int32), vectors)
    beside, known = neighbours(graph, view.keywords), step.statistics.vocabulary
    strangers = np.setdiff1d(np.arange(30, 120), np.concatenate([beside, known]))
    once = np.setdiff1d(known, np.append(beside, 60))
    assert len(strangers) > 10 and len(once) > 10
    assert step.base(view, np.array([60]))[0] > step.base(view, once).max()
    assert step.base(view, strangers).mean() < step.base(view, once).mean()


def test_a_keyword_no_training_note_has_is_told_by_one_like_it() -> None:
    graph, vectors = random_world(0)
    vectors = vectors.copy()
    vectors[90] = vectors[3]  # as like as can be: weight 1, and of the other keywords of THREE none is near
    view = NoteView(np.array([90], dtype=np.int32), vectors)
    cosine = vectors[[1, 2]] @ vectors[3]
    assert (cosine < LIKE).all()
    row = Features(count(THREE), graph, view).of(np.array([7, 5]))
    # 7 is in 1 of 3 documents: share 1.5/4 = 0.375; the one note of keyword 3 holds it, not 5 (share 2.5/4 = 0.625)
    associations = [
        np.log((1 + LIKE_SHRINK * 0.375) / ((1 + LIKE_SHRINK) * 0.375)),
        np.log(LIKE_SHRINK / (1 + LIKE_SHRINK)),
    ]
    assert row[:, 6] == pytest.approx(associations, abs=1e-4)
    assert row[:, 2].tolist() == [0.0, 0.0]


def learned() -> tuple[LearnedStep, NoteView, np.ndarray]:
    """Keyword q (0 to 9) always goes with documents of 40 + q and 60; every other concept of a document is chance."""
    graph, vectors = random_world(4)
    rng = np.random.default_rng(0)
    made = []
    for i in range(120):
        q = int(rng.integers(10))
        rest = rng.choice(np.arange(70, 110), 3, replace=False)
        made.append(example(str(i), [q, int(rng.integers(20, 30))], [40 + q, 60, *rest.tolist()]))
    step = fit_concept_step(made, graph, vectors, OURS, 0)
    return step, NoteView(np.array([3, 25], dtype=np.int32), vectors), vectors


def test_it_learns_what_goes_with_a_keyword() -> None:
    step, view, vectors = learned()
    concepts, scores = step.proposals(view, 5)
    assert set(concepts[:2].tolist()) == {43, 60}
    assert (np.diff(scores) <= 0).all()
    assert step.base(view, np.array([43])) > step.base(view, np.array([45]))
    assert step.nearest_keywords(view, np.array([43])).tolist() == [3]
    blocked = np.ones(len(vectors), dtype=bool)
    blocked[43] = False
    assert 43 not in step.proposals(NoteView(view.keywords, vectors, blocked), 30)[0]


def test_a_fit_without_documents_says_so() -> None:
    graph, vectors = random_world(0)
    with pytest.raises(ValueError, match="nothing to learn"):
        fit_concept_step([example("a", [1], [])], graph, vectors, OURS, 0)


def test_neighbours_are_those_of_any_concept() -> None:
    graph, _ = random_world(2)
    wanted = {int(t) for c in (3, 7) for t in graph.tails[graph.offsets[c] : graph.offsets[c + 1]]}
    assert neighbours(graph, np.array([3, 7])).tolist() == sorted(wanted)


def test_flow_by_hand() -> None:
    # q sends 1/2 to a and 1/2 to b; a (edges to q, c) sends half of its half to each, b (edge to q alone) all of its half to q
    graph = world({"a": "DISO", "b": "DISO", "c": "CHEM", "q": "DISO"}, [("q", "a"), ("q", "b"), ("a", "c")])
    one, two = flow(graph, np.array([graph.index["q"]]))
    assert dict(zip(one[0].tolist(), one[1].tolist(), strict=True)) == {0: 0.5, 1: 0.5}
    assert dict(zip(two[0].tolist(), two[1].tolist(), strict=True)) == {2: 0.25, 3: 0.75}
    _, vectors = random_world(0)
    view = NoteView(np.array([3], dtype=np.int32), vectors)
    row = Features(count(THREE), graph, view).of(np.array([0, 2]))
    assert row[:, NAMES.index("log flow over one edge")] == pytest.approx([np.log(0.5), -9.0])
    assert row[:, NAMES.index("log flow over two edges")] == pytest.approx([-9.0, np.log(0.25)])


def test_the_whole_note_is_read_and_without_its_vector_the_keywords_stand_for_it() -> None:
    graph = world({"a": "DISO", "b": "DISO", "q": "DISO"}, [("q", "a"), ("q", "b")])
    a, b, q = (graph.index[name] for name in "abq")
    vectors = np.zeros((3, 2), dtype=np.float32)
    vectors[a], vectors[b], vectors[q] = (0.0, 1.0), (0.6, 0.8), (1.0, 0.0)
    keywords, asked = np.array([q], dtype=np.int32), np.array([a, b])
    notes = (Example("n", keywords, np.array([a], dtype=np.int32)),)
    column = NAMES.index("cosine to the whole note")

    def cosines(text: np.ndarray | None) -> np.ndarray:
        return Features(count(notes), graph, NoteView(keywords, vectors, text=text)).of(asked)[:, column]

    assert cosines(np.array([0.0, 1.0])) == pytest.approx([1.0, 0.8])
    assert cosines(None) == pytest.approx([0.0, 0.6])  # cosine to the keyword
    assert cosines(np.zeros(2)) == pytest.approx([0.0, 0.6])  # an example that was linked without an encoder


def test_the_nearest_notes_tell_what_their_documents_hold_and_a_training_note_leaves_its_own_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(concept_features, "NEAREST", 2)
    graph, vectors = random_world(0)
    texts = [(1.0, 0.0), (0.8, 0.6), (0.0, 1.0)]
    side = np.zeros((len(vectors), 2), dtype=np.float32)  # the concepts by the encoder of notes
    notes = [one._replace(text_vector=np.array(text)) for one, text in zip(THREE, texts, strict=True)]
    column = NAMES.index("share of documents among the nearest notes")

    def told(text: np.ndarray | None, *without: Example) -> list[float]:
        view = NoteView(np.array([1], dtype=np.int32), vectors, left_out=without, text=text, note_side=side)
        return Features(count(notes), graph, view).of(np.array([5, 6, 7]))[:, column].tolist()

    # cosines 1, 0.8 and 0: the two nearest stand 1 and 0.8 above the third, so of 2 notes they make 1.111 and 0.889.
    # 5 is in both, 6 in the first, 7 in neither; the shares are 2.5/4, 1.5/4 and 1.5/4
    found = [
        np.log((2.0 + NEAREST_SHRINK * 0.625) / ((2 + NEAREST_SHRINK) * 0.625)),
        np.log((2 / 1.8 + NEAREST_SHRINK * 0.375) / ((2 + NEAREST_SHRINK) * 0.375)),
        np.log(NEAREST_SHRINK / (2 + NEAREST_SHRINK)),
    ]
    assert told(np.array([1.0, 0.0])) == pytest.approx(found, abs=2e-3)  # float16
    assert told(None) == [0.0, 0.0, 0.0]
    # without the first note itself 6 is in no document any more, and the second note leads
    alone = told(np.array([1.0, 0.0]), notes[0])
    assert alone[0] > 0 > alone[1]
