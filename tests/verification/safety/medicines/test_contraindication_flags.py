"""Medicines against what the patient has, had, or is written about as possible."""

import pytest

from backend.container import Container
from backend.schemas.drafts.evidence import Condition
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import ConditionStatus, Severity
from tests.verification.flags import QUIET, Check, of, said

FAILURE = Condition(
    concept_id="T:heart-failure", name="heart failure", score=0.9, focus=True, status=ConditionStatus.POSSIBLE
)


def test_what_the_patient_takes_and_has_is_a_warning_where_the_fact_has_no_grade(check: Check) -> None:
    flags, checks = check(f"{QUIET} She has heart failure. She takes ibuprofen.")
    (flag,) = of(flags, "contraindication")
    assert flag.severity is Severity.WARNING
    assert "ibuprofen in the note should not be used with heart failure" in flag.message
    (row,) = [row for row in checks.compared if row.kind == "medicine"]
    assert row.found == "conflict: heart failure"


def test_a_medicine_that_the_draft_alone_names_is_a_warning_at_its_sentence(check: Check) -> None:
    (flag,) = of(
        check(f"{QUIET} She has heart failure.", said("Rest."), said("Take ibuprofen."))[0], "contraindication"
    )
    assert (flag.severity, flag.sentence) == (Severity.WARNING, 1)


def test_what_is_written_about_as_possible_is_a_warning(check: Check) -> None:
    (flag,) = of(check(f"{QUIET} She takes ibuprofen.", conditions=(FAILURE,))[0], "contraindication")
    assert flag.severity is Severity.WARNING
    assert flag.message.endswith("which is possible here.")


def test_what_is_denied_ruled_out_or_another_s_speaks_against_nothing(check: Check) -> None:
    ruled_out = FAILURE.model_copy(update={"status": ConditionStatus.RULED_OUT})
    for note, conditions in (
        ("She denies heart failure. She takes ibuprofen.", ()),
        ("Her mother has heart failure. She takes ibuprofen.", ()),
        ("She takes ibuprofen.", (ruled_out,)),
        ("She has heart failure. She takes furosemide.", ()),
        ("She has heart failure. She stopped ibuprofen.", ()),
    ):
        flags, _ = check(f"{QUIET} {note}", conditions=conditions)
        assert [flag for flag in of(flags, "contraindication") if flag.severity is Severity.SEVERE] == [], note


def test_one_flag_tells_all_that_speaks_against_a_medicine(container: Container) -> None:
    note = "Allergies: none\n\nHPI: A 60-year-old woman with a bleeding peptic ulcer and melena. She takes naproxen.\n"
    draft = container.pipeline("leapnote").run(DraftRequest(text=note))
    told = [
        f for f in draft.flags if f.kind == "contraindication" and f.message.startswith("naproxen in the note should")
    ]
    assert len({flag.severity for flag in told}) == len(told)
    causes = [
        cause for cause in ("peptic ulcer disease", "melena", "bleeding (") if any(cause in f.message for f in told)
    ]
    assert len(causes) > len(told)


@pytest.mark.parametrize(
    ("told", "severe"),
    [("\n\nPlan: Pacemaker tomorrow.", True), ("He has had a pacemaker since 2019.", False)],
)
def test_a_device_that_is_planned_protects_nobody_yet(container: Container, told: str, severe: bool) -> None:
    note = (
        f"Allergies: none\n\nHPI: A 60-year-old man with complete heart block. He takes bisoprolol 10 mg daily. {told}"
    )
    flags, _ = container.safety.check(DraftRequest(text=note), container.linker.link(note), (), ())
    against = [one for one in flags if one.kind == "contraindication" and one.severity is Severity.SEVERE]
    assert bool(against) is severe


def test_what_must_be_thought_of_before_an_operation_is_not_asked_after_it(container: Container) -> None:
    head = "Allergies: none\n\nHPI: A 70-year-old woman, "
    asked = []
    for told in ("for a planned laparoscopic appendectomy tomorrow", "day 2 after laparoscopic appendectomy"):
        note = f"{head}{told}. She takes enoxaparin 40 mg daily."
        flags, _ = container.safety.check(DraftRequest(text=note), container.linker.link(note), (), ())
        asked.append(any("surgery" in one.message for one in flags if one.kind == "contraindication"))
    assert asked == [True, False]
