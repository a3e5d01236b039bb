"""A FHIR bundle, a C-CDA document and a note that say the same give the same record."""

import json
from pathlib import Path
from typing import Any

import pytest

from backend.ingest.clinical_notes.ccda import cda_note
from backend.ingest.patient_records.ccda_record import ccda_to_record
from backend.ingest.patient_records.fhir_record import bundle_to_record
from backend.knowledge.starter import read_starter
from backend.nlp.extraction.linker import DictionaryLinker
from backend.schemas.record import (
    ClinicalStatus,
    Dosage,
    Experiencer,
    HabitStatus,
    PatientRecord,
    SocialKind,
    VerificationStatus,
)
from backend.settings import ROOT

SAMPLE = Path(__file__).parent / "sample"
BASE = {"id", "spans", "rule_ids", "certainty", "stated_by", "author", "at"}


@pytest.fixture(scope="module")
def linker() -> DictionaryLinker:
    """The starter vocabulary."""
    return DictionaryLinker([row for row, _ in read_starter(ROOT / "assets" / "knowledge").concepts])


@pytest.fixture(scope="module")
def of_bundle(linker: DictionaryLinker) -> PatientRecord:
    return bundle_to_record(json.loads((SAMPLE / "bundle.json").read_text()), linker.lookup)


@pytest.fixture(scope="module")
def of_document(linker: DictionaryLinker) -> PatientRecord:
    return ccda_to_record((SAMPLE / "document.xml").read_bytes(), "document.xml", linker.lookup)


@pytest.fixture(scope="module")
def of_text(linker: DictionaryLinker) -> PatientRecord:
    record = linker.read((SAMPLE / "note.txt").read_text()).record
    assert record is not None
    return record


def stated(record: PatientRecord) -> dict[str, Any]:
    """The record without what an import cannot share: numbers, spans, sources."""
    fields: dict[str, Any] = json.loads(record.model_dump_json())

    def bare(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: bare(inner) for name, inner in value.items() if name not in BASE}
        return [bare(inner) for inner in value] if isinstance(value, list) else value

    stripped: dict[str, Any] = bare(fields)
    return stripped


def amount(dosage: Dosage) -> tuple[float | None, str, str, bool]:
    return dosage.dose, dosage.unit, dosage.timing, dosage.as_needed


def test_a_bundle_and_a_document_give_the_same_record(of_bundle: PatientRecord, of_document: PatientRecord) -> None:
    theirs, ours = stated(of_bundle), stated(of_document)
    assert {name: value for name, value in theirs.items() if value != ours[name]} == {}


def test_the_bundle_gives_what_its_resources_say(of_bundle: PatientRecord) -> None:
    person, encounter = of_bundle.person, of_bundle.encounter
    # born on 10 May 1958, 4 February 2031: the birthday of 2031 is to come
    assert (person.age_years, person.sex) == (72, "female")
    assert (encounter.setting, encounter.date, encounter.reason) == ("admission", "2031-02-04", "cough")
    assert [amount(one.dosage) for one in of_bundle.medications] == [
        (25, "mg", "BID", False),
        (10, "mg", "QD", False),
        (500, "mg", "Q6H", True),
    ]
    assert of_bundle.medications[2].dosage.as_needed_for == "pain"
    assert [(one.measure, one.value, one.value_text) for one in of_bundle.observations] == [
        ("potassium", 4.2, "4.2"),
        ("blood pressure", None, "150/90"),
    ]
    assert [(one.kind, one.status) for one in of_bundle.social] == [("tobacco", "former")]
    assert [(one.kind, one.text) for one in of_bundle.plan] == [("follow_up", "Follow-up with cardiology")]
    assert [(one.name.lower(), one.status, one.date) for one in of_bundle.procedures] == [
        ("cholecystectomy", "past", "2015")
    ]


@pytest.mark.parametrize("imported", ["of_bundle", "of_document"])
def test_problems_and_allergies_are_those_of_the_text(
    imported: str, of_text: PatientRecord, request: pytest.FixtureRequest
) -> None:
    record: PatientRecord = request.getfixturevalue(imported)

    def problems(of: PatientRecord) -> dict[str, tuple[str, ...]]:
        return {
            one.name: (one.clinical_status, one.verification_status, one.experiencer)
            for one in of.problems
            # of today's reason and of what a medicine is for, coded files speak elsewhere
            if one.name not in ("cough", "pain")
        }

    # a text's habit is a social statement and, as annotators have it, a problem; coded files state it once, as social
    habit = {"smoking": (ClinicalStatus.RESOLVED, VerificationStatus.CONFIRMED, Experiencer.PATIENT)}
    assert [(one.kind, one.status) for one in record.social] == [(SocialKind.TOBACCO, HabitStatus.FORMER)]
    assert problems(record) | habit == problems(of_text)
    assert {one.name: one.concept_id for one in record.problems}.items() <= {
        one.name: one.concept_id for one in of_text.problems
    }.items()
    assert [(one.agent, one.concept_id, one.reaction) for one in record.allergies.items] == [
        (one.agent, one.concept_id, one.reaction) for one in of_text.allergies.items
    ]
    assert record.allergies.status == of_text.allergies.status


@pytest.mark.parametrize("imported", ["of_bundle", "of_document"])
def test_medicines_are_those_of_the_text(imported: str, of_text: PatientRecord, request: pytest.FixtureRequest) -> None:
    record: PatientRecord = request.getfixturevalue(imported)
    named = [(one.name, one.concept_id, one.status, one.category) for one in record.medications]
    assert named == [(one.name, one.concept_id, one.status, one.category) for one in of_text.medications]
    for mine, theirs in zip(record.medications, of_text.medications, strict=True):
        if theirs.dosage != Dosage():
            assert amount(mine.dosage) == amount(theirs.dosage)


def test_statements_say_that_they_are_imported_and_from_where(
    of_bundle: PatientRecord, of_document: PatientRecord
) -> None:
    assert of_bundle.problems[0].rule_ids == ("fhir/Condition/c1",)
    assert of_document.problems[0].rule_ids == ("c-cda/problem/11450-4-1",)
    for record in (of_bundle, of_document):
        held = [*record.problems, *record.medications, *record.allergies.items, *record.procedures, record.person]
        assert {one.stated_by for one in held} == {"import"}


def test_spans_of_a_document_are_of_its_own_note_and_never_of_today_s(of_document: PatientRecord) -> None:
    text = cda_note((SAMPLE / "document.xml").read_bytes(), "document.xml").note.text
    spans = [span for one in (*of_document.problems, *of_document.allergies.items) for span in one.spans]
    assert [span.text for span in spans][:2] == ["Pneumonia", "No chest pain"]
    assert {span.note_id for span in spans} == {"c-cda/doc-1"}
    assert all(text[span.start_char : span.end_char] == span.text for span in spans)
