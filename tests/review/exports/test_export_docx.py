"""A copy as a Word document."""

from io import BytesIO
from zipfile import ZipFile

import docx

from backend.review.exports.copies import STARTER_NOTICE
from backend.review.saved_cases import Cases
from backend.schemas.patients.saved_case import CaseView, CopyKind
from tests.review.exports.reading import HOSTILE, SHOWN, file, save, word_text
from tests.review.sample import with_sentence
from tests.review.steps import signed


def test_a_word_file_opens_again_with_all_the_copy_says(draft_case: CaseView) -> None:
    data = file(draft_case, "docx")
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


def test_a_word_draft_has_a_watermark_and_a_signed_one_has_none(cases: Cases, draft_case: CaseView) -> None:
    def headers(data: bytes) -> str:
        with ZipFile(BytesIO(data)) as archive:
            return "".join(archive.read(n).decode() for n in archive.namelist() if "header" in n)

    assert 'string="DRAFT, NOT SIGNED"' in headers(file(draft_case, "docx"))
    assert "string=" not in headers(file(signed(cases, draft_case), "docx"))


def test_a_word_file_shows_markup_as_text(cases: Cases) -> None:
    assert SHOWN in word_text(file(save(cases, with_sentence(HOSTILE)), "docx"))


def test_the_patients_word_file_is_in_large_type(cases: Cases, draft_case: CaseView) -> None:
    document = docx.Document(BytesIO(file(signed(cases, draft_case), "docx", CopyKind.PATIENT)))
    assert document.styles["Normal"].font.size.pt == 16
    assert "[N1]" not in "\n".join(p.text for p in document.paragraphs)
