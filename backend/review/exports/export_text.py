"""A copy as plain text: UTF-8, lines of at most 75 characters, every mark in words."""

import textwrap
from datetime import datetime

from backend.registry import exporter
from backend.review.exports.copies import Copy, Line, PartKind, Table, printable
from backend.schemas.patients.saved_case import CaseView, CopyKind

WIDTH = 75


@exporter(
    "txt",
    label="Text",
    media_type="text/plain; charset=utf-8",
    suffix="txt",
    copies=tuple(CopyKind),
    order=10,
)
def as_text(copy: Copy, view: CaseView, at: datetime) -> bytes:
    """Plain text in UTF-8. A draft says so in its first and in its last line."""
    banner = [f"*** {copy.banner} ***"] if copy.banner else []
    out = [*banner, copy.title, "=" * len(copy.title), *_wrapped(copy.identity)]
    for part in copy.parts:
        heading = printable(part.heading).replace("\n", " ")
        alarm = part.kind == PartKind.ALARM
        out += ["", f"!! {heading} !!" if alarm else heading, "-" * (len(heading) + (6 if alarm else 0))]
        if part.table:
            out += _table(part.table)
        for line in part.lines:
            out += _line(line, copy.kind)
    out += ["", *(row for notice in copy.notices for row in _wrapped(notice)), *banner]
    return ("\n".join(out) + "\n").encode()


def _table(table: Table) -> list[str]:
    """A row a block, each cell beside what stands above its column: lines stay short, and a reader that speaks can follow."""
    out: list[str] = []
    for cells in table.rows:
        texts = [f"{column}: {cell}" for column, cell in zip(table.columns, cells, strict=True) if cell]
        out += _wrapped("; ".join(texts), "* ", "  ")
    return [*out, ""]


def _line(line: Line, kind: CopyKind) -> list[str]:
    cited = f" [{', '.join(line.citations)}]" if line.citations else ""
    rows = _wrapped(line.text + cited, "- ", "  ")
    if kind == CopyKind.CLINICIAN and line.marks:
        rows += _wrapped(f"({'; '.join(line.marks)})", "    ", "    ")
    return rows


def _wrapped(text: str, first: str = "", other: str = "") -> list[str]:
    rows: list[str] = []
    for row in printable(text).split("\n"):
        lead = first if not rows else other
        # a long word, such as an address, is not broken: it could not be followed
        rows += textwrap.wrap(
            row, WIDTH, initial_indent=lead, subsequent_indent=other, break_long_words=False, break_on_hyphens=False
        ) or [lead.rstrip()]
    return rows
