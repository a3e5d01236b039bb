"""One treatment that ends as another begins: what the note tells of a medicine's end, and what takes its place."""

import pytest

from tests.nlp.medications.attributes import statements


def ends(text: str) -> dict[str, tuple[bool, tuple[str, ...]]]:
    """By medicine: whether its end is told, and what begins in its place."""
    return {one.name: (bool(one.ends), one.replaced_by) for one in statements(text) if one.ends}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("He was switched from rivaroxaban to apixaban.", {"rivaroxaban": (True, ("LN:apixaban",))}),
        ("Rivaroxaban stopped today, changed to apixaban 5 mg BID.", {"rivaroxaban": (True, ("LN:apixaban",))}),
        ("Plan: apixaban 5 mg BID instead of warfarin.", {"warfarin": (True, ("LN:apixaban",))}),
        ("Heparin for two days, then apixaban 10 mg BID.", {"heparin": (True, ("LN:apixaban",))}),
        ("Plan: dalteparin 12,500 units daily until INR above 2.", {"dalteparin": (True, ())}),
        ("Her apixaban (last dose tonight) and propranolol.", {"apixaban": (True, ())}),
        ("Enoxaparin 40 mg tonight, then stop.", {"enoxaparin": (True, ())}),
        ("Dalteparin 5000 units in hospital only.", {"dalteparin": (True, ())}),
        ("He takes warfarin and enoxaparin 40 mg daily for 28 days.", {}),  # a length of time is no end of its own
        ("She takes apixaban. The dose of bisoprolol was changed to 5 mg.", {}),
        ("He is on warfarin until we meet again.", {}),
        ("She takes apixaban, last dose this morning.", {}),
    ],
)
def test_the_end_of_a_medicine_is_told(text: str, found: dict[str, tuple[bool, tuple[str, ...]]]) -> None:
    assert ends(text) == found


def test_what_is_begun_may_stand_in_the_next_sentence() -> None:
    assert ends("Enoxaparin 80 mg BID was ordered. To switch to rivaroxaban next week.") == {
        "enoxaparin": (True, ("LN:rivaroxaban",))
    }


def test_the_words_that_tell_the_end_are_kept() -> None:
    (one,) = statements("Plan: dalteparin 12,500 units until INR above 2, review Friday.")
    assert one.ends == "until INR above 2"


@pytest.mark.parametrize(
    "listed",
    [
        "aspirin 81 mg daily, metformin 500 mg BID, lisinopril 10 mg daily.",
        "\n1. Lisinopril 10 mg daily.\n2. Aspirin 81 mg daily.",
    ],
)
def test_of_several_medicines_before_none_is_ended_by_what_begins(listed: str) -> None:
    found = statements(f"MEDICATIONS: {listed}\n\nPLAN: Will switch to losartan 50 mg daily.")
    assert not any(one.ends for one in found)
    assert {one.status.value for one in found if one.name != "losartan"} == {"active"}
