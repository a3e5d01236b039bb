"""The code tables of FHIR and C-CDA."""

import pytest

from backend.ingest.patient_records.code_tables import Code, code_of, concept, own_code, value_of
from backend.schemas.record import (
    ClinicalStatus,
    MedicationCategory,
    ProcedureStatus,
    Setting,
    SocialKind,
    VerificationStatus,
)


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("clinical_status", ClinicalStatus),
        ("verification_status", VerificationStatus),
        ("allergy_verification", VerificationStatus),
        ("medication_category", MedicationCategory),
        ("device_status", ProcedureStatus),
        ("setting", Setting),
        ("social_kind", SocialKind),
    ],
)
def test_every_value_of_a_field_has_a_code(field: str, values: type[ClinicalStatus]) -> None:
    assert [value for value in values if code_of(field, value) is None] == []


def test_a_code_is_read_whatever_its_system_and_the_first_known_counts() -> None:
    assert value_of("clinical_status", ["x", "relapse", "resolved"]) == "active"
    assert value_of("clinical_status", ["x"]) == ""


def test_of_two_values_with_one_code_the_first_is_read() -> None:
    # an unknown stay of the class IMP is an admission, not a consultation
    assert value_of("setting", ["IMP"]) == Setting.ADMISSION


def test_a_concept_leaves_out_what_is_empty() -> None:
    assert concept("", None) == {}
    assert concept("a", Code("", "c", ""), own_code("x", "y")) == {
        "coding": [{"code": "c"}, {"system": "urn:leapnote:x", "code": "y"}],
        "text": "a",
    }
