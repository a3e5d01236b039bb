"""The steps many tests take a saved sample through: change, complete, sign, correct."""

from backend.review.saved_cases import Cases
from backend.schemas.patients.saved_case import (
    Acknowledgement,
    CaseView,
    Edit,
    EditKind,
    EditsRequest,
    SignatureRequest,
)
from backend.schemas.vocabulary import Severity


def replace(sentence: int | str, text: str) -> Edit:
    return Edit(kind=EditKind.REPLACE, sentence=sentence, text=text, author="Dr Brand")


def change(cases: Cases, case: CaseView, sentence: int, text: str) -> CaseView:
    return cases.edit(case.id, EditsRequest(version=case.version, edits=(replace(sentence, text),)))


def completed(cases: Cases, case: CaseView) -> CaseView:
    """The case with its gaps, sentences 2 and 3, filled: version 2."""
    made = (replace(2, "Your heart was weak."), replace(3, "Take what your list says."))
    return cases.edit(case.id, EditsRequest(version=case.version, edits=made))


def signature(case: CaseView) -> SignatureRequest:
    severe = tuple(
        Acknowledgement(flag=f.id, reason="asked the patient") for f in case.flags if f.severity == Severity.SEVERE
    )
    return SignatureRequest(version=case.version, name="Dr Brand", role="attending", acknowledgements=severe)


def signed(cases: Cases, case: CaseView) -> CaseView:
    """Completed and signed: version 2."""
    full = completed(cases, case)
    return cases.sign(case.id, signature(full))


def corrected(cases: Cases, case: CaseView) -> CaseView:
    """Signed, and corrected after that: version 3, not signed."""
    return change(cases, signed(cases, case), 5, "Keep all visits.")
