"""Every key of numbers is found in one pass, in the order of its words, and none over a gap."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.nlp.lexicon import word_runs
from backend.nlp.lexicon.word_runs import RunFiling

KEYS = [(7,), (7, 8), (8, 9, 7), (500_000,), (7, 8)]


def filed(keys: list[tuple[int, ...]]) -> RunFiling:
    """The keys, one behind the other."""
    return RunFiling([code for key in keys for code in key], [len(key) for key in keys])


def test_every_stretch_that_is_a_key_is_found_with_all_its_rows_the_longest_of_one_end_first() -> None:
    # 7 8 9 7: (7,) at 0 and 3, (7, 8) at 0 with rows 1 and 4, (8, 9, 7) at 1; by their last word, then the longer first
    found = filed(KEYS).windows([7, 8, 9, 7], [0, 0, 0, 0])
    assert found == [(0, 1, [0]), (0, 2, [1, 4]), (1, 3, [2]), (3, 1, [0])]


def test_no_key_reaches_into_another_block_or_over_a_word_that_is_none() -> None:
    filing = filed(KEYS)
    assert filing.windows([7, 8], [0, 1]) == [(0, 1, [0])]
    assert filing.windows([7, 0, 8], [0, 0, 0]) == [(0, 1, [0])]


def test_a_word_said_again_and_again_is_read_no_further_than_the_longest_key(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    filing = filed([(1, 1), (1, 1, 1)])
    monkeypatch.setattr(
        word_runs, "_power", lambda place: looked.append(place) or np.uint64(pow(word_runs._FACTOR, place, 1 << 64))
    )
    assert len(filing.windows([1] * 50, [0] * 50)) == 49 + 48
    assert max(looked) == 2


def test_rows_are_those_of_the_whole_key_alone() -> None:
    filing = filed(KEYS)
    assert (filing.rows((7, 8)), filing.rows((500_000,)), filing.rows((8, 9))) == ([1, 4], [3], [])


def test_without_keys_or_words_nothing_is_found() -> None:
    assert filed([]).windows([1, 2], [0, 0]) == filed(KEYS).windows([], []) == []
    assert filed([]).rows((1,)) == []


def test_a_pickled_filing_finds_the_same() -> None:
    filing = filed(KEYS)
    assert pickle.loads(pickle.dumps(filing)).windows([8, 9, 7], [2, 2, 2]) == filing.windows([8, 9, 7], [2, 2, 2])


@given(
    st.lists(st.lists(st.integers(1, 5), min_size=1, max_size=3).map(tuple), min_size=1, max_size=8),
    st.lists(st.integers(0, 5), max_size=20),
)
def test_it_finds_what_a_plain_search_finds(keys: list[tuple[int, ...]], codes: list[int]) -> None:
    plain = {(i, len(key)) for key in set(keys) for i in range(len(codes)) if tuple(codes[i : i + len(key)]) == key}
    found = filed(keys).windows(codes, [0] * len(codes))
    assert {(first, size) for first, size, _ in found} == plain
    assert all(keys[row] == tuple(codes[first : first + size]) for first, size, rows in found for row in rows)
