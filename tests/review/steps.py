"""The steps many tests take a saved sample through: change, complete, sign, correct."""

from datetime import UTC, datetime

from backend.review.saved_cases import Cases
from backend.schemas.patients.saved_case import (
    Acknowledgement,
    CaseState,
    CaseView,
    Edit,
    EditKind,
    EditsRequest,
    Signature,
    SignatureRequest,
)
from backend.schemas.vocabulary import Severity
from tests.review.sample import HEART_FAILURE


def replace(sentence: int | str, text: str) -> Edit:
    return Edit(kind=EditKind.REPLACE, sentence=sentence, text=text, author="Dr Brand")


def change(cases: Cases, case: CaseView, sentence: int, text: str) -> CaseView:
    return cases.edit(case.id, EditsRequest(version=case.version, edits=(replace(sentence, text),)))


def reopened(cases: Cases, case: CaseView, sentence: int, text: str) -> CaseView:
    return cases.edit(case.id, EditsRequest(version=case.version, edits=(replace(sentence, text),), reopen=True))


CONFIRM = Edit(kind=EditKind.CONFIRM_CONDITION, concept_id=HEART_FAILURE, author="Dr Brand")


FILLED = (replace(2, "Your heart was weak."), replace(3, "Take what your list says."))


def completed(cases: Cases, case: CaseView) -> CaseView:
    """The case with its gaps, sentences 2 and 3, filled, and the diagnosis that it tells of confirmed: version 2."""
    return cases.edit(case.id, EditsRequest(version=case.version, edits=(*FILLED, CONFIRM)))


def signature(case: CaseView) -> SignatureRequest:
    severe = tuple(
        Acknowledgement(flag=f.id, code="asked", reason="asked the patient")
        for f in case.flags
        if f.severity == Severity.SEVERE
    )
    return SignatureRequest(version=case.version, name="Dr Brand", role="attending", acknowledgements=severe)


def signed(cases: Cases, case: CaseView) -> CaseView:
    """Completed and signed: version 2."""
    full = completed(cases, case)
    return cases.sign(case.id, signature(full))


def signed_unconfirmed(cases: Cases, case: CaseView) -> CaseView:
    """As earlier versions of Leapnote signed it: its gaps filled, the diagnosis that it tells of not confirmed."""
    full = cases.edit(case.id, EditsRequest(version=case.version, edits=FILLED))
    at = datetime(2026, 5, 1, 12, 9, tzinfo=UTC)
    by = Signature(
        version=2, name="Dr Brand", role="attending", at=at, acknowledgements=signature(full).acknowledgements
    )
    return full.model_copy(update={"state": CaseState.SIGNED, "signature": by})


def corrected(cases: Cases, case: CaseView) -> CaseView:
    """Signed, and corrected after that: version 3, not signed."""
    return reopened(cases, signed(cases, case), 5, "Keep all visits.")
