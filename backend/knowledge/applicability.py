"""For whom a sentence of the handbook holds: rows of assets/knowledge/applicability, and the table that is asked.

A row names chapter, section and the sentence as it stands there, so that a changed sentence loses its row visibly. It does not judge
the handbook: `starter_check` does.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.knowledge.needs import Needs, parse_needs

FOLDER = "applicability"
CELLS = ("chapter", "section", "sentence", "needs", "excludes")


class ApplicabilityRow(NamedTuple):
    """For whom one sentence holds. file, line and folder: where the row stands."""

    chapter: str
    section: str
    sentence: str
    needs: Needs
    file: str
    line: int
    folder: str = FOLDER


class Applicability:
    """The rows, asked by sentence.

    Args:
        rows: as read_applicability gives them.
    """

    def __init__(self, rows: Iterable[ApplicabilityRow] = ()) -> None:
        self._rows: dict[str, list[ApplicabilityRow]] = {}
        for row in rows:
            self._rows.setdefault(row.sentence, []).append(row)

    def __len__(self) -> int:
        """How many sentences have a row."""
        return len(self._rows)

    def needs(self, sentence: str, chapter: str = "") -> Needs | None:
        """What a sentence needs; None where it has no row.

        Args:
            sentence: as it stands in its chapter.
            chapter: the name of its chapter, for a sentence that stands in several; empty where that is not known, which asks
                for the row with the fewest needs.
        """
        rows = self._rows.get(sentence, ())
        own = [row for row in rows if row.chapter.lower() == chapter.lower()] if chapter else rows
        return min((row.needs for row in own), key=lambda needs: len(needs.all_of), default=None)


def read_applicability(folder: Path) -> list[ApplicabilityRow]:
    """The rows of all files of a knowledge folder, none where it has no folder of them.

    A row with another number of cells, an empty one or a need there is not is a KnowledgeError with file and line.
    """
    return [row for path in sorted((folder / FOLDER).glob("*.tsv")) for row in _rows(path)]


def _rows(path: Path) -> Iterator[ApplicabilityRow]:
    seen: dict[tuple[str, str], int] = {}
    header = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        place = f"{FOLDER}/{path.name}:{number}"
        if not header:
            if tuple(cells) != CELLS:
                raise KnowledgeError(f"{place}: the first row must be the header {' '.join(CELLS)}, set apart by tabs.")
            header = True
            continue
        if len(cells) != len(CELLS) or not all(cells):
            raise KnowledgeError(f"{place} needs {len(CELLS)} filled cells, set apart by tabs; write - for none.")
        chapter, section, sentence, needed, excluded = cells
        if (chapter, sentence) in seen:
            raise KnowledgeError(f"{place} repeats the sentence of line {seen[chapter, sentence]}. Remove one.")
        seen[chapter, sentence] = number
        try:
            needs = parse_needs(needed, excluded)
        except KnowledgeError as error:
            raise KnowledgeError(f"{place}: {error}") from None
        yield ApplicabilityRow(chapter, section, sentence, needs, path.stem, number)
