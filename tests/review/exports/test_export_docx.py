"""A copy as a Word document."""

from io import BytesIO
from zipfile import ZipFile

import docx

from backend.review.exports.contents.clinician_letter import STARTER_NOTICE
from backend.review.exports.copies import PageStyle, Paper
from backend.review.exports.exporting import exported_file
from backend.review.saved_cases import Cases
from backend.schemas.drafts.headings import WARNING
from backend.schemas.patients.saved_case import CaseView, CopyKind
from tests.review.exports.contents.test_patient_letter import letter
from tests.review.exports.reading import AT, HOSTILE, SHOWN, file, save, word_text
from tests.review.sample import with_sentence
from tests.review.steps import signed


def test_a_word_file_opens_again_with_all_the_copy_says(draft_case: CaseView) -> None:
    data = file(draft_case, "docx")
    text = word_text(data)
    for words in (
        "Discharge instructions",
        "lisinopril (angioedema), allergy",
        "Weigh yourself every morning. [3]",
        STARTER_NOTICE,
    ):
        assert words in text
    document = docx.Document(BytesIO(data))
    assert document.sections[0].header.paragraphs[0].text == "DRAFT, NOT SIGNED"
    assert (document.core_properties.author, document.core_properties.comments) == ("Leapnote", "")


def test_a_word_draft_has_a_watermark_and_a_signed_one_has_none(cases: Cases, draft_case: CaseView) -> None:
    def headers(data: bytes) -> str:
        with ZipFile(BytesIO(data)) as archive:
            return "".join(archive.read(n).decode() for n in archive.namelist() if "header" in n)

    assert 'string="DRAFT, NOT SIGNED"' in headers(file(draft_case, "docx"))
    assert "string=" not in headers(file(signed(cases, draft_case), "docx"))


def test_a_word_file_shows_markup_as_text(cases: Cases) -> None:
    assert SHOWN in word_text(file(save(cases, with_sentence(HOSTILE)), "docx"))


def test_a_word_file_takes_paper_and_large_type(cases: Cases, draft_case: CaseView) -> None:
    view = signed(cases, draft_case)
    plain = docx.Document(BytesIO(file(view, "docx", CopyKind.PATIENT)))
    assert plain.styles["Normal"].font.size.pt == 12
    assert round(plain.sections[0].page_width.inches, 2) == 8.5
    style = PageStyle(paper=Paper.A4, large=True)
    large = docx.Document(BytesIO(exported_file(view, "docx", CopyKind.PATIENT, AT, style).data))
    assert large.styles["Normal"].font.size.pt == 18
    assert round(large.sections[0].page_width.mm) == 210
    assert "[1]" not in "\n".join(p.text for p in plain.paragraphs)


def test_warning_signs_stand_in_a_frame(cases: Cases) -> None:
    document = docx.Document(BytesIO(file(letter(cases), "docx", CopyKind.PATIENT)))
    (frame,) = (table for table in document.tables if "tblBorders" in table._tbl.xml)
    assert [p.text for p in frame.cell(0, 0).paragraphs][:2] == [WARNING, "In an emergency, call 911."]
