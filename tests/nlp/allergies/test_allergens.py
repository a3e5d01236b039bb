"""Which concept a phrase names that one can react to."""

import pytest

from backend.nlp.allergies.allergens import Allergens
from backend.nlp.lexicon.matches import Candidate
from tests.nlp.allergies.small_note import lookup


@pytest.fixture
def allergens() -> Allergens:
    return Allergens(lookup)


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("Penicillin", "penicillin"),
        ("penicillin (as a child)", "penicillin"),
        ("shellfish derived", "shellfish"),
        ("IV contrast dye", "contrast dye"),
        ("dye", "contrast dye"),
        ("hives", None),
        ("asthma", None),
        ("penicillin and codeine", None),
        ("", None),
    ],
)
def test_a_phrase_names_an_agent_as_a_whole_and_never_an_ill(
    allergens: Allergens, phrase: str, name: str | None
) -> None:
    found = allergens.concept(phrase)
    assert (found and found.name) == name
    assert allergens.known(phrase) is (name is not None)


def test_a_longer_phrase_gives_its_one_agent_and_none_of_several(allergens: Allergens) -> None:
    one = allergens.within("penicillin since childhood")
    assert one is not None
    assert one.name == "penicillin"
    assert allergens.within("penicillin and codeine") is None
    assert allergens.within("Amoxil, that is amoxicillin") == allergens.concept("amoxicillin")  # one concept twice


def test_spans_lie_in_the_stretch_that_was_asked(allergens: Allergens) -> None:
    text = "codeine, contrast dye and shellfish"
    # shellfish is a food, which is seldom an allergy: it is not surely one
    assert allergens.inside(text, 0, len(text)) == [(0, 7), (9, 21)]
    assert allergens.inside(text, 8, 21) == [(9, 21)]
    assert allergens.inside(text, 22, len(text)) == []


def test_an_ill_tells_a_reaction_and_a_test_only_something_else(allergens: Allergens) -> None:
    assert (allergens.only_reaction("hives"), allergens.other("hives")) == (True, True)
    assert (allergens.only_reaction("chest x-ray"), allergens.other("chest x-ray")) == (False, True)
    assert (allergens.only_reaction("penicillin"), allergens.other("penicillin")) == (False, False)


def test_a_phrase_asked_twice_is_looked_up_once() -> None:
    asked: list[str] = []

    def counted(phrase: str) -> Candidate | None:
        asked.append(phrase)
        return lookup(phrase)

    allergens = Allergens(counted)
    assert allergens.concept("Codeine") == allergens.concept(" codeine ")
    assert asked == ["Codeine"]
