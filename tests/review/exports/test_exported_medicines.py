"""The medicines of a draft as a table in every exported format."""

import json
from collections.abc import Callable
from io import BytesIO

import docx
import pytest
from fhir.resources.R4B.bundle import Bundle
from lxml import etree

from backend.generation.letter.medicines.medicine_sentences import medicine_sentences
from backend.registry import EXPORTERS
from backend.review.exports.contents.clinician_letter import clinician_copy
from backend.review.exports.contents.letter_body import MEDICINE_COLUMNS, medicine_table
from backend.review.exports.contents.patient_letter import patient_copy
from backend.review.exports.copies import Copy
from backend.review.exports.exporting import format_of
from backend.review.saved_cases import Cases
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.gaps import GAP
from backend.schemas.drafts.medicines import MedicineAction, MedicineRow
from backend.schemas.patients.saved_case import CaseView, CopyKind
from backend.schemas.vocabulary import Document
from tests.review.exports.reading import HOSTILE, SHOWN, file, save, text_of
from tests.review.sample import FOLLOW, MEDICINES, WHY, sample
from tests.review.steps import signed

MEDIA = {name: format_of(EXPORTERS.get(name)).media_type for name in EXPORTERS.names()}
ROWS = (
    MedicineRow(
        id="M1", action=MedicineAction.CHANGED, name="metformin", concept_id="LN:metformin", dose="1,000 mg",
        old_dose="500 mg twice a day", timing="twice a day, with meals", source="the note and discharge medicines",
        citations=("N1",),
    ),
    MedicineRow(
        id="M2", action=MedicineAction.STOPPED, name="ibuprofen", reason="kidney injury", source="the note",
    ),
    MedicineRow(
        id="M3", action=MedicineAction.UNDECIDED, name="Zorvexin", dose="5 mg", prompt="Taken before", source="the note",
        recognised=False,
    ),
    MedicineRow(id="M4", action=MedicineAction.HOSPITAL_ONLY, name="ceftriaxone", dose="1 g", source="the note"),
)  # fmt: skip


def drafted(**changed: object) -> Draft:
    return sample(medicines=ROWS, **changed)


@pytest.fixture
def view(cases: Cases) -> CaseView:
    return save(cases, drafted())


def test_the_clinicians_table_has_every_row_with_its_source_and_marks(view: CaseView) -> None:
    part = next(part for part in clinician_copy(view).parts if part.table)
    assert part.heading == MEDICINES and part.table is not None
    assert part.table.columns == (*MEDICINE_COLUMNS, "Source")
    assert part.table.rows[0] == (
        "metformin", "1,000 mg", "twice a day, with meals", "", "Changed; before: 500 mg twice a day",
        "the note and discharge medicines [1]",
    )  # fmt: skip
    assert part.table.rows[2][-2:] == ("Taken before", "the note (not recognised, not checked; to decide)")
    assert part.table.rows[3][4] == "Given in the hospital only"


def test_the_patients_table_has_neither_the_hospitals_rows_nor_sources(cases: Cases, view: CaseView) -> None:
    part = next(part for part in patient_copy(signed(cases, view)).parts if part.table)
    assert part.table is not None and part.table.columns == MEDICINE_COLUMNS
    assert [cells[0] for cells in part.table.rows] == ["metformin", "ibuprofen", "Zorvexin"]
    assert part.table.rows[1] == ("ibuprofen", "", "", "kidney injury", "Stop taking")


def test_the_patients_table_tells_no_dose_that_is_in_doubt_or_no_longer_taken() -> None:
    asked = ROWS[2].model_copy(update={"prompt": "Which dose is right: 5 mg or 10 mg?"})
    stopped = ROWS[1].model_copy(update={"dose": "400 mg", "timing": "at night", "reason": "he was dizzy"})
    table = medicine_table((asked, stopped), CopyKind.PATIENT, {})
    assert table is not None and table.rows == (
        ("Zorvexin", "", "", "", "Ask your team before any dose"),
        ("ibuprofen", "", "", "the note says why: \u201che was dizzy\u201d", "Stop taking"),
    )


@pytest.mark.parametrize("copied", [clinician_copy, patient_copy])
def test_what_the_table_tells_no_sentence_tells_again_but_what_is_to_be_decided_stays_open(
    cases: Cases, view: CaseView, copied: Callable[[CaseView], Copy]
) -> None:
    told = [text for text, _ in medicine_sentences(ROWS)]
    own = "Bring your list of medicines."
    done = signed(cases, view)
    at = next(s for s in done.sentences if s.section == MEDICINES)
    made = tuple(at.model_copy(update={"text": text}) for text in (*told, own))
    copy = copied(done.model_copy(update={"sentences": made}))
    (part,) = (part for part in copy.parts if part.table)
    (asked,) = (text for text in told if GAP.search(text))
    open_place = part.lines[0].text
    assert [line.text for line in part.lines] == [open_place, own]
    assert asked == "Zorvexin: [team to complete: whether to take, change or stop]"
    assert "Zorvexin" in open_place and "whether to take, change or stop" in open_place
    assert len(told) == 3


def test_a_table_of_hospital_medicines_alone_is_none_for_a_patient() -> None:
    assert medicine_table(ROWS[3:], CopyKind.PATIENT, {}) is None
    assert medicine_table((), CopyKind.CLINICIAN, {}) is None


def test_the_heading_stands_though_every_sentence_under_it_is_gone(cases: Cases) -> None:
    kept = tuple(s for s in sample().sentences if s.section != MEDICINES)
    copy = clinician_copy(save(cases, drafted(sentences=kept)))
    headings = [part.heading for part in copy.parts if part.heading in (WHY, MEDICINES, FOLLOW)]
    assert headings == [WHY, MEDICINES, FOLLOW]


def test_another_document_has_no_such_table(cases: Cases) -> None:
    copy = clinician_copy(save(cases, drafted(document=Document.PROGRESS_NOTE)))
    assert not any(part.table for part in copy.parts)


def test_what_a_row_cites_is_among_the_references(cases: Cases) -> None:
    copy = clinician_copy(save(cases, drafted(sentences=sample().sentences[-1:])))
    references = next(part for part in copy.parts if part.heading == "Sources")
    assert any("Pasted note" in line.text for line in references.lines)


@pytest.mark.parametrize("name", MEDIA)
@pytest.mark.parametrize("kind", list(CopyKind))
def test_every_format_shows_the_table(cases: Cases, view: CaseView, name: str, kind: CopyKind) -> None:
    shown = text_of(file(signed(cases, view), name, kind), MEDIA[name])
    for words in ("metformin", "1,000 mg", "twice a day", "Stop taking", "Zorvexin"):
        assert words in shown
    assert ("ceftriaxone" in shown) == (kind is CopyKind.CLINICIAN)
    assert shown.index(MEDICINES) < shown.index("metformin")


@pytest.mark.parametrize("name", MEDIA)
def test_markup_in_a_cell_is_text(cases: Cases, name: str) -> None:
    hostile = ROWS[0].model_copy(update={"name": HOSTILE, "dose": HOSTILE})
    shown = text_of(file(save(cases, sample(medicines=(hostile,))), name), MEDIA[name])
    assert SHOWN.replace(" ", "") in shown.replace(" ", "").replace("\n", "")


def test_the_word_table_repeats_its_head(view: CaseView) -> None:
    (table,) = docx.Document(BytesIO(file(view, "docx"))).tables
    assert [cell.text for cell in table.rows[0].cells] == [*MEDICINE_COLUMNS, "Source"]
    assert "w:tblHeader" in etree.tostring(table.rows[0]._tr).decode()
    assert len(table.rows) == len(ROWS) + 1


def test_a_cell_longer_than_a_page_is_still_a_pdf(cases: Cases) -> None:
    long = ROWS[2].model_copy(update={"prompt": "word " * 3_000})
    assert file(save(cases, sample(medicines=(long, *ROWS))), "pdf").startswith(b"%PDF")


def test_what_the_list_decides_is_a_medication_request_and_the_rest_only_the_table(
    cases: Cases, view: CaseView
) -> None:
    for version, status in ((view, "draft"), (signed(cases, view), "active")):
        data = file(version, "fhir")
        Bundle.model_validate_json(data)
        made = [entry["resource"] for entry in json.loads(data)["entry"]]
        (request,) = [one for one in made if one["resourceType"] == "MedicationRequest"]
        assert (request["status"], request["intent"]) == (status, "plan")
        assert request["medicationCodeableConcept"]["text"] == "metformin"
        assert request["dosageInstruction"] == [{"text": "1,000 mg, twice a day, with meals"}]
        section = next(one for one in made[0]["section"] if one["title"] == MEDICINES)
        assert section["entry"] == [{"reference": f"urn:uuid:{request['id']}"}]
        assert "<table>" in section["text"]["div"]
