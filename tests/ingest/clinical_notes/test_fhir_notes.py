"""FHIR R4 resources as notes, from resources written here."""

import base64
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.ingest.clinical_notes.fhir_entries import HEADERS
from backend.ingest.clinical_notes.fhir_notes import fhir_notes, resources
from backend.nlp.extraction.linker import DictionaryLinker
from backend.schemas.drafts.request import PatientNote

TO = {"subject": {"reference": "Patient/p1"}}


def attached(text: str, kind: str = "text/plain", **more: Any) -> dict[str, Any]:
    return {"contentType": kind, "data": base64.b64encode(text.encode()).decode(), **more}


def read(*found: dict[str, Any]) -> tuple[tuple[PatientNote, ...], Counter[str]]:
    skipped: Counter[str] = Counter()
    return tuple(fhir_notes(found, skipped).get("p1", ())), skipped


def allergy(name: str, **more: Any) -> dict[str, Any]:
    named = {"code": {"text": name}} if name else {"code": {"coding": [{"code": "1234"}]}}
    return {"resourceType": "AllergyIntolerance", "patient": {"reference": "urn:uuid:p1"}, **named, **more}


def test_a_document_is_a_note_dated_by_its_own_time() -> None:
    document = {
        "resourceType": "DocumentReference", **TO, "date": "2031-02-09", "type": {"coding": [{"code": "11488-4"}]},
        "content": [{"attachment": attached("Swelling is less.", creation="2031-02-03T09:20:00+01:00")}],
    }  # fmt: skip
    notes, skipped = read(document, document)
    assert notes == (PatientNote(note_type="Consult", date="2031-02-03T09:20", text="Swelling is less."),)
    assert not skipped


def test_pages_reports_and_compositions_are_read() -> None:
    report = {"resourceType": "DiagnosticReport", **TO, "effectiveDateTime": "2031-02-01", "code": {"text": "Chest X-ray"},
              "presentedForm": [attached("<h1>Findings</h1><p>Clear</p>", "text/html")]}  # fmt: skip
    diagnostic = {"resourceType": "DiagnosticReport", **TO, "issued": "2031-02-02T10:00:00Z", "code": {"text": "ECG"},
            "conclusion": "Sinus rhythm."}  # fmt: skip
    composed = {
        "resourceType": "Composition", **TO, "date": "2031-02-03", "type": {"text": "Nurse note"},
        "section": [{"title": "Plan", "text": {"div": "<div>Walk <b>twice</b></div>"}},
                    {"title": "Diet", "text": {"div": "<div>Low salt</div>"}}],
    }  # fmt: skip
    notes, _ = read(report, diagnostic, composed)
    assert [(n.note_type, n.date, n.text) for n in notes] == [
        ("Chest X-ray", "2031-02-01", "Findings:\nClear"),
        ("ECG", "2031-02-02T10:00", "Conclusion:\nSinus rhythm."),
        ("Nurse note", "2031-02-03", "Plan:\nWalk twice\n\nDiet:\nLow salt"),
    ]


def test_a_day_s_entries_are_one_note_with_headers() -> None:
    notes, _ = read(
        {"resourceType": "Observation", **TO, "effectiveDateTime": "2031-02-01T08:00:00Z", "code": {"text": "Weight"},
         "valueQuantity": {"value": 81.5, "unit": "kg"}},
        {"resourceType": "Observation", **TO, "effectiveDateTime": "2031-02-01", "code": {"text": "Blood pressure"},
         "component": [{"code": {"text": "systolic"}, "valueQuantity": {"value": 150, "unit": "mmHg"}}]},
        {"resourceType": "MedicationRequest", **TO, "authoredOn": "2031-02-01", "status": "active",
         "medicationCodeableConcept": {"coding": [{"display": "furosemide 40 mg"}]}, "dosageInstruction": [{"text": "daily"}]},
    )  # fmt: skip
    assert notes == (
        PatientNote(
            date="2031-02-01",
            text="Medications:\n- furosemide 40 mg; daily (active)\n\n"
            "Results:\n- Weight: 81.5 kg\n- Blood pressure: systolic 150 mmHg",
        ),
    )


def test_no_allergy_of_a_record_is_lost(tiny_linker: DictionaryLinker) -> None:
    notes, skipped = read(
        allergy("Penicillin", reaction=[{"manifestation": [{"text": "hives"}], "severity": "severe"}]),
        allergy("Latex", clinicalStatus={"coding": [{"code": "resolved"}]}),
        allergy(""),
        allergy("Eggs", verificationStatus={"coding": [{"code": "refuted"}]}),
    )
    assert notes[0].date is None
    assert (
        notes[0].text
        == "Allergies:\n- Penicillin: hives, severe\n- Latex (resolved)\n- a substance without a name (code 1234)"
    )
    assert skipped == {"entered in error, refuted or cancelled": 1}
    assert {"Penicillin", "Latex"} <= {item.text for item in tiny_linker.link(notes[0].text).allergies.items}
    (none,), _ = read(allergy("No known allergies"))
    assert tiny_linker.link(none.text).allergies.status == "none_known"


def document(text: str, day: str) -> dict[str, Any]:
    return {"resourceType": "DocumentReference", **TO, "date": day, "content": [{"attachment": attached(text)}]}


def taking(drug: str, **more: Any) -> dict[str, Any]:
    return {"resourceType": "MedicationStatement", **TO, "status": "active",
            "medicationCodeableConcept": {"text": drug}, **more}  # fmt: skip


def test_what_the_patient_has_now_stands_in_the_newest_note_whenever_it_was_entered() -> None:
    notes, _ = read(
        document("HPI: cough.", "2031-02-03"),
        document("HPI: a fall.", "2030-01-01"),
        allergy("Latex"),
        allergy("Peanut", recordedDate="2019-05-01"),
        allergy("Eggs", clinicalStatus={"coding": [{"code": "resolved"}]}),
        taking("warfarin", dosage=[{"text": "5 mg daily"}]),
        taking("aspirin", status="completed"),
        {"resourceType": "MedicationRequest", **TO, "status": "active", "category": [{"coding": [{"code": "inpatient"}]}],
         "medicationCodeableConcept": {"text": "heparin"}},
    )  # fmt: skip
    told = {note.date: note.text for note in notes}
    assert told["2031-02-03"] == (
        "HPI: cough.\n\nAllergies:\n- Latex\n- Peanut\n\nMedications:\n- warfarin; 5 mg daily (active)"
    )
    assert told["2030-01-01"] == "HPI: a fall."
    assert told["2019-05-01"] == "Allergies:\n- Peanut"
    assert told[None] == "Allergies:\n- Eggs (resolved)\n\nMedications:\n- aspirin (completed)\n- heparin (active)"


def test_the_last_note_of_the_newest_day_is_its_document() -> None:
    weight = {"resourceType": "Observation", **TO, "effectiveDateTime": "2031-02-03", "code": {"text": "Weight"},
              "valueQuantity": {"value": 81, "unit": "kg"}}  # fmt: skip
    notes, _ = read(document("HPI: cough.", "2031-02-03"), weight, allergy("Latex"))
    assert [note.text for note in notes] == ["Results:\n- Weight: 81 kg", "HPI: cough.\n\nAllergies:\n- Latex"]


@pytest.mark.parametrize(
    ("dosage", "told"),
    [
        ({"text": "5 mg  daily"}, "5 mg daily"),
        ({"doseAndRate": [{"doseQuantity": {"value": 2.5, "unit": "mg"}}],
          "timing": {"repeat": {"frequency": 2, "period": 1, "periodUnit": "d"}}, "route": {"text": "by mouth"}},
         "2.5 mg by mouth 2 times a day"),
        ({"doseAndRate": [{"doseQuantity": {"value": 1, "unit": "tablet"}}],
          "timing": {"repeat": {"frequency": 1, "period": 8, "periodUnit": "h"}}, "asNeededBoolean": True},
         "1 tablet every 8 hours as needed"),
        ({"timing": {"code": {"text": "at night"}}}, "at night"),
    ],
)  # fmt: skip
def test_a_dosage_is_told_in_its_words_or_its_values(dosage: dict[str, Any], told: str) -> None:
    (of_statement,), _ = read(taking("warfarin", dosage=[dosage]))
    assert of_statement.text == f"Medications:\n- warfarin; {told} (active)"


def test_a_record_in_entries_reads_as_the_text_that_says_the_same(tiny_linker: DictionaryLinker) -> None:
    entries, _ = read(
        document("HPI: A 60-year-old woman with cough.", "2031-02-03"),
        allergy("Penicillin", reaction=[{"manifestation": [{"text": "hives"}]}]),
        taking("warfarin", dosage=[{"text": "5 mg daily"}]),
    )
    text = "Allergies: Penicillin (hives)\nMedications: warfarin 5 mg daily\n\nHPI: A 60-year-old woman with cough."
    one, other = (tiny_linker.read(said).record for said in (entries[-1].text, text))
    assert one and other
    assert [(a.agent, a.reaction) for a in one.allergies.items] == [
        (a.agent, a.reaction) for a in other.allergies.items
    ]
    assert [(m.name, m.dosage.dose, m.dosage.timing, m.status) for m in one.medications] == [
        (m.name, m.dosage.dose, m.dosage.timing, m.status) for m in other.medications
    ]


def test_what_holds_no_text_is_counted_and_no_address_is_followed() -> None:
    linked = {
        "resourceType": "DocumentReference",
        **TO,
        "content": [{"attachment": {"url": "https://example.org/note"}}],
    }
    image = {"resourceType": "DocumentReference", **TO, "content": [{"attachment": attached("x", "image/png")}]}
    wrong = {"resourceType": "DocumentReference", **TO, "status": "entered-in-error",
             "content": [{"attachment": attached("x")}]}  # fmt: skip
    notes, skipped = read(linked, image, wrong)
    assert notes == ()
    assert skipped["an attachment that lies elsewhere or is empty"] == 1
    assert skipped["an attachment of type image/png"] == 1
    assert skipped["entered in error, refuted or cancelled"] == 1


FIELDS = ("status", "code", "content", "subject", "reaction", "section", "valueQuantity", "component", "type",
          "effectiveDateTime", "period", "presentedForm", "clinicalStatus", "dosageInstruction", "category")  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from((*FIELDS, "text", "coding", "div")), inner)
    ),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from((*HEADERS, "DocumentReference", "DiagnosticReport", "Composition", "Other", 5)), st.data())
def test_a_resource_of_any_shape_is_read_or_counted(kind: Any, data: st.DataObject) -> None:
    resource = {"resourceType": kind, **data.draw(st.dictionaries(st.sampled_from(FIELDS), JSON))}
    skipped: Counter[str] = Counter()
    notes = fhir_notes(resources(resource), skipped)
    assert sum(map(len, notes.values())) + skipped.total() >= 1
    assert all(note.text.strip() for held in notes.values() for note in held)


def test_every_allergy_of_published_synthetic_records_is_told(tiny_linker: DictionaryLinker) -> None:
    folder = Path(os.environ.get("LEAPNOTE_TEST_DATA", "../shared/data")) / "fhir_synthea_r4"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not here")
    seen = 0
    for path in sorted(folder.glob("*.json")):
        found = list(resources(json.loads(path.read_bytes())))
        wanted = [row["code"]["text"] for row in found if row["resourceType"] == "AllergyIntolerance"]
        (notes,) = fhir_notes(found, Counter()).values()
        text = "\n".join(note.text for note in notes)
        assert all(f"- {name}" in text for name in wanted)
        days = [note.date or "undated, last" for note in notes]
        assert days == sorted(days)
        seen += len(wanted)
    assert seen >= 30
