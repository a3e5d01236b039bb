"""What stands beside a saved case's sentences, drawn: flags, conditions, the signature and the copies."""

from functools import partial

from app.components.drafts import signing
from backend.schemas.drafts.evidence import Condition
from backend.schemas.patients.saved_case import (
    AuditAction,
    AuditEntry,
    CaseView,
    CopyKind,
    EditKind,
    ExportFormat,
    Signature,
)
from backend.schemas.vocabulary import ConditionStatus, Severity
from tests.app.conftest import Drawn
from tests.app.fake_cases import NOW

PAPER = ExportFormat(name="txt", label="Text", media_type="text/plain", suffix="txt", copies=tuple(CopyKind))
RECORD = PAPER.model_copy(update={"name": "fhir", "label": "Record", "suffix": "json", "for_programs": True})
OURS = PAPER.model_copy(update={"name": "pdf", "label": "PDF", "suffix": "pdf", "copies": (CopyKind.CLINICIAN,)})


def signed(view: CaseView) -> CaseView:
    signature = Signature(version=1, name="Dr *Ames*", role="ward", at=NOW)
    return view.model_copy(update={"signature": signature, "gaps": ()})


def test_a_severe_flag_asks_for_its_reason_and_the_others_wait_behind_a_line(view: CaseView) -> None:
    severe = view.flags[0]
    mild = severe.model_copy(update={"id": "f9", "severity": Severity.INFO, "message": "Long sentences."})
    both = view.model_copy(update={"flags": (mild, severe)})
    drawn = Drawn(lambda: signing.draw_flags(both, "{}_{}".format))
    assert r"\*Lisinopril\*" in drawn.test.error[0].value and len(drawn.test.error) == 1
    assert [str(box.key) for box in drawn.test.checkbox] == [f"ack_{severe.id}"]
    assert [str(field.key) for field in drawn.test.text_input] == [f"reason_{severe.id}"]
    assert [one.label for one in drawn.test.expander] == ["1 other flag"]


def test_a_flag_names_its_sentence_where_that_is_still_there(view: CaseView) -> None:
    flag = view.flags[0].model_copy(update={"message": "So.", "sentence": 0})
    assert signing.flag_text(flag, {0: "S1"}) == "So. (S1)"
    assert signing.flag_text(flag, {}) == "So."
    assert signing.flag_text(flag.model_copy(update={"sentence": None}), {0: "S1"}) == "So."


def test_each_condition_offers_only_what_may_still_be_said_of_it() -> None:
    conditions = [
        Condition(concept_id=status.value, name="gout", score=1, status=status, focus=True)
        for status in (ConditionStatus.POSSIBLE, ConditionStatus.CONFIRMED, ConditionStatus.RULED_OUT)
    ]
    judged: list[tuple[str, EditKind]] = []
    drawn = Drawn(lambda: signing.draw_conditions(conditions, lambda *given: judged.append(given)))
    assert drawn.buttons() == ["confirm_possible", "rule_out_possible", "rule_out_confirmed", "confirm_ruled_out"]
    drawn.press("rule_out_possible")
    assert judged == [("possible", EditKind.RULE_OUT_CONDITION)]
    assert Drawn(lambda: signing.draw_conditions([], lambda *given: None)).test.expander.len == 0


def test_a_case_can_be_signed_once(view: CaseView) -> None:
    done: list[str] = []
    drawn = Drawn(lambda: signing.draw_signing(view, partial(done.append, "signed"))).press("sign")
    assert done == ["signed"] and f"{len(view.gaps)} gaps left to complete." in drawn.said()
    after = Drawn(lambda: signing.draw_signing(signed(view), lambda: None))
    assert after.buttons() == [] and r"Dr \*Ames\*" in after.test.success[0].value


def test_the_patients_copy_exists_only_once_signed_and_never_for_programs(view: CaseView) -> None:
    held = view.model_copy(update={"exports": (PAPER, RECORD, OURS)})
    before = Drawn(lambda: signing.draw_copies(held, lambda *given: b""))
    assert before.files() == ["Text", "Record", "PDF"]
    assert "marked as not signed" in before.said() and "once this version is signed" in before.said()
    after = Drawn(lambda: signing.draw_copies(signed(held), lambda *given: b""))
    assert after.files() == ["Text", "Record", "PDF", "Text"]  # the last is the patient's


def test_a_refused_signature_lists_all_that_stands_against_it(view: CaseView) -> None:
    said = Drawn(lambda: signing.draw_refused_signature(view.flags, view.gaps)).said()
    assert all(flag.message in said for flag in view.flags) and all(gap.text in said for gap in view.gaps)
    alone = Drawn(lambda: signing.draw_refused_signature((), view.gaps)).said()
    assert "Acknowledge" not in alone


def test_the_audit_trail_is_asked_for_only_when_wanted() -> None:
    asked: list[str] = []

    def audit() -> tuple[AuditEntry, ...]:
        asked.append("asked")
        return (AuditEntry(id="1", at=NOW, actor="Dr Ames", action=AuditAction.CREATE, case_id="c", version=1),)

    drawn = Drawn(lambda: signing.draw_history((), audit))
    assert "Nothing was changed yet." in drawn.said() and asked == []
    drawn.test.toggle(key="show_audit").set_value(True)
    assert list(drawn.run().test.dataframe[0].value["who"]) == ["Dr Ames"]
