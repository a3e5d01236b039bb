"""The automaton finds every key of numbers in one pass, over word borders of their own, and no key over a gap."""

import pickle

from hypothesis import given
from hypothesis import strategies as st

from backend.nlp.lexicon.automaton import NameAutomaton

KEYS = [(7,), (7, 8), (8, 9, 7), (500_000,), (7, 8)]


def test_every_stretch_that_is_a_key_is_found_with_all_its_rows_the_longest_of_one_end_first() -> None:
    # 7 8 9 7: (7,) at 0 and 3, (7, 8) at 0 with rows 1 and 4, (8, 9, 7) at 1; by their last word, then the longer first
    found = NameAutomaton(KEYS).windows([7, 8, 9, 7], [0, 0, 0, 0])
    assert found == [(0, 1, [0]), (0, 2, [1, 4]), (1, 3, [2]), (3, 1, [0])]


def test_no_key_reaches_into_another_block_or_over_a_word_that_is_none() -> None:
    automaton = NameAutomaton(KEYS)
    assert automaton.windows([7, 8], [0, 1]) == [(0, 1, [0])]
    assert automaton.windows([7, 0, 8], [0, 0, 0]) == [(0, 1, [0])]


def test_rows_are_those_of_the_whole_key_alone() -> None:
    automaton = NameAutomaton(KEYS)
    assert (automaton.rows((7, 8)), automaton.rows((500_000,)), automaton.rows((8, 9))) == ([1, 4], [3], [])


def test_without_keys_or_words_nothing_is_found() -> None:
    assert NameAutomaton([]).windows([1, 2], [0, 0]) == NameAutomaton(KEYS).windows([], []) == []
    assert NameAutomaton([]).rows((1,)) == []


def test_a_pickled_automaton_finds_the_same() -> None:
    automaton = NameAutomaton(KEYS)
    assert pickle.loads(pickle.dumps(automaton)).windows([8, 9, 7], [2, 2, 2]) == automaton.windows(
        [8, 9, 7], [2, 2, 2]
    )


@given(
    st.lists(st.lists(st.integers(1, 5), min_size=1, max_size=3).map(tuple), min_size=1, max_size=8),
    st.lists(st.integers(0, 5), max_size=20),
)
def test_it_finds_what_a_plain_search_finds(keys: list[tuple[int, ...]], codes: list[int]) -> None:
    plain = {(i, len(key)) for key in set(keys) for i in range(len(codes)) if tuple(codes[i : i + len(key)]) == key}
    found = NameAutomaton(keys).windows(codes, [0] * len(codes))
    assert {(first, size) for first, size, _ in found} == plain
    assert all(keys[row] == tuple(codes[first : first + size]) for first, size, rows in found for row in rows)
