"""A copy as plain text to paste into a health record: UTF-8, no markup, every mark in words."""

import textwrap
from datetime import datetime

from backend.registry import exporter
from backend.review.exports.copies import Copy, Line, Part, Table, one_line, printable
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
    """Plain text in UTF-8, in lines of at most 75 characters or a line a statement. A draft says so first and last."""
    page = _Page(copy)
    banner = [copy.banner] if copy.banner else []
    out = [*banner, one_line(copy.heading or copy.title)]
    out += [row for label, value in copy.head for row in page.rows(f"{label}: {value}", "", "  ")]
    for part in copy.parts:
        out += ["", f"{one_line(part.heading)}:", *page.part(part)]
    out += ["", *(row for notice in copy.notices for row in page.rows(notice)), *banner]
    return ("\n".join(out) + "\n").encode()


class _Page:
    """Statements as rows of one copy."""

    def __init__(self, copy: Copy) -> None:
        self._wrapped = copy.style.wrapped
        self._marks = copy.kind == CopyKind.CLINICIAN

    def part(self, part: Part) -> list[str]:
        """The table, then the lines: as a paragraph, or each behind a hyphen."""
        out = self._table(part.table) if part.table else []
        if part.prose:
            return [*out, *self.rows(" ".join(line.text for line in part.lines))]
        return [*out, *(row for line in part.lines for row in self._line(line))]

    def rows(self, text: str, first: str = "", other: str = "") -> list[str]:
        """A statement as rows; first and other stand before its first row and those below."""
        rows: list[str] = []
        for row in printable(text).split("\n"):
            lead = first if not rows else other
            if not self._wrapped:
                rows.append(f"{lead}{row}".rstrip())
                continue
            # a long word, such as an address, is not broken: it could not be followed
            rows += textwrap.wrap(
                row, WIDTH, initial_indent=lead, subsequent_indent=other, break_long_words=False, break_on_hyphens=False
            ) or [lead.rstrip()]
        return rows

    def _table(self, table: Table) -> list[str]:
        """A row a statement, each cell behind what stands above its column: a reader that speaks can follow."""
        out: list[str] = []
        for cells in table.rows:
            texts = [cell if i == 0 else f"{table.columns[i]}: {cell}" for i, cell in enumerate(cells) if cell]
            out += self.rows("; ".join(texts), "- ", "  ")
        return out

    def _line(self, line: Line) -> list[str]:
        cited = f" [{', '.join(line.citations)}]" if line.citations else ""
        marks = f" ({'; '.join(line.marks)})" if line.marks and self._marks else ""
        return self.rows(line.text + cited + marks, "- ", "  ")
