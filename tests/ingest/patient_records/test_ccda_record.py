"""C-CDA entries as statements, from entries written here and the published samples."""

import os
from pathlib import Path

import pytest

from backend.errors import InputError
from backend.ingest.clinical_notes.ccda import cda_note
from backend.ingest.patient_records.ccda_record import ccda_to_record
from backend.schemas.record import PatientRecord

T = "2.16.840.1.113883.10.20.22.4."
DRUG = (
    '<consumable><manufacturedProduct><manufacturedMaterial><code code="1" displayName="{}"/></manufacturedMaterial>'
    "</manufacturedProduct></consumable>"
)


def read(section: str, *entries: str, text: str = "") -> PatientRecord:
    inner = "".join(f"<entry>{entry}</entry>" for entry in entries)
    document = (
        '<ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><component>'
        f'<structuredBody><component><section><code code="{section}"/><title>Part</title><text>{text}</text>{inner}</section>'
        "</component></structuredBody></component></ClinicalDocument>"
    )
    return ccda_to_record(document.encode(), "x.xml")


def observation(template: str, value: str, attributes: str = "", code: str = "x", inner: str = "") -> str:
    return (
        f'<observation moodCode="EVN" {attributes}><templateId root="{T}{template}"/><code code="{code}"/>'
        f'<statusCode code="completed"/>{value}{inner}</observation>'
    )


def medicine(name: str, inner: str = "", attributes: str = "", status: str = "active") -> str:
    return (
        f'<substanceAdministration moodCode="INT" {attributes}><templateId root="{T}16"/><statusCode code="{status}"/>'
        f"{inner}{DRUG.format(name)}</substanceAdministration>"
    )


def substance(inner: str) -> str:
    return f"<participant><participantRole><playingEntity>{inner}</playingEntity></participantRole></participant>"


def test_what_is_no_c_cda_is_refused() -> None:
    for data in (
        b"<x/>",
        b"<ClinicalDocument",
        b'<!DOCTYPE x [<!ENTITY a "b">]><ClinicalDocument>&a;</ClinicalDocument>',
    ):
        with pytest.raises(InputError, match="no C-CDA"):
            ccda_to_record(data, "x")


@pytest.mark.parametrize(
    ("inner", "attributes", "clinical", "verification"),
    [
        ("", "", "active", "confirmed"),
        ("", 'negationInd="true"', "active", "refuted"),
        ('<effectiveTime><low value="2010"/><high value="2011"/></effectiveTime>', "", "resolved", "confirmed"),
    ],
)
def test_a_problem_is_active_denied_or_resolved(inner: str, attributes: str, clinical: str, verification: str) -> None:
    value = '<value code="1" displayName="Asthma (disorder)"/>'
    (found,) = read("11450-4", observation("4", value, attributes, inner=inner)).problems
    assert (found.name, found.clinical_status, found.verification_status) == ("Asthma", clinical, verification)


def test_no_known_problems_is_no_problem() -> None:
    value = '<value code="55607006" displayName="Problem"/>'
    assert read("11450-4", observation("4", value, 'negationInd="true"')).problems == ()


@pytest.mark.parametrize("named", ['<code nullFlavor="NA"/>', '<code code="105590001" displayName="Substance"/>'])
def test_no_known_allergies_is_a_status_and_no_allergen(named: str) -> None:
    found = read("48765-2", observation("7", '<value code="419199007"/>', 'negationInd="true"', inner=substance(named)))
    assert (found.allergies.status, found.allergies.items) == ("none_known", ())


def test_a_denied_allergen_is_refuted_and_one_that_only_a_code_names_is_seen() -> None:
    peanut = substance('<code code="1" displayName="Peanut"/>')
    coded = substance('<code code="77"/>')
    record = read(
        "48765-2", observation("7", "", 'negationInd="true"', inner=peanut), observation("7", "", inner=coded)
    )
    assert [(one.agent, one.verification_status) for one in record.allergies.items] == [
        ("Peanut", "refuted"),
        ("a substance without a name (code 77)", "confirmed"),
    ]
    assert record.allergies.status == "listed"


def test_a_dose_by_weight_in_units_at_bedtime_and_as_needed() -> None:
    event = '<effectiveTime xsi:type="EIVL_TS"><event code="HS"/></effectiveTime>'
    needed = '<precondition><criterion><value code="1" displayName="pain"/></criterion></precondition>'
    record = read(
        "10160-0",
        medicine("bevacizumab", '<doseQuantity value="5" unit="mg/kg"/>'),
        medicine("insulin glargine", f'{event}<doseQuantity value="40" unit="[IU]"/>'),
        medicine("ibuprofen 600 MG Oral Tablet", f'<doseQuantity value="2"/>{needed}'),
    )
    by_weight, units, tablets = (one.dosage for one in record.medications)
    assert (by_weight.dose, by_weight.unit, by_weight.per_kg) == (5, "mg", True)
    assert (units.dose, units.unit, units.timing) == (40, "units", "HS")
    assert (tablets.dose, tablets.quantity, tablets.form, tablets.as_needed_for) == (600, 2, "tablet", "pain")


def test_refused_completed_and_given_medicines_have_their_status() -> None:
    reason = '<entryRelationship><observation><value code="105480006"/></observation></entryRelationship>'
    refused = medicine("lisinopril", reason, 'negationInd="true"', "completed")
    (first, second) = read("10160-0", refused, medicine("aspirin", status="completed")).medications
    assert (first.status, first.refused, second.status) == ("not-taken", True, "completed")
    (given,) = read("29549-3", medicine("ceftriaxone", status="completed")).medications
    assert (given.status, given.category) == ("active", "inpatient")
    assert read("10183-2", medicine("aspirin")).medications[0].category == "discharge"


def test_a_pending_result_is_a_plan_and_a_range_with_one_end_a_limit() -> None:
    pending = (
        observation("2", "", code="x")
        .replace('code="x"/>', 'code="x" displayName="culture"/>')
        .replace("completed", "active")
    )
    limit = observation("2", '<value><low value="500" unit="mg/dL"/></value>', code="2345-7")
    record = read("30954-2", pending, limit)
    assert [(one.kind, one.text) for one in record.plan] == [("pending_result", "culture")]
    assert [(one.measure, one.value_text, one.unit) for one in record.observations] == [("glucose", ">500", "mg/dL")]


def test_a_value_of_unknown_pregnancy_says_nothing() -> None:
    pregnancy = '<observation moodCode="EVN" {}><templateId root="2.16.840.1.113883.10.20.15.3.8"/><value code="77386006"/></observation>'
    assert read("29762-2", pregnancy.format("")).person.pregnant is True
    assert read("29762-2", pregnancy.format('negationInd="true"')).person.pregnant is False
    assert read("29762-2", pregnancy.format('nullFlavor="UNK"')).person.pregnant is None


def test_an_implant_is_there_and_a_refused_operation_was_not_done() -> None:
    device = '<participant><participantRole><playingDevice><code code="1" displayName="Pacemaker"/></playingDevice></participantRole></participant>'
    put_in = f'<procedure moodCode="EVN"><templateId root="{T}14"/><code nullFlavor="UNK"/><statusCode code="completed"/>{device}</procedure>'
    refused = f'<procedure moodCode="EVN" negationInd="true"><templateId root="{T}14"/><code code="1" displayName="Appendectomy"/></procedure>'
    planned = (
        f'<procedure moodCode="RQO"><templateId root="{T}41"/><code code="1" displayName="Colonoscopy"/></procedure>'
    )
    record = read("47519-4", put_in, refused, planned)
    assert [(one.name, one.status) for one in record.devices] == [("Pacemaker", "done_now")]
    assert [(one.name, one.status) for one in record.procedures] == [
        ("Appendectomy", "not_done"),
        ("Colonoscopy", "planned"),
    ]


def test_a_name_that_the_narrative_has_is_read_there() -> None:
    value = '<value nullFlavor="OTH"><originalText><reference value="#p"/></originalText></value>'
    record = read("11450-4", observation("4", value), text='<paragraph ID="p">Gouty  knee</paragraph>')
    (found,) = record.problems
    assert (found.name, found.spans[0].text, found.spans[0].note_id) == ("Gouty knee", "Gouty knee", "c-cda/document")


@pytest.mark.data
def test_the_published_documents_give_statements_with_true_spans() -> None:
    folder = Path(os.environ.get("LEAPNOTE_TEST_DATA", "../shared/data")) / "ccda_hl7" / "Documents"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not here")
    problems = allergies = spans = 0
    for path in sorted(folder.rglob("*.xml")):
        record = ccda_to_record(path.read_bytes(), path.name)
        problems += len(record.problems)
        allergies += len(record.allergies.items)
        held = [*record.problems, *record.medications, *record.allergies.items, *record.procedures, *record.plan]
        found = [span for one in held for span in one.spans]
        if found:
            text = cda_note(path.read_bytes(), path.name).note.text
            assert all(span.note_id and text[span.start_char : span.end_char] == span.text for span in found)
        spans += len(found)
    assert problems >= 40 and allergies >= 10 and spans >= 15
