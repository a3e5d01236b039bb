"""What every text importer gives: source documents, one after the other, and how it tells what it read.

An importer is a function of a file (or folder) and a Reading. It streams, in an order that depends on the file alone, so that
an interrupted import can skip what it has. What it leaves out it counts in the reading's report, in the file's own units.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import IO, NamedTuple

from backend.ingest.documents.import_report import ImportReport

LONGEST_TITLE = 300  # code points; a longer title would fill a passage's vector by itself


class Section(NamedTuple):
    """A headed part of a document; the header is empty where there is none."""

    header: str
    text: str


class SourceDocument(NamedTuple):
    """One document. Its text is its sections' texts, joined by a blank line: passages' offsets index that.

    title may be empty where the input has none: then passages are shown under their document's id. synonyms: other names of
    what the document is about; its topic is searched by title and synonyms.
    """

    document_id: str
    title: str
    sections: tuple[Section, ...]
    url: str = ""
    licence: str = ""
    date: str = ""
    synonyms: tuple[str, ...] = ()


class Reading:
    """One pass over one input. done of total (both 0 where unknown) in `unit`; report: what was left out and why."""

    def __init__(self) -> None:
        self.report = ImportReport()
        self.done = 0
        self.total = 0
        self.unit = "bytes read"

    def follow(self, path: Path, file: IO[bytes]) -> Callable[[], None]:
        """Count in the bytes of an open file; call what it gives back now and then."""
        self.total, self.unit = path.stat().st_size, "bytes read"

        def look() -> None:
            self.done = file.tell()

        return look


def clean(text: str) -> str:
    """Running text: single spaces, a line a paragraph, nothing that cannot be stored or encoded.

    Lines within a paragraph are joined; a blank line, or a line that opens a list entry, begins another.
    """
    text = _UNFIT.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))
    paragraphs = _BREAK.split(text)
    return "\n".join(joined for joined in (" ".join(part.split()) for part in paragraphs) if joined)


def one_line(text: str) -> str:
    """A title or header: one line, not longer than LONGEST_TITLE."""
    line = " ".join(_UNFIT.sub(" ", text).split())
    return line if len(line) <= LONGEST_TITLE else line[: LONGEST_TITLE - 1].rstrip() + "…"


def storable(text: str) -> str:
    """The text without what cannot be stored."""
    return _UNFIT.sub(" ", text)


# control characters but tab and line feed, halves of surrogate pairs, the soft hyphen and marks that have no width
_UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\u00ad\u200b\u200e\u200f\ufeff]")
_BREAK = re.compile(r"\n[^\S\n]*\n|\n(?=[^\S\n]*(?:[-*•‣▪–]\s|\d{1,2}[.)]\s))")
