"""A copy as a FHIR document."""

import json
import re
from typing import Any

import pytest
from fhir.resources.R4B.bundle import Bundle
from lxml import etree

from backend.review.saved_cases import Cases
from backend.schemas.drafts.note import Allergies
from backend.schemas.patients.saved_case import CaseView, CopyKind
from backend.schemas.vocabulary import AllergyStatus
from tests.review.exports.reading import HOSTILE, SHOWN, file, save
from tests.review.sample import sample, with_sentence
from tests.review.steps import corrected, signed


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
    assert {"Why you were in the hospital", "Your medicines", "Follow-up", "References", "Flags"} <= set(titles)


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
    assert (first["code"], first["type"]) == ({"text": "lisinopril"}, "allergy")
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


def test_the_patients_document_has_the_text_alone(cases: Cases, draft_case: CaseView) -> None:
    made = bundle(signed(cases, draft_case), CopyKind.PATIENT)
    assert resources(made, "AllergyIntolerance") == []
    titles = [s["title"] for s in resources(made, "Composition")[0]["section"]]
    assert titles == ["Please note", "Why you were in the hospital", "Your medicines", "Follow-up"]
