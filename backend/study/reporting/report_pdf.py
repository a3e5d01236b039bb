"""The report as a PDF by reportlab: A4 across, since its tables are wide. Page numbers and the study's hash on each page."""

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from backend.review.exports.pdf_fonts import BOLD, FONT, registered_glyphs, spelled
from backend.study.reporting.report import Report
from backend.study.reporting.report_figures import as_pdf_page
from backend.study.reporting.report_tables import Table

MARGIN = 42.5  # points: 1.5 cm
PADDING = 6.0  # points, of reportlab's frames: what the tables keep as the text does
TEXT, SMALL = 9.0, 6.5  # points
HIGHEST = 440.0  # points a figure may have: a page less its margins and the heading before the first
LINE, SOFT, GREY = "#c3ccd2", "#f3f6f8", "#555555"
NARROWEST, WIDEST = 8, 42  # characters by which the columns share the width


def as_pdf(report: Report) -> bytes:
    """The same report gives the same bytes. A character that the font lacks is written as its code."""
    from reportlab.lib.pagesizes import A4, landscape
    from reportlab.platypus import KeepTogether, Paragraph, SimpleDocTemplate, Spacer

    registered_glyphs()
    styles = _styles()
    flow: list[Any] = [Paragraph(_text(report.title), styles["title"])]
    flow += [Paragraph(_text(stamp), styles["head"]) for stamp in report.stamps]
    flow += [Paragraph(_text(report.identity), styles["small"]), Paragraph("Methods", styles["head"])]
    flow += [Paragraph(_text(part), styles["text"]) for part in report.methods]
    width = landscape(A4)[0] - 2 * MARGIN - 2 * PADDING
    flow += [Paragraph("Design", styles["head"]), *_tables(report.about, styles, width)]
    # the heading goes with the first figure: alone it could stay behind at the foot of a page
    heading: list[Any] = [Paragraph("Figures", styles["head"])]
    placed: list[_Placed] = []
    room_for = _rooms(placed)
    for figure in report.figures:
        flow += [KeepTogether([*heading, room_for(as_pdf_page(figure, _known)), Spacer(1, 8)])]
        heading = []
    flow += [*heading, Paragraph("There is nothing to draw yet.", styles["text"])] if heading else []
    flow += [Paragraph("Results", styles["head"]), *_tables(report.results, styles, width)]
    buffer = BytesIO()
    document = SimpleDocTemplate(
        buffer,
        pagesize=landscape(A4),
        leftMargin=MARGIN,
        rightMargin=MARGIN,
        topMargin=MARGIN,
        bottomMargin=MARGIN,
        title=report.title,
        lang="en",
        invariant=1,
    )

    def foot(canvas: Any, page: Any) -> None:
        canvas.saveState()
        canvas.setFont(FONT, SMALL)
        canvas.drawString(MARGIN, MARGIN - 18, _known(f"{report.identity}. {'; '.join(report.stamps)}"))
        canvas.drawRightString(page.pagesize[0] - MARGIN, MARGIN - 18, f"Page {canvas.getPageNumber()}")
        canvas.restoreState()

    document.build(flow, onFirstPage=foot, onLaterPages=foot)
    return _with_figures(buffer.getvalue(), placed)


class _Placed(NamedTuple):
    """A figure on a page (counted from 0), with its lower left corner in points. scale: of its size."""

    page: int
    x: float
    y: float
    scale: float
    figure: bytes


def _rooms(placed: list[_Placed]) -> Callable[[bytes], Any]:
    """A class of empty rooms, each of the size of a figure's page; it notes in `placed` where it came to stand."""
    from pypdf import PdfReader
    from reportlab.platypus import Flowable

    class Room(Flowable):  # type: ignore[misc]
        def __init__(self, figure: bytes) -> None:
            box = PdfReader(BytesIO(figure)).pages[0].mediabox
            super().__init__()
            self.scale = min(1.0, HIGHEST / float(box.height))
            self.width, self.height = self.scale * float(box.width), self.scale * float(box.height)
            self.figure = figure

        def draw(self) -> None:
            x, y = self.canv.absolutePosition(0, 0)
            placed.append(_Placed(self.canv.getPageNumber() - 1, x, y, self.scale, self.figure))

    return Room


def _with_figures(data: bytes, placed: Sequence[_Placed]) -> bytes:
    """The document with the figures in their rooms, as lines and words rather than as pixels."""
    from pypdf import PdfReader, PdfWriter, Transformation

    writer = PdfWriter(clone_from=BytesIO(data))
    for one in placed:
        page = PdfReader(BytesIO(one.figure)).pages[0]
        writer.pages[one.page].merge_transformed_page(page, Transformation().scale(one.scale).translate(one.x, one.y))
    writer.compress_identical_objects()
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def _tables(tables: tuple[Table, ...], styles: dict[str, Any], width: float) -> list[Any]:
    from reportlab.lib.colors import HexColor
    from reportlab.platypus import LongTable, Paragraph, Spacer, TableStyle

    made: list[Any] = []
    for table in tables:
        rows = [[Paragraph(f'<font name="{BOLD}">{_text(cell)}</font>', styles["cell"]) for cell in table.head]]
        rows += [[Paragraph(_text(cell), styles["cell"]) for cell in row] for row in table.rows]
        look = TableStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LINEBELOW", (0, 0), (-1, -1), 0.4, HexColor(LINE)),
                ("BACKGROUND", (0, 0), (-1, 0), HexColor(SOFT)),
                ("LEFTPADDING", (0, 0), (-1, -1), 3),
                ("RIGHTPADDING", (0, 0), (-1, -1), 3),
                ("TOPPADDING", (0, 0), (-1, -1), 2),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
            ]
        )
        made.append(Paragraph(_text(table.title), styles["sub"]))
        if table.note:
            made.append(Paragraph(_text(table.note), styles["small"]))
        # a cell may be longer than a page: rows are split rather than refused
        made.append(LongTable(rows, colWidths=_widths(table, width), style=look, repeatRows=1, splitInRow=1))
        made.append(Spacer(1, 8))
    return made


def _widths(table: Table, width: float) -> list[float]:
    """Columns share the width by their longest cell, within bounds."""
    longest = [max(len(row[i]) for row in (table.head, *table.rows)) for i in range(len(table.head))]
    shares = [min(max(length, NARROWEST), WIDEST) for length in longest]
    return [width * share / sum(shares) for share in shares]


def _styles() -> dict[str, Any]:
    from reportlab.lib.colors import HexColor
    from reportlab.lib.styles import ParagraphStyle

    def style(name: str, size: float, bold: bool = False, before: float = 0, after: float = 4, **more: Any) -> Any:
        font = BOLD if bold else FONT
        return ParagraphStyle(
            name,
            fontName=font,
            fontSize=size,
            leading=size * 1.35,
            spaceBefore=before,
            spaceAfter=after,
            splitLongWords=1,
            **more,
        )

    return {
        "title": style("title", 16, True, after=8),
        "head": style("head", 12, True, 10, 6, keepWithNext=1),
        "sub": style("sub", TEXT, True, 6, 3, keepWithNext=1),
        "text": style("text", TEXT, after=6),
        "small": style("small", SMALL + 0.5, textColor=HexColor(GREY)),
        "cell": style("cell", SMALL, after=0),
    }


def _text(text: str) -> str:
    return escape(_known(text)).replace("\n", "<br/>")


def _known(text: str) -> str:
    return spelled(text).text
