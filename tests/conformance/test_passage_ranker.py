"""What every registered passage ranker keeps to; a new one is held to it by being registered."""

from collections.abc import Callable

import numpy as np
import pytest

from backend.registry import PASSAGE_RANKERS, passage_ranker
from backend.retrieval.passages.ranker import Candidates, PassageRanker
from backend.schemas.vocabulary import Source
from backend.stores.passages.passage_index import PassageRow

TEXTS = (
    ("Gout: Diet", "diet", "d1", "Eat less meat and drink water."),
    ("Gout: Treatment", "treatment", "d1", "Colchicine eases the pain of an attack."),
    ("Heart failure", "", "d2", "Weigh yourself each morning and limit salt."),
    ("Cough", "", "d3", "A cough after a cold can last three weeks. Äußerst selten."),
    ("", "", "d4", ""),
)


def candidates(query: str = "What should I eat with gout?", count: int = len(TEXTS)) -> Candidates:
    """Candidates with fixed scores: (n,) BM25 from 4 down, cosines -0.2 to 0.9, vectors of length 1, topics known of some."""
    rows = [
        PassageRow(f"{document}/{i}", Source.BOOK, document, title, text, i, i + 1, section=section)
        for i, (title, section, document, text) in enumerate(TEXTS[:count])
    ]
    draws = np.random.default_rng(5).normal(size=(count, 8))
    vectors = draws / np.linalg.norm(draws, axis=1, keepdims=True) if count else np.zeros((0, 8))
    bm25 = np.array([4.0, 2.5, 0.0, 0.0, 0.0][:count])
    topic = np.array([0.7, np.nan, 0.1, 0.1, np.nan][:count])
    return Candidates(query, rows, bm25, np.linspace(0.9, -0.2, len(TEXTS))[:count], vectors, topic)


def check_shape_and_range(ranker: PassageRanker) -> None:
    """One finite score of at most 1 for each candidate, however many there are."""
    for count in range(len(TEXTS) + 1):
        scores = ranker.scores(candidates(count=count))
        assert scores.shape == (count,)
        assert np.isfinite(scores).all()
        assert (scores <= 1 + 1e-9).all()


def check_opening(ranker: PassageRanker) -> None:
    """The scores that open documents are one for each candidate, or none at all."""
    first = ranker.first_scores(candidates())
    assert first is None or (first.shape == (len(TEXTS),) and np.isfinite(first).all())


def check_no_state(ranker: PassageRanker) -> None:
    """Equal candidates give equal scores, whatever was ranked in between."""
    before = ranker.scores(candidates())
    ranker.scores(candidates("chest pain", 2))
    np.testing.assert_array_equal(before, ranker.scores(candidates()))


def check_nothing_is_changed(ranker: PassageRanker) -> None:
    """The candidates stay as they were given."""
    given = candidates()
    copies = [array.copy() for array in (given.bm25, given.cosine, given.vectors)]
    ranker.first_scores(given)
    ranker.scores(given)
    for array, copy in zip((given.bm25, given.cosine, given.vectors), copies, strict=True):
        np.testing.assert_array_equal(array, copy)


def check_order_does_not_depend_on_place(ranker: PassageRanker) -> None:
    """The same passages in another order get the same scores."""
    given = candidates()
    turned = np.arange(len(TEXTS))[::-1]
    other = Candidates(given.query, [given.rows[i] for i in turned], *(array[turned] for array in given[2:]))
    np.testing.assert_allclose(ranker.scores(other)[turned], ranker.scores(given), atol=1e-9)


def check_better_scores_are_not_worse(ranker: PassageRanker) -> None:
    """Of two passages alike in all else, the one that both searches score higher does not come second."""
    rows = [PassageRow(f"d{i}/0", Source.BOOK, f"d{i}", "Gout", "Drink water.", 0, 1) for i in range(2)]
    given = Candidates("gout", rows, np.array([1.0, 3.0]), np.array([0.2, 0.6]), np.eye(2), np.array([0.5, np.nan]))
    low, high = ranker.scores(given)
    assert high > low


CHECKS: tuple[Callable[[PassageRanker], None], ...] = (
    check_shape_and_range,
    check_opening,
    check_no_state,
    check_nothing_is_changed,
    check_order_does_not_depend_on_place,
    check_better_scores_are_not_worse,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", PASSAGE_RANKERS.names())
def test_every_passage_ranker_keeps_to_the_contract(name: str, check: Callable[[PassageRanker], None]) -> None:
    check(PASSAGE_RANKERS.get(name).value())


def test_broken_rankers_fail_the_checks() -> None:
    with PASSAGE_RANKERS.scratch():

        @passage_ranker("broken", label="Wrong in every way")
        class Broken:
            """Scores the first candidate best, more each time, and writes into what it is given."""

            def __init__(self) -> None:
                self.asked = 0

            def first_scores(self, candidates: Candidates) -> np.ndarray | None:
                """One score too many."""
                return np.zeros(len(candidates.rows) + 1)

            def scores(self, candidates: Candidates) -> np.ndarray:
                """Worse for better scores."""
                self.asked += 1
                candidates.cosine[:] = 0
                return -candidates.bm25 - np.arange(len(candidates.rows)) + 2 * self.asked

        for check in CHECKS:
            with pytest.raises(AssertionError):
                check(PASSAGE_RANKERS.get("broken").value())
    assert "broken" not in PASSAGE_RANKERS.names()
