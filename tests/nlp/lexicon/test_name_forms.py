"""The words of names: the short way for plain names gives what the full one does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.nlp.document.tokens import word_list
from backend.nlp.lexicon.name_forms import forms
from backend.nlp.rules import RULES, rule_rows


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Heart Failure", [["heart", "failure"]]),
        ("x-ray of chest", [["x", "ray", "of", "chest"], ["xray", "of", "chest"]]),
        ("Crohn's disease", [["crohn", "disease"]]),
        ("Sjögren syndrome", [["sjogren", "syndrome"]]),
        ("vitamin B12 (oral)", [["vitamin", "b12", "oral"]]),
    ],
)
def test_a_name_is_cut_into_normal_words(name: str, expected: list[list[str]]) -> None:
    assert forms(name) == expected


@pytest.mark.parametrize("row", rule_rows(RULES / "lexicon" / "compound_ends.tsv", 3), ids=lambda row: row[0])
def test_a_compound_is_found_in_its_two_words(row: tuple[str, str, str]) -> None:
    _, parted, whole = row
    name, _, apart = parted.partition(": ")
    assert apart.split() in forms(name)
    assert forms(whole) == [word_list(whole)]


@given(st.text(alphabet="aB1 -_'`.,/\t\n\x1céβ", max_size=80))
def test_the_words_are_those_of_the_tokens(name: str) -> None:
    assert forms(name)[0] == word_list(name)
