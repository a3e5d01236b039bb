"""The text of a PDF as headed parts, by pypdf. Scanned pages hold no text and give none.

Lines that stand at the head or foot of many pages are left out, words broken at a line's end are joined. Headed parts come
from the file's outline, page by page; a file without one is a single part.
"""

import logging
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from backend.errors import MissingError
from backend.ingest.corpora.page_furniture import is_back_matter, is_furniture
from backend.ingest.documents.source_documents import Section, clean, one_line

REPEATED = 0.3  # share of pages on which a line at the edge must stand to be a running title
EDGE = 2  # lines at the head and at the foot that may be one


class UnreadablePdf(Exception):
    """Why a PDF gives no text; a phrase for the report."""


def pdf_sections(path: Path) -> tuple[str, tuple[Section, ...]]:
    """Title (of the file's own properties, may be empty) and headed parts.

    Raises:
        UnreadablePdf: and MissingError without pypdf.
        MissingError: pypdf is not installed.
    """
    try:
        from pypdf import PdfReader
        from pypdf.errors import PyPdfError
    except ImportError as error:
        raise MissingError("Reading PDF needs the package pypdf, which is not installed. Run: make setup") from error
    logging.getLogger("pypdf").setLevel(logging.ERROR)  # it warns of every oddity of a file
    try:
        reader = PdfReader(path)
        if reader.is_encrypted and not reader.decrypt(""):
            raise UnreadablePdf("a PDF that needs a password")
        pages = [(page.extract_text() or "").splitlines() for page in reader.pages]
        title = one_line(str(reader.metadata.title or "")) if reader.metadata else ""
        chapters = _chapters(reader)
    except (PyPdfError, OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        # what damaged files make pypdf raise
        raise UnreadablePdf("a damaged PDF") from error
    if not any(line.strip() for page in pages for line in page):
        raise UnreadablePdf("a PDF without text (scanned pages?)")
    return title, tuple(_sections(_without_running_titles(pages), chapters))


def _chapters(reader: Any) -> dict[int, str]:
    """The first page (from 0) of each entry of the outline, and its title; of several on a page the first."""
    found: dict[int, str] = {}

    def walk(entries: Sequence[Any]) -> None:
        for entry in entries:
            if isinstance(entry, list):
                walk(entry)
            else:
                page = reader.get_destination_page_number(entry)
                if page is not None and page >= 0:
                    found.setdefault(page, one_line(str(entry.title)))

    walk(reader.outline)
    return found


def _without_running_titles(pages: Sequence[list[str]]) -> list[list[str]]:
    """The pages' lines without page numbers and without lines that stand at the edge of many pages."""
    kept = [[line for line in without_line_numbers(page) if line.strip() and not is_furniture(line)] for page in pages]
    edges = Counter(_shape(line) for page in kept for line in {*page[:EDGE], *page[-EDGE:]})
    least = max(3, REPEATED * len(pages))
    running = {shape for shape, count in edges.items() if count >= least}
    return [
        [line for i, line in enumerate(page) if EDGE <= i < len(page) - EDGE or _shape(line) not in running]
        for page in kept
    ]


def without_line_numbers(lines: Sequence[str]) -> list[str]:
    """The lines without the numbers that a manuscript prints at their ends, where they count upwards."""
    ends = [_LINE_NUMBER.search(line) for line in lines]
    numbers = [int(found[1]) if found else -1 for found in ends]
    counting = sum(after == before + 1 for before, after in pairwise(numbers))
    if len(lines) < 5 or counting < 0.4 * (len(lines) - 1):
        return list(lines)
    return [line[: found.start()] if found else line for line, found in zip(lines, ends, strict=True)]


def _shape(line: str) -> str:
    return re.sub(r"\d+", "0", " ".join(line.lower().split()))


def _sections(pages: Sequence[list[str]], chapters: dict[int, str]) -> list[Section]:
    sections: list[Section] = []
    header = ""
    lines: list[str] = []
    for number, page in enumerate(pages):
        if number in chapters:
            _close(sections, header, lines)
            header, lines = chapters[number], []
        lines.extend(page)
    _close(sections, header, lines)
    return sections


def _close(sections: list[Section], header: str, lines: list[str]) -> None:
    body = clean(_paragraphs(lines))
    if body and not is_back_matter(header):
        sections.append(Section(header, body))


def _paragraphs(lines: Sequence[str]) -> str:
    """Lines joined to paragraphs: a short line that ends a sentence ends one; a heading and a list entry open one."""
    if not lines:
        return ""
    usual = sorted(len(line) for line in lines)[int(0.7 * (len(lines) - 1))]
    out: list[str] = []
    for line in lines:
        text = line.strip()
        before = out[-1] if out else ""
        if before.endswith("-") and text[:1].islower() and before[-2:-1].isalpha():
            out[-1] = before[:-1] + text
        elif (
            not before
            or _ENTRY.match(text)
            or (len(before) < 0.8 * usual and not text[:1].islower())
            or (before.endswith((".", "!", "?", ":")) and _short(before, usual))
        ):
            out.append(text)
        else:
            out[-1] = f"{before} {text}"
    return "\n\n".join(out)


def _short(paragraph: str, usual: int) -> bool:
    """Whether a paragraph's last line is clearly shorter than lines are; as far as its length tells."""
    return len(paragraph) % max(usual, 1) < 0.7 * usual


_LINE_NUMBER = re.compile(r"\s+(\d{1,5})\s*$")
_ENTRY = re.compile(r"(?:[•▪–*-]|\[?\d{1,3}[.)\]])\s+\S")
