"""What can be reviewed of a knowledge folder: each chapter, and each row of its tables.

An item is a piece of a file as it stands. A row's id is made from its text, so that a row that is changed by a new version is another item
that nobody has reviewed; a chapter keeps its id, and its digest says whether it is still the text that was reviewed.
"""

import hashlib
import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from backend.knowledge.starter import concept_id

_CHAPTER = re.compile(r"# +(?P<name>.+)")
_TITLE_CELLS = 3
_DIGEST, _ROW_ID = 16, 10
NONE, _SIGN = "-", "sign"


class Kind(StrEnum):
    """What an item is."""

    CHAPTER = "chapter"
    DOSE = "dose"
    INTERACTION = "interaction"
    CONTRAINDICATION = "contraindication"
    MONITORING = "monitoring"
    UNTREATED = "untreated"
    RED_FLAG = "red_flag"
    APPLICABILITY = "applicability"
    STANDING = "standing"


FILES: dict[Kind, str] = {
    Kind.CHAPTER: "handbook/*.md",
    Kind.DOSE: "doses/*.tsv",
    Kind.INTERACTION: "safety/interactions/*.tsv",
    Kind.CONTRAINDICATION: "safety/contraindications/*.tsv",
    Kind.MONITORING: "safety/monitoring.tsv",
    Kind.UNTREATED: "safety/untreated.tsv",
    Kind.RED_FLAG: "red_flags/*.tsv",
    Kind.APPLICABILITY: "applicability/*.tsv",
    Kind.STANDING: "standing.tsv",
}
"""Where the items of a kind stand, below the knowledge folder."""


class ReviewItem(NamedTuple):
    """One chapter or row.

    Attributes:
        id: its kind and a name that stays: of a chapter's concept, of a standing instruction's id, or of a row's text.
        kind: what it is.
        title: what it is about, for a list.
        text: as it stands in its file: Markdown, or one row with its tabs.
        head: the names of the cells, of a row.
        file: below the knowledge folder.
        line: where it begins, counted from 1.
        lines: how many lines it has.
    """

    id: str
    kind: Kind
    title: str
    text: str
    head: tuple[str, ...]
    file: str
    line: int
    lines: int

    @property
    def digest(self) -> str:
        """Of the text, to see whether it is the one that was reviewed."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:_DIGEST]

    @property
    def cells(self) -> dict[str, str]:
        """A row's cells by their names; nothing of a chapter."""
        return dict(zip(self.head, row_cells(self.text), strict=False)) if self.head else {}


def review_items(folder: Path) -> list[ReviewItem]:
    """All items of a knowledge folder, kind by kind, in the order of their files."""
    return [
        item
        for kind, pattern in FILES.items()
        for path in sorted(folder.glob(pattern))
        for item in _of_file(folder, path, kind)
    ]


def row_cells(line: str) -> list[str]:
    """The cells of a row, bare; empty ones at its end are left out."""
    cells = [cell.strip() for cell in line.split("\t")]
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _of_file(folder: Path, path: Path, kind: Kind) -> Iterator[ReviewItem]:
    lines = path.read_text(encoding="utf-8").split("\n")
    file = path.relative_to(folder).as_posix()
    return _chapters(lines, file) if kind is Kind.CHAPTER else _rows(lines, file, kind)


def _chapters(lines: list[str], file: str) -> Iterator[ReviewItem]:
    starts = [number for number, line in enumerate(lines) if _CHAPTER.fullmatch(line)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        name = lines[start][1:].strip()
        text = "\n".join(lines[start:end]).rstrip()
        item = f"{Kind.CHAPTER}/{concept_id(name)[3:]}"
        yield ReviewItem(item, Kind.CHAPTER, name, text, (), file, start + 1, end - start)


def _rows(lines: list[str], file: str, kind: Kind) -> Iterator[ReviewItem]:
    head: tuple[str, ...] = ()
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = row_cells(line)
        if not head:
            head = tuple(cells)
            if kind is Kind.RED_FLAG and _SIGN not in head:
                return  # a table beside the chapters'
            continue
        name = cells[0] if kind is Kind.STANDING else hashlib.sha256("\t".join(cells).encode()).hexdigest()[:_ROW_ID]
        title = ", ".join(cell for cell in cells[:_TITLE_CELLS] if cell != NONE)
        yield ReviewItem(f"{kind}/{name}", kind, title, line, head, file, number, 1)
