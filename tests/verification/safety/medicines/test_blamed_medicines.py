"""Medicines that go on though the note blames them for what the patient has today."""

import pytest

from backend.container.container import Container
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Severity


def found(container: Container, story: str, *entries: str) -> list[tuple[Severity, str]]:
    """The flags that tell of a blamed medicine."""
    listed = "\n".join(f"- {one}" for one in entries)
    text = f"Allergies: none known\n\nHPI: A 72-year-old man was admitted today. {story}\n\nMedications:\n{listed}"
    flags, _ = container.safety.check(DraftRequest(text=text), container.linker.read(text), (), ())
    return [(one.severity, one.medicine) for one in flags if "as the cause of" in one.message]


@pytest.mark.parametrize(
    ("story", "entry", "medicine"),
    [
        ("Hyponatremia secondary to his indapamide.", "indapamide 1.5 mg daily", "indapamide"),
        ("Gout flare, thought to be due to furosemide.", "furosemide 40 mg daily", "furosemide"),
        ("Alopecia attributed to valproate.", "valproate 500 mg twice daily", "valproate"),
        ("He has lithium-induced diabetes insipidus.", "lithium 600 mg nightly", "lithium"),
        ("Hypokalemia caused by thiazide.", "indapamide 1.5 mg daily", "indapamide"),
    ],
)
def test_a_blamed_medicine_that_goes_on_is_warned_of_or_a_row_of_safety_speaks_of_it(
    container: Container, story: str, entry: str, medicine: str
) -> None:
    text = f"Allergies: none known\n\nHPI: A 72-year-old man was admitted today. {story}\n\nMedications:\n- {entry}"
    flags, _ = container.safety.check(DraftRequest(text=text), container.linker.read(text), (), ())
    own = [one for one in flags if one.medicine == medicine and one.kind in ("contraindication", "allergy_conflict")]
    assert own, [one.message for one in flags]


def test_the_flag_of_the_blame_itself_is_a_warning(container: Container) -> None:
    flags = found(container, "Hyponatremia due to indapamide.", "indapamide 1.5 mg daily")
    assert flags == [(Severity.WARNING, "indapamide")]


@pytest.mark.parametrize(
    ("story", "entry"),
    [
        ("Hyponatremia due to indapamide, which was stopped.", "amlodipine 5 mg daily"),
        ("Hyponatremia due to vomiting. He takes indapamide.", "indapamide 1.5 mg daily"),
        ("Hyponatremia not due to indapamide.", "indapamide 1.5 mg daily"),
        ("No hyponatremia due to indapamide.", "indapamide 1.5 mg daily"),
        ("Hyponatremia due to indapamide; the dose was reduced to 1.5 mg daily.", "amlodipine 5 mg daily"),
        ("Hypertension, now from losartan to indapamide.", "indapamide 1.5 mg daily"),
        ("Hyponatremia due to indapamide.", "amlodipine 5 mg daily"),
    ],
)
def test_what_is_over_denied_or_due_to_something_else_blames_nothing(
    container: Container, story: str, entry: str
) -> None:
    assert found(container, story, entry) == []
