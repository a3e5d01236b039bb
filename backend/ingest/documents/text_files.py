"""The text of a file that a person uploads: plain text, PDF or Word, with a list of what was taken and what was not.

Everything that a reader of the file can see is taken, page heads too: they may hold the allergies. What nobody can see
(deleted and hidden words) is left out, and so are pictures and comments; each is counted. The file is read from memory and
never written anywhere.
"""

import logging
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element
from zipfile import BadZipFile, ZipFile
from zlib import error as ZlibError

from backend.errors import InputError, TooLongError
from backend.ingest.documents.safe_xml import local, parsed
from backend.schemas.patients.taken import TakenItem

MOST_PAGES = 500
MOST_XML = 40_000_000  # bytes of one part of a Word file, unpacked
_ENCRYPTED = 0x1  # of the flags of a part of an archive
_DAMAGED = (BadZipFile, ZlibError, EOFError, OSError, NotImplementedError, ValueError)
"""What reading a part of a damaged archive raises; one packed in an unknown way is the NotImplementedError."""
_OLD_WORD = b"\xd0\xcf\x11\xe0"
_GONE = frozenset(("del", "moveFrom", "Fallback", "instrText", "delText"))
_PICTURES = frozenset(("drawing", "pict", "object"))


class FileText(NamedTuple):
    """kind: text, pdf or docx. items: what was taken and what was not, in the order of the file."""

    text: str
    kind: str
    items: tuple[TakenItem, ...]


def is_pdf(data: bytes) -> bool:
    """Whether a file is a PDF, by its first bytes."""
    return b"%PDF-" in data[:1024]


def is_word(data: bytes) -> bool:
    """Whether a file is a Word document (.docx)."""
    if data[:2] != b"PK":
        return False
    try:
        with ZipFile(BytesIO(data)) as archive:
            return "word/document.xml" in archive.namelist()
    except (BadZipFile, ValueError, OSError):
        return False


def file_text(data: bytes, name: str) -> FileText:
    """The text of a file, whatever its form.

    Args:
        data: the whole file.
        name: of the file, for errors.

    Raises:
        InputError: it is damaged, needs a password, or holds no text; the message says what to do.
    """
    if is_pdf(data):
        return pdf_text(data, name)
    if is_word(data):
        return word_text(data, name)
    if data[:4] == _OLD_WORD:
        raise InputError(
            f"{name!r} is an old Office file or needs a password. Save it as .docx without one, or as plain text."
        )
    if data[:5] == b"{\\rtf":
        raise InputError(f"{name!r} is an RTF file. Save it as .docx or plain text.")
    if data[:2] in (b"PK", b"\x1f\x8b"):
        raise InputError(f"{name!r} is an archive without a Word document. Unpack it first.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name!r} is not UTF-8 text (byte {error.start}), PDF or Word. Save it as plain text in UTF-8."
        ) from None
    return FileText(text, "text", (_taken("text", text),))


def pdf_text(data: bytes, name: str) -> FileText:
    """The text of a PDF, page after page, and the fields of its form. A page without text is named as left out.

    Raises:
        InputError: it is damaged, needs a password, or has no text at all.
        TooLongError: it has too many pages.
    """
    from pypdf import PdfReader

    logging.getLogger("pypdf").setLevel(logging.ERROR)  # it warns of every oddity of a file
    try:
        reader = PdfReader(BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise InputError(f"{name!r} needs a password. Save it without one.")
        if len(reader.pages) > MOST_PAGES:
            raise TooLongError(f"{name!r} has {len(reader.pages):,} pages; at most {MOST_PAGES} are read. Split it.")
        pages = [_lines(page.extract_text() or "") for page in reader.pages]
    except InputError:
        raise
    except _damage() as error:
        raise InputError(
            f"{name!r} is a damaged or encrypted PDF ({type(error).__name__}). Save it again, without a password."
        ) from None
    items = [
        _taken(f"page {number}", page)
        if page
        else TakenItem(what=f"page {number}", taken=False, reason="no text: a scan or a picture")
        for number, page in enumerate(pages, start=1)
    ]
    form, more = _form_and_comments(reader)
    items += more
    text = "\n\n".join(part for part in (*pages, form) if part)
    if not text:
        raise InputError(f"{name!r} has no text that can be read: its pages are scans or pictures. Paste the text.")
    return FileText(text, "pdf", tuple(items))


def _damage() -> tuple[type[Exception], ...]:
    """What damaged files make pypdf raise, and files in a cipher that it cannot read."""
    from pypdf.errors import DependencyError, PyPdfError

    python = (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, ArithmeticError)
    return (PyPdfError, DependencyError, *python)


def _form_and_comments(reader: Any) -> tuple[str, list[TakenItem]]:
    """The filled fields of a PDF's form, a line each, and what is to be said of them and of its comments."""
    items: list[TakenItem] = []
    try:
        fields = {key: _lines(str(value)) for key, value in (reader.get_form_text_fields() or {}).items() if value}
    except _damage():
        fields = {}
        items.append(TakenItem(what="fields of the form", taken=False, reason="a damaged form"))
    form = "\n".join(f"{key}: {value}" for key, value in fields.items())
    items += [_taken("fields of the form", form, len(fields))] if form else []
    try:
        kinds = Counter(
            str(note.get_object().get("/Subtype")) for page in reader.pages for note in page.get("/Annots") or ()
        )
    except _damage():
        kinds = Counter()
    notes = sum(kinds[kind] for kind in ("/Text", "/FreeText", "/Highlight"))
    items += [TakenItem(what="comments", count=notes, taken=False, reason=_WHY["comments"])] if notes else []
    return form, items


def word_text(data: bytes, name: str) -> FileText:
    """The text of a Word document: heads, paragraphs, tables a row a line, text boxes, notes and feet.

    Raises:
        InputError: it is damaged, or has no text.
        TooLongError: a part of it is too large.
    """
    try:
        with ZipFile(BytesIO(data)) as archive:
            names = archive.namelist()
            if any(one.flag_bits & _ENCRYPTED for one in archive.infolist()):
                raise InputError(f"{name!r} needs a password. Save it without one.")
            large = [one for one in archive.infolist() if one.filename.endswith(".xml") and one.file_size > MOST_XML]
            if large:
                raise TooLongError(f"{name!r} is larger than {MOST_XML:,} bytes when unpacked. Split it.")
            parts = {one: archive.read(one) for one in names if one.startswith("word/") and one.endswith(".xml")}
    except _DAMAGED as error:
        raise InputError(f"{name!r} is a damaged Word document ({type(error).__name__}). Save it again.") from None
    left: Counter[str] = Counter()
    body = parsed(parts.get("word/document.xml", b""))
    if body is None:
        raise InputError(f"{name!r} is a damaged Word document. Save it again.")
    try:
        heads, feet, notes = (_beside(parts, kind, left) for kind in ("header", "footer", "footnotes"))
        main = "\n".join(_block_lines(body, left)).strip("\n")
    except RecursionError:
        raise InputError(f"{name!r} nests its parts too deeply. Save it again, or paste the text.") from None
    items = [
        _taken(what, text)
        for what, text in (("page heads", heads), ("text", main), ("footnotes", notes), ("page feet", feet))
        if text
    ]
    comments = parsed(parts.get("word/comments.xml", b"")) if "word/comments.xml" in parts else None
    if comments is not None:
        left["comments"] += sum(local(one.tag) == "comment" for one in comments)
    items += [
        TakenItem(what=what, count=count, taken=False, reason=_WHY[what]) for what, count in left.items() if count
    ]
    text = "\n\n".join(part for part in (heads, main, notes, feet) if part)
    if not text.strip():
        raise InputError(f"{name!r} has no text that can be read. Paste the text.")
    return FileText(text, "docx", tuple(items))


_WHY = {
    "pictures": "a picture holds no text",
    "deleted words": "deleted while changes were tracked",
    "hidden words": "formatted as hidden",
    "comments": "no part of the text",
}


def _beside(parts: dict[str, bytes], kind: str, left: Counter[str]) -> str:
    """The lines of all parts of a kind, each line once: a file repeats its heads."""
    lines: dict[str, None] = {}
    for name in sorted(parts):
        root = parsed(parts[name]) if name.startswith(f"word/{kind}") else None
        if root is not None:
            lines |= dict.fromkeys(line for line in _block_lines(root, left) if line.strip())
    return "\n".join(lines)


def _block_lines(root: Element, left: Counter[str]) -> Iterator[str]:
    """The outermost paragraphs and tables below an element, in order."""
    for child in root:
        kind = local(child.tag)
        if kind in _GONE:
            _count_gone(child, left)
        elif kind == "tbl":
            yield from _rows(child, left)
        elif kind == "p":
            yield from _paragraph(child, left)
        else:
            yield from _block_lines(child, left)


def _paragraph(element: Element, left: Counter[str]) -> Iterator[str]:
    """A paragraph's words; behind them those of its text boxes."""
    boxes: list[Element] = []
    words = "".join(_words(element, left, boxes)).rstrip()
    properties = next((one for one in element if local(one.tag) == "pPr"), None)
    listed = properties is not None and any(
        local(one.tag) == "numPr" or (local(one.tag) == "pStyle" and str(_value(one)).startswith("List"))
        for one in properties
    )
    yield f"- {words}" if listed and words.strip() else words
    for box in boxes:
        yield from _block_lines(box, left)


def _words(element: Element, left: Counter[str], boxes: list[Element]) -> Iterator[str]:
    for child in element:
        kind = local(child.tag)
        if kind in _GONE:
            _count_gone(child, left)
        elif kind == "r" and _hidden(child):
            left["hidden words"] += bool("".join(t.text or "" for t in child.iter() if local(t.tag) == "t").strip())
        elif kind == "t":
            yield child.text or ""
        elif kind in ("tab", "ptab"):
            yield "\t"
        elif kind in ("br", "cr"):
            yield "\n"
        elif kind == "noBreakHyphen":
            yield "-"
        elif kind == "txbxContent":
            boxes.append(child)
        elif kind != "pPr":
            if kind in _PICTURES and not any(local(one.tag) == "txbxContent" for one in child.iter()):
                left["pictures"] += 1
            yield from _words(child, left, boxes)


def _rows(table: Element, left: Counter[str]) -> Iterator[str]:
    """A line a row: behind the heads of their columns where the table marks them, else the cells with a colon or bars."""
    heads: list[str] = []
    alone = True
    for row in _inside(table, "tr"):
        cells = [" ".join(" ".join(_block_lines(cell, left)).split()) for cell in _inside(row, "tc")]
        marked = any(local(one.tag) == "tblHeader" for part in row if local(part.tag) == "trPr" for one in part)
        if marked and not heads:
            heads = cells
            continue
        alone = False
        if heads and len(heads) == len(cells):
            line = "; ".join(
                f"{head}: {cell}" if head else cell for head, cell in zip(heads, cells, strict=True) if cell
            )
            yield f"- {line}" if line else ""
        else:
            yield (": " if len(cells) == 2 else " | ").join(cell for cell in cells if cell)
    if heads and alone:
        yield " | ".join(heads)


def _inside(element: Element, kind: str) -> Iterator[Element]:
    """Children of a kind, also those that a content control or a tracked insertion wraps."""
    for child in element:
        name = local(child.tag)
        if name == kind:
            yield child
        elif name in ("sdt", "sdtContent", "ins", "moveTo", "customXml"):
            yield from _inside(child, kind)


def _hidden(run: Element) -> bool:
    """Whether a run of text is formatted as hidden."""
    properties = next((one for one in run if local(one.tag) == "rPr"), None)
    vanish = next((one for one in properties if local(one.tag) == "vanish"), None) if properties is not None else None
    return vanish is not None and _value(vanish) not in ("0", "false", "off")


def _value(element: Element) -> str | None:
    return next((value for key, value in element.attrib.items() if local(key) == "val"), None)


def _count_gone(element: Element, left: Counter[str]) -> None:
    if local(element.tag) in ("del", "moveFrom"):
        left["deleted words"] += any(local(one.tag) in ("delText", "t") and one.text for one in element.iter())


def _lines(text: str) -> str:
    """The lines of a page without spaces at their ends and without empty ones at the edges."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


def _taken(what: str, text: str, count: int = 1) -> TakenItem:
    return TakenItem(what=what, count=count, taken=True, reason=f"{len(text):,} characters")
