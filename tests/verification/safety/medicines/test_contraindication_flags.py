"""Medicines against what the patient has, had, or is written about as possible."""

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
