"""An uploaded file to patients, with everything that was taken and what was not."""

import base64
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from backend.ingest.patient_records.uploaded_patients import read_upload
from backend.schemas.patients.letter_details import LetterDetails
from backend.schemas.patients.patient_files import NotesFile
from tests.ingest.clinical_notes.test_ccda import DOCUMENT
from tests.ingest.documents.written_files import paragraphs, pdf_file, word_file

SAMPLE = Path(__file__).parent / "sample"


def patient(name: str, number: int, **fields: Any) -> dict[str, Any]:
    mr = {"coding": [{"code": "MR"}]}
    return {
        "resourceType": "Patient", "id": f"p{number}", "name": [{"use": "official", "given": [name], "family": "Byron"}],
        "identifier": [{"type": {"coding": [{"code": "SS"}]}, "value": "999-99"}, {"type": mr, "value": f"MR{number}"}],
        "birthDate": "1951-03-12", **fields,
    }  # fmt: skip


def order(number: int, drug: str, status: str = "active") -> dict[str, Any]:
    return {
        "resourceType": "MedicationRequest", "id": f"m{number}{drug}", "status": status, "intent": "order",
        "subject": {"reference": f"Patient/p{number}"}, "authoredOn": "2031-02-03",
        "medicationCodeableConcept": {"text": drug}, "dosageInstruction": [{"text": "one tablet twice a day"}],
    }  # fmt: skip


def stay(number: int) -> dict[str, Any]:
    return {
        "resourceType": "Encounter", "id": f"e{number}", "class": {"code": "IMP"}, "status": "finished",
        "subject": {"reference": f"Patient/p{number}"}, "period": {"start": "2031-02-01", "end": "2031-02-04T10:00:00Z"},
        "location": [{"location": {"display": "Ward 4"}}], "serviceProvider": {"display": "St Elsewhere"},
    }  # fmt: skip


def fhir(*resources: dict[str, Any]) -> NotesFile:
    bundle = {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": one} for one in resources]}
    return read_upload(json.dumps(bundle).encode(), "b.json")


def items(found: NotesFile, taken: bool) -> dict[str, tuple[int, str]]:
    return {one.what: (one.count, one.reason) for one in found.taken.items if one.taken is taken}


def test_a_fhir_file_gives_record_note_medicines_and_details() -> None:
    (one,) = fhir(patient("Ada", 1), stay(1), order(1, "metformin"), order(1, "aspirin", "stopped")).patients
    assert one.record is not None
    assert [m.name for m in one.record.medications] == ["metformin", "aspirin"]
    assert [(m.text, m.status.value) for m in one.medicines] == [
        ("metformin one tablet twice a day", "active"), ("aspirin one tablet twice a day", "stopped"),
    ]  # fmt: skip
    assert one.details == LetterDetails(
        patient_name="Ada Byron", date_of_birth=date(1951, 3, 12), record_number="MR1", ward="Ward 4",
        admitted=date(2031, 2, 1), discharged=date(2031, 2, 4), hospital="St Elsewhere",
    )  # fmt: skip
    assert "metformin; one tablet twice a day" in one.notes[0].text


def test_the_age_that_a_file_states_stands_over_its_newest_note_where_no_note_tells_one() -> None:
    child = patient("Ada", 1, birthDate="2025-08-12", gender="female")
    (one,) = fhir(child, stay(1), order(1, "paracetamol")).patients
    assert one.notes[-1].text.startswith("Patient: 5-year-old female\n\n")
    (grown,) = fhir(patient("Ada", 1), stay(1), _document("A 79-year-old woman with a cough.")).patients
    assert not any("Patient:" in note.text for note in grown.notes)


def _document(text: str) -> dict[str, Any]:
    content = {"contentType": "text/plain", "data": base64.b64encode(text.encode()).decode()}
    return {
        "resourceType": "DocumentReference", "id": "d1", "status": "current", "subject": {"reference": "Patient/p1"},
        "date": "2031-02-02", "content": [{"attachment": content}],
    }  # fmt: skip


def test_each_patient_of_a_file_has_their_own_record() -> None:
    first, second = fhir(
        patient("Ada", 1),
        patient("Bo", 2),
        order(1, "metformin"),
        order(2, "warfarin"),
        {"resourceType": "Practitioner"},
    ).patients
    assert [m.text.split()[0] for m in first.medicines] == ["metformin"]
    assert [m.text.split()[0] for m in second.medicines] == ["warfarin"]
    assert (first.details.record_number, second.details.record_number) == ("MR1", "MR2")


def test_every_kind_of_resource_is_in_the_list_taken_or_not() -> None:
    found = fhir(
        patient("Ada", 1),
        order(1, "metformin"),
        order(1, "x", "entered-in-error"),
        {"resourceType": "Claim"},
        {"resourceType": "Claim"},
        {"resourceType": "DocumentReference", "subject": {"reference": "Patient/p1"}},
        {"resourceType": "Questionnaire"},
    )
    assert items(found, True)["Medicines"] == (1, "into the record")
    left = items(found, False)
    assert left["Claim"] == (2, "about administration, not about care")
    assert left["MedicationRequest"] == (1, "entered in error, refuted or cancelled")
    assert left["DocumentReference"] == (1, "no text to read")
    assert left["Questionnaire"][1] == "no text to read; Leapnote does not read it"
    assert left["Allergies"] == (0, "the file states none in codes")


def test_what_a_file_gives_for_the_head_of_the_letter_is_in_the_list() -> None:
    found = fhir(patient("Ada", 1, birthDate="0001-01-01"), order(1, "metformin"))
    assert {"Patient name", "Record number"} <= items(found, True).keys()
    assert items(found, False)["Date of birth"] == (1, "cannot stand in the head of a letter")
    assert "Ward" not in items(found, True)


def test_a_c_cda_file_gives_record_note_medicines_and_details() -> None:
    (one,) = read_upload((SAMPLE / "document.xml").read_bytes(), "d.xml").patients
    assert one.record is not None and one.record.medications and one.medicines
    assert len(one.medicines) <= len(one.record.medications)
    assert one.notes[0].text


def test_the_head_of_a_c_cda_gives_a_letters_details_but_no_social_security_number() -> None:
    head = (
        "<recordTarget><patientRole><id root='2.16.840.1.113883.4.1' extension='999-99'/><id root='1.2' extension='MR7'/>"
        "<patient><name><prefix>Dr</prefix><given>Ada</given><family>By\u202eron</family></name>"
        "<birthTime value='19510312'/></patient></patientRole></recordTarget>"
    )
    start = DOCUMENT.index("<recordTarget") if "<recordTarget" in DOCUMENT else None
    if start is not None:
        end = DOCUMENT.index("</recordTarget>") + len("</recordTarget>")
        document = DOCUMENT[:start] + head + DOCUMENT[end:]
    else:
        place = DOCUMENT.index(">", DOCUMENT.index("<ClinicalDocument")) + 1
        document = DOCUMENT[:place] + head + DOCUMENT[place:]
    (one,) = read_upload(document.encode(), "d.xml").patients
    assert one.details.patient_name == "Dr Ada Byron"
    assert (one.details.record_number, one.details.date_of_birth) == ("MR7", date(1951, 3, 12))
    assert (one.details.admitted, one.details.discharged) == (date(2031, 2, 1), date(2031, 2, 4))


def test_a_name_of_ten_thousand_letters_is_cut_to_what_a_head_can_hold() -> None:
    (one,) = fhir(patient("A" * 10_000, 1), order(1, "metformin")).patients
    assert len(one.details.patient_name) == 200
    (other,) = fhir(
        patient("\ud800".encode("utf-16", "surrogatepass").hex(), 1, birthDate="0000-99-99"), order(1, "x")
    ).patients
    assert other.details.date_of_birth is None


def test_a_pdf_within_a_c_cda_or_fhir_file_is_read() -> None:
    packed = base64.b64encode(pdf_file("Allergies: penicillin")).decode()
    body = f"<component><nonXMLBody><text mediaType='application/pdf' representation='B64'>{packed}</text></nonXMLBody></component>"
    cda = f"<ClinicalDocument xmlns='urn:hl7-org:v3'>{body}</ClinicalDocument>"
    assert read_upload(cda.encode(), "d.xml").patients[0].notes[0].text == "Allergies: penicillin"
    document = {
        "resourceType": "DocumentReference", "subject": {"reference": "Patient/p1"},
        "content": [{"attachment": {"contentType": "application/pdf", "data": packed}}],
    }  # fmt: skip
    assert fhir(document).patients[0].notes[0].text == "Allergies: penicillin"


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (pdf_file("Swelling is less."), "consult.pdf", "pdf"),
        (word_file(paragraphs("Swelling is less.")), "consult.docx", "docx"),
        (b"Swelling is less.", "consult.txt", "text"),
        (b'{"note_type": "Consult", "date": "2031-02-02", "text": "Swelling is less."}', "n.jsonl", "notes"),
    ],
)
def test_any_form_of_notes_says_what_was_taken(data: bytes, name: str, kind: str) -> None:
    found = read_upload(data, name)
    assert found.kind == kind
    assert [note.text for one in found.patients for note in one.notes] == ["Swelling is less."]
    assert any(one.taken and one.reason.startswith("a note ") for one in found.taken.items)


def test_several_notes_keep_their_dates() -> None:
    text = "# Consult, 2031-02-01\nSwelling is less.\n---\n# Nursing, 2031-02-03\nNo fever."
    for data in (text.encode(), word_file(paragraphs(*text.split("\n")))):
        (one,) = read_upload(data, "n").patients
        assert [(note.note_type, note.date) for note in one.notes] == [
            ("Consult", "2031-02-01"),
            ("Nursing", "2031-02-03"),
        ]


def test_the_record_and_its_medicines_come_back_from_an_export() -> None:
    """A bundle of the sample's record gives the same medicines by FHIR as by C-CDA."""
    by_fhir = read_upload((SAMPLE / "bundle.json").read_bytes(), "b.json").patients
    by_cda = read_upload((SAMPLE / "document.xml").read_bytes(), "d.xml").patients
    assert {m.text.split()[0] for one in by_fhir for m in one.medicines} == {
        m.text.split()[0] for one in by_cda for m in one.medicines
    }
