"""What a Word file is made of: headings, lists, tables and a framed box, put before a place in the document.

A hospital's own template may lack a style; then the words stand in its normal one, in bold where they are a heading.
"""

from typing import TYPE_CHECKING

from backend.review.exports.contents.letter_body import stacked, widths
from backend.review.exports.copies import Copy, Line, Part, PartKind, Table, one_line, printable
from backend.schemas.patients.saved_case import CopyKind

if TYPE_CHECKING:
    from docx.document import Document as Word
    from docx.text.paragraph import Paragraph

RED, GREY = (0xA3, 0x00, 0x1B), (0x4A, 0x4A, 0x4A)
SIZES = {CopyKind.CLINICIAN: (10.5, 9.0), CopyKind.PATIENT: (12.0, 10.0)}  # points: text, small print
LARGE = (18.0, 15.0)
WATERMARK = (
    '<w:pict xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:o="urn:schemas-microsoft-com:office:office">'
    '<v:shapetype id="_x0000_t136" coordsize="21600,21600" o:spt="136" adj="10800" path="m@7,l@8,m@5,21600l@6,21600e">'
    '<v:path textpathok="t" o:connecttype="rect"/><v:textpath on="t" fitshape="t"/></v:shapetype>'
    '<v:shape id="LeapnoteDraft" type="#_x0000_t136" alt="" style="position:absolute;width:440pt;height:70pt;rotation:315;'
    "z-index:-251658752;mso-position-horizontal:center;mso-position-horizontal-relative:margin;"
    'mso-position-vertical:center;mso-position-vertical-relative:margin" fillcolor="#d0d0d0" stroked="f">'
    '<v:textpath style="font-family:&quot;Arial&quot;;font-size:1pt" string={text}/></v:shape></w:pict>'
)


class WordBlocks:
    """Writes blocks of a copy before a paragraph of a document.

    Args:
        document: the Word file.
        copy: whose size and kind the blocks have.
        place: the paragraph before which they stand; it stays.
    """

    def __init__(self, document: "Word", copy: Copy, place: "Paragraph") -> None:
        self._document = document
        self._copy = copy
        self._place = place
        self._small = (LARGE if copy.style.large else SIZES[copy.kind])[1]

    def part(self, part: Part) -> None:
        """A section: its heading, table and lines; one that is boxed in a frame."""
        if part.box:
            inner = self._framed()
            inner.heading(part.heading, 1, RED)
            inner.inside(part)
            inner.end()
            return
        self.heading(part.heading, 1, RED if part.kind is PartKind.ALARM else None)
        self.inside(part)

    def inside(self, part: Part) -> None:
        """A section without its heading."""
        if part.table:
            self.table(part.table)
        if part.prose:
            self._paragraph("").add_run(printable(" ".join(line.text for line in part.lines)))
            return
        for line in part.lines:
            self.line(line)

    def heading(self, text: str, level: int, colour: tuple[int, int, int] | None = None) -> None:
        """A heading of this level, which stays with what follows."""
        name = f"Heading {level}" if level else "Title"
        paragraph = self._paragraph(name)
        paragraph.paragraph_format.keep_with_next = True
        run = paragraph.add_run(one_line(text))
        run.bold = True if colour or not self._styled(name) else None
        if colour:
            paint(run, colour)

    def line(self, line: Line) -> None:
        """A statement as an item of a list, with its sources and marks."""
        paragraph = self._paragraph("List Bullet")
        words = paragraph.add_run(printable(line.text))
        words.bold = line.strong or None
        if line.citations:
            paragraph.add_run(f" [{', '.join(line.citations)}]").bold = True
        if line.marks and self._copy.kind == CopyKind.CLINICIAN:
            self._faint(paragraph, f"  ({'; '.join(line.marks)})")

    def small(self, text: str) -> None:
        """Small print."""
        self._faint(self._paragraph(""), text)

    def table(self, table: Table, head: bool = True) -> None:
        """A table with lines, whose head stands again on each page.

        Args:
            table: the cells.
            head: it has a row of headings.
        """
        from docx.oxml import OxmlElement
        from docx.shared import Pt

        if self._copy.style.large and head:
            table = stacked(table)
        rows = [(table.columns, True)] if head else []
        rows += [(row, False) for row in table.rows]
        made = self._document.add_table(rows=0, cols=len(rows[0][0]))
        shares = widths(len(rows[0][0]))
        full = self._width()
        if head and self._styled("Table Grid"):
            made.style = "Table Grid"
        for cells, bold in rows:
            row = made.add_row()
            properties = row._tr.get_or_add_trPr()
            properties.append(OxmlElement("w:cantSplit"))
            if bold:
                properties.append(OxmlElement("w:tblHeader"))
            for place, (cell, text) in enumerate(zip(row.cells, cells, strict=True)):
                cell.width = int(full * shares[place] / sum(shares))
                cell.paragraphs[0].paragraph_format.space_after = Pt(2)
                words = cell.paragraphs[0].add_run(printable(text))
                words.bold = bold or (head and place == 0) or (not head and place % 2 == 1) or None
                words.font.size = Pt(self._small)
        self._place._p.addprevious(made._tbl)
        self._paragraph("").paragraph_format.space_after = Pt(0)

    def end(self) -> None:
        """Take the place itself away."""
        self._place._p.getparent().remove(self._place._p)

    def _framed(self) -> "WordBlocks":
        """Blocks that write into a frame, at this place."""
        from docx.oxml import parse_xml
        from docx.oxml.ns import nsdecls

        made = self._document.add_table(rows=1, cols=1)
        edges = "".join(
            f'<w:{side} w:val="single" w:sz="12" w:space="0" w:color="{"".join(f"{c:02X}" for c in RED)}"/>'
            for side in ("top", "left", "bottom", "right")
        )
        made._tbl.tblPr.append(parse_xml(f"<w:tblBorders {nsdecls('w')}>{edges}</w:tblBorders>"))
        self._place._p.addprevious(made._tbl)
        self._paragraph("")
        return WordBlocks(self._document, self._copy, made.rows[0].cells[0].paragraphs[0])

    def _width(self) -> int:
        section = self._document.sections[0]
        return int((section.page_width or 0) - (section.left_margin or 0) - (section.right_margin or 0))

    def _paragraph(self, style: str) -> "Paragraph":
        made = self._place.insert_paragraph_before()
        if style and self._styled(style):
            made.style = self._document.styles[style]
        return made

    def _styled(self, name: str) -> bool:
        return name in {style.name for style in self._document.styles}

    def _faint(self, paragraph: "Paragraph", text: str) -> None:
        from docx.shared import Pt

        run = paragraph.add_run(printable(text))
        run.font.size = Pt(self._small)
        paint(run, GREY)


def paint(run: object, colour: tuple[int, int, int]) -> None:
    """Give a run of text a colour."""
    from docx.shared import RGBColor

    run.font.color.rgb = RGBColor(*colour)  # type: ignore[attr-defined]


def stamp(document: "Word", banner: str) -> None:
    """Say on every page what the copy is not yet, in words and across the page."""
    from xml.sax.saxutils import quoteattr

    from docx.oxml import parse_xml

    for place, section in enumerate(document.sections):
        heads = [section.header]
        heads += [section.first_page_header] if section.different_first_page_header_footer else []
        heads += [section.even_page_header] if document.settings.odd_and_even_pages_header_footer else []
        for head in heads:
            if head.is_linked_to_previous and place > 0:
                continue
            first = head.paragraphs[0] if head.paragraphs else head.add_paragraph()
            words = first.insert_paragraph_before() if first.text.strip() else first
            run = words.add_run(banner)
            run.bold = True
            paint(run, RED)
            words.add_run()._r.append(parse_xml(WATERMARK.format(text=quoteattr(banner.split(";", maxsplit=1)[0]))))
