"""The share of a second query is learned, and is 0 where it gains nothing on questions it was not fitted on."""

import numpy as np
import pytest

from backend.schemas.drafts.evidence import Passage
from backend.schemas.vocabulary import Source
from backend.training.passage_ranking import Judged
from backend.training.query_expansion import expansion_card, fitted_share, gains, judged_twice


def questions(weight: float, count: int, seed: int) -> list[Judged]:
    """Twelve finds each; the best by the question's score and a weight of the paths' answers."""
    rng = np.random.default_rng(seed)
    rows = []
    for number in range(count):
        scores = rng.random((12, 2))
        gain = np.zeros(12)
        gain[int(np.argmax(scores @ np.array([1.0, weight])))] = 1.0
        rows.append(Judged(f"q{number}", scores, gain))
    return rows


def beyond(values: np.ndarray) -> tuple[float, float, float]:
    error = float(values.std() / np.sqrt(len(values)))
    mean = float(values.mean())
    return mean, mean - 2 * error, mean + 2 * error


def test_a_query_that_helps_keeps_its_share() -> None:
    groups = {"a": questions(0.8, 60, 0), "b": questions(0.8, 60, 1)}
    made = expansion_card(groups, {}, beyond)
    assert made["share"] == made["fitted_share"] == pytest.approx(0.8, abs=0.2)
    assert made["questions"] == {"a": 60, "b": 60}
    assert made["ndcg_10_gained_under_the_share_of_the_other_sets"][1] > 0


def test_a_query_that_tells_nothing_has_no_share_and_the_card_tells_what_was_fitted() -> None:
    made = expansion_card({"a": questions(0.0, 60, 0), "b": questions(0.0, 60, 1)}, {}, beyond)
    assert made["share"] == 0.0
    assert made["ndcg_10_of_the_paths_alone_less_that_of_the_question"][2] < 0
    assert made["fitted_share"] == pytest.approx(fitted_share(questions(0.0, 60, 0) + questions(0.0, 60, 1)), abs=1e-4)


def test_a_gain_is_that_of_the_order_over_the_question_s_own() -> None:
    row = Judged("q", np.array([[1.0, 0.0], [0.9, 1.0]]), np.array([0.0, 1.0]))
    # the answer second: 1 / log2(3) = 0.6309; first: 1
    assert gains([row], 0.5).tolist() == pytest.approx([1 - 0.6309], abs=1e-4)


def test_a_question_is_judged_by_passages_or_documents_and_teaches_nothing_where_all_are_alike() -> None:
    def found(name: str, score: float) -> Passage:
        return Passage(
            id="P0",
            source=Source.WIKI,
            document_id=name,
            title="",
            text="x",
            start_char=0,
            end_char=1,
            scores={"bm25": score},
        )

    own, beside = [found("a", 2.0)], [found("b", 3.0)]
    row = judged_twice("q", own, beside, {"a": 1, "b#0-1": 3}, 5)
    assert row is not None and row.gain.tolist() == [1.0, 3.0]
    assert judged_twice("q", own, beside, {}, 5) is None
