"""Collecting the statements of an imported file into a record."""

import pytest

from backend.ingest.patient_records.imported_statements import ImportedStatements, age_between, number_text
from backend.nlp.lexicon.matches import Candidate
from backend.schemas.record import AllergyStatement, MedicationStatement, ProblemStatement, StatedBy, VerificationStatus
from backend.schemas.vocabulary import AllergyStatus

GOUT = Candidate("T:gout", "gout", "DISO", "disease", 1.0, "exact")


def test_statements_are_numbered_and_say_where_they_come_from() -> None:
    held = ImportedStatements()
    held.add(ProblemStatement, "r1", name="gout", concept_id=None)
    held.add(ProblemStatement, "r2", name="rash", concept_id=None)
    assert [(p.id, p.rule_ids, p.stated_by) for p in held.record().problems] == [
        ("problem-1", ("r1",), StatedBy.IMPORT),
        ("problem-2", ("r2",), StatedBy.IMPORT),
    ]


def test_an_extension_that_the_class_refuses_is_left_out_and_never_a_statement() -> None:
    held = ImportedStatements()
    held.add(MedicationStatement, "r", (), {"change": "sold", "id": "mine"}, name="aspirin", concept_id=None)
    held.add(MedicationStatement, "r", (), {"change": "started", "id": "mine"}, name="aspirin", concept_id=None)
    assert [(m.id, m.change) for m in held.record().medications] == [("medication-1", ""), ("medication-2", "started")]


def test_what_was_stated_first_of_the_person_stays() -> None:
    held = ImportedStatements()
    held.describe_person("r1", sex="female", weight_kg=None)
    held.describe_person("r2", sex="male", weight_kg=61.5)
    person = held.record().person
    assert (person.sex, person.weight_kg, person.rule_ids) == ("female", 61.5, ("r1", "r2"))


def test_a_name_is_the_lexicon_s_or_its_own_without_its_tag() -> None:
    held = ImportedStatements({"gout": GOUT}.get)
    assert held.named("gout (disorder)")[:2] == ("gout", "T:gout")
    assert held.named("zorblax (disorder)")[:2] == ("zorblax", None)


@pytest.mark.parametrize(
    ("verified", "whole", "status"),
    [
        (VerificationStatus.CONFIRMED, False, AllergyStatus.LISTED),
        (VerificationStatus.CONFIRMED, True, AllergyStatus.NONE_KNOWN),  # the list of Leapnote's own stays as it is
        (VerificationStatus.REFUTED, False, AllergyStatus.NONE_KNOWN),
    ],
)
def test_a_listed_allergy_beats_a_list_that_says_none(
    verified: VerificationStatus, whole: bool, status: AllergyStatus
) -> None:
    held = ImportedStatements()
    held.describe_allergies(AllergyStatus.NONE_KNOWN, "none", whole=whole)
    held.add(AllergyStatement, "r", agent="penicillin", verification_status=verified)
    assert held.record().allergies.status is status


@pytest.mark.parametrize(
    ("birth", "at", "age"),
    [
        ("2000-06-15", "2030-06-14", 29),
        ("2000-06-15", "2030-06-15T10:00", 30),
        ("2029-06-15", "2030-06-14", 11 / 12),
        ("2028-06-15", "2030-06-15", 2),
        ("2031-01-01", "2030-01-01", None),
        ("2000", "2030-01-01", None),
        ("", "", None),
    ],
)
def test_an_age_is_whole_years_or_months_of_a_toddler(birth: str, at: str, age: float | None) -> None:
    assert age_between(birth, at) == (age if age is None else pytest.approx(age))


def test_a_number_is_written_as_in_a_note() -> None:
    assert [number_text(value) for value in (7.9, 120.0, 0.1 + 0.2)] == ["7.9", "120", "0.3"]
