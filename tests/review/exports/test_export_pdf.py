"""A copy as a tagged PDF."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader
from pypdf.generic import DictionaryObject

from backend.review.exports.copies import PageStyle, Paper
from backend.review.exports.exporting import exported_file
from backend.review.saved_cases import Cases
from backend.schemas.drafts.headings import WARNING
from backend.schemas.patients.letter_details import LetterDetails
from backend.schemas.patients.saved_case import CaseView, CopyKind
from backend.schemas.vocabulary import Locale
from tests.review.exports.contents.test_patient_letter import letter
from tests.review.exports.reading import AT, HOSTILE, SHOWN, file, pdf_text, save
from tests.review.exports.test_exported_medicines import ROWS
from tests.review.sample import with_sentence
from tests.review.steps import signed


def read(data: bytes) -> PdfReader:
    return PdfReader(BytesIO(data))


def elements(node: Any) -> Iterator[DictionaryObject]:
    """The structure elements below a node, in reading order."""
    kids = node.get("/K", [])
    for kid in kids if isinstance(kids, list) else [kids]:
        kid = kid.get_object() if hasattr(kid, "get_object") else kid
        if isinstance(kid, DictionaryObject) and "/S" in kid:
            yield kid
            yield from elements(kid)


def tags(data: bytes) -> list[str]:
    """The structure types of a file, in reading order."""
    return [str(one["/S"]) for one in elements(read(data).root_object["/StructTreeRoot"])]


def patient(view: CaseView, **style: Any) -> bytes:
    return exported_file(view, "pdf", CopyKind.PATIENT, AT, PageStyle(**style)).data


def test_a_pdf_says_draft_on_every_page_and_has_the_text(cases: Cases) -> None:
    paragraph = "Keep to the plan that you and your team made. "
    data = file(save(cases, with_sentence(paragraph * 150)), "pdf")
    pages = len(read(data).pages)
    assert pages >= 2
    # once as watermark and once at the head of each page
    assert pdf_text(data).count("DRAFT, NOT SIGNED") == 2 * pages
    assert "lisinopril (angioedema), allergy" in pdf_text(data)


def test_a_signed_pdf_has_no_watermark(cases: Cases, draft_case: CaseView) -> None:
    assert "DRAFT" not in pdf_text(file(signed(cases, draft_case), "pdf"))


def test_a_pdf_is_pdf_ua_with_title_and_language(cases: Cases) -> None:
    for locale, language in ((Locale.US, "en-US"), (Locale.UK, "en-GB")):
        reader = read(patient(letter(cases, locale)))
        root = reader.root_object
        assert root["/MarkInfo"]["/Marked"].value is True
        assert root["/Lang"] == language
        assert root["/ViewerPreferences"]["/DisplayDocTitle"].value is True
        assert reader.metadata is not None and reader.metadata.title == "Discharge instructions for Ada Byron"
        assert b"pdfuaid:part>1<" in root["/Metadata"].get_data()


def test_headings_lists_and_tables_are_tagged_in_reading_order(cases: Cases) -> None:
    found = tags(patient(letter(cases, medicines=ROWS)))
    assert found.count("/H1") == 1
    assert found.index("/H1") < found.index("/H2") < found.index("/Table")
    assert {"/P", "/L", "/LI", "/LBody", "/THead", "/TR", "/TH", "/TBody", "/TD"} <= set(found)
    # five columns; of four rows one is the hospital's own
    assert (found.count("/TH"), found.count("/TD")) == (5, 15)


def test_a_head_cell_says_that_it_heads_its_column(cases: Cases) -> None:
    root = read(patient(letter(cases, medicines=ROWS))).root_object["/StructTreeRoot"]
    heads = [one for one in elements(root) if one["/S"] == "/TH"]
    for head in heads:
        given = head["/A"].get_object()
        attributes = [a.get_object() for a in given] if isinstance(given, list) else [given]
        assert "/Column" in [a.get("/Scope") for a in attributes]


@pytest.mark.parametrize(("paper", "points"), [(Paper.A4, (595, 842)), (Paper.LETTER, (612, 792)), (None, (612, 792))])
def test_the_paper_is_the_one_asked_for_or_the_locales(
    cases: Cases, paper: Paper | None, points: tuple[int, int]
) -> None:
    box = read(patient(letter(cases), paper=paper)).pages[0].mediabox
    assert (round(box.width), round(box.height)) == points


def test_large_type_is_larger_and_loses_no_cell(cases: Cases) -> None:
    def sizes(data: bytes) -> set[float]:
        found: set[float] = set()
        for page in read(data).pages:
            page.extract_text(visitor_text=lambda _t, _u, tm, _f, size: found.add(round(abs(tm[3]) * size)))
        return found

    view = letter(cases, medicines=ROWS)
    plain, large = patient(view), patient(view, large=True)
    assert 12 in sizes(plain) and 18 in sizes(large)
    for cell in ("metformin", "1,000 mg", "Stop taking", "kidney injury"):
        assert cell in pdf_text(large).replace("\n", " ")


def test_a_patients_pdf_shows_no_id_and_nothing_of_a_missing_review(cases: Cases) -> None:
    view = letter(cases)
    text = pdf_text(patient(view))
    assert "Ada Byron" in text and "March 12, 1951" in text and "Signed by Dr Brand" in text
    assert view.id not in text and "reviewed" not in text


def test_no_heading_is_alone_at_the_foot_of_a_page(cases: Cases) -> None:
    """Headings move down the page a line at a time, as the sentence before them grows."""
    headings = ("Your medicines", "Follow-up", "When to get help")
    for words in range(0, 700, 35):
        view = letter(cases)
        first = view.sentences[0].model_copy(update={"text": "word " * words})
        data = patient(view.model_copy(update={"sentences": (first, *view.sentences[1:])}), large=True)
        for page in read(data).pages:
            rows = [row for row in page.extract_text().splitlines() if row.strip()]
            body = [row for row in rows if not row.startswith(("Discharge instructions for", "Page "))]
            assert body[-1].strip() not in headings


@pytest.mark.parametrize("end", ["list", "prose", "box"])
def test_no_page_holds_the_signature_alone(cases: Cases, end: str) -> None:
    """The end moves down the page a line at a time, as the sentence before it grows."""
    view = letter(cases)
    box = next(s for s in view.sentences if s.section == WARNING)
    count = 1 if end == "prose" else 5
    section = WARNING if end == "box" else "Follow-up"
    more = [
        box.model_copy(update={"text": f"Keep to rule number {n}.", "section": section, "id": f"S9{n}"})
        for n in range(count)
    ]
    others = [s for s in view.sentences if s.section not in ("Follow-up", WARNING)]
    pages = set[int]()
    for words in range(120, 660, 15):
        first = others[0].model_copy(update={"text": "word " * words})
        whole = view.model_copy(update={"sentences": (first, *others[1:], *more)})
        texts = [page.extract_text() for page in read(patient(whole)).pages]
        pages.add(len(texts))
        told = texts[-1].partition("Signed by")[0]
        assert "Keep to rule" in told
    assert len(pages) > 1, "the end moved over the foot of a page"


def test_a_box_begins_on_the_page_that_has_room_and_goes_on_over_it(cases: Cases) -> None:
    view = letter(cases)
    signs = [f"Call an ambulance if you feel sign number {number}." for number in range(24)]
    box = next(s for s in view.sentences if s.section == WARNING)
    first = view.sentences[0].model_copy(update={"text": "word " * 220})
    more = [box.model_copy(update={"text": sign}) for sign in signs]
    whole = view.model_copy(update={"sentences": (first, *view.sentences[1:], *more)})
    pages = [page.extract_text() for page in read(patient(whole)).pages]
    assert len(pages) == 2 and WARNING in pages[0]
    assert signs[0] in pages[0] and signs[-1] in pages[1]


def test_a_name_as_long_as_a_field_stays_on_the_page(cases: Cases) -> None:
    name = "W" * 150
    view = letter(cases)
    same = LetterDetails(patient_name=name, hospital=name, record_number=name)
    data = patient(view.model_copy(update={"details": same}))
    text = pdf_text(data).replace("\n", "")
    # over the heading and twice in the head; at the foot of the page shortened
    assert text.count("W" * 150) >= 3 and "\u2026" in text
    for page in read(data).pages:
        heights: list[float] = []

        def note(text: str, place: list[float], *_: Any, to: list[float] = heights) -> None:
            to += [place[5]] if text.strip() else []

        page.extract_text(visitor_text=note)
        assert heights and all(10 < height < page.mediabox.height - 10 for height in heights)


def test_a_pdf_shows_markup_as_text(cases: Cases) -> None:
    assert SHOWN in pdf_text(file(save(cases, with_sentence(HOSTILE)), "pdf"))


def test_typsts_own_markup_is_text(cases: Cases) -> None:
    words = '#set page(width: 1cm) *bold* _x_ $1+1$ @a <a> // c /* d */ = head #read("/etc/passwd") \\ ~ [b]'
    assert words in pdf_text(file(save(cases, with_sentence(words)), "pdf")).replace("\n", " ")


def test_a_character_the_font_lacks_is_written_as_its_code_and_the_copy_says_so(cases: Cases) -> None:
    text = pdf_text(file(save(cases, with_sentence("Blood type \U0001f9ff.")), "pdf"))
    assert "Blood type [U+1F9FF]." in text
    assert "written as its code in brackets" in text.replace("\n", " ")


def test_the_same_copy_gives_the_same_pdf(draft_case: CaseView) -> None:
    assert file(draft_case, "pdf") == file(draft_case, "pdf")


def test_a_very_long_word_is_shown_to_its_end(cases: Cases) -> None:
    data = file(save(cases, with_sentence("x" * 4_999 + "y")), "pdf")
    assert pdf_text(data).replace("\n", "").count("x") >= 4_999
    # a row that ran over the edge would be one row
    assert len(pdf_text(data).splitlines()) > 40
