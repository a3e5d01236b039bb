"""C-CDA documents as notes, from a document written here."""

import base64
import os
from pathlib import Path

import pytest

from backend.errors import InputError
from backend.ingest.clinical_notes.ccda import cda_note

TABLE = (
    "<table><thead><tr><th>Substance</th><th>Reaction</th></tr></thead><tbody>"
    "<tr><td><content>Penicillin</content></td><td>Hives</td></tr><tr><td>Latex</td><td/></tr></tbody></table>"
)
DOCUMENT = f"""<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3"><code code="18842-5" displayName="Discharge"/>
<title>Summary</title><effectiveTime value="20310204153000-0500"/>
<recordTarget><patientRole><id extension="77" root="1.2"/></patientRole></recordTarget>
<componentOf><encompassingEncounter><code code="IMP"/><effectiveTime><low value="20310201"/><high value="20310204"/>
</effectiveTime></encompassingEncounter></componentOf>
<component><structuredBody>
<component><section><title>Allergies</title><text>{TABLE}</text></section></component>
<component><section><code displayName="Hospital Course"/><text><paragraph>Better
 after furosemide.</paragraph><list><item>Walks &amp; eats</item></list></text></section></component>
<component><section><title>Empty</title><text/></section></component>
</structuredBody></component></ClinicalDocument>"""


def body(inner: str) -> bytes:
    return f'<ClinicalDocument xmlns="urn:hl7-org:v3"><component><nonXMLBody>{inner}</nonXMLBody></component></ClinicalDocument>'.encode()


def test_sections_become_headed_text_with_the_stay_and_tables_by_row() -> None:
    found = cda_note(DOCUMENT.encode(), "summary.xml")
    assert found.patient == "77"
    assert (found.note.note_type, found.note.date) == ("Discharge summary", "2031-02-04T15:30")
    assert found.note.text == (
        "Admission Date: 2031-02-01\nDischarge Date: 2031-02-04\n\n"
        "Allergies:\n- Substance: Penicillin; Reaction: Hives\n- Substance: Latex\n\n"
        "Hospital Course:\nBetter after furosemide.\n- Walks & eats"
    )


def test_a_visit_of_the_clinic_is_no_stay() -> None:
    text = cda_note(DOCUMENT.replace('code="IMP"', 'code="AMB"').encode(), "x").note.text
    assert text.startswith("Allergies:")


def test_a_body_of_plain_text_is_read_and_one_of_pdf_refused() -> None:
    coded = base64.b64encode(b"Sinus rhythm.").decode()
    assert (
        cda_note(body(f'<text mediaType="text/plain" representation="B64">{coded}</text>'), "x").note.text
        == "Sinus rhythm."
    )
    with pytest.raises(InputError, match="PDF"):
        cda_note(body(f'<text mediaType="application/pdf" representation="B64">{coded}</text>'), "x")


def test_declared_entities_are_refused() -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa">]><ClinicalDocument>&a;</ClinicalDocument>'
    with pytest.raises(InputError, match="declares entities"):
        cda_note(bomb, "x")


def test_the_published_samples_are_read_or_refused_with_a_reason() -> None:
    folder = Path(os.environ.get("LEAPNOTE_TEST_DATA", "../shared/data")) / "ccda_hl7" / "Documents"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not here")
    notes, refused = [], 0
    for path in sorted(folder.rglob("*.xml")):
        try:
            notes.append(cda_note(path.read_bytes(), path.name))
        except InputError:
            refused += 1
    assert len(notes) >= 10 and all(one.patient and one.note.date for one in notes)
    assert any("Penicillin" in one.note.text and "Hives" in one.note.text for one in notes)
    assert refused <= 2
