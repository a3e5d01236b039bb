"""Standing instructions: what a hospital's clinicians may tell every patient of theirs whom it is for, once they have signed it.

The rows of assets/knowledge/standing.tsv are orders (pause a tablet, never stop another), which nothing else of the handbook is, so
each is off until its id is signed (`knowledge review sign`). Emergency numbers and crisis lines are none of them: they are always told.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.knowledge.advice.needs import NAMED, Needs, parse_needs

FILE = "standing.tsv"
CELLS = ("id", "needs", "sentence", "section")
SECTIONS = frozenset({"Precautions"})
"""The parts of a letter that an instruction may stand in."""
LONGEST = 30
"""Words of an instruction; it has to say when it begins and when it ends."""
WITHOUT = "not:"
OWN_MARK = "Your hospital says:"
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class StandingInstruction(NamedTuple):
    """One instruction.

    Attributes:
        id: what is signed; it stays.
        needs: whom it is for.
        sentence: as it is told.
        section: the part of a letter.
        line: where the row stands.
        own: it is the hospital's own sentence, of its file of instructions.
    """

    id: str
    needs: Needs
    sentence: str
    section: str
    line: int
    own: bool = False

    @property
    def told(self) -> str:
        """The sentence as a letter has it: the hospital's own says whose it is, wherever it is read."""
        return f"{OWN_MARK} {self.sentence}" if self.own else self.sentence


def read_standing(folder: Path) -> tuple[StandingInstruction, ...]:
    """The instructions of a knowledge folder, signed or not; none where it has no file of them.

    A need of a row is as in assets/knowledge/applicability; `not:NEED` is what the patient must not have.

    Raises:
        KnowledgeError: a row with another number of cells, an id that repeats, a need or section there is not, or no need at all.
    """
    path = folder / FILE
    if not path.is_file():
        return ()
    rows: dict[str, StandingInstruction] = {}
    header = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = tuple(cell.strip() for cell in line.split("\t"))
        place = f"{FILE}:{number}"
        if not header:
            if cells != CELLS:
                raise KnowledgeError(f"{place}: the first row must be the header {' '.join(CELLS)}, set apart by tabs.")
            header = True
            continue
        row = _row(cells, place, number)
        if row.id in rows:
            raise KnowledgeError(f"{place} repeats the id '{row.id}' of line {rows[row.id].line}. Give it another.")
        rows[row.id] = row
    return tuple(rows.values())


def signed_instructions(
    rows: Iterable[StandingInstruction], signed_ids: Collection[str] = frozenset()
) -> tuple[StandingInstruction, ...]:
    """The instructions that may be told: those whose id is signed, and without signatures none."""
    return tuple(row for row in rows if row.id in signed_ids)


def standing_breaches(rows: Iterable[StandingInstruction], names: Collection[str]) -> Iterator[tuple[int, str]]:
    """What is wrong with instructions that can be read.

    Args:
        rows: as read_standing gives them.
        names: of the concepts.

    Yields:
        The line of a row, and what breaks which rule.
    """
    for row in rows:
        for need in (*(one for group in row.needs.all_of for one in group), *row.needs.none_of):
            if need.kind in NAMED and need.kind != "relative" and need.name not in names:
                yield row.line, f"{row.id}: '{need.kind}:{need.name}' names no concept"
        if (words := len(row.sentence.split())) > LONGEST:
            yield row.line, f"{row.id}: {words} words, at most {LONGEST} wanted"
        if not row.sentence.endswith(".") or row.sentence[:1].islower():
            yield row.line, f"{row.id}: the sentence begins small or has no full stop"


def _row(cells: tuple[str, ...], place: str, number: int) -> StandingInstruction:
    if len(cells) != len(CELLS) or not all(cells):
        raise KnowledgeError(f"{place} needs {len(CELLS)} filled cells, set apart by tabs.")
    name, needed, sentence, section = cells
    if not _ID.fullmatch(name):
        raise KnowledgeError(f"{place}: the id '{name}' may have small letters, digits and single hyphens.")
    if section not in SECTIONS:
        raise KnowledgeError(f"{place}: the section '{section}' is none of {', '.join(sorted(SECTIONS))}.")
    parts = [part.strip() for part in needed.split(";")]
    without = [part.removeprefix(WITHOUT) for part in parts if part.startswith(WITHOUT)]
    try:
        needs = parse_needs(";".join(part for part in parts if not part.startswith(WITHOUT)), ";".join(without))
    except KnowledgeError as error:
        raise KnowledgeError(f"{place}: {error}") from None
    if not needs.all_of:
        raise KnowledgeError(f"{place}: an instruction needs to say whom it is for.")
    return StandingInstruction(name, needs, sentence, section, number)
