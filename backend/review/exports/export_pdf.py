"""A copy as a PDF, by reportlab: page numbers, a watermark on every page of a draft, large type for a patient.

A character that the font does not have is written as its code in brackets, and the copy says so: it must not vanish.
"""

from collections.abc import Callable
from datetime import datetime
from io import BytesIO
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from backend.registry import exporter
from backend.review.exports.copies import Copy, Line, PartKind, Table
from backend.review.exports.pdf_fonts import BOLD, FONT, spelled
from backend.schemas.patients.saved_case import CaseView, CopyKind

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

SIZES = {CopyKind.CLINICIAN: (10.0, 8.5), CopyKind.PATIENT: (16.0, 12.0)}  # points: text, small print
RED, GREY, INK, FAINT = "#b00020", "#555555", "#111111", "#dddddd"
MARGIN = 56.7  # points: 2 cm
MISSING = (
    "A character this PDF's font does not have is written as its code in brackets; the text export has all of them."
)


@exporter("pdf", label="PDF", media_type="application/pdf", suffix="pdf", copies=tuple(CopyKind), order=30)
def as_pdf(copy: Copy, view: CaseView, at: datetime) -> bytes:
    """PDF, A4. The same copy gives the same bytes on one machine."""
    from reportlab.lib.pagesizes import A4
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer

    write = _Script(copy)
    flow: list[Any] = [Paragraph(write.markup(copy.title), write.style(2.0, bold=True, after=8))]
    flow.append(Paragraph(write.markup(copy.identity), write.small))
    for part in copy.parts:
        alarm = part.kind == PartKind.ALARM
        style = write.style(1.3, bold=True, before=12, after=4, colour=RED if alarm else INK)
        flow.append(Paragraph(write.markup(part.heading), style))
        if part.table:
            flow += [write.table(part.table, A4[0] - 2 * MARGIN), Spacer(1, 8)]
        flow += [Paragraph(write.line(line), write.item, bulletText="\u2022") for line in part.lines]
    flow.append(Spacer(1, 12))
    notices = [Paragraph(write.markup(notice), write.small) for notice in copy.notices]
    flow += [*notices, *([Paragraph(MISSING, write.small)] if write.missed else [])]
    buffer = BytesIO()
    document = SimpleDocTemplate(
        buffer,
        pagesize=A4,
        leftMargin=MARGIN,
        rightMargin=MARGIN,
        topMargin=MARGIN,
        bottomMargin=MARGIN,
        title=copy.title,
        author="Leapnote",
        lang="en",
        invariant=1,
    )
    page = _page(copy)
    document.build(flow, onFirstPage=page, onLaterPages=page)
    return buffer.getvalue()


class _Script:
    """Styles of one copy, and its text as reportlab's markup. missed: some character was not in the font."""

    def __init__(self, copy: Copy) -> None:
        self._size, small = SIZES[copy.kind]
        self._marks = copy.kind == CopyKind.CLINICIAN
        self.missed = False
        self.small = self.style(small / self._size, after=4, colour=GREY)
        self.item = self.style(1.0, after=4, indent=self._size * 1.3)

    def style(
        self,
        scale: float,
        bold: bool = False,
        before: float = 0,
        after: float = 0,
        indent: float = 0,
        colour: str = INK,
    ) -> Any:
        from reportlab.lib.colors import HexColor
        from reportlab.lib.styles import ParagraphStyle

        size = self._size * scale
        return ParagraphStyle(
            f"s{size}{bold}{colour}",
            fontName=BOLD if bold else FONT,
            bulletFontName=FONT,
            bulletFontSize=size,
            fontSize=size,
            leading=size * 1.4,
            spaceBefore=before,
            spaceAfter=after,
            leftIndent=indent,
            textColor=HexColor(colour),
            splitLongWords=1,
        )

    def table(self, table: Table, width: float) -> Any:
        """The table over the whole width, whose head stands again on each page; a row may go on on the next."""
        from reportlab.lib.colors import HexColor
        from reportlab.platypus import LongTable, Paragraph, TableStyle

        _, small = SIZES[CopyKind.PATIENT if not self._marks else CopyKind.CLINICIAN]
        head, body = self.style(small / self._size, bold=True), self.style(small / self._size)
        cells = [[Paragraph(self.markup(cell), head) for cell in table.columns]]
        cells += [[Paragraph(self.markup(cell), body) for cell in row] for row in table.rows]
        lines = [("GRID", (0, 0), (-1, -1), 0.5, HexColor(GREY)), ("VALIGN", (0, 0), (-1, -1), "TOP")]
        widths = [width / len(table.columns)] * len(table.columns)
        return LongTable(cells, colWidths=widths, repeatRows=1, splitInRow=1, style=TableStyle(lines))

    def line(self, line: Line) -> str:
        text = self.markup(line.text)
        text = f'<font name="{BOLD}">{text}</font>' if line.strong else text
        if line.citations:
            text += f' <font name="{BOLD}">[{self.markup(", ".join(line.citations))}]</font>'
        if line.marks and self._marks:
            text += f' <font size="{self._size * 0.85}" color="{GREY}">({self.markup("; ".join(line.marks))})</font>'
        return text

    def markup(self, text: str) -> str:
        """The text with reportlab's markup escaped, and what the font lacks written as its code."""
        shown = spelled(text)
        self.missed = self.missed or shown.missing
        return escape(shown.text).replace("\n", "<br/>")


def _page(copy: Copy) -> "Callable[[Canvas, Any], None]":
    """Draws what stands on every page: watermark, banner, the case's id and the page's number."""

    def draw(canvas: "Canvas", document: Any) -> None:
        from reportlab.lib.colors import HexColor

        width, height = document.pagesize
        canvas.saveState()
        if copy.banner:
            mark = copy.banner.split(";")[0]
            canvas.setFillColor(HexColor(FAINT))
            canvas.setFont(BOLD, 44 if len(mark) < 20 else 32)
            canvas.translate(width / 2, height / 2)
            canvas.rotate(50)
            canvas.drawCentredString(0, 0, mark)
            canvas.rotate(-50)
            canvas.translate(-width / 2, -height / 2)
            canvas.setFillColor(HexColor(RED))
            canvas.setFont(BOLD, 9)
            canvas.drawString(MARGIN, height - MARGIN + 16, copy.banner)
        canvas.setFillColor(HexColor(GREY))
        canvas.setFont(FONT, 8)
        canvas.drawString(MARGIN, MARGIN - 22, copy.identity)
        canvas.drawRightString(width - MARGIN, MARGIN - 22, f"Page {canvas.getPageNumber()}")
        canvas.restoreState()

    return draw
