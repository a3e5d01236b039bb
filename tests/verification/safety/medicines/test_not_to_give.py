"""What should not be given to this patient, told before anybody offers it: by allergy, by what was stopped, by what the patient has and takes."""

import pytest

from backend.container.container import Container
from backend.schemas.drafts.draft import Flag
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Severity
from backend.verification.safety.medicines.not_to_give import often_offered

NONE = "Allergies: none known\n\n"


def told(container: Container, note: str) -> list[Flag]:
    found, _ = container.safety.check(DraftRequest(text=note), container.linker.link(note), (), ())
    return [flag for flag in found if flag.kind == "not_to_give"]


def test_every_row_names_what_the_graph_knows(container: Container) -> None:
    ids = {row.name for row in container.graph.concepts}
    named = [name for one in often_offered() for name in (one.medicine, *one.wanted, *one.whom)]
    assert [name for name in named if name not in ids] == []


def test_an_allergy_tells_its_family_and_what_may_cross_react(container: Container) -> None:
    (flag,) = told(container, "Allergies: amoxicillin (hives)\n\nHPI: A 40-year-old man with cough.")
    assert "amoxicillin (hives)" in flag.message
    assert "no penicillins" in flag.message and "ask before cephalosporins" in flag.message
    assert flag.severity is Severity.INFO


@pytest.mark.parametrize(
    ("note", "words"),
    [
        (
            "HPI: A 74-year-old man with Parkinson's disease and nausea.",
            ("Parkinson's disease", "metoclopramide", "haloperidol"),
        ),
        (
            "HPI: A 60-year-old man on warfarin 5 mg daily with back pain. INR 2.4.",
            ("warfarin", "NSAIDs", "stomach and brain bleeding"),
        ),
        ("HPI: A 30-year-old woman, 20 weeks pregnant, with cough.", ("Pregnancy", "ACE inhibitors")),
        (
            "HPI: A 40-year-old man. His brother had malignant hyperthermia.",
            ("Malignant hyperthermia", "succinylcholine"),
        ),
        (
            "HPI: A 40-year-old woman, pregnant. Lisinopril was stopped at the first visit.",
            ("lisinopril was stopped", "pregnancy"),
        ),
    ],
)
def test_what_speaks_against_what_is_often_given_is_told(
    container: Container, note: str, words: tuple[str, ...]
) -> None:
    messages = [flag.message for flag in told(container, NONE + note)]
    assert any(all(word in message for word in words) for message in messages), messages


def test_nothing_is_told_of_somebody_against_whom_nothing_speaks(container: Container) -> None:
    assert told(container, f"{NONE}HPI: A 40-year-old man with cough.") == []


def test_what_is_taken_already_is_told_of_where_it_is_taken(container: Container) -> None:
    found = told(container, f"{NONE}HPI: A 74-year-old man with heart failure. He takes ibuprofen 400 mg TID.")
    assert not any(flag.message.startswith("Heart failure") and "NSAIDs" in flag.message for flag in found)


def test_it_is_for_information_whatever_the_grade_of_the_row(container: Container) -> None:
    found = told(container, f"{NONE}HPI: A 74-year-old man with Parkinson's disease.")
    assert {flag.severity for flag in found} == {Severity.INFO}
