"""The plan: what a note decides or asks, by kind, with whom and when, in its own words."""

import pytest

from backend.nlp.extraction.linker import DictionaryLinker
from tests.nlp.statement_reading import read_record


@pytest.mark.parametrize(
    ("text", "kind", "whom", "when"),
    [
        ("Follow up with Dr. Lee in 2 weeks.", "follow_up", "Dr. Lee", "in 2 weeks"),
        ("Return to the ER if the pain gets worse.", "return_precaution", "", ""),
        ("Blood cultures are pending.", "pending_result", "", ""),
        ("We will obtain a chest x-ray tomorrow.", "test", "", "tomorrow"),
        ("We will start heparin.", "treatment", "", ""),
        ("She lives with her daughter who will look after her.", "carer", "daughter", ""),
        ("Admit to telemetry.", "disposition", "", ""),
        ("Discharge home tomorrow.", "disposition", "", "tomorrow"),
        ("PLAN: NPO after midnight.", "diet", "", ""),
        ("PLAN: Bed rest with the leg raised.", "activity", "", ""),
        ("Nephrology is consulted regarding renal failure.", "other", "Nephrology", ""),
    ],
)
def test_a_clause_of_the_plan(text: str, kind: str, whom: str, when: str) -> None:
    (found,) = read_record(text).plan
    assert (found.kind.value, found.whom, found.when) == (kind, whom, when)
    assert found.text in text and found.spans[0].text == found.text


def test_clauses_of_different_kinds_are_told_apart() -> None:
    found = read_record("PLAN: Continue lisinopril; follow up with cardiology in 3 months.").plan
    assert [(one.kind.value, one.text) for one in found] == [
        ("treatment", "Continue lisinopril"),
        ("follow_up", "follow up with cardiology in 3 months."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "She denies chest pain.",
        "HPI: He was discharged home two years ago.",
        "Cardiovascular: refer to HPI.",
        "FAMILY HISTORY: His mother is followed by oncology.",
        "HPI: She has been taking lisinopril.",
    ],
)
def test_what_decides_nothing_is_no_plan(text: str) -> None:
    assert read_record(text).plan == ()


def test_an_item_that_only_names_a_problem_is_no_plan_and_one_with_a_test_is(linker: DictionaryLinker) -> None:
    text = "PLAN: 1. Hypertension.\n2. Chest x-ray."
    found = read_record(text, linker.link(text).note.mentions).plan
    assert [(one.kind.value, one.text) for one in found] == [("test", "Chest x-ray.")]
