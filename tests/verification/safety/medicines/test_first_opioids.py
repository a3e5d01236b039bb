"""Opioids in who is not used to them: starting doses, and patches that are never for them."""

import pytest

from backend.container.container import Container
from backend.schemas.drafts.request import DraftRequest


def severities(container: Container, story: str, *entries: str, heading: str = "Medications") -> dict[str, str]:
    """The gravest flag of dose or contraindication of each medicine of a note."""
    listed = "\n".join(f"- {one}" for one in entries)
    text = f"Allergies: none known\n\nHPI: A 55-year-old woman with a broken wrist. {story}\n\n{heading}:\n{listed}"
    flags, _ = container.safety.check(DraftRequest(text=text), container.linker.read(text), (), ())
    order = ("severe", "warning")
    own = [one for one in flags if one.kind in ("dose", "contraindication") and one.severity.value in order]
    return {
        name: min((one.severity.value for one in own if one.medicine == name), key=order.index)
        for name in {one.medicine for one in own}
    }


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("fentanyl 25 mcg/h patch every 72 hours", {"fentanyl": "severe"}),
        ("morphine 40 mg by mouth every 6 hours", {"morphine": "warning"}),  # 160 of at most 120 mg a day
        ("oxycodone 60 mg twice daily", {"oxycodone": "severe"}),  # 60 of at most 20 mg a dose
        ("hydromorphone 6 mg by mouth every 6 hours", {"hydromorphone": "warning"}),  # 6 of at most 4 mg
        ("oxycodone 5 mg every 6 hours as needed", {}),
        ("morphine 5 mg by mouth every 4 hours as needed", {}),
        ("codeine 30 mg four times daily", {}),
    ],
)
@pytest.mark.parametrize("story", ["She is opioid-naive.", "She has never taken opioids."])
def test_a_dose_for_those_used_to_opioids_is_too_much_for_who_is_not(
    container: Container, entry: str, expected: dict[str, str], story: str
) -> None:
    assert severities(container, story, entry) == expected


@pytest.mark.parametrize("entry", ["fentanyl 25 mcg/h patch every 72 hours", "oxycodone 60 mg twice daily"])
def test_what_is_taken_at_home_already_is_no_first_opioid(container: Container, entry: str) -> None:
    assert severities(container, "", entry, heading="Home medications") == {}


def test_the_first_opioid_of_a_patient_is_held_to_a_starting_dose(container: Container) -> None:
    begun = "Started today: fentanyl patch 25 mcg/hour every 3 days."
    assert severities(container, begun, "amlodipine 5 mg daily") == {"fentanyl": "severe"}


@pytest.mark.parametrize(
    "story",
    ["On long-term opioids.", "She has opioid use disorder.", "She is in palliative care for cancer."],
)
def test_who_is_used_to_opioids_may_begin_another_one(container: Container, story: str) -> None:
    found = severities(container, f"{story} Started today: oxycodone 60 mg twice daily.", "amlodipine 5 mg daily")
    assert found == {}


def test_who_takes_one_opioid_begins_no_first_one(container: Container) -> None:
    found = severities(container, "Started today: oxycodone 30 mg twice daily.", "morphine 30 mg twice daily")
    assert found == {}


def test_a_patch_for_the_pain_of_an_operation_is_warned_of_and_not_where_it_is_for_chronic_pain(
    container: Container,
) -> None:
    patch = "fentanyl 12 mcg/h patch every 72 hours"
    assert severities(container, "Acute postoperative pain.", patch) == {"fentanyl": "warning"}
    assert severities(container, "Acute postoperative pain; chronic pain of the back.", patch) == {}
