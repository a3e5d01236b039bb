"""Names in any order of their words: windows of a text that hold exactly a key's words."""

from backend.nlp.lexicon.word_sets import Filing

FILING = Filing([(1, 2), (3,), (2, 1, 1)], [10, 11, 12])


def test_a_window_in_any_order_is_found_with_its_row() -> None:
    assert sorted(FILING.windows([2, 1, 3], [0, 0, 0], [1, 2, 3])) == [(0, 2, [10]), (2, 1, [11])]


def test_a_word_counts_as_often_as_it_stands() -> None:
    assert FILING.rows((1, 2, 1)) == [12]
    assert FILING.rows((1, 2, 2)) == []


def test_only_the_sizes_asked_for_are_looked_at() -> None:
    assert FILING.windows([1, 2, 3], [0, 0, 0], [1]) == [(2, 1, [11])]


def test_no_window_reaches_into_another_block_or_holds_an_unknown_word() -> None:
    assert FILING.windows([1, 2], [0, 1], [2]) == []
    assert FILING.windows([1, 0, 2], [0, 0, 0], [2, 3]) == []
    assert FILING.windows([1, 999], [0, 0], [2]) == []


def test_keys_of_the_same_words_share_a_window() -> None:
    assert [sorted(rows) for _, _, rows in Filing([(1, 2), (2, 1)], [5, 6]).windows([1, 2], [0, 0], [2])] == [[5, 6]]


def test_nothing_is_filed_or_said() -> None:
    assert Filing([], []).windows([1], [0], [1]) == FILING.windows([], [], [1]) == []
    assert Filing([], []).rows((1,)) == FILING.rows((0,)) == []
