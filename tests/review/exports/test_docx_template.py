"""A hospital's own Word file, filled with a letter."""

from io import BytesIO
from pathlib import Path

import docx
import pytest
from docx.document import Document as Word

from backend.errors import MissingError
from backend.review.exports.copies import PageStyle
from backend.review.exports.exporting import exported_file
from backend.review.saved_cases import Cases
from backend.schemas.drafts.headings import MEDICINES_PART, WARNING, WHY
from backend.schemas.patients.letter_details import LetterDetails
from backend.schemas.patients.saved_case import CaseView, CopyKind
from tests.review.exports.contents.test_patient_letter import letter
from tests.review.exports.reading import AT, HOSTILE, save, word_text
from tests.review.exports.test_exported_medicines import ROWS
from tests.review.sample import with_sentence


def template(folder: Path, *paragraphs: str) -> Path:
    document = docx.Document()
    for text in paragraphs:
        document.add_paragraph(text)
    path = folder / "hospital.docx"
    document.save(str(path))
    return path


def made(view: CaseView, path: Path, kind: CopyKind = CopyKind.PATIENT) -> Word:
    return docx.Document(BytesIO(exported_file(view, "docx", kind, AT, PageStyle(template=path)).data))


def texts(document: Word) -> list[str]:
    return [p.text for p in document.paragraphs if p.text]


def test_words_and_blocks_stand_where_the_template_has_them(cases: Cases, tmp_path: Path) -> None:
    path = template(
        tmp_path, "Re: {{ patient_name }}, born {{date_of_birth}}", "ALARM", "{{red_flags}}", "PILLS", "{{medicines}}", "REST",
        "{{letter}}", "{{signed}}",
    )  # fmt: skip
    document = made(letter(cases, medicines=ROWS), path)
    found = texts(document)
    assert found[0] == "Re: Ada Byron, born March 12, 1951"
    assert found[-1] == "Signed by Dr Brand, attending, on May 1, 2026."
    assert "{{" not in word_text(_bytes(document))
    frame, table = document.tables
    assert frame.cell(0, 0).paragraphs[0].text == WARNING
    assert [row.cells[0].text for row in table.rows] == ["Medicine", "metformin", "ibuprofen", "Zorvexin"]
    # what has a place of its own stands there alone; the sentences under the table stay in the letter
    assert found.index("REST") < found.index(WHY) < found.index(MEDICINES_PART)
    assert WARNING not in found


def test_without_places_of_their_own_all_stands_in_the_letter(cases: Cases, tmp_path: Path) -> None:
    document = made(letter(cases, medicines=ROWS), template(tmp_path, "{{letter}}"))
    assert {WHY, MEDICINES_PART} <= set(texts(document))
    assert len(document.tables) == 2


def test_the_clinicians_copy_has_its_sources_in_their_place(cases: Cases, tmp_path: Path) -> None:
    found = texts(
        made(letter(cases), template(tmp_path, "{{sources}}", "END OF SOURCES", "{{letter}}"), CopyKind.CLINICIAN)
    )
    assert found[0] == "Sources"
    assert found.index("[1] The patient's notes: Pasted note, Chief complaint") < found.index("END OF SOURCES")
    assert found.count("Sources") == 1 and "Allergies" in found


def test_a_placeholder_in_pieces_in_a_header_and_in_a_cell_is_found(cases: Cases, tmp_path: Path) -> None:
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "{{hospital}}"
    pieces = document.add_paragraph("Name: ")
    for text in ("{", "{patient", "_name", "}} and {{ward}", "}!"):
        pieces.add_run(text).bold = True
    document.add_table(1, 2).cell(0, 1).text = "{{letter}}"
    path = tmp_path / "t.docx"
    document.save(str(path))
    filled = made(letter(cases), path)
    assert filled.sections[0].header.paragraphs[0].text == "St Elsewhere"
    assert texts(filled)[0] == "Name: Ada Byron and 4 West!"
    assert WHY in [p.text for p in filled.tables[0].cell(0, 1).paragraphs]
    assert filled.tables[0]._tbl.xml.rstrip().endswith("</w:tbl>")


def test_a_draft_says_so_on_every_page_whatever_the_template_has(cases: Cases, tmp_path: Path) -> None:
    document = made(save(cases, with_sentence("Rest.")), template(tmp_path, "{{letter}}"), CopyKind.CLINICIAN)
    assert document.sections[0].header.paragraphs[0].text.startswith("DRAFT, NOT SIGNED")


def test_what_is_put_in_is_never_read_for_placeholders(cases: Cases, tmp_path: Path) -> None:
    view = letter(cases)
    details = LetterDetails(patient_name="{{record_number}}", record_number="7", ward="{{letter}}")
    first = view.sentences[0].model_copy(update={"text": "You said {{patient_name}}."})
    hostile = view.model_copy(update={"details": details, "sentences": (first, *view.sentences[1:])})
    found = texts(made(hostile, template(tmp_path, "{{patient_name}} {{ward}}", "{{letter}}")))
    assert found[0] == "{{record_number}} {{letter}}"
    assert any("You said {{patient_name}}." in text for text in found)


def test_a_template_without_styles_shows_headings_in_bold(cases: Cases, tmp_path: Path) -> None:
    document = docx.Document()
    for name in ("Heading 1", "List Bullet", "Table Grid"):
        element = document.styles[name]._element
        element.getparent().remove(element)
    document.add_paragraph("{{letter}}")
    path = tmp_path / "bare.docx"
    document.save(str(path))
    filled = made(letter(cases, medicines=ROWS), path)
    heading = next(p for p in filled.paragraphs if p.text == WHY)
    assert heading.runs[0].bold and heading.paragraph_format.keep_with_next


def test_markup_and_control_characters_stay_text(cases: Cases, tmp_path: Path) -> None:
    view = letter(cases)
    first = view.sentences[0].model_copy(update={"text": HOSTILE})
    data = made(view.model_copy(update={"sentences": (first, *view.sentences[1:])}), template(tmp_path, "{{letter}}"))
    text = word_text(_bytes(data))
    assert '<script>alert("1")</script>' in text and "\u202e" not in text and "\x1b" not in text


@pytest.mark.parametrize(
    ("paragraphs", "says"),
    [
        (
            ("{{letter}}", "{{patient_nam}}"),
            r"\{\{patient_nam\}\}, which is no placeholder\. There are: \{\{letter\}\}",
        ),
        (("{{letter}} and more",), r"\{\{letter\}\} among other words"),
        (("Hello",), r"no \{\{letter\}\}: the letter would be lost"),
        (("{{letter}}", "{{letter}}"), "more than once"),
        (("{{letter}}", "{{ward"), "not closed"),
    ],
)
def test_a_template_that_would_lose_or_show_something_is_refused(
    cases: Cases, tmp_path: Path, paragraphs: tuple[str, ...], says: str
) -> None:
    with pytest.raises(MissingError, match=says):
        made(letter(cases), template(tmp_path, *paragraphs))


def test_a_block_in_a_header_is_refused(cases: Cases, tmp_path: Path) -> None:
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "{{medicines}}"
    document.add_paragraph("{{letter}}")
    document.save(str(tmp_path / "t.docx"))
    with pytest.raises(MissingError, match="in a header or footer"):
        made(letter(cases), tmp_path / "t.docx")


@pytest.mark.parametrize("data", [None, b"no archive", b"PK\x03\x04broken"])
def test_a_template_that_cannot_be_opened_is_named(cases: Cases, tmp_path: Path, data: bytes | None) -> None:
    path = tmp_path / "gone.docx"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(MissingError, match=r"'gone\.docx' of LEAPNOTE_DOCX_TEMPLATE cannot be opened"):
        made(letter(cases), path)


def _bytes(document: Word) -> bytes:
    buffer = BytesIO()
    document.save(buffer)
    return buffer.getvalue()
