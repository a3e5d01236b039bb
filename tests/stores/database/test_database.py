import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from pydantic import SecretStr
from sqlalchemy import event, insert, select, text
from sqlalchemy.exc import IntegrityError, OperationalError

from backend.errors import ConflictError, InputError, MissingError
from backend.settings import ROOT, Settings
from backend.stores.database.case_tables import AuditRow
from backend.stores.database.database import FILE, Database, worded

AT = datetime(2026, 5, 1, 14, 30, tzinfo=timezone(timedelta(hours=2)))


def row(name: str, **changed: object) -> dict[str, object]:
    return {"id": name, "at": AT, "actor": "a", "action": "create", "case_id": "c", "version": 1, "place": 0, **changed}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = Database(f"sqlite:///{tmp_path / FILE}", wait_s=0.2)
    made.prepare()
    yield made
    made.close()


def count(database: Database) -> int:
    with database.reading() as session:
        return len(session.execute(select(AuditRow.id)).all())


def test_without_a_url_it_is_a_file_in_the_data_folder_that_only_its_owner_reads(tmp_path: Path) -> None:
    made = Database.of(Settings(_env_file=None, data=tmp_path / "new" / "data", database_url=SecretStr("")))
    made.prepare()
    file = tmp_path / "new" / "data" / FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) & 0o077 == 0
    made.close()


def test_it_writes_ahead_and_waits_for_the_disk(database: Database) -> None:
    with database.reading() as session:
        pragmas = {p: session.scalar(text(f"PRAGMA {p}")) for p in ("journal_mode", "synchronous", "foreign_keys")}
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}  # 2 is FULL


def test_a_moment_comes_back_as_the_same_moment_in_utc(database: Database) -> None:
    with database.writing() as session:
        session.execute(insert(AuditRow).values(row("one")))
    with database.reading() as session:
        assert session.scalar(select(AuditRow.at)) == datetime(2026, 5, 1, 12, 30, tzinfo=UTC)


def test_a_transaction_that_fails_halfway_leaves_nothing(database: Database) -> None:
    with pytest.raises(ValueError, match="halfway"), database.writing() as session:
        session.execute(insert(AuditRow).values(row("one")))
        raise ValueError("halfway")
    assert count(database) == 0


def test_a_reader_sees_one_state_while_another_writes(database: Database) -> None:
    with database.reading() as reader:
        assert reader.execute(select(AuditRow.id)).all() == []
        with database.writing() as writer:
            writer.execute(insert(AuditRow).values(row("one")))
        assert reader.execute(select(AuditRow.id)).all() == []
    assert count(database) == 1


def test_a_write_that_waits_too_long_for_another_says_so(database: Database) -> None:
    with database.writing() as first:
        first.execute(insert(AuditRow).values(row("one")))
        with pytest.raises(MissingError, match="busy with another write"), database.writing() as second:
            second.execute(insert(AuditRow).values(row("two")))
    assert count(database) == 1


def test_writers_wait_for_each_other(tmp_path: Path) -> None:
    made = Database(f"sqlite:///{tmp_path / FILE}")
    made.prepare()

    def write(name: str) -> None:
        for i in range(5):
            with made.writing() as session:
                session.execute(insert(AuditRow).values(row(f"{name}{i}")))

    threads = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert count(made) == 20
    made.close()


def test_a_second_row_of_one_id_is_a_conflict_that_does_not_repeat_the_values(database: Database) -> None:
    with database.writing() as session:
        session.execute(insert(AuditRow).values(row("one")))
    with pytest.raises(ConflictError, match="Another write came first") as refused, database.writing() as session:
        session.execute(insert(AuditRow).values(row("one", actor="zebra")))
    assert "zebra" not in str(refused.value)
    assert refused.value.__suppress_context__


def test_a_full_disk_is_told_and_nothing_is_kept(tmp_path: Path) -> None:
    made = Database(f"sqlite:///{tmp_path / FILE}")
    made.prepare()

    @event.listens_for(made.engine, "connect")
    def limit(connection: sqlite3.Connection, _: object) -> None:
        connection.execute("PRAGMA max_page_count=1")  # SQLite then keeps the pages it has: the file cannot grow

    made.close()
    with pytest.raises(MissingError, match="disk that holds the database is full"), made.writing() as session:
        session.execute(insert(AuditRow), [row(f"{i}", actor="x" * 4000) for i in range(50)])
    assert count(made) == 0


def test_a_database_that_may_only_be_read_is_told(database: Database) -> None:
    @event.listens_for(database.engine, "connect")
    def forbid(connection: sqlite3.Connection, _: object) -> None:
        connection.execute("PRAGMA query_only=ON")

    database.close()
    with pytest.raises(MissingError, match=r"read-only or missing.*LEAPNOTE_DATA"), database.writing() as session:
        session.execute(insert(AuditRow).values(row("one")))


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MissingError, match=r"cannot be opened.*LEAPNOTE_DATA"):
        Database(f"sqlite:///{tmp_path / 'file' / FILE}")


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("This is a shopping list, not a database. " * 50)
    with pytest.raises(MissingError, match="no SQLite database"):
        Database(f"sqlite:///{tmp_path / FILE}").prepare()


@pytest.mark.parametrize("url", ["mysql://u:secret@h/d", "nonsense", "sqlite://", "postgresql+nodriver://h/d"])
def test_a_url_that_is_not_known_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(InputError, match="LEAPNOTE_DATABASE_URL") as refused:
        Database(url)
    assert "secret" not in str(refused.value)


def test_the_url_with_its_password_is_not_shown_with_the_settings() -> None:
    settings = Settings(_env_file=None, database_url=SecretStr("postgresql://u:secret@h/d"))
    assert "secret" not in str(settings.database_url)
    assert "secret" not in repr(settings)


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        ("connection failed: Connection refused", "server does not answer"),
        ("FATAL: password authentication failed for user", "refuses the login"),
        ("could not extend file: No space left on device", "full or failing"),
        ("cannot execute INSERT in a read-only transaction", "read-only"),
        ("deadlock detected", "busy with another write"),
        ("something quite new about zebra", r"failed \(Exception\)"),
    ],
)
def test_what_a_server_says_is_told_in_our_words(cause: str, words: str) -> None:
    error = worded(OperationalError("INSERT", {"text": "zebra"}, Exception(cause), hide_parameters=True))
    assert isinstance(error, MissingError)
    with pytest.raises(MissingError, match=words):
        raise error
    assert "zebra" not in str(error)


def test_a_unique_key_taken_by_another_is_a_conflict() -> None:
    assert isinstance(worded(IntegrityError("INSERT", {}, Exception("UNIQUE"))), ConflictError)


WRITER = """
import sys
from sqlalchemy import insert
from backend.stores.database.case_tables import AuditRow
from backend.stores.database.database import Database
from datetime import datetime, UTC
database = Database("sqlite:///" + sys.argv[1])
database.prepare()
for i in range(100000):
    with database.writing() as session:
        row = dict(at=datetime.now(UTC), actor="a", action="create", version=1, place=0)
        session.execute(insert(AuditRow).values(id=f"{i}a", case_id=str(i), **row))
        session.execute(insert(AuditRow).values(id=f"{i}b", case_id=str(i), **row))
    print(i, flush=True)
"""


def test_what_was_answered_is_there_after_kill_9_and_no_half_of_a_transaction(tmp_path: Path) -> None:
    file = tmp_path / FILE
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(file)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        answered = [int(process.stdout.readline()) for _ in range(30)][-1]
        process.kill()
    with sqlite3.connect(file) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        halves = dict(connection.execute("SELECT case_id, count(*) FROM audit GROUP BY case_id").fetchall())
    assert set(halves.values()) == {2}
    assert {str(i) for i in range(answered + 1)} <= set(halves)


def test_a_connection_that_breaks_off_is_told_as_a_server_that_does_not_answer(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'x.sqlite'}")
    for broken in (ConnectionResetError(104, "reset by peer"), BrokenPipeError(32, "broken pipe")):
        with pytest.raises(MissingError, match="server does not answer"), database.writing():
            raise broken
    database.close()
