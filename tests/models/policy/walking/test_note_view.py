"""A note's numbers of concepts: each is worked out once, whatever is asked for and in whatever order."""

import numpy as np

from models.policy.walking.note_view import WHOLE, NoteView


def test_each_concept_is_computed_once_and_a_large_graph_keeps_those_alone_that_were_asked_for() -> None:
    view = NoteView(np.array([0]), np.ones((WHOLE + 5, 2), dtype=np.float32))
    computed: list[int] = []

    def double(concepts: np.ndarray) -> np.ndarray:
        computed.extend(concepts.tolist())
        return (2 * concepts).astype(np.float32)

    for asked in ([7, 3, 7], [], [9, 3, WHOLE + 4], [7, 9]):
        concepts = np.array(asked, dtype=np.int32)
        assert view.cached("double", concepts, double, together=True).tolist() == [2 * one for one in asked]
    assert sorted(computed) == [3, 7, 9, WHOLE + 4]
    assert view.nbytes == 4 * (8 + 4)  # four places and four numbers


def test_over_a_small_graph_all_are_computed_at_the_first_question() -> None:
    view, calls = NoteView(np.array([0]), np.ones((4, 2), dtype=np.float32)), []

    def ask(concepts: np.ndarray) -> np.ndarray:
        return view.cached("half", concepts, lambda ids: calls.append(len(ids)) or ids / 2, together=True)

    assert (ask(np.array([3])).tolist(), ask(np.array([1, 0])).tolist(), calls) == ([1.5], [0.5, 0.0], [4])
