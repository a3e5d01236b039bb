"""BM25: the formula by hand, parity with another implementation, and an exact search."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.stores.passages.bm25 import K1, B, Bm25Group, Bm25Index

TEXTS = ["heart failure heart", "kidney stone", "heart pain chest pain chest"]


def test_the_settings_are_those_of_the_paper() -> None:
    assert (K1, B) == (1.2, 0.75)


def test_a_score_by_hand() -> None:
    # Lucene's idf: ln(1 + (N - df + 0.5) / (df + 0.5)) with N = 3, df(heart) = 2: ln(1 + 1.5 / 2.5) = ln 1.6.
    # Lengths 3, 2, 5; mean 10 / 3. Row 0: tf 2; share = idf * tf / (tf + k1 * (1 - b + b * 3 / (10 / 3))).
    idf = math.log(1.6)
    first = idf * 2 / (2 + 1.2 * (0.25 + 0.75 * 3 / (10 / 3)))
    third = idf * 1 / (1 + 1.2 * (0.25 + 0.75 * 5 / (10 / 3)))
    scores = Bm25Index(TEXTS).scores("heart")
    assert scores.tolist() == pytest.approx([first, 0.0, third], rel=1e-5)


def test_ranking_agrees_with_rank_bm25_where_every_idf_is_positive() -> None:
    """rank_bm25 uses another idf, so single-word queries are compared: there the idf is one common factor."""
    from rank_bm25 import BM25Okapi

    words = ["sodium", "potassium", "calcium", "glucose", "lactate", "troponin", "ferritin", "albumin"]
    rng = random.Random(7)
    texts = [" ".join(rng.choices(words, k=rng.randint(2, 9))) for _ in range(30)]
    texts += ["urea"] * 40  # keeps every df below half, where rank_bm25's idf is positive
    ours = Bm25Index(texts)
    # the index stems; so the peer is given the same stems
    import Stemmer

    stem = Stemmer.Stemmer("english").stemWord
    peer = BM25Okapi([[stem(w) for w in text.split()] for text in texts], k1=K1, b=B)
    for word in words:
        mine, theirs = ours.scores(word), np.array(peer.get_scores([stem(word)]))
        found = mine > 0
        assert (found == (theirs > 0)).all()
        # the peer's numerator has a further k1 + 1, and its idf is another: both are constant over the rows
        ratio = theirs[found] / mine[found]
        assert ratio == pytest.approx(ratio[0], rel=1e-4)


def test_stems_meet_and_stop_words_count_for_nothing() -> None:
    index = Bm25Index(["walking every day", "eat less salt"])
    assert [row for row, _ in index.search("walks", 5)] == [0]
    assert index.search("the and of", 5) == []


def test_rows_without_a_shared_word_are_left_out() -> None:
    assert [row for row, _ in Bm25Index(TEXTS).search("chest pain", 32)] == [2]
    assert Bm25Index(TEXTS).search("zebra", 32) == []


def test_an_empty_index_an_empty_query_and_no_results_wanted_give_nothing() -> None:
    assert Bm25Index([]).search("heart", 5) == []
    assert Bm25Index(TEXTS).search("", 5) == []
    assert Bm25Index(TEXTS).search("heart", 0) == []


def test_equal_scores_keep_the_order_of_the_rows() -> None:
    index = Bm25Index(["same text", "same text", "same text"])
    assert [row for row, _ in index.search("same", 2)] == [0, 1]


REPEATED = ("heart failure heart heart pain", "stone heart stone", "chest chest chest", "kidney")


@pytest.mark.parametrize("query", REPEATED)
def test_a_repeated_word_counts_as_often_as_in_bm25s(query: str) -> None:
    import bm25s
    import Stemmer

    stem = Stemmer.Stemmer("english").stemWords
    peer = bm25s.BM25(method="lucene", k1=K1, b=B)
    peer.index([stem(text.split()) for text in TEXTS], show_progress=False)
    assert Bm25Index(TEXTS).scores(query) == pytest.approx(peer.get_scores(stem(query.split())), rel=1e-5)


def test_a_word_said_twice_weighs_twice() -> None:
    index = Bm25Index(TEXTS)
    assert index.scores("heart kidney heart") == pytest.approx(2 * index.scores("heart") + index.scores("kidney"))
    # alone the rarer word wins; said three times, ln 1.6 = 0.47 outweighs ln(1 + 2.5 / 1.5) = 0.98 even at one occurrence
    assert index.search("heart kidney", 1)[0][0] == 1
    assert index.search("heart heart heart kidney", 1)[0][0] == 0


def test_several_indexes_count_a_repeated_word_as_one_index_does() -> None:
    # equal lengths, so that the mean length of each half is that of the whole
    texts = ["heart pain", "kidney stone", "heart stone", "kidney pain"]
    whole, group = Bm25Index(texts), Bm25Group([Bm25Index(texts[:2]), Bm25Index(texts[2:])])
    for query in ("heart heart stone", "pain pain pain kidney"):
        one, several = whole.search(query, 4), group.search(query, 4)
        assert [row for row, _ in several] == [row for row, _ in one]
        assert [score for _, score in several] == pytest.approx([score for _, score in one], rel=1e-5)


WORDS = ["sodium", "potassium", "calcium", "glucose", "lactate"]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8), min_size=1, max_size=40),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=12),
    st.integers(1, 12),
)
def test_search_finds_exactly_the_best_of_all_scores(texts: list[list[str]], query: list[str], k: int) -> None:
    index = Bm25Index([" ".join(words) for words in texts])
    scores = index.scores(" ".join(query))
    wanted = sorted(scores[scores > 0].tolist(), reverse=True)[:k]
    found = index.search(" ".join(query), k)
    assert [score for _, score in found] == pytest.approx(wanted, rel=1e-4)
    assert all(score == pytest.approx(float(scores[row]), rel=1e-4) for row, score in found)
    assert len({row for row, _ in found}) == len(found)


def test_scores_of_some_rows_are_those_of_all() -> None:
    index = Bm25Index(["heart failure", "salt and water", "a heart that fails", "kidney"])
    every = index.scores("heart failing salt")
    assert index.scores_of("heart failing salt", [2, 0, 3]).tolist() == pytest.approx(every[[2, 0, 3]].tolist())
    group = Bm25Group([index, Bm25Index(["salt in the heart", "rest"])])
    found = dict(group.search("heart salt", 9))
    rows = [5, 4, 1, 3]
    assert group.scores_of("heart salt", rows).tolist() == pytest.approx([found.get(row, 0.0) for row in rows])
