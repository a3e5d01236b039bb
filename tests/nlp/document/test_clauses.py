"""Where the clauses of a sentence begin, over words alone."""

import pytest

from backend.nlp.document import clauses


@pytest.mark.parametrize(
    ("text", "borders"),
    [
        ("she has fever but no cough", ["but"]),
        ("no fever , she has a cough", [","]),
        ("no fever , cough and rash", []),  # a list goes on
        ("the rash went away and the cough is back", ["and"]),
        ("no pain for three weeks she has no fever", ["she"]),
        ("fever", []),
        ("", []),
    ],
)
def test_a_clause_begins_at_a_contrast_or_before_a_verb_of_its_own(text: str, borders: list[str]) -> None:
    words = text.split()
    assert [words[at] for at in clauses.clause_borders(words, 0, len(words))] == borders


def test_joints_given_beforehand_are_all_that_is_looked_at() -> None:
    words = ["fever", "but", "cough", "but", "rash"]
    assert clauses.clause_borders(words, 0, 5, [3]) == [3]


@pytest.mark.parametrize(
    ("text", "lasts"),
    [
        ("weak x3d", True),
        ("depressed x months", True),
        ("weak , x3d", False),  # of the next item
        ("weak", False),
    ],
)
def test_how_long_an_item_lasts(text: str, lasts: bool) -> None:
    words = text.split()
    assert clauses.timed(words, 0, len(words)) is lasts


@pytest.mark.parametrize(
    ("text", "often"), [("vomited x2", True), ("vomited x2 , fell", True), ("x2", False), ("vomited", False)]
)
def test_how_often_an_item_came(text: str, often: bool) -> None:
    words = text.split()
    assert clauses.counted(words, 0, len(words)) is often


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("1 ) gastritis 2 ) ulcer", [0, 3]),
        ("1 . gastritis 2 . ulcer 3 . reflux", [0, 3, 6]),
        ("1 ) gastritis alone", []),  # one entry is no list
        ("2 ) ulcer 3 ) reflux", []),  # a list begins with 1
        ("took 1 . 5 mg", []),
    ],
)
def test_entries_of_a_numbered_list_are_those_that_count_up(text: str, begins: list[int]) -> None:
    words = text.split()
    assert clauses.entries(words, 0, len(words)) == begins


def test_a_long_stretch_without_a_mark_is_dictated() -> None:
    words = ["no", "fever", "no", "cough", "no", "rash", "no", "pain", "no", "chills", "no", "nausea"]
    assert clauses.unmarked(words, 0, 12)
    assert not clauses.unmarked(words, 0, 11)
    assert not clauses.unmarked([*words[:11], ","], 0, 12)


def test_what_is_denied_without_marks_ends_at_a_year_or_after_six_words() -> None:
    dated = ["fever", "miscarriage", "in", "2020"]
    assert clauses.runs_on(dated, 0, 4) == 1  # the year dates two words at most, with its "in"
    many = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]
    assert clauses.runs_on(many, 0, 8) == 6
    assert clauses.runs_on(many, 0, 3) == 3
