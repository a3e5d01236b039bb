"""What is no allergy: fever and what chemotherapy is expected to do; and how reactions in brackets and quotation marks are told."""

import pytest

from backend.schemas.drafts.note import Allergies
from backend.schemas.vocabulary import AllergyStatus
from tests.nlp.fresh import linker


def read(text: str) -> Allergies:
    return linker().link(text).allergies


@pytest.mark.parametrize(
    "text",
    [
        "Cycle 3 day 10 of doxorubicin and cyclophosphamide, noted a temperature of 101.4 F with shaking chills. She feels tired and has mouth sores.",
        "Eight days after cytarabine she became febrile, exhausted and sore in the mouth.",
        "Five days after fluorouracil he had mouth sores and diarrhea.",
        "She started cephalexin four days ago and developed fever and chills.",
        "57M with hepatitis B, on entecavir, admitted with a broken wrist.",
        "Autoimmune hepatitis on azathioprine.",
    ],
)
def test_what_is_expected_or_an_infection_s_is_no_possible_allergy(text: str) -> None:
    allergies = read(text)
    assert (allergies.items, allergies.possible) == ((), ())


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Within an hour of rituximab he had fever and shaking chills.", "rituximab"),
        ("Two days after paclitaxel she developed fever and hives.", "paclitaxel"),
        ("During carboplatin her lips swelled.", "carboplatin"),
        ("A week after starting phenytoin he had fever and a rash.", "phenytoin"),
        ("Given IVIG, then fever and chills.", "IVIG"),
        ("Ten days after minocycline began she had fever and joint pain.", "minocycline"),
        ("She developed hepatitis on isoniazid.", "isoniazid"),
        ("Minocycline was stopped because of fever and joint pain.", "Minocycline"),
    ],
)
def test_a_reaction_with_fever_stays_one(text: str, name: str) -> None:
    allergies = read(text)
    assert name in [item.text for item in (*allergies.items, *allergies.possible)]


@pytest.mark.parametrize(
    ("text", "reaction"),
    [
        ('Allergies: ?Aspirin - "maybe wheezing", not sure.', "maybe wheezing, not sure"),
        ('Allergies: codeine - "felt awful", vomiting.', "felt awful, vomiting"),
        ('Allergies: codeine (nausea, "out of it").', 'nausea, "out of it"'),
        ("Penicillin (anaphylaxis, needed epinephrine) is on her list.", "anaphylaxis, needed epinephrine"),
        ("Told us about cefazolin (hives, then a swollen tongue) in 2019.", "hives, then a swollen tongue"),
    ],
)
def test_a_reaction_is_read_whole_and_without_half_a_pair_of_marks(text: str, reaction: str) -> None:
    assert [item.reaction for item in read(text).items] == [reaction]


@pytest.mark.parametrize(
    "text", ["Allergies: none declared.", "ALLERGIES:\nNil disclosed", "Allergies: nothing volunteered by the patient."]
)
def test_none_declared_is_none_known(text: str) -> None:
    allergies = read(text)
    assert (allergies.status, allergies.items) == (AllergyStatus.NONE_KNOWN, ())
