"""Words of a sentence against its cited text: forms of one word, strange words, and words put in another's place."""

import pytest

from backend.verification.support.shared_words import compared, overlap, said_in


@pytest.mark.parametrize(
    ("mention", "source", "there"),
    [
        ("allergic to latex", "Latex allergy", True),
        ("hypertension", "hypertensive", True),
        ("pneumonia", "a pneumothorax", False),
        ("hypertension", "hyperthyroidism", False),
        ("chest pain", "chest wall pain", True),
        ("chest pain", "chest x-ray clear", False),
    ],
)
def test_a_mention_is_said_in_whatever_form_of_its_words(mention: str, source: str, there: bool) -> None:
    assert said_in(mention, [source]) is there


def test_all_words_of_a_mention_must_stand_in_one_sentence() -> None:
    assert not said_in("chest pain", ["chest x-ray clear", "pain in the foot"])


def test_overlap_is_the_share_of_content_words() -> None:
    # "takes", "warfarin" and "nightly" count, "the patient" does not; two of three are there
    assert overlap("The patient takes warfarin nightly.", "takes warfarin") == pytest.approx(2 / 3)
    assert overlap("You have it.", "something") == 1.0


def test_a_form_of_an_irregular_verb_is_the_verb() -> None:
    assert overlap("You woke, went down and understood.", "wakes, goes down, understands") == 1.0


def test_a_word_that_is_no_english_and_not_cited_is_strange() -> None:
    assert compared("He took zebrazole.", ["He took warfarin."], ()).strange == ("zebrazole",)
    assert compared("He took zebrazole.", ["He took warfarin."], ["zebrazole"]).strange == ()


def test_a_word_in_another_s_place_is_swapped_and_one_that_only_frames_is_not() -> None:
    cited = ["The pain radiates to the shoulder at rest."]
    assert compared("The pain radiates to the elbow at rest.", cited, ()).swapped == ("elbow",)
    assert compared("Possible pain radiates to the shoulder at rest.", cited, ()).swapped == ()
    assert compared("Weather is lovely.", cited, ()).swapped == ()  # it retells nothing
