import base64
import json
import re
import zlib
from datetime import UTC, datetime
from io import BytesIO
from zipfile import ZipFile

import docx
import pytest
from fhir.resources.R4B.bundle import Bundle
from lxml import etree

from backend.review.exports.copies import STARTER_NOTICE, clinician_copy, patient_copy
from backend.review.exports.export_docx import as_docx
from backend.review.exports.export_fhir import as_fhir
from backend.review.exports.export_pdf import as_pdf
from backend.review.exports.export_text import WIDTH, as_text
from backend.review.saved_cases import Cases
from backend.schemas.drafts.note import Allergies
from backend.schemas.patients.saved_case import CaseView, SaveRequest
from backend.schemas.vocabulary import AllergyStatus, Document
from tests.review.sample import sample, with_sentence
from tests.review.steps import corrected, signed

AT = datetime(2026, 5, 1, 13, 0, tzinfo=UTC)
HOSTILE = '<b>bold</b> & <script>alert("1")</script> </para> <br/> ]]> &amp; \x00\x0b\x1b \u202eevil\nnext line'
SHOWN = '<b>bold</b> & <script>alert("1")</script>'


def save(cases: Cases, draft: object) -> CaseView:
    return cases.save(SaveRequest(label="x", draft=draft, author="Dr Ames"))


def pdf_text(data: bytes) -> str:
    """What the pages show. Reportlab keeps ASCII readable: a line of text stands in brackets, escaped by backslashes."""
    found = []
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", data, re.DOTALL):
        if stream.strip().endswith(b"~>"):
            page = zlib.decompress(base64.a85decode(b"<~" + stream.strip(), adobe=True))
            found += [b"".join(re.findall(rb"\((.*?)(?<!\\)\)", line)) for line in page.split(b"\n") if b"Tj" in line]
    return re.sub(r"\\([()\\])", r"\1", " ".join(part.decode("latin-1") for part in found))


def word_text(data: bytes) -> str:
    return "\n".join(paragraph.text for paragraph in docx.Document(BytesIO(data)).paragraphs)


def bundle(view: CaseView, patient: bool = False) -> dict[str, object]:
    text = as_fhir(patient_copy(view) if patient else clinician_copy(view), view, AT)
    Bundle.model_validate_json(text)
    made: dict[str, object] = json.loads(text)
    return made


def resources(made: dict[str, object], kind: str) -> list[dict[str, object]]:
    return [e["resource"] for e in made["entry"] if e["resource"]["resourceType"] == kind]  # type: ignore


# plain text


def test_the_text_says_draft_first_and_last_and_keeps_to_its_width(opened: CaseView) -> None:
    rows = as_text(clinician_copy(opened)).splitlines()
    assert rows[0] == rows[-1] == "*** DRAFT, NOT SIGNED ***"
    assert max(map(len, rows)) <= WIDTH
    assert "- You came because you were short of breath. [N1]" in rows
    assert "    (stated in the cited text)" in rows
    assert "- [P1, P2] Heart failure (book), CC0" in rows
    assert STARTER_NOTICE in " ".join(rows)


def test_the_patients_text_has_no_citation_no_flag_and_no_draft(cases: Cases, opened: CaseView) -> None:
    text = as_text(patient_copy(signed(cases, opened)))
    assert "You came because you were short of breath." in text
    for word in ("[N1]", "DRAFT", "SEVERE", "zorblax", "stated in the cited text"):
        assert word not in text


def test_the_text_holds_no_control_character(cases: Cases) -> None:
    text = as_text(clinician_copy(save(cases, with_sentence(HOSTILE))))
    assert SHOWN in text
    assert not [c for c in text if c < " " and c != "\n"]
    assert "\u202e" not in text


# Word


def test_a_word_file_opens_again_with_all_the_copy_says(opened: CaseView) -> None:
    data = as_docx(clinician_copy(opened), AT)
    text = word_text(data)
    for words in (
        "Discharge instructions",
        "lisinopril (angioedema), allergy",
        "Weigh yourself every morning. [P1]",
        STARTER_NOTICE,
    ):
        assert words in text
    document = docx.Document(BytesIO(data))
    assert document.sections[0].header.paragraphs[0].text == "DRAFT, NOT SIGNED"
    assert (document.core_properties.author, document.core_properties.comments) == ("Leapnote", "")


def test_a_word_draft_has_a_watermark_and_a_signed_one_has_none(cases: Cases, opened: CaseView) -> None:
    def headers(data: bytes) -> str:
        with ZipFile(BytesIO(data)) as archive:
            return "".join(archive.read(n).decode() for n in archive.namelist() if "header" in n)

    assert 'string="DRAFT, NOT SIGNED"' in headers(as_docx(clinician_copy(opened), AT))
    assert "string=" not in headers(as_docx(clinician_copy(signed(cases, opened)), AT))


def test_a_word_file_shows_markup_as_text(cases: Cases) -> None:
    assert SHOWN in word_text(as_docx(clinician_copy(save(cases, with_sentence(HOSTILE))), AT))


def test_the_patients_word_file_is_in_large_type(cases: Cases, opened: CaseView) -> None:
    document = docx.Document(BytesIO(as_docx(patient_copy(signed(cases, opened)), AT)))
    assert document.styles["Normal"].font.size.pt == 16
    assert "[N1]" not in "\n".join(p.text for p in document.paragraphs)


# PDF


def test_a_pdf_says_draft_on_every_page_and_has_the_text(cases: Cases) -> None:
    paragraph = "Keep to the plan that you and your team made. "
    data = as_pdf(clinician_copy(save(cases, with_sentence(paragraph * 150))))
    pages = len(re.findall(rb"/Type /Page\b(?!s)", data))
    assert pages >= 2
    # once as watermark and once at the head of each page
    assert pdf_text(data).count("DRAFT, NOT SIGNED") == 2 * pages
    assert "lisinopril (angioedema), allergy" in pdf_text(data)


def test_a_signed_pdf_has_no_watermark(cases: Cases, opened: CaseView) -> None:
    assert "DRAFT" not in pdf_text(as_pdf(clinician_copy(signed(cases, opened))))


def test_a_pdf_shows_markup_as_text(cases: Cases) -> None:
    assert SHOWN in pdf_text(as_pdf(clinician_copy(save(cases, with_sentence(HOSTILE)))))


def test_a_character_the_font_lacks_is_written_as_its_code_and_the_copy_says_so(cases: Cases) -> None:
    text = pdf_text(as_pdf(clinician_copy(save(cases, with_sentence("Blood type \U0001f9ff.")))))
    assert "Blood type [U+1F9FF]." in text
    assert "written as its code in brackets" in text


def test_the_same_copy_gives_the_same_pdf(opened: CaseView) -> None:
    assert as_pdf(clinician_copy(opened)) == as_pdf(clinician_copy(opened))


def test_a_very_long_word_does_not_break_the_pdf(cases: Cases) -> None:
    assert as_pdf(clinician_copy(save(cases, with_sentence("x" * 5000)))).startswith(b"%PDF")


# FHIR


def test_a_draft_is_a_valid_preliminary_fhir_document(opened: CaseView) -> None:
    made = bundle(opened)
    first = made["entry"][0]["resource"]  # type: ignore[index]
    assert (made["type"], first["resourceType"], first["status"]) == ("document", "Composition", "preliminary")
    assert first["type"]["coding"][0] == {
        "system": "http://loinc.org",
        "code": "8653-8",
        "display": "Hospital Discharge instructions",
    }
    titles = [section["title"] for section in first["section"]]
    assert titles[0] == "Allergies"
    assert {"Why you were in the hospital", "Your medicines", "Follow-up", "References", "Flags"} <= set(titles)


def test_every_reference_of_the_bundle_is_in_it(cases: Cases, opened: CaseView) -> None:
    for view in (opened, signed(cases, opened)):
        made = bundle(view)
        inside = {e["fullUrl"] for e in made["entry"]}  # type: ignore[attr-defined]
        asked = set(re.findall(r'"reference": "([^"]+)"', json.dumps(made)))
        assert asked and asked <= inside
        assert {e["fullUrl"] for e in made["entry"]} == {f"urn:uuid:{e['resource']['id']}" for e in made["entry"]}  # type: ignore


def test_a_signed_version_is_final_and_names_who_attests_it(cases: Cases, opened: CaseView) -> None:
    made = bundle(signed(cases, opened))
    first = resources(made, "Composition")[0]
    assert (first["status"], first["attester"][0]["mode"]) == ("final", "professional")  # type: ignore[index]
    assert resources(made, "Practitioner")[0]["name"] == [{"text": "Dr Brand"}]


def test_a_correction_says_which_version_it_replaces(cases: Cases, opened: CaseView) -> None:
    newest = corrected(cases, opened)
    before = resources(bundle(cases.view(opened.id, 2)), "Composition")[0]
    assert resources(bundle(newest), "Composition")[0]["relatesTo"] == [
        {"code": "replaces", "targetIdentifier": before["identifier"]}
    ]


def test_the_patient_is_a_stub_without_identifiers(opened: CaseView) -> None:
    patient = resources(bundle(opened), "Patient")[0]
    assert patient["gender"] == "female"
    assert not {"identifier", "name", "birthDate", "address", "telecom"} & set(patient)


def test_each_allergy_is_an_entry_and_one_that_was_not_recognised_says_so(opened: CaseView) -> None:
    first, second = resources(bundle(opened), "AllergyIntolerance")
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
    found = [a["code"]["coding"][0]["code"] for a in resources(made, "AllergyIntolerance")]  # type: ignore[index]
    section = resources(made, "Composition")[0]["section"][0]  # type: ignore[index]
    assert found == entries
    assert (section["emptyReason"]["coding"][0]["code"] if "emptyReason" in section else None) == empty


def test_the_narrative_is_well_formed_xhtml_in_which_markup_is_text(cases: Cases) -> None:
    first = resources(bundle(save(cases, with_sentence(HOSTILE))), "Composition")[0]
    divs = [section["text"]["div"] for section in first["section"]]  # type: ignore[attr-defined]
    trees = [etree.fromstring(div) for div in (*divs, first["text"]["div"])]  # type: ignore[index]
    assert {tree.tag for tree in trees} == {"{http://www.w3.org/1999/xhtml}div"}
    tags = {etree.QName(element).localname for tree in trees for element in tree.iter()}
    assert tags <= {"div", "ul", "li", "p", "b", "br"}
    assert any(SHOWN in "".join(tree.itertext()) for tree in trees)


def test_the_patients_document_has_the_text_alone(cases: Cases, opened: CaseView) -> None:
    made = bundle(signed(cases, opened), patient=True)
    assert resources(made, "AllergyIntolerance") == []
    titles = [s["title"] for s in resources(made, "Composition")[0]["section"]]  # type: ignore[attr-defined]
    assert titles == ["Please note", "Why you were in the hospital", "Your medicines", "Follow-up"]


@pytest.mark.parametrize("document", list(Document))
def test_each_kind_of_document_can_be_taken_away_in_each_format(cases: Cases, document: Document) -> None:
    view = save(
        cases, sample(document=document, question="What could it be?", options=("gout", "heart failure"), answer="B")
    )
    copy = clinician_copy(view)
    assert resources(bundle(view), "Composition")[0]["status"] == "preliminary"
    assert "What could it be?" in as_text(copy)
    assert "What could it be?" in word_text(as_docx(copy, AT))
    assert "What could it be?" in pdf_text(as_pdf(copy))
