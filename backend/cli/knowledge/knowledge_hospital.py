"""knowledge formulary and knowledge instructions: the hospital's own tables, checked, installed, shown, removed and brought back."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from backend.cli.cli_options import Json
from backend.cli.program import CommandLine
from backend.cli.tables import print_table
from backend.errors import InputError
from backend.settings import Settings, settings

if TYPE_CHECKING:
    from backend.knowledge.hospital.hospital_tables import CheckedTable, HospitalTables

NEXT_START = "It holds from the next start on."
By = Annotated[str, typer.Option("--by", metavar="NAME", help="who answers for it", show_default=False)]
File = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="the table, tab-separated UTF-8; - for standard input", show_default=False),
]
_HEADS = {"formulary": ("medicine", "status", "says"), "instructions": ("id", "needs", "excludes", "says")}


class TableCommands(NamedTuple):
    """The commands of one table."""

    name: str
    app: CommandLine


def groups() -> list[TableCommands]:
    """The commands of each table."""
    return [
        _group("formulary", "the hospital's own formulary: what it has, restricts, lacks, and what it gives instead"),
        _group("instructions", "the hospital's own sentences for letters, each with whom it is for"),
    ]


def hospital_tables(chosen: Settings) -> "HospitalTables":
    """The tables of the data folder that is set.

    Args:
        chosen: the settings.
    """
    from backend.knowledge.hospital.hospital_tables import HospitalTables
    from backend.knowledge.hospital.tables import KnownNames
    from backend.knowledge.starter import read_starter

    return HospitalTables(chosen.data, lambda: KnownNames(row for row, _ in read_starter(chosen.knowledge).concepts))


def _group(name: str, about: str) -> TableCommands:
    app = CommandLine(about)

    @app.add("show", "the table that is installed, who installed it, and what of it is not known")
    def show(as_json: Json = False) -> None:
        """Print the rows."""
        _show(name, as_json)

    @app.add("check", "hold a file to the rules of the table, every row, and install nothing")
    def check(source: File, as_json: Json = False) -> int:
        """0 when every row is right, 2 when one is not."""
        from backend.knowledge.hospital.hospital_tables import Table

        found = hospital_tables(settings()).check(Table(name), _text(source))
        _print(found, source.name, as_json)
        return 2 if found.faults else 0

    @app.add("install", "check a file, and put it in the place of the table that is there")
    def install(source: File, by: By, as_json: Json = False) -> None:
        """Install a table. Nothing changes where a row is wrong."""
        from backend.knowledge.hospital.hospital_tables import Table

        decision, found = hospital_tables(settings()).install(Table(name), _text(source), by, source.name)
        if as_json:
            print(decision.model_dump_json())
            return
        print(f"{name}: {len(found.rows)} rows installed by {decision.reviewer}. {NEXT_START}")
        _warn(found)

    @app.add("remove", "take the table away")
    def remove(by: By, as_json: Json = False) -> None:
        """Remove the table."""
        from backend.knowledge.hospital.hospital_tables import Table

        decision = hospital_tables(settings()).remove(Table(name), by)
        print(decision.model_dump_json() if as_json else f"{name} removed by {decision.reviewer}. {NEXT_START}")

    @app.add("replaced", "the tables that stood before, each with its number")
    def replaced(as_json: Json = False) -> None:
        """Print them, the last first."""
        from backend.knowledge.hospital.hospital_tables import Table

        found = hospital_tables(settings()).replaced(Table(name))
        rows = [(one.kept.digest, one.kept.until.isoformat(), str(one.kept.rows), one.by) for one in found]
        heads = ("digest", "until", "rows", "by")
        if as_json:
            print(json.dumps([dict(zip(heads, row, strict=True)) for row in rows], ensure_ascii=False))
        else:
            print_table(heads, [list(row) for row in rows])

    @app.add("restore", "install a table that stood before")
    def restore(
        digest: Annotated[str, typer.Argument(metavar="DIGEST", help="its number", show_default=False)],
        by: By,
        as_json: Json = False,
    ) -> None:
        """Install it, where every row is still right."""
        from backend.knowledge.hospital.hospital_tables import Table

        decision, found = hospital_tables(settings()).restore(Table(name), digest, by)
        said = f"{name}: {len(found.rows)} rows are back, by {decision.reviewer}. {NEXT_START}"
        print(decision.model_dump_json() if as_json else said)

    return TableCommands(name, app)


def _show(name: str, as_json: bool) -> None:
    from backend.knowledge.hospital.hospital_tables import FILES, HEADERS, Table, rows_json
    from backend.knowledge.review.knowledge_review import FOLDER

    table = Table(name)
    shown = hospital_tables(settings()).shown(table)
    rows = rows_json(shown.checked)
    at = shown.at.isoformat() if shown.at else ""
    if as_json:
        state = {"installed": shown.text is not None, "by": shown.by, "at": at, "changed": shown.changed}
        print(json.dumps(state | {"rows": rows} | _told(shown.checked, FILES[table]), ensure_ascii=False))
        return
    if shown.text is None:
        print(f"There is none. Its header is {' '.join(HEADERS[table])}, set apart by tabs; install it with: ", end="")
        print(f"python -m backend knowledge {name} install FILE --by NAME")
        return
    since = ", changed by hand since" if shown.changed else ""
    print(f"{FOLDER}/{FILES[table]}: {len(rows)} rows, {shown.by}{f', {at[:10]}' if at else ''}{since}")
    print_table(_HEADS[name], [[str(row[head] or row.get("status", "")) for head in _HEADS[name]] for row in rows])
    _warn(shown.checked, FILES[table])


def _print(found: "CheckedTable", name: str, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"rows": len(found.rows)} | _told(found, name), ensure_ascii=False))
        return
    print(f"{len(found.rows)} rows are right, {len(found.faults)} faults")
    _warn(found, name)


def _told(found: "CheckedTable", name: str) -> dict[str, Any]:
    return {"faults": [one.at(name) for one in found.faults], "unknown": list(found.unknown)}


def _warn(found: "CheckedTable", name: str = "") -> None:
    for fault in found.faults:
        print(fault.at(name), file=sys.stderr)
    if found.unknown:
        print(
            f"Names of no medicine that is known, so that no draft meets them: {', '.join(found.unknown)}",
            file=sys.stderr,
        )


def _text(source: Path) -> str:
    from backend.errors import KnowledgeError
    from backend.knowledge.hospital.tables import read_text

    if str(source) == "-":
        return sys.stdin.read()
    try:
        return read_text(source)
    except OSError as error:
        raise InputError(f"{source} cannot be read: {error.strerror}. Name a file that is there.") from None
    except KnowledgeError as error:
        raise InputError(str(error)) from None
