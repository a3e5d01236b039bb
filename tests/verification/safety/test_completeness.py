"""What a draft lacks, or should not say."""

import pytest

from backend.schemas.drafts.evidence import Condition, Reason
from backend.schemas.vocabulary import Basis, ConditionStatus, Document, Severity, Support
from tests.verification.flags import QUIET, Check, of, said


def of_patient(text: str) -> object:
    return said(text, basis=Basis.PATIENT)


@pytest.mark.parametrize(
    ("note", "sentence", "flagged"),
    [
        ("She denies fever.", "You had a fever.", True),
        ("She denies fever.", "You had no fever.", False),
        ("She denies fever. On Monday she had a fever.", "You had a fever.", False),  # the note says both
        ("She has a cough.", "You had a fever.", False),  # not told, and not denied
    ],
)
def test_what_the_note_only_denies_may_not_be_said_of_the_patient(
    check: Check, note: str, sentence: str, flagged: bool
) -> None:
    flags, _ = check(f"{QUIET} {note}", of_patient(sentence))
    assert bool(of(flags, "negated_asserted")) is flagged


def test_general_advice_says_nothing_of_the_patient(check: Check) -> None:
    flags, _ = check(f"{QUIET} She denies fever.", said("Call if you have a fever."))
    assert of(flags, "negated_asserted") == []


def test_parts_without_a_statement_are_named_and_an_empty_draft_lacks_none(check: Check) -> None:
    flags, _ = check(QUIET, said("Cough.", section="Subjective"), document=Document.PROGRESS_NOTE)
    (flag,) = of(flags, "missing_part")
    assert "Assessment" in flag.message and "Subjective" not in flag.message
    assert of(check(QUIET, document=Document.PROGRESS_NOTE)[0], "missing_part") == []


def test_gaps_are_counted_and_unsupported_sentences_pointed_at(check: Check) -> None:
    gap = said("[team to complete: doses]", support=Support.NOT_SCORED)
    flags, _ = check(QUIET, gap, gap, said("Zorb.", support=Support.UNSUPPORTED))
    assert [flag.message for flag in of(flags, "gap")] == ["2 places are left for the team to complete."]
    (flag,) = of(flags, "unsupported_sentence")
    assert (flag.sentence, flag.evidence) == (2, ("N1",))


def condition(score: float, findings: int, **fields: object) -> Condition:
    because = tuple(
        Reason(concept_id=f"T:{n}", name=f"sign {n}", relation="has_finding", weight=1.0) for n in range(findings)
    )
    given = {
        "concept_id": "T:pulmonary-embolism",
        "name": "pulmonary embolism",
        "must_not_miss": True,
        "status": ConditionStatus.POSSIBLE,
    }
    return Condition.model_validate(given | {"score": score, "because": because} | fields)


@pytest.mark.parametrize(
    ("found", "severity"),
    [
        (condition(0.4, 2), Severity.WARNING),
        (condition(0.39, 2), Severity.INFO),
        (condition(0.9, 1), Severity.INFO),  # one typical finding is not enough
        (condition(0.9, 2, status=ConditionStatus.CONFIRMED), None),
        (condition(0.9, 2, focus=True), None),  # what the document is about is in sight
        (condition(0.9, 2, must_not_miss=False), None),
    ],
)
def test_an_open_condition_that_must_not_be_missed_is_named_where_it_fits(
    check: Check, found: Condition, severity: Severity | None
) -> None:
    flags = of(check(f"{QUIET} She has dyspnea.", conditions=(found,))[0], "must_not_miss")
    assert [flag.severity for flag in flags] == ([severity] if severity else [])
    assert all(
        ("pulmonary embolism (sign 0, sign 1)" in flag.message) is (severity is Severity.WARNING) for flag in flags
    )
