"""A hospital's own formulary: which medicines it has, restricts, or does not have, and what it gives instead.

A table of the hospital's, LEAPNOTE_DATA/knowledge/formulary.tsv, outside the shipped files. It informs: what it says is never more than a
flag for information.
"""

from collections.abc import Callable, Iterable
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from backend.knowledge.hospital.tables import SHOWN, KnownNames, TableFault, read_rows, stated, table_rows

CELLS = ("medicine", "status", "instead", "condition", "note")
FILE = "formulary.tsv"
"""Its name, in the folder `knowledge` of the data folder."""
CHECK = "python -m backend knowledge formulary check FILE"


class Stocked(StrEnum):
    """Whether a hospital has a medicine."""

    ON = "on"
    RESTRICTED = "restricted"
    OFF = "off"


class FormularyRow(NamedTuple):
    """What the formulary says of a medicine or a class.

    Attributes:
        medicine: its name, generic or brand, or the name of a class.
        status: whether the hospital has it.
        instead: what it gives instead; empty for nothing.
        condition: under what condition it gives a restricted one.
        note: anything else to tell.
        line: where the row stands.
    """

    medicine: str
    status: Stocked
    instead: str
    condition: str
    note: str
    line: int

    @property
    def words(self) -> str:
        """What to tell of it; empty of a medicine that is simply there."""
        if self.status is Stocked.ON:
            return ""
        told = "is restricted by" if self.status is Stocked.RESTRICTED else "is not on"
        condition = f": {self.condition}" if self.condition else ""
        instead = f"; it gives {self.instead} instead" if self.instead else ""
        return f"{self.medicine} {told} the hospital's formulary{condition}{instead}{f' ({self.note})' if self.note else ''}"


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
    """The rows of a hospital's table; none where there is no file. A fault is a KnowledgeError with file, line, value and what to do."""
    return read_rows(path, formulary_rows, CHECK)


def formulary_rows(text: str) -> tuple[list[FormularyRow], list[TableFault]]:
    """The rows of a table, and what is wrong with it.

    Args:
        text: with the header line.
    """
    rows: list[FormularyRow] = []
    faults: list[TableFault] = []
    seen: dict[str, int] = {}
    for found in table_rows(text, CELLS):
        if isinstance(found, TableFault):
            faults.append(found)
            continue
        line, cells = found
        medicine, status = cells["medicine"], cells["status"]
        instead, condition, note = (stated(cells[name]) for name in CELLS[2:])
        first = seen.setdefault(medicine.lower(), line)
        if status not in set(Stocked):
            what = f"the status {status[:SHOWN]!r} is none of {', '.join(Stocked)}. Write one of them."
        elif first != line:
            what = f"{medicine[:SHOWN]!r} stands in line {first} too. Remove one."
        elif (status == Stocked.RESTRICTED) != bool(condition):
            what = (
                f"{medicine[:SHOWN]!r} is restricted without a condition. Say when it may be given."
                if status == Stocked.RESTRICTED
                else f"the condition {condition[:SHOWN]!r} has no meaning for a medicine that is {status}. Write restricted, or -."
            )
        elif instead and status == Stocked.ON:
            what = f"{instead[:SHOWN]!r} has no meaning beside a medicine that is on. Write off or restricted, or - instead."
        elif instead.lower() == medicine.lower():
            what = f"{medicine[:SHOWN]!r} cannot be given instead of itself. Name another, or write -."
        else:
            rows.append(FormularyRow(medicine, Stocked(status), instead, condition, note, line))
            continue
        faults.append(TableFault(line, what))
    return rows, faults


def against_names(rows: Iterable[FormularyRow], names: KnownNames) -> tuple[list[TableFault], list[FormularyRow]]:
    """What is wrong with rows by the medicines that they name, and the rows of medicines that the knowledge does not know.

    Args:
        rows: as formulary_rows gives them.
        names: of the knowledge. A medicine that it does not know is no fault: no draft can name it either.
    """
    faults: list[TableFault] = []
    unknown: list[FormularyRow] = []
    lines: dict[str, FormularyRow] = {}
    for row in rows:
        concept = names.medicine(row.medicine)
        if concept is None and (other := names.other(row.medicine)):
            faults.append(TableFault(row.line, f"{row.medicine[:SHOWN]!r} is {other}, no medicine. Remove the row."))
        elif concept is None:
            unknown.append(row)
        elif lines.setdefault(concept, row) is not row:
            first = lines[concept]
            what = f"{row.medicine[:SHOWN]!r} is the medicine of line {first.line}, {first.medicine!r}. Remove one."
            faults.append(TableFault(row.line, what))
    for row in lines.values():
        given = lines.get(names.medicine(row.instead) or "") if row.instead else None
        if given is row:
            what = f"{row.instead[:SHOWN]!r} is {row.medicine!r} under another name. Name another medicine, or write -."
            faults.append(TableFault(row.line, what))
        elif given is not None and given.status is Stocked.OFF:
            what = f"{row.instead[:SHOWN]!r} is given instead, and line {given.line} says that it is off. Name another."
            faults.append(TableFault(row.line, what))
    return sorted(faults), unknown
