"""For whom a sentence of the handbook holds: rows of assets/knowledge/applicability, and the table that is asked.

A row names chapter, section and the sentence as it stands there, so that a changed sentence loses its row visibly. A row with * for
chapter and sentence holds for a whole section of every chapter, beside what its sentences need. It does not judge the handbook:
`starter_check` and `applicability_check` do.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.knowledge.advice.needs import Need, Needs, parse_needs

FOLDER = "applicability"
CELLS = ("chapter", "section", "sentence", "needs", "excludes")
REASON = "reason"
"""A further column that a file may have: why a sentence that names a medicine, device, habit, age or sex holds for everybody."""
ANY, NOTHING = "*", "-"
_NONE = Needs()


class ApplicabilityRow(NamedTuple):
    """For whom one sentence holds. file, line and folder: where the row stands. reason: why it holds for everybody; else empty."""

    chapter: str
    section: str
    sentence: str
    needs: Needs
    file: str
    line: int
    folder: str = FOLDER
    reason: str = ""

    @property
    def of_section(self) -> bool:
        """Whether it holds for a whole section of every chapter."""
        return self.sentence == ANY


class Applicability:
    """The rows, asked by sentence.

    Args:
        rows: as read_applicability gives them.
    """

    def __init__(self, rows: Iterable[ApplicabilityRow] = ()) -> None:
        self._rows: dict[str, list[ApplicabilityRow]] = {}
        self._sections: dict[str, Needs] = {}
        for row in rows:
            if row.of_section:
                so_far = self._sections.get(row.section, _NONE)
                self._sections[row.section] = Needs(
                    so_far.all_of + row.needs.all_of, so_far.none_of + row.needs.none_of
                )
            else:
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

    def joined(self, needs: Needs, section: str) -> Needs:
        """What a sentence needs with what its whole section needs; what the sentence itself asks for is not held against it.

        Args:
            needs: of the sentence.
            section: the title of its section; empty where that is not known.
        """
        whole = self._sections.get(section)
        if whole is None:
            return needs
        asked: set[Need] = {one for group in needs.all_of for one in group}
        return Needs(needs.all_of + whole.all_of, needs.none_of + tuple(n for n in whole.none_of if n not in asked))


def read_applicability(folder: Path) -> list[ApplicabilityRow]:
    """The rows of all files of a knowledge folder, none where it has no folder of them.

    A row with another number of cells, an empty one or a need there is not is a KnowledgeError with file and line.
    """
    return [row for path in sorted((folder / FOLDER).glob("*.tsv")) for row in _rows(path)]


def _rows(path: Path) -> Iterator[ApplicabilityRow]:
    seen: dict[tuple[str, str], int] = {}
    width = 0
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        place = f"{FOLDER}/{path.name}:{number}"
        if not width:
            if tuple(cells) not in (CELLS, (*CELLS, REASON)):
                raise KnowledgeError(f"{place}: the first row must be the header {' '.join(CELLS)}, set apart by tabs.")
            width = len(cells)
            continue
        if len(cells) != width or not all(cells):
            raise KnowledgeError(f"{place} needs {width} filled cells, set apart by tabs; write - for none.")
        chapter, section, sentence, needed, excluded = cells[: len(CELLS)]
        if (chapter == ANY) != (sentence == ANY):
            raise KnowledgeError(f"{place}: a row of a whole section has {ANY} for chapter and for sentence.")
        reason = cells[-1] if width > len(CELLS) and cells[-1] != NOTHING else ""
        key = (chapter, section if sentence == ANY else sentence)
        if key in seen:
            raise KnowledgeError(f"{place} repeats the sentence of line {seen[key]}. Remove one.")
        seen[key] = number
        try:
            needs = parse_needs(needed, excluded)
        except KnowledgeError as error:
            raise KnowledgeError(f"{place}: {error}") from None
        yield ApplicabilityRow(chapter, section, sentence, needs, path.stem, number, reason=reason)
