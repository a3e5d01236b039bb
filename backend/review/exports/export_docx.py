"""A copy as a Word document, by python-docx: real headings and lists, a watermark on every page of a draft."""

from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from backend.registry import exporter
from backend.review.exports.copies import Copy, Line, PartKind, Table, printable
from backend.schemas.patients.saved_case import CaseView, CopyKind

if TYPE_CHECKING:
    from docx.document import Document as Word
    from docx.text.paragraph import Paragraph

SIZES = {CopyKind.CLINICIAN: (10.5, 9.0), CopyKind.PATIENT: (16.0, 12.0)}  # points: text, small print
RED, GREY = (0xB0, 0x00, 0x20), (0x55, 0x55, 0x55)
WATERMARK = (
    '<w:pict xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:o="urn:schemas-microsoft-com:office:office">'
    '<v:shapetype id="_x0000_t136" coordsize="21600,21600" o:spt="136" adj="10800" path="m@7,l@8,m@5,21600l@6,21600e">'
    '<v:path textpathok="t" o:connecttype="rect"/><v:textpath on="t" fitshape="t"/></v:shapetype>'
    '<v:shape id="LeapnoteDraft" type="#_x0000_t136" style="position:absolute;width:440pt;height:70pt;rotation:315;'
    "z-index:-251658752;mso-position-horizontal:center;mso-position-horizontal-relative:margin;"
    'mso-position-vertical:center;mso-position-vertical-relative:margin" fillcolor="#d0d0d0" stroked="f">'
    '<v:textpath style="font-family:&quot;Arial&quot;;font-size:1pt" string={text}/></v:shape></w:pict>'
)


@exporter(
    "docx",
    label="Word",
    media_type="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    suffix="docx",
    copies=tuple(CopyKind),
    order=20,
)
def as_docx(copy: Copy, view: CaseView, at: datetime) -> bytes:
    """Word: headings, bullet lists, a watermark on every page of a draft.

    The properties of the file give the moment when the case was last changed, and name no person.
    """
    import docx

    document = docx.Document()
    _set_up(document, copy, view.updated_at)
    document.add_heading(copy.title, level=0)
    _small(document, copy.identity, copy)
    for part in copy.parts:
        heading = document.add_heading(printable(part.heading).replace("\n", " "), level=1)
        if part.kind == PartKind.ALARM:
            _colour(heading, RED)
        if part.table:
            _table(document, part.table, copy)
        for line in part.lines:
            _line(document, line, copy)
    document.add_paragraph()
    for notice in copy.notices:
        _small(document, notice, copy)
    buffer = BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def _set_up(document: "Word", copy: Copy, at: datetime) -> None:
    """Fonts, properties, and what stands on every page."""
    from docx.oxml import parse_xml
    from docx.shared import Pt

    normal = document.styles["Normal"]
    normal.font.name = "Arial"
    normal.font.size = Pt(SIZES[copy.kind][0])
    moment = at.astimezone(UTC).replace(tzinfo=None)
    properties = document.core_properties
    properties.author, properties.last_modified_by, properties.title = "Leapnote", "Leapnote", copy.title
    properties.comments, properties.created, properties.modified = "", moment, moment
    section = document.sections[0]
    section.footer.paragraphs[0].text = copy.identity
    if copy.banner:
        head = section.header.paragraphs[0]
        head.text = copy.banner
        _colour(head, RED)
        head.add_run()._r.append(parse_xml(WATERMARK.format(text=quoteattr(copy.banner.split(";")[0]))))


def _table(document: "Word", table: Table, copy: Copy) -> None:
    """A table with lines, whose head stands again on each page."""
    from docx.oxml import OxmlElement
    from docx.shared import Pt

    made = document.add_table(rows=1, cols=len(table.columns), style="Table Grid")
    head = made.rows[0]._tr.get_or_add_trPr()
    head.append(OxmlElement("w:tblHeader"))
    for cells, bold in [(table.columns, True), *((row, False) for row in table.rows)]:
        shown = made.rows[0] if bold else made.add_row()
        for cell, text in zip(shown.cells, cells, strict=True):
            words = cell.paragraphs[0].add_run(printable(text))
            words.bold = bold or None
            words.font.size = Pt(SIZES[copy.kind][1])


def _line(document: "Word", line: Line, copy: Copy) -> None:
    paragraph = document.add_paragraph(style="List Bullet")
    words = paragraph.add_run(printable(line.text))
    words.bold = line.strong or None
    if line.citations:
        paragraph.add_run(f" [{', '.join(line.citations)}]").bold = True
    if line.marks and copy.kind == CopyKind.CLINICIAN:
        _faint(paragraph, printable(f"  ({'; '.join(line.marks)})"), copy)


def _small(document: "Word", text: str, copy: Copy) -> None:
    _faint(document.add_paragraph(), printable(text), copy)


def _faint(paragraph: "Paragraph", text: str, copy: Copy) -> None:
    from docx.shared import Pt, RGBColor

    run = paragraph.add_run(text)
    run.font.size = Pt(SIZES[copy.kind][1])
    run.font.color.rgb = RGBColor(*GREY)


def _colour(paragraph: "Paragraph", colour: tuple[int, int, int]) -> None:
    from docx.shared import RGBColor

    for run in paragraph.runs:
        run.font.color.rgb = RGBColor(*colour)
        run.bold = True
