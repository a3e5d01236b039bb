"""A misspelt word is read as the one known word that it can be, or as none."""

import pytest

from backend.nlp.lexicon.spelling import Spelling

WORDS = ["pneumonia", "palpitations", "warfarin", "clonidine", "clozapine", "bronchitis", "abdomen"]
SPELLING = Spelling(WORDS, ["warfarin", "clonidine", "clozapine"])


@pytest.mark.parametrize(
    ("word", "read"),
    [
        ("pnemonia", "pneumonia"),  # one letter left out
        ("pneumnoia", "pneumonia"),  # two letters changed places: one edit
        ("pelpitetions", "palpitations"),  # two vowels of a long word
        ("warfarine", "warfarin"),  # a medicine, one edit, seven letters or more
        ("abdomne", "abdomen"),
    ],
)
def test_a_slip_is_read_as_the_word(word: str, read: str) -> None:
    assert SPELLING.correct(word) == read


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("pneumonia", "it is known"),
        ("warfrin1", "it is no word"),
        ("warfa", "too short"),
        ("bneumonia", "another first letter"),
        ("pneumonial", "another ending makes another word"),
        ("waffarinn", "a medicine is never two edits away"),
        ("abdomens", "an English word is no slip"),
        ("xyzxyzxyz", "nothing is near"),
    ],
)
def test_what_is_unsure_is_not_read(word: str, why: str) -> None:
    assert SPELLING.correct(word) is None, why


def test_a_topic_that_lacks_its_last_or_first_letter_is_the_longer_word() -> None:
    near = Spelling(["diabetes", "diabeta", "pneumonia", "asthma", "strokes"], ["diabeta"])
    assert near.correct("diabete") is None  # as near to the medicine
    assert near.correct_topic("diabete") == "diabetes"
    assert near.correct_topic("neumonia") == "pneumonia"
    assert near.correct_topic("asthm") == "asthma"
    assert near.correct_topic("sthma") is None  # five letters, and not the last one is missing
    assert Spelling(["glorbine", "glorbina"], []).correct_topic("glorbin") is None
    assert Spelling(["lyrica"], ["lyrica"]).correct_topic("lyric") is None  # a short medicine


def test_two_words_equally_near_give_none() -> None:
    assert Spelling(["glorbine", "glorfine"], []).correct("glortine") is None
    assert Spelling(["glorbine"], []).correct("glortine") == "glorbine"


def test_a_medicine_is_read_only_where_no_other_is_near() -> None:
    # clonidene: one vowel from clonidine, two from clonadine
    assert Spelling(["clonidine", "clonadine"], ["clonidine"]).correct("clonidene") == "clonidine"
    assert Spelling(["clonidine", "clonadine"], ["clonidine", "clonadine"]).correct("clonidene") is None


@pytest.mark.xfail(strict=True, reason="doubles are undone once the vowels are gone: t(i)t(a)t leaves two of three")
def test_two_doubled_letters_of_a_long_word_are_a_slip() -> None:
    assert SPELLING.correct("pallpittations") == "palpitations"


def test_without_words_nothing_is_read() -> None:
    assert Spelling([], []).correct("pnemonia") is None
