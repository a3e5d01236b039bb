"""The text of PDF, Word and plain files, with what was taken and what was not."""

import io
import zipfile

import docx
import pytest

from backend.errors import InputError, TooLongError
from backend.ingest.documents import text_files
from backend.ingest.documents.text_files import FileText, file_text
from tests.ingest.documents.written_files import paragraphs, pdf_file, word_file


def taken(held: FileText) -> list[str]:
    return [one.what for one in held.items if one.taken]


def left(held: FileText) -> list[tuple[str, int, str]]:
    return [(one.what, one.count, one.reason) for one in held.items if not one.taken]


def test_plain_text_is_taken_as_it_stands() -> None:
    held = file_text("\ufeffAllergies: péni\n".encode(), "a.txt")
    assert (held.text, held.kind, taken(held), left(held)) == ("Allergies: péni\n", "text", ["text"], [])


def test_a_pdf_gives_its_lines_and_names_pages_without_text() -> None:
    held = file_text(pdf_file("Allergies: penicillin", "Rash", pages=3, first=2), "a.pdf")
    assert held.text == "Allergies: penicillin\nRash\n\nAllergies: penicillin\nRash"
    assert taken(held) == ["page 2", "page 3"]
    assert left(held) == [("page 1", 1, "no text: a scan or a picture")]


def test_a_line_that_stands_on_every_page_stays() -> None:
    """A page head may hold the allergies; books lose theirs, patients' files do not."""
    held = file_text(pdf_file("ALLERGIES: penicillin", pages=12), "a.pdf")
    assert held.text.count("ALLERGIES: penicillin") == 12


def test_what_was_filled_into_a_form_is_taken() -> None:
    fields = ("<< /FT /Tx /T (Allergies) /V (penicillin) >>", "<< /FT /Tx /T (Empty) >>")
    form = "/AcroForm << /Fields [ 6 0 R 7 0 R ] >>"
    held = file_text(pdf_file("Admission form", extra=form, more=fields), "a.pdf")
    assert held.text == "Admission form\n\nAllergies: penicillin"
    assert taken(held) == ["page 1", "fields of the form"]


def test_a_form_that_cannot_be_read_is_named_and_the_text_is_taken() -> None:
    held = file_text(
        pdf_file("Admission form", extra="/AcroForm << /Fields [ << /FT /Tx /T (A) /V (b) >> ] >>"), "a.pdf"
    )
    assert (held.text, left(held)) == ("Admission form", [("fields of the form", 1, "a damaged form")])


def test_comments_of_a_pdf_are_counted_and_left_out() -> None:
    note = "/Annots [ << /Type /Annot /Subtype /Text /Rect [0 0 9 9] /Contents (ask) >> ]"
    held = file_text(pdf_file("Text", page_extra=note), "a.pdf")
    assert (held.text, left(held)) == ("Text", [("comments", 1, "no part of the text")])


def test_a_pdf_of_scans_alone_is_refused() -> None:
    with pytest.raises(InputError, match=r"'a\.pdf' has no text that can be read"):
        file_text(pdf_file("x", pages=2, first=9), "a.pdf")


def test_a_pdf_of_too_many_pages_is_refused_with_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_files, "MOST_PAGES", 2)
    with pytest.raises(TooLongError, match="has 3 pages; at most 2"):
        file_text(pdf_file("x", pages=3), "a.pdf")


def test_a_word_file_gives_paragraphs_lists_and_tables_in_order() -> None:
    document = docx.Document()
    document.add_heading("Admission note", 1)
    document.add_paragraph("Penicillin: rash", style="List Bullet")
    label = document.add_table(1, 2)
    label.cell(0, 0).text, label.cell(0, 1).text = "Allergies", "latex"
    document.add_paragraph("After.")
    buffer = io.BytesIO()
    document.save(buffer)
    held = file_text(buffer.getvalue(), "a.docx")
    assert held.text.splitlines() == ["Admission note", "- Penicillin: rash", "Allergies: latex", "After."]
    assert (held.kind, taken(held)) == ("docx", ["text"])


def test_a_marked_head_names_the_cells_of_each_row() -> None:
    def row(*cells: str, head: bool = False) -> str:
        inner = "".join(f"<w:tc>{paragraphs(cell)}</w:tc>" for cell in cells)
        return f"<w:tr>{'<w:trPr><w:tblHeader/></w:trPr>' if head else ''}{inner}</w:tr>"

    table = f"<w:tbl>{row('Medicine', 'Dose', 'When', head=True)}{row('metformin', '500 mg', '')}</w:tbl>"
    bare = f"<w:tbl>{row('a', 'b', 'c')}</w:tbl>"
    alone = f"<w:tbl>{row('Allergies', 'latex', head=True)}</w:tbl>"
    held = file_text(word_file(table + bare + alone), "a.docx")
    assert held.text.splitlines() == ["- Medicine: metformin; Dose: 500 mg", "a | b | c", "Allergies | latex"]


def test_tracked_insertions_are_taken_and_deletions_and_hidden_words_left_out() -> None:
    body = (
        "<w:p><w:r><w:t>Allergic to </w:t></w:r><w:ins><w:r><w:t>penicillin</w:t></w:r></w:ins>"
        "<w:del><w:r><w:delText>nothing</w:delText></w:r></w:del>"
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r></w:p>"
    )
    held = file_text(word_file(body), "a.docx")
    assert held.text == "Allergic to penicillin"
    assert left(held) == [
        ("deleted words", 1, "deleted while changes were tracked"),
        ("hidden words", 1, "formatted as hidden"),
    ]


def test_heads_feet_and_text_boxes_are_taken_once_and_pictures_and_comments_counted() -> None:
    box = (
        f"<w:p><w:r><w:t>Body</w:t><w:pict><w:txbxContent>{paragraphs('In a box')}</w:txbxContent></w:pict></w:r></w:p>"
    )
    picture = "<w:p><w:r><w:drawing/></w:r></w:p>"
    held = file_text(
        word_file(
            box + picture,
            header1=paragraphs("ALLERGIES: latex"),
            header2=paragraphs("ALLERGIES: latex"),
            footer1=paragraphs("Ward 4"),
            comments="<w:comment/><w:comment/>",
        ),
        "a.docx",
    )
    assert held.text == "ALLERGIES: latex\n\nBody\nIn a box\n\nWard 4"
    assert taken(held) == ["page heads", "text", "page feet"]
    assert [what for what, _, _ in left(held)] == ["pictures", "comments"]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\xd0\xcf\x11\xe0old", "old Office file"),
        (b"{\\rtf1 hello}", "RTF file"),
        (b"\x1f\x8bpacked", "archive"),
        (b"\xff\xfe\x00a", "not UTF-8 text"),
        (b"%PDF-1.4 broken", "damaged or encrypted PDF"),
        (word_file(""), "no text that can be read"),
        (word_file("<w:p>" * 3 + "broken"), "damaged Word document"),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_to_do(data: bytes, says: str) -> None:
    with pytest.raises(InputError, match=says):
        file_text(data, "x")


def with_flag(data: bytes, flag: int) -> bytes:
    """An archive whose every part has a flag in the list of its contents."""
    held, at = bytearray(data), data.find(b"PK\x01\x02")
    while at >= 0:
        held[at + 8] |= flag
        at = data.find(b"PK\x01\x02", at + 4)
    return bytes(held)


def test_a_word_file_with_a_password_or_with_broken_parts_is_refused() -> None:
    with pytest.raises(InputError, match="needs a password"):
        file_text(with_flag(word_file(paragraphs("Body")), 1), "a.docx")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", "<w:body>" * 500)
    broken = bytearray(buffer.getvalue())
    start = 30 + len("word/document.xml")
    broken[start : start + 4] = b"\xff\xff\xff\xff"
    with pytest.raises(InputError, match="damaged Word document"):
        file_text(bytes(broken), "a.docx")


def test_a_word_file_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_files, "MOST_XML", 1_000)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", " " * 1_001)
    with pytest.raises(TooLongError, match="larger than 1,000 bytes"):
        file_text(buffer.getvalue(), "bomb.docx")


def test_entities_and_deep_nesting_are_refused() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("word/document.xml", '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>')
    with pytest.raises(InputError, match="damaged"):
        file_text(buffer.getvalue(), "x.docx")
    deep = "<w:sdt>" * 5_000 + paragraphs("Text") + "</w:sdt>" * 5_000
    with pytest.raises(InputError, match="too deeply"):
        file_text(word_file(deep), "x.docx")
