"""Which chapter tells of a complaint or a disease without one: that of another, by the rows of assets/knowledge/told_under.tsv."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError

FILE = "told_under.tsv"
CELLS = ("concept", "chapter")


class ToldUnder(NamedTuple):
    """A complaint or disease without a chapter and what has the chapter that tells of it, by name; line: where the row stands."""

    concept: str
    chapter: str
    line: int


def read_told_under(folder: Path) -> tuple[ToldUnder, ...]:
    """The rows of a knowledge folder, in order; none where it has no such table.

    A KnowledgeError names the line where the header or a row has other cells than two filled ones, or a complaint stands twice.
    """
    path = folder / FILE
    return tuple(_rows(path)) if path.is_file() else ()


def _rows(path: Path) -> Iterator[ToldUnder]:
    seen: set[str] | None = None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = tuple(cell.strip() for cell in line.split("\t"))
        if seen is None:
            if cells != CELLS:
                raise KnowledgeError(
                    f"{FILE}:{number}: the first row must be the header {' '.join(CELLS)}, tab separated."
                )
            seen = set()
            continue
        if len(cells) != len(CELLS) or not all(cells):
            raise KnowledgeError(f"{FILE}:{number} needs {len(CELLS)} filled cells, set apart by tabs.")
        if cells[0] in seen:
            raise KnowledgeError(f"{FILE}:{number} repeats {cells[0]!r}. Remove one.")
        seen.add(cells[0])
        yield ToldUnder(cells[0], cells[1], number)
