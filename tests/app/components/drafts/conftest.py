"""A saved case with one severe flag and its gaps, by the API in memory."""

import pytest

from backend.schemas.drafts.draft import Flag
from backend.schemas.patients.saved_case import CaseView, SaveRequest
from backend.schemas.vocabulary import Severity
from tests.app.fake_cases import FakeCases
from tests.review.sample import sample

SEVERE = Flag(kind="allergy", severity=Severity.SEVERE, message="*Lisinopril* is named, and the note says angioedema.")


@pytest.fixture
def view() -> CaseView:
    draft = sample().model_copy(update={"flags": (SEVERE,)})
    return FakeCases().save_case(SaveRequest(draft=draft, label="Mrs *A*", author="Dr Ames"))
