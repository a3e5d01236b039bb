"""Which training notes are alike, and what a fit is scored without."""

import numpy as np

from models.policy.concept_step.concept_features import Features, count
from models.policy.concept_step.similar_notes import alike, left_out
from models.policy.rollouts import Example
from models.policy.walking.note_view import NoteView
from tests.models.world import random_world


def example(name: str, keywords: list[int], truth: list[int]) -> Example:
    return Example(name, np.array(keywords, dtype=np.int32), np.array(truth, dtype=np.int32))


# 1 stands in every note and so weighs log(4/4) = 0; 2 in two weighs log 2; 3, 4 and 5 in one weigh log 4 = 2 log 2.
# a = (2: 1, 3: 2), b = (2: 1), c = (4: 2), d = (5: 2), in units of log 2. cos(a, b) = 1 / sqrt(5) = 0.447; all others 0.
FOUR = [example("a", [1, 2], [3]), example("b", [1], [2]), example("c", [1], [4]), example("d", [1], [5])]


def test_alike_by_hand() -> None:
    assert [near.tolist() for near in alike(FOUR, least=0.44)] == [[0, 1], [0, 1], [2], [3]]
    assert [near.tolist() for near in alike(FOUR, least=0.46)] == [[0], [1], [2], [3]]


def test_a_note_of_nothing_but_what_all_say_is_like_itself_alone() -> None:
    same = [example("a", [1], [2]), example("b", [1], [2])]
    assert [near.tolist() for near in alike(same)] == [[0], [1]]


def test_every_other_note_is_scored_without_its_like() -> None:
    assert [[e.pair_id for e in some] for some in left_out(FOUR)] == [["a"], ["a", "b"], ["c"], ["d"]]


def test_features_without_some_notes_equal_those_of_the_other_notes_counted_alone() -> None:
    graph, vectors = random_world(3)
    rng = np.random.default_rng(2)
    notes = [
        example(str(i), rng.choice(30, 4, False).tolist(), np.sort(rng.choice(60, 8, False)).tolist())
        for i in range(14)
    ]
    gone, rest = notes[:5], notes[5:]
    known = np.unique(np.concatenate([e.truth for e in rest]))  # a concept of no note left has no row of its own
    keywords = np.unique(np.concatenate([notes[0].keywords, rest[0].keywords])).astype(np.int32)
    asked = NoteView(keywords, vectors)
    without = Features(count(notes), graph, NoteView(keywords, vectors, left_out=gone)).of(known)
    alone = Features(count(rest), graph, asked).of(known)
    # a keyword that only left-out notes have tells nothing in the first and is unknown in the second: only the mean differs
    shared = [column for column in range(without.shape[1]) if column not in (2, 3, 5)]
    np.testing.assert_allclose(without[:, shared], alone[:, shared], atol=1e-5)
    assert not np.allclose(without, Features(count(notes), graph, asked).of(known))
