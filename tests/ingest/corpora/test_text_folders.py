"""Folders of Markdown, HTML, text and PDF: headings kept, references and addresses out."""

import os
from pathlib import Path

import pytest

from backend.ingest.corpora.html_text import html_sections, markdown_sections
from backend.ingest.corpora.page_furniture import is_address, is_back_matter, is_furniture, is_reference, reading_matter
from backend.ingest.corpora.pdf import without_line_numbers
from backend.ingest.corpora.text_folders import read_folder
from backend.ingest.documents.source_documents import Reading, SourceDocument
from backend.settings import ROOT


def run(path: Path) -> tuple[list[SourceDocument], Reading]:
    reading = Reading()
    return list(read_folder(path, reading)), reading


def test_html_keeps_headings_lists_and_tables_and_leaves_menus_out() -> None:
    page = """<html><head><title>Sepsis</title><style>x{}</style></head><body><nav>Home</nav><h2>Care</h2><p>Give
    <b>fluids</b> &amp; oxygen.</p><ul><li>One</li><li>Two</li></ul><table><tr><th>Age</th><th>Dose</th></tr>
    <tr><td>70</td><td></td></tr></table><script>alert("<p>no</p>")</script><h3>Later</h3>Text.<footer>c</footer></body></html>"""
    title, sections = html_sections(page)
    assert title == "Sepsis"
    assert sections == (("Care", "Give fluids & oxygen.\nOne\nTwo\nAge | Dose\n70"), ("Later", "Text."))


def test_a_table_keeps_a_line_a_row_whatever_its_cells_hold() -> None:
    """A dose belongs to the drug of its row: paragraphs in cells, cells over several rows, cells never closed."""
    page = """<table><tr><th>Drug<th>Dose<th>Note</tr>
    <tr><td rowspan="2"><p>Heparin</p></td><td><p>5,000 units</p><p>twice a day</p></td><td rowspan="2">by weight</td></tr>
    <tr><td>10,000 units</td></tr>
    <tr><td>Warfarin<td>5 mg</table><p>After it.</p>"""
    assert html_sections(page)[1] == (
        (
            "",
            "Drug | Dose | Note\nHeparin | 5,000 units twice a day | by weight\nHeparin | 10,000 units | by weight\n"
            "Warfarin | 5 mg\nAfter it.",
        ),
    )


@pytest.mark.parametrize("rows", ["999999999999", "-3", "x", "0"])
def test_a_table_with_a_senseless_span_is_read(rows: str) -> None:
    page = f"<table><tr><td rowspan='{rows}'>a</td><td>b</td></tr><tr><td>c</td></tr></table>"
    assert html_sections(page)[1] == (("", "a | b\nc"),)


def test_a_table_within_a_table_keeps_the_rows_of_both() -> None:
    page = """<table><caption>Allergies</caption><tr><th>Agent</th><td>Codeine</td></tr><tr><th>Reactions</th><td><table>
    <tr><td>2012</td><td>Nausea</td></tr></table></td></tr><tr><th>Status</th><td>Active</td></tr></table>"""
    lines = "Allergies\nAgent | Codeine\nReactions\n2012 | Nausea\nStatus | Active"
    assert html_sections(page)[1] == (("", lines),)


def test_a_table_that_only_lays_the_page_out_keeps_headings_and_paragraphs() -> None:
    page = "<table><tr><td>Menu</td><td><h2>Care</h2><p>Rest.</p><p>Drink.</p></td></tr></table><p>After.</p>"
    assert html_sections(page)[1] == (("", "Menu"), ("Care", "Rest.\nDrink.\nAfter."))
    assert html_sections("<table><tr><th><h4>Drug</h4></th><th>Dose</th></tr></table>")[1] == (("", "Drug | Dose"),)


@pytest.mark.parametrize(
    "page",
    [
        "<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/hostname'>]><p>Rest &e; now.</p>",
        "<!DOCTYPE a [<!ENTITY a 'ha'><!ENTITY e '&a;&a;&a;'>]><p>Rest &e; now.</p>",
        "<?xml-stylesheet href='http://x.test/'?><!DOCTYPE html SYSTEM 'http://x.test/a.dtd'><p>Rest &e; now.</p>",
    ],
)
def test_no_entity_is_expanded_and_nothing_is_fetched(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.socket.connect", lambda *_: pytest.fail("something was fetched"))
    ((_, text),) = html_sections(page)[1]
    assert "Rest &e; now." in text


@pytest.mark.parametrize(
    "page", ["", " \n", "<", "<p>", "\x00", "<div>" * 5_000 + "deep", "<td>" * 900 + "x", "a\ud800b"]
)
def test_a_page_of_any_form_is_read_or_empty(page: str) -> None:
    html_sections(page)


def test_tags_that_are_never_closed_hide_nothing_however_many() -> None:
    for tag in ("div", "font", "b", "td", "table"):
        found = html_sections("<p>Before.</p>" + f"<{tag}>" * 1_500 + "Deep.<p>After.</p>")[1]
        assert " ".join(section.text.replace("\n", " ") for section in found) == "Before. Deep. After.", tag


def test_white_space_of_the_markup_is_no_paragraph() -> None:
    assert html_sections("<p>Give\n\n fluids &nbsp; now.</p>")[1] == (("", "Give fluids now."),)


def test_rows_and_paragraphs_of_a_file_stay_apart(tmp_path: Path) -> None:
    (tmp_path / "doses.md").write_text(
        "# Doses\n\nAdults.\n\n| drug | dose |\n|---|---|\n| warfarin | 5 mg |\n| heparin | 5,000 |\n"
    )
    (tmp_path / "text.txt").write_text("Rest.\n\nhttps://www.cdc.gov/opioids\n\nDrink water.\n")
    (doses, text), reading = run(tmp_path)
    assert doses.sections == (("Doses", "Adults.\ndrug | dose\nwarfarin | 5 mg\nheparin | 5,000"),)
    assert text.sections == (("", "Rest.\nDrink water."),)
    assert reading.report.notes == ["Entries of reference lists and addresses within the text were left out."]


def test_a_link_out_of_the_folder_is_not_followed_and_utf16_is_read(tmp_path: Path) -> None:
    (tmp_path / "elsewhere.txt").write_text("Not for you.")
    folder = tmp_path / "books"
    folder.mkdir()
    (folder / "wide.txt").write_bytes("Asthma care, 16 bits a letter.".encode("utf-16"))
    (folder / "link.txt").symlink_to(tmp_path / "elsewhere.txt")
    (folder / "same.txt").symlink_to(folder / "wide.txt")
    documents, reading = run(folder)
    assert [(d.document_id, d.sections[0].text) for d in documents] == [
        ("books/same.txt", "Asthma care, 16 bits a letter."),
        ("books/wide.txt", "Asthma care, 16 bits a letter."),
    ]
    assert reading.report.skipped == {"a link to a file outside the folder": 1}
    assert reading.report.examples == {"a link to a file outside the folder": ["link.txt"]}


def test_a_tag_that_is_never_closed_hides_no_more_than_its_parent() -> None:
    assert html_sections("<div><nav><ul>menu</nav><p>Seen.</p></div>")[1] == (("", "Seen."),)


def test_markdown_with_front_matter_marks_and_tables() -> None:
    text = "---\ntitle: Pain\n---\nIntro *here*.\n\n## Steps\n\n1. Ask\n2. Act\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n"
    title, sections = markdown_sections(text)
    assert title == "Pain"
    assert sections == (("", "Intro here."), ("Steps", "Ask\nAct\na | b\n1 | 2\ncode"))


def test_a_site_generators_mark_is_read_for_its_sentences() -> None:
    mark = "{% include page.html number='1' topic='Starting opioids' description='Other treatments work as well for many common kinds of pain.' %}"
    assert html_sections(f"<div>{mark}</div>")[1] == (
        ("Starting opioids", "Other treatments work as well for many common kinds of pain."),
    )


@pytest.mark.parametrize(
    ("line", "reference"),
    [
        ("12. Smith J, Doe AB, Roe C. A trial of rest. N Engl J Med. 2019;380(1):11-22.", True),
        ("Dowell, D., Ragan, K. R. (2022). Prescribing opioids. MMWR, 71(3), 1-95. doi:10.1/x", True),
        ("[3] Roe C et al. Salt. Lancet 2001; 357: 9-12.", True),
        ("In 2019 the dose was halved: 40 mg instead of 80 mg.", False),
        ("1. Start with 5 mg and double it in 2 weeks.", False),
        ("Ratios of 1:10 were seen in 2018, as Smith J. reported at length in the text.", False),
    ],
)
def test_references_are_told_from_text(line: str, reference: bool) -> None:
    assert is_reference(line) is reference


@pytest.mark.parametrize(
    ("line", "address"),
    [
        ("Department of Medicine, University of Somewhere, Boston, MA 02115", True),
        ("Correspondence: jane@x.test, Tel: +1 555 0100, 12 Long Street", True),
        ("https://www.cdc.gov/opioids", True),
        ("The Department of Health advises rest.", False),
        ("See www.cdc.gov for how to dispose of what is left over at home.", False),
    ],
)
def test_addresses_are_told_from_text(line: str, address: bool) -> None:
    assert is_address(line) is address


def test_headers_and_furniture() -> None:
    assert is_back_matter("12. References:")
    assert is_back_matter("Further reading")
    assert not is_back_matter("Reference values")
    assert is_furniture("Page 3 of 12")
    assert not is_furniture("3 mg")


def test_a_list_of_references_ends_where_text_begins_again() -> None:
    long = " ".join(["word"] * 30) + "."
    lines = [
        "Before.",
        "References",
        "Smith J. A title. Lancet 2001; 357: 9-12.",
        "A title torn off.",
        "doi:10.1/x",
        long,
        long,
        long,
        "After.",
    ]
    text, references, addresses = reading_matter("\n".join(lines))
    assert text.split("\n") == ["Before.", long, long, long, "After."]
    assert (references, addresses) == (3, 0)


def test_a_manuscripts_line_numbers_go_and_other_numbers_stay() -> None:
    lines = [f"Text of a line {n}" for n in range(40, 50)]
    assert without_line_numbers(lines) == ["Text of a line"] * 10
    doses = ["Give 5", "Then 10", "Then 20", "At most 40", "Not over 80", "Ever 90"]
    assert without_line_numbers(doses) == doses


def test_a_folder_tells_every_file_it_left_out(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "sepsis_care.md").write_text("# Sepsis\n\nGive fluids.\n\n## References\n\n1. X\n")
    (tmp_path / "b.txt").write_bytes("Caf\xe9 rest.".encode("cp1252"))
    (tmp_path / "LICENSE.md").write_text("Free.")
    (tmp_path / "x.docx").write_bytes(b"PK")
    (tmp_path / "y.txt").write_bytes(b"\x00\x01")
    (tmp_path / "z.html").write_text("<nav>menu</nav>")
    (tmp_path / ".hidden").write_text("no")
    documents, reading = run(tmp_path)
    assert [(d.document_id.split("/", 1)[1], d.title) for d in documents] == [
        ("a/sepsis_care.md", "Sepsis"),
        ("b.txt", "B"),
    ]
    assert documents[0].sections == (("Sepsis", "Give fluids."),)
    assert documents[1].sections[0].text == "Café rest."
    assert reading.report.skipped == {
        "a file about the files (licence, readme)": 1,
        "a file of another kind (.docx)": 1,
        "not text": 1,
        "no reading matter in it": 1,
    }
    assert reading.report.notes == ["Parts headed References, Acknowledgements and the like were left out."]
    assert run(tmp_path / "b.txt")[0][0].sections == documents[1].sections


def write_pdf(path: Path, pages: list[list[str]], outline: dict[int, str]) -> None:
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path))
    canvas.setTitle("Handbook")
    for number, lines in enumerate(pages):
        if number in outline:
            canvas.bookmarkPage(str(number))
            canvas.addOutlineEntry(outline[number], str(number))
        for place, line in enumerate(lines):
            canvas.drawString(72, 780 - 16 * place, line)
        canvas.showPage()
    canvas.save()


def test_a_pdf_by_its_outline_without_running_titles(tmp_path: Path) -> None:
    pytest.importorskip("pypdf")
    pages = [
        [
            "My Handbook",
            f"Patient {word} should rest the joint and drink plenty of water every single day.",
            f"Advice {word} is to keep the joint cool, and to keep it cool with a tow-",
            f"el. Then {word} asks again, in a line that is as long as the other lines are.",
            f"Last, {word} walks.",
            str(number),
        ]
        for number, word in enumerate(["one", "two", "three", "four"])
    ]
    pages.append(["My Handbook", "Smith J. A title. Lancet 2001; 357: 9-12.", "5"])
    write_pdf(tmp_path / "book.pdf", pages, {0: "Gout", 2: "Asthma", 4: "References"})
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    write_pdf(tmp_path / "scan.pdf", [[]], {})
    documents, reading = run(tmp_path)
    (document,) = documents
    assert document.title == "Handbook"
    assert [section.header for section in document.sections] == ["Gout", "Asthma"]
    assert "Handbook" not in document.sections[0].text
    assert document.sections[0].text.count("keep it cool with a towel. Then") == 2
    assert reading.report.skipped == {"a damaged PDF": 1, "a PDF without text (scanned pages?)": 1}


@pytest.mark.data
def test_open_guidelines_are_read() -> None:
    folder = Path(os.environ.get("LEAPNOTE_TEST_DATA") or ROOT.parent / "shared" / "data") / "cdc_opioid_cds" / "input"
    if not folder.is_dir():
        pytest.skip("the open data is not there (LEAPNOTE_TEST_DATA)")
    documents, reading = run(folder)
    first = next(d for d in documents if d.document_id.endswith("recommendation-01.xml"))
    assert first.title.startswith("Determining Whether or Not")
    assert reading.report.read == reading.report.kept + reading.report.skipped_count
