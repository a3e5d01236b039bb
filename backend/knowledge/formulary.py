"""A hospital's own formulary: which medicines it has, restricts, or does not have, and what it gives instead.

A table of the hospital's, LEAPNOTE_DATA/knowledge/formulary.tsv, outside the shipped files: `medicine  status  instead  note`, cells set apart by tabs, `-` for none.
"""

from collections.abc import Callable, Iterable
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError

CELLS = ("medicine", "status", "instead", "note")
NONE = "-"
FILE = "formulary.tsv"
"""Its name, in the folder `knowledge` of the data folder."""


class Stocked(StrEnum):
    """Whether a hospital has a medicine."""

    ON = "on"
    RESTRICTED = "restricted"
    OFF = "off"


class FormularyRow(NamedTuple):
    """What the formulary says of a medicine or a class. instead, note: empty for none."""

    medicine: str
    status: Stocked
    instead: str
    note: str
    line: int

    @property
    def words(self) -> str:
        """What to tell of it; empty of a medicine that is simply there."""
        if self.status is Stocked.ON:
            return ""
        told = "is restricted by" if self.status is Stocked.RESTRICTED else "is not on"
        instead = f"; it gives {self.instead} instead" if self.instead else ""
        return f"{self.medicine} {told} the hospital's formulary{instead}{f' ({self.note})' if self.note else ''}"


class Formulary:
    """The rows, asked by concept.

    Args:
        rows: as read_formulary gives them.
        concept: the concept of a name, None for a name that is none.
    """

    def __init__(self, rows: Iterable[FormularyRow] = (), concept: Callable[[str], str | None] = str) -> None:
        self._rows: dict[str, FormularyRow] = {}
        self.unknown: list[FormularyRow] = []
        for row in rows:
            found = concept(row.medicine)
            if found is None:
                self.unknown.append(row)
            else:
                self._rows[found] = row

    def __len__(self) -> int:
        """How many medicines it speaks of."""
        return len(self._rows)

    def of(self, concepts: Iterable[str]) -> FormularyRow | None:
        """What it says of a medicine.

        Args:
            concepts: the medicine, then its ingredients and classes: the first that it speaks of counts.
        """
        return next((self._rows[one] for one in concepts if one in self._rows), None)


def read_formulary(path: Path) -> list[FormularyRow]:
    """The rows of a hospital's table; none where there is no file.

    Raises:
        KnowledgeError: the file is no UTF-8 text, or a row is none, with its line.
    """
    if not path.is_file():
        return []
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise KnowledgeError(f"{path.name} is no UTF-8 text. Save it as tab-separated UTF-8.") from None
    return formulary_rows(text, path.name)


def formulary_rows(text: str, name: str) -> list[FormularyRow]:
    """The rows of a table.

    Args:
        text: with the header line.
        name: of the file, for messages.

    Raises:
        KnowledgeError: with the line, where a row has another number of cells, an unknown status, or names a medicine again.
    """
    rows: list[FormularyRow] = []
    seen: dict[str, int] = {}
    header = False
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = tuple(cell.strip() for cell in line.split("\t"))
        if not header:
            if cells != CELLS:
                raise KnowledgeError(
                    f"{name}:{number}: the first row must be the header {' '.join(CELLS)}, set apart by tabs."
                )
            header = True
            continue
        if len(cells) != len(CELLS) or not all(cells):
            raise KnowledgeError(
                f"{name}:{number} needs {len(CELLS)} filled cells, set apart by tabs; write - for none."
            )
        medicine, status, instead, note = cells
        if status not in set(Stocked):
            raise KnowledgeError(f"{name}:{number}: the status {status!r} is none of {', '.join(Stocked)}.")
        if (first := seen.setdefault(medicine.lower(), number)) != number:
            raise KnowledgeError(f"{name}:{number} names {medicine} as line {first} does. Remove one.")
        rows.append(
            FormularyRow(
                medicine, Stocked(status), "" if instead == NONE else instead, "" if note == NONE else note, number
            )
        )
    return rows
