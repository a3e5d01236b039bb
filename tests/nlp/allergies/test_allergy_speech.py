"""Allergies as people speak of them in running text; and what sounds like one and is none."""

import pytest

from backend.schemas.vocabulary import AllergyStatus
from tests.nlp.fresh import linker


def read(note: str) -> list[str]:
    return [item.text for item in linker().link(note).allergies.items]


@pytest.mark.parametrize(
    ("note", "items"),
    [
        ("HPI: Naproxen does not agree with her.", ["Naproxen"]),
        ("PLAN: No morphine, it was poorly tolerated. Tramadol was not tolerated either.", ["morphine", "Tramadol"]),
        ("HPI: Haldol locked his jaw up last year.", ["Haldol"]),
        ("HPI: Mom says codeine nearly killed him.", ["codeine"]),
        ("40F tooth pain. PCN all. will give clindamycin.", ["PCN"]),
        ("HPI: Zofran -> hives per patient.", ["Zofran"]),
        ("HPI: Prior contrast reaction, premedicate.", ["contrast"]),
        ("HPI: Told never to take amoxicillin again.", ["amoxicillin"]),
        ("PLAN: The old chart lists Bactrim as an allergy.", ["Bactrim"]),
        ("HPI: Her bracelet says penicillin.", ["penicillin"]),
        ("HPI: Breaks out in welts with aspirin and ibuprofen.", ["aspirin", "ibuprofen"]),
        ("PMH: anaphylaxis (peanuts), asthma.", ["peanuts"]),
        ("HPI: Meperidine should not be used in him.", ["Meperidine"]),
        ("HPI: Took Keflex but had to come off it because her lips swelled.", ["Keflex"]),
        ("HPI: Allergic reaction to penicillin resolved with Benadryl.", ["penicillin"]),
        ("HPI: allergic pcn sulfa, no meds.", ["pcn", "sulfa"]),
        ("HPI: Mother is certain that he is allergic to iodine.", ["iodine"]),
        ("HPI: Gabapentin trial failed due to sedation. Listed as intolerance.", ["Gabapentin"]),
    ],
)
def test_an_allergy_is_read(note: str, items: list[str]) -> None:
    assert read(note) == items


@pytest.mark.parametrize(
    "note",
    [
        "HPI: She does not take aspirin because of her ulcer.",
        "HPI: The nitroglycerin made him feel better.",
        "HPI: Given epinephrine for hives, improved.",
        "HPI: Denies hives, lip swelling or wheeze after starting lisinopril.",
        "HPI: Prednisone - rash improved.",
        "HPI: Glucose intolerance was found and metformin started.",
        "PMH: Penicillin allergy, removed after a negative challenge.",
        "HPI: She used to be allergic to eggs but outgrew it.",
        "HPI: Amoxicillin stopped after ten days, sore throat gone.",
        "HPI: Warfarin was held for a high INR.",
        "PMH: Egg allergy in infancy, resolved; eats eggs daily.",
        "HPI: Both of her sons are allergic to bees.",
        "HPI: No interaction or allergy issues were found with amoxicillin.",
        "HPI: She takes Norco without a problem.",
    ],
)
def test_what_only_sounds_like_one_is_none(note: str) -> None:
    assert read(note) == []


def test_a_relative_s_allergy_does_not_hide_the_patient_s_own() -> None:
    found = linker().link("HPI: She has no drug allergies, although her sister is allergic to penicillin.").allergies
    assert (found.status, found.items) == (AllergyStatus.NONE_KNOWN, ())
    assert read("HPI: He is allergic to sulfa; his mother is allergic to penicillin.") == ["sulfa"]
