"""backup and restore: cases, studies, people and imported knowledge in one file, also while the program runs.

A backup holds the database as it was at one moment, wherever LEAPNOTE_DATABASE_URL has its SQLite file, and on request the
imported graphs and collections. It holds text of patients and is not encrypted: whatever is written here, for however short
a time, is for its owner alone. Settings are not in it, since they hold secrets.
"""

import json
import os
import shutil
import sqlite3
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from backend import __version__
from backend.cli.cli_options import Json
from backend.cli.program import CommandLine
from backend.errors import ConflictError, InputError
from backend.settings import Settings, settings

DATABASE = "leapnote.sqlite"
LOGS = ("-wal", "-shm", "-journal")
KNOWLEDGE = ("sources", "graphs", "definitions")
ABOUT = "backup.json"
POSTGRES = (
    "The database is PostgreSQL: back it up and restore it with its own pg_dump and pg_restore. Imported knowledge can be "
    "imported again."
)
app = CommandLine()


@contextmanager
def private() -> Iterator[None]:
    """Files and folders made meanwhile have modes 0600 and 0700, whatever the umask. For a process of one thread."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


@app.add("backup", "cases, studies and people in one file; the program may run meanwhile")
@private()
def backup(
    file: Annotated[Path, typer.Argument(help="a .tar.gz that is not there yet", show_default=False)],
    with_knowledge: Annotated[
        bool, typer.Option("--with-knowledge", help="imported graphs and collections as well")
    ] = False,
    as_json: Json = False,
) -> None:
    """Write the archive beside its place and move it there whole.

    Raises:
        InputError: a file that is there, or nothing to back up; also for a PostgreSQL database.
    """
    chosen = settings()
    source = _database_file(chosen)
    if file.exists():
        raise InputError(f"{file} is there already. Name another file.")
    held = [name for name in KNOWLEDGE if with_knowledge and (chosen.data / name).is_dir()]
    if not source.is_file() and not held:
        raise InputError(f"There is nothing to back up in {chosen.data}, and no database at {source}.")
    database = str(source) if source.is_file() else ""
    about = {"leapnote": __version__, "date": datetime.now(UTC).isoformat(timespec="seconds"), "knowledge": held}
    with tempfile.TemporaryDirectory(dir=file.absolute().parent) as folder:
        beside = Path(folder) / "backup.tar.gz"
        (Path(folder) / ABOUT).write_text(json.dumps(about))
        with tarfile.open(beside, "w:gz") as archive:
            archive.add(Path(folder) / ABOUT, ABOUT)
            if database:
                _copy_database(source, Path(folder) / DATABASE)
                archive.add(Path(folder) / DATABASE, DATABASE)
            for name in held:
                archive.add(chosen.data / name, name, filter=_finished)
        beside.replace(file)
    if as_json:
        print(json.dumps({"file": str(file), "bytes": file.stat().st_size, **about, "database": database}))
        return
    print(f"{file}: {file.stat().st_size:,} bytes. It holds text of patients and is not encrypted.")
    print(f"Database: {source}" if database else f"It holds no database: there is none at {source}.")


@app.add("restore", "put a backup back; the program must not run")
@private()
def restore(
    file: Annotated[Path, typer.Argument(show_default=False)],
    replace: Annotated[
        bool, typer.Option("--replace", help="set aside what is there now, instead of refusing")
    ] = False,
    as_json: Json = False,
) -> None:
    """Unpack and check the archive, then move its parts to their places: the database to where the settings have it.

    A PostgreSQL database and an archive that cannot be read are refused with InputError; nothing was changed.

    Raises:
        ConflictError: an API runs, or something stands where the parts belong and is not to be replaced.
    """
    chosen = settings()
    database = _database_file(chosen)
    chosen.data.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=chosen.data) as folder:
        about = _unpacked(file, Path(folder))
        found = [path for path in sorted(Path(folder).iterdir()) if path.name != ABOUT]
        if DATABASE in {path.name for path in found}:
            _check_database(Path(folder) / DATABASE, file)
        _not_in_use(chosen.data)
        places = [database if path.name == DATABASE else chosen.data / path.name for path in found]
        stands = [place for place in _replaced(places, database) if _holds_something(place)]
        if stands and not replace:
            raise ConflictError(_standing(stands))
        aside = _set_aside(stands)
        for path, place in zip(found, places, strict=True):
            if place.is_dir():
                shutil.rmtree(place)  # a lock alone
            _move_whole(path, place)
    report = f"restored: {', '.join(path.name for path in found)}, of {about.get('date', 'an unknown date')}"
    if as_json:
        print(json.dumps({"restored": [path.name for path in found], "aside": aside}))
        return
    print(report + (f"; what was there is in {aside}" if aside else ""))


def _database_file(chosen: Settings) -> Path:
    """Where the settings have the SQLite database, within the data folder or elsewhere.

    Raises:
        InputError: it is on a PostgreSQL server.
    """
    from backend.stores.database.database import database_file

    found = database_file(chosen)
    if found is None:
        raise InputError(POSTGRES)
    return found


def _copy_database(source: Path, target: Path) -> None:
    """The database as it is at one moment, while others write to it."""
    with closing(sqlite3.connect(source)) as database, closing(sqlite3.connect(target)) as copy:
        database.backup(copy)


def _finished(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Leaves out locks, and what is being built."""
    parts = Path(entry.name).parts
    return None if any(part.endswith(".building") or part in (".lock", ".chroma") for part in parts) else entry


def _unpacked(file: Path, folder: Path) -> dict[str, Any]:
    try:
        with tarfile.open(file, "r:gz") as archive:
            names = {Path(name).parts[0] for name in archive.getnames() if name}
            if not names <= {ABOUT, DATABASE, *KNOWLEDGE} or ABOUT not in names:
                raise InputError(f"{file} is no backup of Leapnote.")
            archive.extractall(folder, filter=_for_its_owner)
        return dict(json.loads((folder / ABOUT).read_text()))
    except (OSError, tarfile.TarError, EOFError, ValueError) as error:
        raise InputError(f"{file} cannot be read as a backup ({type(error).__name__}).") from None


def _for_its_owner(entry: tarfile.TarInfo, folder: str) -> tarfile.TarInfo:
    """Refuses what would lie elsewhere; in place of the archive's modes come private ones."""
    return tarfile.data_filter(entry, folder).replace(mode=0o700 if entry.isdir() else 0o600)


def _check_database(path: Path, file: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        try:
            sound = database.execute("pragma integrity_check").fetchone()[0] == "ok"
        except sqlite3.DatabaseError:
            sound = False
    if not sound:
        raise InputError(f"The database in {file} is damaged; nothing was changed.")


def _not_in_use(data: Path) -> None:
    """Raises ConflictError while an API holds the folder."""
    from backend.stores.passages.sources_lock import SourceLock

    SourceLock(data, "restore").release()


def _holds_something(path: Path) -> bool:
    return path.is_file() or (path.is_dir() and any(inner.name != ".lock" for inner in path.iterdir()))


def _replaced(places: list[Path], database: Path) -> Iterator[Path]:
    """The places of what comes back, and beside a database those of its logs, which must not meet another database.

    Yields:
        A place.
    """
    for place in places:
        yield place
        if place == database:
            yield from (database.with_name(f"{database.name}{end}") for end in LOGS)


def _standing(places: list[Path]) -> str:
    held = "; ".join(
        f"{folder} holds {', '.join(place.name for place in places if place.parent == folder)} already"
        for folder in dict.fromkeys(place.parent for place in places)
    )
    return f"{held}. With --replace they are set aside, not deleted."


def _set_aside(places: list[Path]) -> str:
    """Move what stands into a new folder beside it. Gives the folders: two where the database lies elsewhere."""
    name = f"before-restore-{datetime.now(UTC):%Y%m%dT%H%M%S}"
    for place in places:
        (place.parent / name).mkdir(exist_ok=True)
        place.replace(place.parent / name / place.name)
    return ", ".join(dict.fromkeys(str(place.parent / name) for place in places))


def _move_whole(path: Path, place: Path) -> None:
    """Also to another disk: what is copied takes its name only when it is whole."""
    place.parent.mkdir(parents=True, exist_ok=True)
    beside = place.with_name(f".{place.name}.restoring")
    shutil.move(path, beside)
    beside.replace(place)
