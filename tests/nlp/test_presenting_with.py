"""What somebody came with is no effect of what they have long taken, unless it is one that makes anybody think of an allergy."""

import pytest

from tests.nlp.fresh import linker


@pytest.mark.parametrize(
    "text",
    [
        "74F with a-fib on apixaban, CKD 3 presents with 4 days of worsening SOB, orthopnea and leg swelling.",
        "66M on warfarin for AF and lisinopril for HTN presents with 2 days of left leg redness, itching and swelling.",
        "She takes metoprolol and furosemide and was admitted with wheezing.",
        "Presents with swelling of the tongue since this morning. He has been on metoprolol for four years.",
        "Sore throat for three days. On lisinopril and atorvastatin.",
    ],
)
def test_a_complaint_beside_home_medicines_is_no_possible_allergy(text: str) -> None:
    assert linker().link(text).allergies.possible == ()


@pytest.mark.parametrize(
    ("text", "caused"),
    [
        ("61M on lisinopril presents with swelling of the tongue since this morning.", "lisinopril"),
        ("45F on lisinopril for two years woke with swelling of the lips and tongue.", "lisinopril"),
        (
            "Presents with swelling of the tongue since this morning. He has been on lisinopril for four years.",
            "lisinopril",
        ),
        ("30F started Bactrim five days ago and presents with fever and a rash over the trunk.", "Bactrim"),
        ("He was given ceftriaxone at noon and presents with itching and wheezing.", "ceftriaxone"),
    ],
)
def test_what_makes_one_think_of_an_allergy_is_flagged(text: str, caused: str) -> None:
    allergies = linker().link(text).allergies
    assert caused in [*(one.text for one in allergies.possible), *(one.text for one in allergies.items)]
