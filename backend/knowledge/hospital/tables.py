"""The hospital's own tables: tab-separated rows under a header, every row held to its rules, every fault told with its line."""

from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar
from unicodedata import category

from backend.errors import KnowledgeError
from backend.schemas.visible_text import visible
from backend.schemas.vocabulary import Category
from backend.stores.graph.graph_rows import ConceptRow

Row = TypeVar("Row")
NONE = "-"
LARGEST = 2_000_000
"""Characters of a table at most."""
SHOWN = 60
"""Characters of a value that a message shows."""
_MEDICINES = frozenset({Category.DRUG, Category.DRUG_CLASS})


class TableFault(NamedTuple):
    """What is wrong with one row, or with the file where line is 0: the value, and what to do."""

    line: int
    what: str

    def at(self, name: str) -> str:
        """The fault with its place.

        Args:
            name: of the file.
        """
        return f"{name}:{self.line}: {self.what}" if self.line else f"{name}: {self.what}"


class KnownNames:
    """The names of the knowledge, for tables that name medicines and conditions.

    Args:
        concepts: of the knowledge.
    """

    def __init__(self, concepts: Iterable[ConceptRow]) -> None:
        rows = list(concepts)
        self.preferred = frozenset(row.name for row in rows)
        self._medicines: dict[str, ConceptRow] = {}
        self._others: dict[str, str] = {}
        for row in rows:
            for name in (*row.synonyms, row.name):
                self._others[name.lower()] = row.name
        for row in rows:
            if row.category in _MEDICINES:
                self._medicines |= {name.lower(): row for name in row.synonyms}
        self._medicines |= {row.name.lower(): row for row in rows if row.category in _MEDICINES}

    def medicine(self, name: str) -> str | None:
        """The id of the medicine or class of a name; None where none has it."""
        row = self._medicines.get(name.lower())
        return row.concept_id if row else None

    def other(self, name: str) -> str:
        """The preferred name of whatever has a name; empty where nothing has it."""
        return self._others.get(name.lower(), "")


def read_text(path: Path) -> str:
    """The text of a table.

    Raises:
        KnowledgeError: it is too long, or no UTF-8 text.
    """
    if path.stat().st_size > 4 * LARGEST:
        raise KnowledgeError(f"{path.name} is longer than {LARGEST:,} characters. Leave out what letters do not need.")
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise KnowledgeError(f"{path.name} is no UTF-8 text. Save it as tab-separated UTF-8.") from None


def read_rows(path: Path, rows_of: Callable[[str], tuple[list[Row], list[TableFault]]], check: str) -> list[Row]:
    """The rows of a hospital's table; none where there is no file.

    Args:
        path: of the file.
        rows_of: reads the text.
        check: the command that shows all that is wrong.

    Raises:
        KnowledgeError: the file is no UTF-8 text, or a row is none: file, line, value and what to do.
    """
    if not path.is_file():
        return []
    rows, faults = rows_of(read_text(path))
    if faults:
        raise KnowledgeError(refused(path.name, faults, check))
    return rows


def table_rows(text: str, cells: Collection[str]) -> Iterator[tuple[int, dict[str, str]] | TableFault]:
    """The rows of a table, by the names of their cells; `#` begins a comment, `-` stands for nothing.

    Args:
        text: of the file.
        cells: names of the cells, which are its header.

    Yields:
        Line and cells of each row, and what is no row.
    """
    header = False
    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        line = visible(raw.removesuffix("\r"))
        if not line.strip() or line.startswith("#"):
            continue
        found = [cell.strip() for cell in line.split("\t")]
        while found and not found[-1] and len(found) > len(cells):
            found.pop()
        if not header:
            if found != list(cells):
                said = line.strip()[:SHOWN]
                yield TableFault(number, f"{said!r} is not the header. Write {' '.join(cells)}, set apart by tabs.")
                return
            header = True
        elif len(found) != len(cells) or not all(found):
            empty = next((name for name, cell in zip(cells, found, strict=False) if not cell), "")
            what = f"{empty} is empty" if empty and len(found) == len(cells) else f"{len(found)} cells"
            advice = f"Fill {len(cells)} cells, set apart by tabs; write {NONE} for none."
            yield TableFault(number, f"{what} in {line.strip()[:SHOWN]!r}. {advice}")
        elif control := next((cell for cell in found if any(category(one) == "Cc" for one in cell)), ""):
            yield TableFault(number, f"{control[:SHOWN]!r} holds a control character. Write plain text.")
        else:
            yield number, dict(zip(cells, found, strict=True))
    if not header:
        yield TableFault(0, f"there is no row. Write the header {' '.join(cells)} first, set apart by tabs.")


def stated(cell: str) -> str:
    """A cell as it counts: nothing for `-`."""
    return "" if cell == NONE else cell


def refused(name: str, faults: Collection[TableFault], check: str) -> str:
    """The first fault of a table, and how many more there are.

    Args:
        name: of the file.
        faults: at least one.
        check: the command that shows all.
    """
    first = next(iter(faults)).at(name)
    more = len(faults) - 1
    return f"{first} {more} more: {check}" if more else first
