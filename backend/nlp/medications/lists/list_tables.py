"""Tables of medicines with a column for home and one for what is taken on leaving: "Medication | Home | Discharge | Comment".

The cells are parted by bars or tabs, or stand below their titles, which blanks part. The titles of the columns are rows of assets/rules/medications/words_columns.tsv.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.tokens import tokens
from backend.nlp.medications.medicine_events import BY_SECTION
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.record import Dosage, MedicationCategory, MedicationStatement, MedicationStatus

_BAR, _BLANKS = re.compile(r"[|\t]"), re.compile(r" {2,}")
_LEAST_CELLS = 3
_AS_BEFORE = "\u2194=\u2713\u2714"
"""Signs of a cell that say that it is taken as before."""


class TableRow(NamedTuple):
    """A row of such a table, in code points of the note: the row, its cell of home and its cell of leaving."""

    start_char: int
    end_char: int
    home: tuple[int, int]
    leaving: tuple[int, int]

    def holds(self, place: int) -> bool:
        """Whether a place is in the row."""
        return self.start_char <= place < self.end_char

    def is_home(self, place: int) -> bool:
        """Whether a place is in the cell of home."""
        return self.home[0] <= place < self.home[1]


def table_rows(note: ParsedNote) -> list[TableRow]:
    """The rows of a note's tables of medicines; none in a note without such a table. Read once a note."""
    return note.once(_rows)


def by_columns(note: ParsedNote, statements: Sequence[MedicationStatement]) -> list[MedicationStatement]:
    """The statements of one name; in a table, what each of its cells says of it: taken at home, and what is taken on leaving."""
    at = statements[0].spans[0].start_char if statements else -1
    row = next((one for one in table_rows(note) if one.holds(at)), None)
    if row is None:
        return list(statements)
    at_home = [one for one in statements if any(row.is_home(span.start_char) for span in one.spans[1:])]
    leaving = [one for one in statements if one not in at_home]
    if at_home and not leaving:
        told = any(letter.isalnum() or letter in _AS_BEFORE for letter in note.text[slice(*row.leaving)])
        if told or at_home[0].rule_ids != (BY_SECTION,):  # words beside it say what becomes of it
            apart = tuple(span for span in at_home[0].spans if not row.is_home(span.start_char))
            leaving = [at_home[0].model_copy(update={"dosage": Dosage(), "spans": apart})]
    return [
        *(one.model_copy(update=_OF_HOME) for one in at_home),
        *(one.model_copy(update={"listed": MedicationCategory.DISCHARGE}) for one in leaving),
    ]


_OF_HOME = {
    "status": MedicationStatus.ACTIVE, "category": MedicationCategory.COMMUNITY, "listed": MedicationCategory.COMMUNITY,
    "change": "", "decided": False, "why_stopped": "", "old_dosage": None, "rule_ids": (BY_SECTION,), "certainty": 1.0,
}  # fmt: skip
"""What a cell of home says of a medicine."""


def _rows(note: ParsedNote) -> list[TableRow]:
    text = note.text
    return list(_found(text)) if "|" in text or "\t" in text or _BLANKS.search(text) else []


def _found(text: str) -> Iterator[TableRow]:
    columns: tuple[int, int] | None = None
    starts: list[int] = []  # of columns that blanks part
    at = 0
    for line in text.split("\n"):
        cells = _cells(line, at) if _BAR.search(line) else _below(line, at, starts)
        titles = cells or _titles(line, at)
        if (titled := _columns([text[a:b] for a, b in titles])) is not None:
            columns, starts = titled, [] if _BAR.search(line) else [a - at for a, _ in titles]
        elif len(cells) < _LEAST_CELLS:
            columns, starts = None, []
        elif columns is not None and max(columns) < len(cells):
            yield TableRow(at, at + len(line), cells[columns[0]], cells[columns[1]])
        at += len(line) + 1


def _cells(line: str, at: int) -> list[tuple[int, int]]:
    borders = [-1, *(m.start() for m in _BAR.finditer(line)), len(line)]
    cells = [(at + a + 1, at + b) for a, b in pairwise(borders)]
    return cells[1:] if line.lstrip().startswith("|") else cells


def _titles(line: str, at: int) -> list[tuple[int, int]]:
    """The pieces of a line that blanks part."""
    ends = [0, *(m.end() for m in _BLANKS.finditer(line.rstrip())), len(line)]
    return [(at + a, at + b) for a, b in pairwise(ends) if line[a:b].strip()]


def _below(line: str, at: int, starts: Sequence[int]) -> list[tuple[int, int]]:
    """The cells of a line below titles that begin at some characters; none where a word goes over a border."""
    if not starts or not line.strip() or any(not line[b - 1 : b].isspace() for b in starts[1:] if b < len(line)):
        return []
    borders = [min(b, len(line)) for b in (*starts[:1], *starts[1:], len(line))]
    return [(at + a, at + b) for a, b in pairwise((0, *borders[1:]))]


def _columns(cells: list[str]) -> tuple[int, int] | None:
    """The columns of home and of leaving, where the cells are titles of both."""
    words, kinds = [frozenset(tokens(cell).words) for cell in cells], word_lists("medications/words_columns")
    home = [i for i, own in enumerate(words) if own & kinds["home"]]
    leaving = [i for i, own in enumerate(words) if own & kinds["leaving"]]
    return (home[0], leaving[0]) if len(home) == 1 and len(leaving) == 1 and home != leaving else None
