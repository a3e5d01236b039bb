"""An allergy told behind "no medicines", in one breath with it; and a wound's own reaction."""

import pytest

from tests.nlp.fresh import linker


@pytest.mark.parametrize(
    ("text", "agent"),
    [
        ("DH: not on any tablets, allergic to walnuts", "walnuts"),
        ("DHx: nil regular, allergic to trimethoprim - rash", "trimethoprim"),
        ("No regular medicines, codeine allergy.", "codeine"),
        ("She doesn't take any medication, allergic to cefalexin.", "cefalexin"),
        ("He is not on blood thinners, allergic to aspirin.", "aspirin"),
    ],
)
def test_an_allergy_behind_a_denial_of_medicines_is_not_denied_with_them(text: str, agent: str) -> None:
    assert [item.text.lower() for item in linker().link(text).allergies.items] == [agent]


@pytest.mark.parametrize(
    "text",
    [
        "No fever, rash, or penicillin allergy.",
        "Denies asthma, eczema, penicillin allergy.",
        "Not diabetic, hypertensive or allergic to penicillin.",
        "No medication, food or latex allergies.",
    ],
)
def test_an_allergy_in_a_denied_row_stays_denied(text: str) -> None:
    assert linker().link(text).allergies.items == ()


@pytest.mark.parametrize(
    "text",
    ["Imp: localised inflammatory reaction to a splinter bite.", "Local reaction to sutured material, settling."],
)
def test_a_local_reaction_of_the_skin_names_no_allergen_that_nobody_knows(text: str) -> None:
    assert linker().link(text).allergies.items == ()


@pytest.mark.parametrize("text", ["Had a local reaction to lidocaine.", "She had a bad reaction to a wasp sting."])
def test_a_reaction_to_what_is_known_stays_an_allergy(text: str) -> None:
    assert len(linker().link(text).allergies.items) == 1
