"""A copy as a FHIR document."""

import json
import re
from typing import Any

import pytest
from fhir.resources.R4B.bundle import Bundle
from lxml import etree

from backend.ingest.patient_records.fhir_record import bundle_to_record
from backend.review.saved_cases import Cases
from backend.schemas.drafts.note import Allergies
from backend.schemas.patients.saved_case import CaseView, CopyKind
from backend.schemas.record import (
    AllergyRecord,
    AllergyStatement,
    MedicationStatement,
    PatientRecord,
    Person,
    ProblemStatement,
)
from backend.schemas.vocabulary import AllergyStatus
from tests.review.exports.contents.test_patient_letter import letter
from tests.review.exports.reading import HOSTILE, SHOWN, file, save
from tests.review.sample import HEART_FAILURE, sample, with_sentence
from tests.review.steps import corrected, signed, signed_unconfirmed


def bundle(view: CaseView, kind: CopyKind = CopyKind.CLINICIAN) -> dict[str, Any]:
    data = file(view, "fhir", kind)
    Bundle.model_validate_json(data)
    made: dict[str, Any] = json.loads(data)
    return made


def resources(made: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [e["resource"] for e in made["entry"] if e["resource"]["resourceType"] == kind]


def test_a_draft_is_a_valid_preliminary_fhir_document(draft_case: CaseView) -> None:
    made = bundle(draft_case)
    first = made["entry"][0]["resource"]
    assert (made["type"], first["resourceType"], first["status"]) == ("document", "Composition", "preliminary")
    assert first["type"]["coding"][0] == {
        "system": "http://loinc.org",
        "code": "8653-8",
        "display": "Hospital Discharge instructions",
    }
    titles = [section["title"] for section in first["section"]]
    assert titles[0] == "Allergies"
    assert {"Why you came", "Your medicines", "Follow-up", "Sources", "Flags"} <= set(titles)


def test_every_reference_of_the_bundle_is_in_it(cases: Cases, draft_case: CaseView) -> None:
    for view in (draft_case, signed(cases, draft_case)):
        made = bundle(view)
        inside = {e["fullUrl"] for e in made["entry"]}
        asked = set(re.findall(r'"reference": "([^"]+)"', json.dumps(made)))
        assert asked and asked <= inside
        assert {e["fullUrl"] for e in made["entry"]} == {f"urn:uuid:{e['resource']['id']}" for e in made["entry"]}


def test_a_signed_version_is_final_and_names_who_attests_it(cases: Cases, draft_case: CaseView) -> None:
    made = bundle(signed(cases, draft_case))
    first = resources(made, "Composition")[0]
    assert (first["status"], first["attester"][0]["mode"]) == ("final", "professional")
    assert resources(made, "Practitioner")[0]["name"] == [{"text": "Dr Brand"}]


def test_a_correction_says_which_version_it_replaces(cases: Cases, draft_case: CaseView) -> None:
    newest = corrected(cases, draft_case)
    before = resources(bundle(cases.view(draft_case.id, 2)), "Composition")[0]
    assert resources(bundle(newest), "Composition")[0]["relatesTo"] == [
        {"code": "replaces", "targetIdentifier": before["identifier"]}
    ]


def test_the_patient_is_a_stub_without_identifiers(draft_case: CaseView) -> None:
    patient = resources(bundle(draft_case), "Patient")[0]
    assert patient["gender"] == "female"
    assert not {"identifier", "name", "birthDate", "address", "telecom"} & set(patient)


def test_each_allergy_is_an_entry_and_one_that_was_not_recognised_says_so(draft_case: CaseView) -> None:
    first, second = resources(bundle(draft_case), "AllergyIntolerance")
    assert (first["code"]["text"], first["type"]) == ("lisinopril", "allergy")
    assert first["reaction"] == [{"manifestation": [{"text": "angioedema"}]}]
    assert second["note"] == [{"text": "Not recognised, not checked."}]


@pytest.mark.parametrize(
    ("status", "entries", "empty"),
    [
        (AllergyStatus.NONE_KNOWN, ["716186003"], None),
        (AllergyStatus.NOT_STATED, [], "notasked"),
        (AllergyStatus.UNREADABLE, [], "unavailable"),
    ],
)
def test_no_known_allergy_is_told_from_allergies_that_nobody_asked_for(
    cases: Cases, status: AllergyStatus, entries: list[str], empty: str | None
) -> None:
    made = bundle(save(cases, sample(allergies=Allergies(status=status))))
    found = [a["code"]["coding"][0]["code"] for a in resources(made, "AllergyIntolerance")]
    section = resources(made, "Composition")[0]["section"][0]
    assert found == entries
    assert (section["emptyReason"]["coding"][0]["code"] if "emptyReason" in section else None) == empty


def test_the_narrative_is_well_formed_xhtml_in_which_markup_is_text(cases: Cases) -> None:
    first = resources(bundle(save(cases, with_sentence(HOSTILE))), "Composition")[0]
    divs = [section["text"]["div"] for section in first["section"]]
    trees = [etree.fromstring(div) for div in (*divs, first["text"]["div"])]
    assert {tree.tag for tree in trees} == {"{http://www.w3.org/1999/xhtml}div"}
    tags = {etree.QName(element).localname for tree in trees for element in tree.iter()}
    assert tags <= {"div", "ul", "li", "p", "b", "br"}
    assert any(SHOWN in "".join(tree.itertext()) for tree in trees)


RECORD = PatientRecord(
    person=Person(id="person", sex="female", age_years=80),
    problems=(
        ProblemStatement(id="problem-1", concept_id=HEART_FAILURE, name="heart failure"),
        ProblemStatement(id="problem-2", concept_id=None, name="stroke", hypothetical=True),
    ),
    medications=(MedicationStatement(id="medication-1", concept_id=None, name="furosemide"),),
    allergies=AllergyRecord(
        status=AllergyStatus.LISTED,
        items=(
            AllergyStatement(id="allergy-1", agent="lisinopril", concept_id="LN:l", reaction="angioedema"),
            AllergyStatement(id="allergy-2", agent="ibuprofen", possible=True),
        ),
    ),
)


def test_a_draft_with_a_record_has_its_statements_by_section(cases: Cases) -> None:
    made = bundle(save(cases, sample(record=RECORD)))
    sections = resources(made, "Composition")[0]["section"]
    by_code = {s["code"]["coding"][0]["code"]: s for s in sections if "code" in s}
    held = {e["fullUrl"]: e["resource"] for e in made["entry"]}

    def kinds(code: str) -> list[str]:
        return [held[entry["reference"]]["resourceType"] for entry in by_code[code]["entry"]]

    assert kinds("11450-4") == ["Condition", "RiskAssessment"]
    assert kinds("10160-0") == ["MedicationStatement"]
    assert kinds("48765-2") == ["AllergyIntolerance"]
    # the age is no birth date but an observation
    assert kinds("30954-2") == ["Observation"]


def test_a_possible_allergy_is_no_part_of_a_letter(cases: Cases) -> None:
    made = bundle(save(cases, sample(record=RECORD)))
    assert [one["code"]["text"] for one in resources(made, "AllergyIntolerance")] == ["lisinopril"]


def test_the_record_of_a_letter_is_read_back_from_it(cases: Cases) -> None:
    back = bundle_to_record(bundle(save(cases, sample(record=RECORD))))
    assert [(one.name, one.hypothetical) for one in back.problems] == [("heart failure", False), ("stroke", True)]
    assert (back.person.age_years, back.allergies.status) == (80, AllergyStatus.LISTED)


def test_the_patients_document_has_the_text_alone(cases: Cases, draft_case: CaseView) -> None:
    made = bundle(signed_unconfirmed(cases, draft_case), CopyKind.PATIENT)
    assert resources(made, "AllergyIntolerance") == []
    titles = [s["title"] for s in resources(made, "Composition")[0]["section"]]
    assert titles == ["Please note", "Why you came", "Your medicines", "Follow-up"]


def test_the_letters_details_say_who_the_patient_is_and_of_which_stay(cases: Cases) -> None:
    view = letter(cases, record=PatientRecord(person=Person(id="person", sex="female")))
    made = bundle(view)
    (patient,) = resources(made, "Patient")
    assert patient["name"] == [{"text": "Ada Byron"}]
    assert (patient["birthDate"], patient["identifier"][0]["value"]) == ("1951-03-12", "42")
    (encounter,) = resources(made, "Encounter")
    assert encounter["period"] == {"start": "2026-04-28", "end": "2026-05-01"}
    assert encounter["location"] == [{"location": {"display": "4 West"}}]
    (hospital,) = resources(made, "Organization")
    first = made["entry"][0]["resource"]
    assert first["custodian"] == encounter["serviceProvider"] == {"reference": f"urn:uuid:{hospital['id']}"}
    assert "Date of birth: March 12, 1951" in first["text"]["div"]


def test_days_that_contradict_each_other_make_no_period(cases: Cases) -> None:
    view = letter(cases, record=PatientRecord())
    wrong = view.details.model_copy(update={"admitted": view.details.discharged, "discharged": view.details.admitted})
    (encounter,) = resources(bundle(view.model_copy(update={"details": wrong})), "Encounter")
    assert "period" not in encounter
