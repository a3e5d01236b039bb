"""A copy as a Word document: the hospital's own template where there is one, else a plain page of headings, lists and tables."""

from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING, Any

from backend.registry import exporter
from backend.review.exports.copies import Copy, Paper, Table, shortened
from backend.review.exports.docx_template import filled
from backend.review.exports.word_blocks import LARGE, SIZES, WordBlocks, stamp
from backend.schemas.patients.saved_case import CaseView, CopyKind

if TYPE_CHECKING:
    from docx.document import Document as Word

MILLIMETRES = {Paper.A4: (210.0, 297.0), Paper.LETTER: (215.9, 279.4)}


@exporter(
    "docx",
    label="Word",
    media_type="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    suffix="docx",
    copies=tuple(CopyKind),
    order=20,
)
def as_docx(copy: Copy, view: CaseView, at: datetime) -> bytes:
    """Word: headings, bullet lists, a watermark on every page of a draft; by the template of the settings where one is set.

    The properties of the file give the moment when the case was last changed, and no person but by the title.
    """
    document = filled(copy.style.template, copy) if copy.style.template else _plain(copy)
    moment = view.updated_at.astimezone(UTC).replace(tzinfo=None)
    properties = document.core_properties
    properties.author, properties.last_modified_by, properties.title = "Leapnote", "Leapnote", copy.title
    properties.comments, properties.created, properties.modified = "", moment, moment
    properties.language = copy.language
    buffer = BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def _plain(copy: Copy) -> "Word":
    """The page without a template."""
    import docx

    document = docx.Document()
    _set_up(document, copy)
    write = WordBlocks(document, copy, document.add_paragraph())
    write.heading(copy.heading, 0)
    if copy.head:
        write.table(Table((), _rows(copy)), head=False)
    for part in copy.parts:
        write.part(part)
    for notice in copy.notices:
        write.small(notice)
    write.end()
    if copy.banner:
        stamp(document, copy.banner)
    return document


def _rows(copy: Copy) -> tuple[tuple[str, ...], ...]:
    """The details, a label beside its value; two to a row, or one in large type."""
    cells = [cell for pair in copy.head for cell in pair]
    width = 2 if copy.style.large or len(cells) == 2 else 4
    cells += [""] * (-len(cells) % width)
    return tuple(tuple(cells[i : i + width]) for i in range(0, len(cells), width))


def _set_up(document: "Word", copy: Copy) -> None:
    """Fonts, language, paper, and on every page whom the copy is about."""
    from docx.shared import Mm, Pt, RGBColor

    size = (LARGE if copy.style.large else SIZES[copy.kind])[0]
    for name, scale in (("Normal", 1.0), ("Title", 1.6), ("Heading 1", 1.2)):
        font = document.styles[name].font
        font.name, font.size = "Arial", Pt(round(size * scale))
        font.color.rgb = RGBColor(0x11, 0x11, 0x11)
    for language in document.styles.element.iter(f"{{{_W}}}lang"):
        language.set(f"{{{_W}}}val", copy.language)
    section = document.sections[0]
    width, height = MILLIMETRES[copy.style.paper or Paper.A4]
    section.page_width, section.page_height = Mm(width), Mm(height)
    section.left_margin = section.right_margin = section.top_margin = section.bottom_margin = Mm(20)
    section.header.paragraphs[0].add_run(shortened(copy.running)).font.size = Pt(8.5)
    foot = section.footer.paragraphs[0]
    foot.add_run(f"{shortened(copy.title)}, page ").font.size = Pt(8.5)
    _page_number(foot)


def _page_number(paragraph: Any) -> None:
    from docx.oxml import parse_xml

    paragraph._p.append(
        parse_xml(
            f'<w:fldSimple xmlns:w="{_W}" w:instr="PAGE"><w:r><w:rPr><w:sz w:val="17"/></w:rPr><w:t>1</w:t></w:r></w:fldSimple>'
        )
    )


_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
