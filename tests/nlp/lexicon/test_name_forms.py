"""The words of names: the short way for plain names gives what the full one does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.nlp.document.tokens import word_list
from backend.nlp.lexicon.name_forms import forms


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


@given(st.text(alphabet="aB1 -_'`.,/\t\n\x1céβ", max_size=80))
def test_the_words_are_those_of_the_tokens(name: str) -> None:
    assert forms(name)[0] == word_list(name)
