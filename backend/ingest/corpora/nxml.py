"""NCBI Bookshelf and StatPearls: chapters as NXML (book parts, or JATS articles). A file, a folder, or their tar.gz.

A document is a chapter; its headed parts are sections, a part within a part under both headings. References, citation marks,
author lists and review questions are left out. Report units: files.
"""

import re
import tarfile
from collections.abc import Iterator
from pathlib import Path

from backend.errors import InputError
from backend.ingest.corpora.html_text import Cell, table_lines
from backend.ingest.corpora.page_furniture import is_back_matter
from backend.ingest.documents.safe_xml import Element, inner_text, local, parsed
from backend.ingest.documents.source_documents import Reading, Section, SourceDocument, clean, one_line
from backend.registry import corpus_importer
from backend.schemas.vocabulary import Source

LICENCE = "NCBI Bookshelf; see the book's own licence"
LARGEST = 64 * 2**20  # bytes of one chapter
_LEFT_OUT = frozenset({"xref", "ref-list", "graphic", "media", "fig", "object-id", "label", "title", "sec", "fn-group"})
_ENDINGS = (".nxml", ".xml")


@corpus_importer(
    "nxml",
    label="NCBI Bookshelf",
    source=Source.BOOK,
    about="NCBI Bookshelf or StatPearls: .nxml, a folder, or their tar.gz",
    order=7,
)
def read_nxml(path: Path, reading: Reading) -> Iterator[SourceDocument]:
    """All chapters, in the order of their names.

    Raises InputError.

    Yields:
        SourceDocument: one at a time.
    """
    for name, data in _files(path, reading):
        reading.report.seen()
        root = parsed(data) if len(data) <= LARGEST else None
        if root is None:
            reading.report.skip("not well-formed XML, or larger than 64 MB", name)
            continue
        document = chapter(root, Path(name).stem)
        if document is None:
            reading.report.skip("no headed text", name)
            continue
        reading.report.keep()
        yield document


def chapter(root: Element, fallback: str) -> SourceDocument | None:
    """A chapter from its root element; None where there is no text."""
    meta = _first(root, "book-part-meta", "article-meta")
    title = one_line(inner_text(_first(meta if meta is not None else root, "title", "article-title")))
    body = _first(root, "body")
    sections = tuple(_sections(body, ())) if body is not None else ()
    if not sections:
        return None
    number = _number(root) or fallback
    address = f"https://www.ncbi.nlm.nih.gov/books/{number}/" if number.startswith("NBK") else ""
    licence = one_line(inner_text(_first(root, "license-p", "license"))) or LICENCE
    return SourceDocument(f"bookshelf/{number}", title or number, sections, address, licence, _date(root))


def _files(path: Path, reading: Reading) -> Iterator[tuple[str, bytes]]:
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.suffix in _ENDINGS)
        if not files:
            raise InputError(
                f"The folder {path.name!r} holds no .nxml or .xml file. Give the unpacked book, or its tar.gz."
            )
        reading.total, reading.unit = len(files), "chapters read"
        for number, file in enumerate(files, start=1):
            reading.done = number
            yield file.relative_to(path).as_posix(), file.read_bytes()
    elif path.suffix in _ENDINGS:
        yield path.name, path.read_bytes()
    else:
        yield from _packed(path, reading)


def _packed(path: Path, reading: Reading) -> Iterator[tuple[str, bytes]]:
    try:
        with path.open("rb") as raw, tarfile.open(fileobj=raw, mode="r|*") as archive:
            look = reading.follow(path, raw)
            for member in archive:
                file = archive.extractfile(member) if member.isfile() and member.name.endswith(_ENDINGS) else None
                look()
                if file is not None:
                    yield member.name, file.read(LARGEST + 1)
    except (OSError, tarfile.TarError, EOFError) as error:
        raise InputError(
            f"{path.name!r} is no NXML file, folder or tar.gz that can be read ({type(error).__name__}). Fetch it again."
        ) from error


def _sections(parent: Element, headers: tuple[str, ...]) -> Iterator[Section]:
    """The text of a part before its inner parts, then those.

    Yields:
        Section: one at a time.
    """
    own = clean("\n\n".join(_paragraphs(parent)))
    if own:
        yield Section(one_line(": ".join(headers)), own)
    for part in parent:
        if local(part.tag) == "sec":
            header = one_line(inner_text(part.find("title")))
            if not is_back_matter(header):
                yield from _sections(part, (*headers, header) if header else headers)


def _paragraphs(parent: Element) -> Iterator[str]:
    for part in parent:
        tag = local(part.tag)
        if tag == "table":
            yield from _rows(part)
        elif tag in (
            "list",
            "list-item",
            "table-wrap",
            "tbody",
            "thead",
            "boxed-text",
            "def-list",
            "def-item",
            "def",
        ):
            yield from _paragraphs(part)
        elif tag and tag not in _LEFT_OUT:
            yield _CITATION_LEFT.sub("", inner_text(part, _LEFT_OUT))


def _rows(table: Element) -> Iterator[str]:
    """A line a row."""
    return table_lines(
        [
            Cell(" ".join(inner_text(cell, _LEFT_OUT).split()), cell.get("rowspan"), cell.get("colspan"))
            for cell in row
            if local(cell.tag)
        ]
        for row in table.iter()
        if local(row.tag) == "tr"
    )


def _first(root: Element | None, *names: str) -> Element | None:
    """The first element of one of these names, the names in order of preference."""
    if root is None:
        return None
    for name in names:
        for element in root.iter():
            if local(element.tag) == name:
                return element
    return None


def _number(root: Element) -> str:
    """The Bookshelf number, as NBK430685."""
    for element in root.iter():
        value = (element.text or "").strip()
        if local(element.tag) in ("book-part-id", "article-id", "object-id", "book-id") and value.startswith("NBK"):
            return value
    parts = (element.get("id", "") for element in root.iter() if local(element.tag) in ("book-part", "book", "article"))
    return next((part for part in parts if part.startswith("NBK")), "")


def _date(root: Element) -> str:
    for name in ("pub-date", "date"):
        for element in root.iter():
            if local(element.tag) == name and (element.findtext("year") or "").isdigit():
                parts = [element.findtext(part) or "" for part in ("year", "month", "day")]
                known = [part for part in parts if part.isdigit()]
                return "-".join(part.zfill(2) for part in known)
    return ""


_CITATION_LEFT = re.compile(r"\s*[\[(](?:\s|[,;–-])*[\])]")  # the brackets around citation marks that were left out
