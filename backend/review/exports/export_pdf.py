"""A copy as a tagged PDF (PDF/UA-1), by Typst: headings, lists and tables are marked as such, for readers that speak.

The page is `assets/letters/letter.typ`; every text goes there as data. A character that the font does not have is written as
its code in brackets, and the copy says so: it must not vanish.
"""

import json
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from backend.errors import LeapnoteError
from backend.registry import exporter
from backend.review.exports.contents.letter_body import stacked, widths
from backend.review.exports.contents.letter_words import letter_words
from backend.review.exports.copies import Copy, Line, Paper, Part, PartKind, Table, shortened
from backend.review.exports.pdf_fonts import font_files, spelled
from backend.schemas.patients.saved_case import CaseView, CopyKind
from backend.settings import ROOT

if TYPE_CHECKING:
    import typst

TEMPLATE = ROOT / "assets" / "letters" / "letter.typ"
SIZES = {CopyKind.CLINICIAN: 9.5, CopyKind.PATIENT: 12.0}  # points
LARGE = 18.0
PAPERS = {Paper.A4: "a4", Paper.LETTER: "us-letter"}
LONG_ROW = 500  # characters of a cell beyond which its row may go on on the next page
MISSING = (
    "A character this PDF's font does not have is written as its code in brackets; the text export has all of them."
)


@exporter("pdf", label="PDF", media_type="application/pdf", suffix="pdf", copies=tuple(CopyKind), order=30)
def as_pdf(copy: Copy, view: CaseView, at: datetime) -> bytes:
    """PDF/UA-1 on A4 or Letter paper. The same copy gives the same bytes.

    Raises LeapnoteError where the page cannot be made, which is a defect.
    """
    script = _Script(copy)
    data = script.letter()
    return _compiled(json.dumps(data, ensure_ascii=False), view.updated_at)


class _Script:
    """A copy as what the page takes. missed: some character was not in the font."""

    def __init__(self, copy: Copy) -> None:
        self._copy = copy
        self._large = copy.style.large
        self._missed = False

    def letter(self) -> dict[str, Any]:
        copy = self._copy
        language, _, region = copy.language.partition("-")
        hospital = self._text(dict(copy.fields).get("hospital", ""))
        above = letter_words(copy.style.locale).hospital  # it stands over the heading
        head = [[self._text(label), self._text(value)] for label, value in copy.head if label != above]
        width = 1 if self._large else 2
        data = {
            "title": self._text(copy.title),
            "heading": self._text(copy.heading or copy.title),
            "running": self._text(shortened(copy.running)),
            "foot": self._text(shortened(copy.title)),
            "banner": self._text(copy.banner),
            "watermark": self._text(copy.banner.split(";")[0]),
            "lang": language,
            "region": region or None,
            "paper": PAPERS[copy.style.paper or Paper.A4],
            "size": LARGE if self._large else SIZES[copy.kind],
            "hospital": hospital,
            "head": head,
            "head-columns": [0, 1] * min(width, max(1, len(head))),
            "parts": [self._part(part) for part in copy.parts],
            "notices": [self._text(notice) for notice in copy.notices],
        }
        if self._missed:
            data |= {"notices": [self._text(notice) for notice in (*copy.notices, MISSING)]}
        return data

    def _part(self, part: Part) -> dict[str, Any]:
        return {
            "heading": self._text(part.heading).replace("\n", " "),
            "alarm": part.kind is PartKind.ALARM,
            "box": part.box,
            "prose": part.prose,
            "table": self._table(part.table) if part.table else None,
            "lines": [self._line(line) for line in part.lines],
        }

    def _line(self, line: Line) -> dict[str, Any]:
        marks = "; ".join(line.marks) if self._copy.kind is CopyKind.CLINICIAN else ""
        return {
            "text": self._text(line.text),
            "strong": line.strong,
            "cited": list(line.citations),
            "marks": self._text(marks),
        }

    def _table(self, table: Table) -> dict[str, Any]:
        table = stacked(table) if self._large else table
        head, *body = [[self._text(cell) for cell in row] for row in (table.columns, *table.rows)]
        return {
            "columns": head,
            "widths": widths(len(head)),
            "rows": [{"cells": row, "long": any(len(cell) > LONG_ROW for cell in row)} for row in body],
        }

    def _text(self, text: str) -> str:
        shown = spelled(text)
        self._missed = self._missed or shown.missing
        return shown.text


@lru_cache(maxsize=1)
def _fonts() -> "typst.Fonts":
    import typst

    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[font_files()[0].parent])


def _compiled(letter: str, at: datetime) -> bytes:
    import typst

    try:
        made = typst.compile(
            TEMPLATE,
            root=TEMPLATE.parent,
            font_paths=_fonts(),
            ignore_system_fonts=True,
            format="pdf",
            sys_inputs={"letter": letter},
            pdf_standards=["ua-1"],
            timestamp=at.astimezone(UTC).replace(microsecond=0),
        )
    except typst.TypstError:
        # what it says may quote the text
        raise LeapnoteError("The PDF could not be made. This is a defect; export another format.") from None
    return bytes(made)
