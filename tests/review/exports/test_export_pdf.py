"""A copy as a PDF."""

import re

from backend.review.saved_cases import Cases
from backend.schemas.patients.saved_case import CaseView
from tests.review.exports.reading import HOSTILE, SHOWN, file, pdf_text, save
from tests.review.sample import with_sentence
from tests.review.steps import signed


def test_a_pdf_says_draft_on_every_page_and_has_the_text(cases: Cases) -> None:
    paragraph = "Keep to the plan that you and your team made. "
    data = file(save(cases, with_sentence(paragraph * 150)), "pdf")
    pages = len(re.findall(rb"/Type /Page\b(?!s)", data))
    assert pages >= 2
    # once as watermark and once at the head of each page
    assert pdf_text(data).count("DRAFT, NOT SIGNED") == 2 * pages
    assert "lisinopril (angioedema), allergy" in pdf_text(data)


def test_a_signed_pdf_has_no_watermark(cases: Cases, draft_case: CaseView) -> None:
    assert "DRAFT" not in pdf_text(file(signed(cases, draft_case), "pdf"))


def test_a_pdf_shows_markup_as_text(cases: Cases) -> None:
    assert SHOWN in pdf_text(file(save(cases, with_sentence(HOSTILE)), "pdf"))


def test_a_character_the_font_lacks_is_written_as_its_code_and_the_copy_says_so(cases: Cases) -> None:
    text = pdf_text(file(save(cases, with_sentence("Blood type \U0001f9ff.")), "pdf"))
    assert "Blood type [U+1F9FF]." in text
    assert "written as its code in brackets" in text


def test_the_same_copy_gives_the_same_pdf(draft_case: CaseView) -> None:
    assert file(draft_case, "pdf") == file(draft_case, "pdf")


def test_a_very_long_word_does_not_break_the_pdf(cases: Cases) -> None:
    assert file(save(cases, with_sentence("x" * 5000)), "pdf").startswith(b"%PDF")
