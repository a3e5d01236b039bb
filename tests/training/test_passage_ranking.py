"""The weights of the passage ranking learn which feature tells an answer, and say on what they were fitted."""

import numpy as np
import pytest

from backend.retrieval.passages.passage_features import FEATURES
from backend.retrieval.passages.ranker import Candidates
from backend.training.passage_ranking import Judged, Recorder, card, fitted, ndcg

NAMES = list(FEATURES)


def questions(telling: str, count: int, seed: int = 0) -> list[Judged]:
    """Ten candidates each, of which the one with the most of a feature answers; the other features are noise."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(count):
        features = rng.random((10, len(NAMES)))
        gain = np.zeros(10)
        gain[int(np.argmax(features[:, NAMES.index(telling)]))] = 1.0
        found.append(Judged(f"q{number}", features, gain))
    return found


@pytest.mark.parametrize("telling", ["topic", "page_words"])
def test_the_feature_that_tells_the_answer_gets_the_weight(telling: str) -> None:
    weights = dict(zip(NAMES, fitted(questions(telling, 40)).values, strict=True))
    assert max(weights, key=lambda name: weights[name]) == telling
    assert all(value >= 0 for value in weights.values())
    others = [value for name, value in weights.items() if name != telling]
    assert weights[telling] > 3 * max(others)


def test_ndcg_is_that_of_the_order_with_exponential_gains() -> None:
    # gains 2^3 - 1 = 7 and 2^1 - 1 = 1: best first 7 + 1 / log2(3) = 7.6309; the other way 1 + 7 / log2(3) = 5.4165
    assert ndcg(np.array([0.9, 0.1]), np.array([3.0, 1.0])) == pytest.approx(1.0)
    assert ndcg(np.array([0.1, 0.9]), np.array([3.0, 1.0])) == pytest.approx(5.4165 / 7.6309, abs=1e-4)


def test_the_card_tells_each_set_s_figure_under_weights_of_the_others() -> None:
    made = card({"a.tsv": questions("topic", 20), "b.tsv": questions("topic", 20, seed=1)}, {"a.tsv": "00"})
    assert list(made["weights"]) == NAMES
    assert made["questions"] == {"a.tsv": 20, "b.tsv": 20}
    crossed = made["ndcg_10_of_each_set_under_weights_of_the_others"]
    assert set(crossed) == {"a.tsv", "b.tsv"}
    assert min(crossed.values()) > 0.9


def test_what_the_search_adds_to_scores_does_not_reach_the_candidates_that_are_learned_from() -> None:
    given = Candidates("gout", [], np.zeros(1), np.array([0.5]), np.zeros((1, 2)), np.zeros(1))
    recorder = Recorder()
    scores = recorder.scores(given)
    scores += 1.0  # as for a query that is a title
    assert recorder.last is not None and recorder.last.cosine.tolist() == [0.5]
