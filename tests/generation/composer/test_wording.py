"""Words for patients: lists read well, and a term is explained once, where its meaning can be cited."""

import pytest

from backend.generation.composer.wording import Glossary, capital, listed


@pytest.mark.parametrize(
    ("words", "lines"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c"), (["a", "b", "a"], "a and b")],
)
def test_a_list_reads_as_a_person_would_say_it(words: list[str], lines: str) -> None:
    assert listed(words) == lines


def test_a_term_is_explained_once_and_only_where_it_can_be_cited() -> None:
    glossary = Glossary({"A": "shortness of breath", "B": "swelling"}, {"A": "G1"})
    assert glossary.term("A", "dyspnea") == "dyspnea (shortness of breath)"
    assert glossary.term("A", "dyspnea") == "dyspnea"
    assert glossary.term("B", "edema") == "edema"
    assert glossary.source("A") == ("G1",)
    assert glossary.source("B") == ()


def test_a_meaning_that_says_nothing_new_is_left_out() -> None:
    assert Glossary({"A": "heart failure"}, {"A": "G1"}).term("A", "heart failure") == "heart failure"


def test_only_the_first_letter_becomes_a_capital() -> None:
    assert capital("heart failure, NYHA II") == "Heart failure, NYHA II"
    assert capital("") == ""
