"""The note's own assessment and plan by problem: which decision serves which problem."""

import pytest

from backend.container.container import Container
from backend.generation.composer.progress.note_plan import NotePlan, note_plan
from backend.retrieval.patient_notes.note_pieces import pasted_pieces

HISTORY = "Chief Complaint: cough\n\nHPI: A 68-year-old man has a cough and fever for three days.\n\n"


def plan_of(container: Container, text: str) -> NotePlan:
    linked = container.linker.read(HISTORY + text)
    assert linked.record is not None
    pieces = [p.model_copy(update={"id": f"N{i}"}) for i, p in enumerate(pasted_pieces(linked), start=1)]
    return note_plan(linked.record, linked.note, pieces)


def shown(found: NotePlan) -> list[tuple[str, list[str]]]:
    problems = [(one.name, [plan.text for plan in one.plans]) for one in found.problems]
    return [*problems, ("", [plan.text for plan in found.other])]


def test_a_decision_serves_the_problem_of_its_numbered_item_and_the_rest_none(container: Container) -> None:
    found = plan_of(
        container,
        "Assessment and Plan:\n1. Pneumonia, improving. Start ceftriaxone 1 g daily.\n"
        "2. COPD: no exacerbation. Continue tiotropium.\n3. Gout.\nFollow up with Dr. Lee in 1 week.\n",
    )
    assert shown(found) == [
        ("Pneumonia", ["Start ceftriaxone 1 g daily."]),
        ("COPD", ["Continue tiotropium."]),
        ("Gout", []),
        ("", ["Follow up with Dr. Lee in 1 week."]),
    ]
    assert [p.text for p in found.problems[0].said] == ["1. Pneumonia, improving."]


def test_lines_below_a_heading_are_of_its_item(container: Container) -> None:
    found = plan_of(
        container,
        "Assessment and Plan:\n#1 Pneumonia\nContinue ceftriaxone.\n#2 Hypertension\n- Hold lisinopril.\n",
    )
    assert shown(found) == [
        ("Pneumonia", ["Continue ceftriaxone."]),
        ("Hypertension", ["Hold lisinopril."]),
        ("", []),
    ]


def test_without_numbers_the_line_decides(container: Container) -> None:
    found = plan_of(
        container, "Assessment:\nPneumonia: continue ceftriaxone.\n\nPlan:\nReturn if he is short of breath.\n"
    )
    assert shown(found) == [
        ("Pneumonia", ["Pneumonia: continue ceftriaxone."]),
        ("", ["Return if he is short of breath."]),
    ]


@pytest.mark.parametrize(
    ("plan", "paired"), [("1. Ceftriaxone 1 g daily.\n2. Hold lisinopril.\n", True), ("1. Hold lisinopril.\n", False)]
)
def test_as_many_numbers_in_assessment_and_plan_are_pairs(container: Container, plan: str, paired: bool) -> None:
    found = plan_of(container, f"Assessment:\n1. Pneumonia.\n2. Hypertension.\n\nPlan:\n{plan}")
    pressure = next(one for one in found.problems if one.name == "Hypertension")
    assert [one.text for one in pressure.plans] == (["Hold lisinopril."] if paired else [])
    assert [one.text for one in found.other] == ([] if paired else ["Hold lisinopril."])


def test_a_planned_test_without_a_verb_is_a_decision_and_a_resolved_problem_is_over(container: Container) -> None:
    found = plan_of(
        container, "Assessment and Plan:\n1. Heart failure, worse. Echocardiogram next week.\n2. Cough: resolved.\n"
    )
    assert [(one.name, one.over, [plan.text for plan in one.plans]) for one in found.problems] == [
        ("Heart failure", False, ["Echocardiogram next week."]),
        ("Cough", True, []),
    ]


def test_what_is_ruled_out_is_no_problem_of_the_plan(container: Container) -> None:
    found = plan_of(container, "Assessment:\nNo pneumonia.\n")
    assert found.problems == ()
    assert [p.text for p in found.summary] == ["No pneumonia."]


def test_a_note_without_assessment_and_plan_has_neither(container: Container) -> None:
    assert plan_of(container, "Past Medical History: gout.\n") == NotePlan()
