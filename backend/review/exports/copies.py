"""What a copy of a case says, before it becomes a file, and how its pages look.

It is plain text in parts; each file format escapes it in its own way. `contents` makes the clinician's copy and the
patient's.
"""

import re
import unicodedata
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from backend.schemas.patients.saved_case import CopyKind
from backend.schemas.vocabulary import Document, Locale

TITLES = {
    Document.DISCHARGE_INSTRUCTIONS: "Discharge instructions",
    Document.PROGRESS_NOTE: "Progress note",
    Document.CLINICAL_ANSWER: "Clinical answer",
}
REFERENCES = "Sources"


class PartKind(StrEnum):
    """alarm: what must not be missed. body: the document itself. apparatus: what it rests on."""

    ALARM = "alarm"
    BODY = "body"
    APPARATUS = "apparatus"


class Paper(StrEnum):
    """The sheet that a file is laid out for."""

    A4 = "a4"
    LETTER = "letter"


class Line(NamedTuple):
    """One statement.

    citations: numbers of sources. marks: words that stand behind it. strong: it must catch the eye (a gap, a severe flag).
    """

    text: str
    citations: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    strong: bool = False


class Table(NamedTuple):
    """A table: what stands above its columns, and the cells of each row, as many."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Part(NamedTuple):
    """One section of a copy: a heading with its lines, and a table before them.

    box: a frame around it, for warning signs. prose: its lines are one paragraph rather than a list.
    """

    kind: PartKind
    heading: str
    lines: tuple[Line, ...]
    table: Table | None = None
    box: bool = False
    prose: bool = False


class PageStyle(NamedTuple):
    """How a file looks.

    paper: None takes the one of the locale. large: large type. wrapped: plain text has short lines. template: the
    hospital's own Word file.
    """

    paper: Paper | None = None
    large: bool = False
    wrapped: bool = True
    template: Path | None = None
    locale: Locale = Locale.US


class Copy(NamedTuple):
    """What a file says.

    title: what the file is called inside, with the patient's name where it is known. heading: what stands over the text.
    banner: what the copy is not yet (draft, superseded); empty for a signed, current version. identity: ids for programs;
    empty in a patient's copy. running: whom it is about, for every page. head: label and value of each known detail. fields:
    the details by name, for templates; every name is there.
    """

    kind: CopyKind
    title: str
    banner: str
    identity: str
    parts: tuple[Part, ...]
    notices: tuple[str, ...]
    heading: str = ""
    running: str = ""
    language: str = "en-US"
    head: tuple[tuple[str, str], ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    style: PageStyle = PageStyle()


# Embeddings and overrides could make a signed text read otherwise than it is stored; plain direction marks stay.
BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
BREAKS = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
SPACES = str.maketrans({"\t": " ", "\u202f": "\u00a0", "\u2007": "\u00a0", "\u2009": " ", "\u2011": "-"})
_EDGE = 90  # characters
DROPPED = frozenset(("Cc", "Cs"))


def printable(text: str) -> str:
    """The text with one kind of line break, and without what no document format may hold."""
    text = BREAKS.sub("\n", text).translate(SPACES)
    return "".join(c for c in text if c == "\n" or not _dropped(c))


def one_line(text: str) -> str:
    """Printable text on one line, for headings."""
    return " ".join(printable(text).split())


def shortened(text: str) -> str:
    """What of a text fits at the head or foot of a page; the whole stands on the first page."""
    return text if len(text) <= _EDGE else f"{text[: _EDGE - 1]}\u2026"


def _dropped(c: str) -> bool:
    noncharacter = (ord(c) & 0xFFFE) == 0xFFFE or 0xFDD0 <= ord(c) <= 0xFDEF
    return noncharacter or c in BIDI or unicodedata.category(c) in DROPPED
