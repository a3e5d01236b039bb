"""The file of a SQLite database: private, never opened beside SQLite, and still the one on the disk at every commit."""

import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr
from sqlalchemy import insert

from backend.errors import MissingError
from backend.settings import Settings
from backend.stores.database.case_tables import AuditRow
from backend.stores.database.database import FILE, Database
from tests.stores.database.test_database import count, row

ANOTHER = (
    "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('select * from audit').fetchall(); c.close()"
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / FILE


@pytest.fixture
def database(file: Path) -> Iterator[Database]:
    made = Database(f"sqlite:///{file}")
    made.prepare()
    yield made
    made.close()


def add(database: Database, name: str) -> None:
    with database.writing() as session:
        session.execute(insert(AuditRow).values(row(name)))


def log(file: Path) -> Path:
    return file.with_name(f"{FILE}-wal")


def another_process_reads(file: Path) -> None:
    """Open and close the database in a process of its own; who closes last removes the write-ahead log."""
    subprocess.run([sys.executable, "-c", ANOTHER, str(file)], check=True)


def test_naming_a_database_again_leaves_its_log_to_who_has_it_open(database: Database, file: Path) -> None:
    add(database, "one")
    Database(f"sqlite:///{file}").close()
    another_process_reads(file)
    assert log(file).exists()
    add(database, "two")
    database.close()
    assert count(database) == 2


def take_log(file: Path) -> None:
    log(file).unlink()


def take_file(file: Path) -> None:
    file.unlink()


def move(file: Path) -> None:
    file.rename(file.with_name("moved.sqlite"))


def replace(file: Path) -> None:
    copy = file.with_name("copy.sqlite")
    copy.write_bytes(b"")
    copy.replace(file)


@pytest.mark.parametrize("act", [take_log, take_file, move, replace])
def test_a_change_is_refused_where_the_file_was_taken_away(
    database: Database, file: Path, act: Callable[[Path], None]
) -> None:
    add(database, "one")
    act(file)
    for name in ("two", "three"):  # and again: nothing mends it meanwhile
        with pytest.raises(MissingError, match=r"moved, replaced or removed.*Nothing was saved.*start it again"):
            add(database, name)


def test_a_second_connection_does_not_take_up_the_new_file(database: Database, file: Path) -> None:
    with database.reading() as session:  # keeps the first connection
        session.connection()
        take_log(file)
        with pytest.raises(MissingError, match="Nothing was saved"):
            add(database, "one")


def test_a_file_moved_away_and_back_is_written_to_again(database: Database, file: Path) -> None:
    add(database, "one")
    move(file)
    with pytest.raises(MissingError, match="put it back"):
        add(database, "two")
    file.with_name("moved.sqlite").rename(file)
    add(database, "three")
    assert count(database) == 2


def test_closed_and_opened_again_it_takes_the_file_that_is_there(database: Database, file: Path) -> None:
    add(database, "one")
    database.close()
    copy = file.with_name("copy.sqlite")
    copy.write_bytes(file.read_bytes())
    copy.replace(file)
    add(database, "two")
    assert count(database) == 2


def test_a_process_has_one_database_for_each_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def named(data: Path, url: str = "") -> Database:
        return Database.of(Settings(_env_file=None, data=data, database_url=SecretStr(url)))

    first = named(tmp_path / "data")
    assert named(Path("data")) is first
    assert named(tmp_path, f"sqlite:///data/../data/{FILE}") is first
    assert named(tmp_path / "other") is not first


@pytest.mark.parametrize("mask", [0o000, 0o022])
def test_the_file_its_logs_and_its_new_folder_are_private_whatever_the_umask(tmp_path: Path, mask: int) -> None:
    file = tmp_path / "new" / FILE
    before = os.umask(mask)
    try:
        database = Database(f"sqlite:///{file}")
        database.prepare()
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (file.parent, *file.parent.iterdir())}
    finally:
        os.umask(before)
    assert modes == {"new": 0o700, FILE: 0o600, f"{FILE}-wal": 0o600, f"{FILE}-shm": 0o600}
    database.close()


def test_a_file_that_others_could_read_is_closed_to_them(database: Database, file: Path) -> None:
    add(database, "one")
    for path in (file, log(file)):
        path.chmod(0o644)
    again = Database(f"sqlite:///{file}")
    assert {stat.S_IMODE(path.stat().st_mode) for path in file.parent.iterdir()} == {0o600}
    again.close()
