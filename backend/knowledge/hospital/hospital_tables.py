"""The hospital's own tables in a data folder: checked, installed with a name, shown, removed and brought back.

What was done stands in the review's journal.
"""

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from backend import __version__
from backend.errors import InputError, KnowledgeError, NotFoundError
from backend.knowledge.advice.standing import StandingInstruction
from backend.knowledge.hospital import formulary, instructions
from backend.knowledge.hospital.former_tables import FormerTable, FormerTables, digest_of
from backend.knowledge.hospital.formulary import FormularyRow
from backend.knowledge.hospital.tables import LARGEST, KnownNames, TableFault, read_text, refused
from backend.knowledge.review.decisions import Decision, DecisionJournal, Verdict
from backend.knowledge.review.knowledge_review import FOLDER, now
from backend.stores.swapped_folder import private_folder, sync

NEVER_INSTALLED = "put there by hand"
UNREADABLE = "the journal that says who installed it cannot be read"


class Table(StrEnum):
    """Which of the hospital's tables."""

    FORMULARY = "formulary"
    INSTRUCTIONS = "instructions"


FILES = {Table.FORMULARY: formulary.FILE, Table.INSTRUCTIONS: instructions.FILE}
CHECKS = {Table.FORMULARY: formulary.CHECK, Table.INSTRUCTIONS: instructions.CHECK}
HEADERS = {Table.FORMULARY: formulary.CELLS, Table.INSTRUCTIONS: instructions.CELLS}


class CheckedTable(NamedTuple):
    """A table, row by row.

    Attributes:
        rows: those that are right by themselves.
        faults: what is wrong, in the order of the lines.
        unknown: names of medicines that the knowledge does not know: their rows can reach no draft.
    """

    rows: tuple[FormularyRow | StandingInstruction, ...]
    faults: tuple[TableFault, ...]
    unknown: tuple[str, ...] = ()


class InstalledTable(NamedTuple):
    """The table that is in the data folder, None in `text` where there is none.

    Attributes:
        text: as the file has it.
        checked: its rows and what is wrong with them.
        by: who installed it, or that nobody did by name.
        at: when; None where nobody did by name.
        changed: the file is another than the one that was installed.
    """

    text: str | None
    checked: CheckedTable
    by: str = ""
    at: datetime | None = None
    changed: bool = False


class ReplacedTable(NamedTuple):
    """A table that stood before.

    Attributes:
        kept: its text's number, until when it stood, and how many rows it has.
        by: who had installed it; empty where nobody did by name.
    """

    kept: FormerTable
    by: str


def check_table(table: Table, text: str, names: KnownNames) -> CheckedTable:
    """Hold a table to its rules and to the names of the knowledge.

    Args:
        table: which.
        text: of the file.
        names: of the knowledge.
    """
    if len(text) > LARGEST:
        return CheckedTable(
            (), (TableFault(0, f"{len(text):,} characters are more than {LARGEST:,}. Leave out rows."),)
        )
    if table is Table.FORMULARY:
        rows, faults = formulary.formulary_rows(text)
        wrong, unknown = formulary.against_names(rows, names)
        return CheckedTable(tuple(rows), tuple(sorted([*faults, *wrong])), tuple(row.medicine for row in unknown))
    told, faults = instructions.instruction_rows(text)
    return CheckedTable(tuple(told), tuple(sorted([*faults, *instructions.against_names(told, names)])))


class HospitalTables:
    """The tables of one data folder.

    Args:
        data: the data folder.
        names: gives the names of the knowledge, when they are needed.
        clock: tells the time of what is done.
    """

    def __init__(self, data: Path, names: Callable[[], KnownNames], clock: Callable[[], datetime] = now) -> None:
        self._place = data / FOLDER
        self._names = names
        self._journal = DecisionJournal(self._place)
        self._clock = clock

    def check(self, table: Table, text: str) -> CheckedTable:
        """Hold a table to its rules, as install would."""
        return check_table(table, text, self._names())

    def shown(self, table: Table) -> InstalledTable:
        """The table that is there, with who installed it."""
        path = self._place / FILES[table]
        if not path.is_file():
            return InstalledTable(None, CheckedTable((), ()))
        try:
            text = read_text(path)
        except KnowledgeError as error:
            return InstalledTable("", CheckedTable((), (TableFault(0, str(error)),)), NEVER_INSTALLED)
        checked = self.check(table, text)
        try:
            last = self._journal.latest().get(_item(table))
        except KnowledgeError:  # `knowledge check` says what is wrong with it
            return InstalledTable(text, checked, UNREADABLE)
        if last is None or last.verdict is not Verdict.INSTALLED:
            return InstalledTable(text, checked, NEVER_INSTALLED)
        return InstalledTable(text, checked, last.reviewer, last.at, last.digest != _digest(text))

    def install(self, table: Table, text: str, by: str, name: str = "") -> tuple[Decision, CheckedTable]:
        """Put a table in the place of the one that is there. It holds from the next start on.

        Args:
            table: which.
            text: of the file.
            by: who installs it, and for instructions who signs them.
            name: of the file, for messages.

        Raises:
            InputError: a row is wrong, or no name.
        """
        if not by.strip():
            raise InputError("Installing needs the name of who answers for it.")
        checked = self.check(table, text)
        if checked.faults:
            raise InputError(f"Nothing was installed. {refused(name or FILES[table], checked.faults, CHECKS[table])}")
        text = text.removeprefix("\ufeff").replace("\r\n", "\n")
        private_folder(self._place)
        path = self._place / FILES[table]
        FormerTables(self._place, table).keep(path, self._clock())
        beside = path.with_suffix(".new")
        beside.write_text(text, encoding="utf-8", newline="")
        beside.chmod(0o600)
        sync(beside)
        beside.replace(path)
        return self._keep(table, Verdict.INSTALLED, by, text, f"{len(checked.rows)} rows"), checked

    def remove(self, table: Table, by: str) -> Decision:
        """Take a table away. From the next start on nothing of it is told.

        Args:
            table: which.
            by: who takes it away.

        Raises:
            NotFoundError: there is none.
            InputError: no name.
        """
        path = self._place / FILES[table]
        if not path.is_file():
            raise NotFoundError(f"There is no {table} in {FOLDER}/{FILES[table]}, so nothing can be removed.")
        if not by.strip():
            raise InputError("Removing needs the name of who answers for it.")
        FormerTables(self._place, table).keep(path, self._clock())
        path.unlink()
        return self._keep(table, Verdict.REMOVED, by, "", "")

    def replaced(self, table: Table) -> list[ReplacedTable]:
        """The tables that stood before, the last first; not one that stands now."""
        path = self._place / FILES[table]
        now_there = digest_of(path.read_bytes()) if path.is_file() else ""
        kept = [one for one in FormerTables(self._place, table).all() if one.digest != now_there]
        try:
            done = self._journal.all() if kept else []
        except KnowledgeError:  # `knowledge check` says what is wrong with it
            done = []
        by = {one.digest: one.reviewer for one in done if one.item == _item(table) and one.verdict is Verdict.INSTALLED}
        return [ReplacedTable(one, by.get(one.digest, "")) for one in kept]

    def restore(self, table: Table, digest: str, by: str) -> tuple[Decision, CheckedTable]:
        """Install a table that stood before. It is checked as any other, since the knowledge may know other names now.

        Args:
            table: which.
            digest: number of its text.
            by: who installs it.
        """
        return self.install(table, FormerTables(self._place, table).text(digest), by)

    def _keep(self, table: Table, verdict: Verdict, by: str, text: str, reason: str) -> Decision:
        decision = Decision(
            item=_item(table),
            verdict=verdict,
            reviewer=by.strip(),
            at=self._clock(),
            version=__version__,
            digest=_digest(text),
            reason=reason,
        )
        self._journal.add(decision)
        return decision


def rows_json(checked: CheckedTable) -> list[dict[str, Any]]:
    """The rows of a table for a program and a page: cells, and what is told of them."""
    found: list[dict[str, Any]] = []
    for row in checked.rows:
        if isinstance(row, FormularyRow):
            cells = {"medicine": row.medicine, "status": row.status.value, "instead": row.instead}
            told = {"condition": row.condition, "note": row.note, "says": row.words}
            found.append(cells | told | {"known": row.medicine not in checked.unknown, "line": row.line})
        else:
            whom = {
                "needs": instructions.in_cells(row.needs.all_of),
                "excludes": instructions.in_cells([one] for one in row.needs.none_of),
            }
            found.append({"id": row.id, **whom, "section": row.section, "says": row.told, "line": row.line})
    return found


def _item(table: Table) -> str:
    return f"table/{table}"


def _digest(text: str) -> str:
    return digest_of(text.encode())
