"""How plans word what becomes of a medicine: no change, advice to take, a swap, the most that is allowed, items without a name."""

import pytest

from backend.schemas.record import MedicationStatement, MedicationStatus
from tests.nlp.medications.attributes import statements


def told(text: str) -> dict[str, MedicationStatement]:
    return {one.name: one for one in statements(text)}


@pytest.mark.parametrize(
    "text",
    [
        "Plan: No change to her valsartan.",
        "Plan: We will not make any changes to her valsartan.",
        "HPI: He takes ezetimibe.\nPlan: Continue ezetimibe. No change to his valsartan.",
    ],
)
def test_no_change_to_a_medicine_goes_on_with_it_and_replaces_none(text: str) -> None:
    assert {(one.change, one.status.value) for one in statements(text)} == {("continued", "active")}


def test_a_joined_medicine_with_its_article_goes_on_too() -> None:
    found = told("Plan: He will continue losartan 100 mg daily as well as the ezetimibe 10 mg daily.")
    assert {name: one.change for name, one in found.items()} == {"losartan": "continued", "ezetimibe": "continued"}


@pytest.mark.parametrize(
    "text",
    [
        "Plan: Replace ibuprofen with celecoxib which I will prescribe.",
        "Plan: Swap ibuprofen for celecoxib 200 mg daily.",
    ],
)
def test_what_takes_the_place_of_a_medicine_is_begun(text: str) -> None:
    found = told(text)
    assert found["ibuprofen"].status is MedicationStatus.STOPPED
    assert (found["celecoxib"].status, found["celecoxib"].change) == (MedicationStatus.INTENDED, "started")


def test_up_to_is_the_most_and_no_increase() -> None:
    (one,) = statements("Plan:\n1. Senna - use up to 2 tablets at night\n")
    assert (one.status, one.change) == (MedicationStatus.INTENDED, "")


def test_when_it_is_taken_again_is_no_frequency() -> None:
    (one,) = statements("Plan: Resume etanercept 50 mg every 2 weeks.")
    assert (one.change, one.resumes, one.dosage.timing_text) == ("resumed", "", "every 2 weeks")


def test_as_needed_is_kept_when_two_places_tell_one_medicine() -> None:
    (one,) = statements(
        "HPI: He takes acetaminophen every 6 to 8 hours.\nPlan: He may continue acetaminophen as needed."
    )
    assert one.dosage.as_needed and one.dosage.timing_text == "every 6 to 8 hours"


@pytest.mark.parametrize(
    ("text", "routes"),
    [
        ("DH: Maalox PRN, nasal spray PRN (unsure of name), ramipril", ["", "", ""]),
        ("DH: Maalox PRN, eye drops, ramipril", ["", "", ""]),
        ("MEDICATIONS\nfluticasone nasal spray 50 mcg daily\neye drops for glaucoma\n", ["", ""]),
        ("DH: timolol 0.5%, eye drops bd", ["ophthalmic"]),
    ],
)
def test_an_item_without_a_name_is_one_of_its_own_and_lends_its_route_to_none(text: str, routes: list[str]) -> None:
    assert [one.dosage.route for one in statements(text)] == routes


def test_the_form_behind_a_name_is_no_item() -> None:
    (one,) = statements("Plan: He will use albuterol inhalers as needed.")
    assert one.name == "albuterol" and one.dosage.as_needed


def test_a_name_with_its_article_is_governed_by_the_verb_before_it() -> None:
    (one,) = statements("HPI: She takes the pill.\nPlan: She will continue the pill.")
    assert one.change == "continued"


@pytest.mark.parametrize("words", ["self-weaned from", "weaned himself off", "weaned herself off of"])
def test_who_weans_themselves_off_a_medicine_has_stopped_it(words: str) -> None:
    (one,) = statements(f"HPI: The patient {words} venlafaxine 75 mg daily.")
    assert one.status is MedicationStatus.STOPPED


def test_what_helped_and_is_not_taken_now_is_stopped() -> None:
    (one,) = statements("HPI: Propranolol 10 mg tds helped but not taking now.")
    assert one.status is MedicationStatus.STOPPED


def test_a_pair_in_a_plan_of_short_items_is_planned() -> None:
    found = told("Imp: tonsillitis\nPlan: fluids, paracetamol and ibuprofen prn, rest")
    assert {one.status for one in found.values()} == {MedicationStatus.INTENDED}
    assert all("medications/plan-item" in one.rule_ids[0] or "plan-item" in one.rule_ids[0] for one in found.values())
