"""Brings a database to the tables of this version, by the scripts in `migrations/`.

A new database is made by running them all. One that version 0.1.0 wrote has Leapnote's tables and no `alembic_version`:
the first script makes what it lacks and changes nothing else. Before a database with data is changed, SQLite's file is
copied beside it; a PostgreSQL server is backed up by its administrator, with pg_dump, before a new version is installed.
All of it is one transaction under the lock of the one writer: a failure leaves the database as it was, and of two
processes that start at once the second finds the work done.
"""

import logging
import os
import sqlite3
import threading
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Engine, inspect, text
from sqlalchemy.engine import Connection

from backend.errors import MissingError

NEWEST = "0003"
SCRIPTS = Path(__file__).with_name("migrations")
FIRST_TABLES = ("cases", "studies", "people")  # each command of 0.1.0 that kept anything made at least one of them
LOCK = 0x1EAF  # any number: two processes that migrate a PostgreSQL database at once wait for each other on it
log = logging.getLogger(__name__)
_running = threading.Lock()  # Alembic's environment is one a process


def is_newest(connection: Connection) -> bool:
    """Whether the database has the tables of this version. Cheap: no script is read."""
    return _revision(connection) == NEWEST


def migrate(engine: Engine, writes: str) -> None:
    """Bring the tables to this version; what is up to date stays as it is.

    Args:
        engine: of any SQLite file or PostgreSQL database, empty ones included.
        writes: the execution option that takes SQLite's write lock at the beginning of a transaction.

    A database of a newer version, and one whose copy cannot be written, is refused with MissingError.
    """
    sqlite = _is_sqlite(engine)
    with _running, engine.connect().execution_options(**{writes: True}) as connection:
        if sqlite:
            # a script that copies a table would else delete the rows that refer to it; set before the transaction
            _driver(connection).execute("PRAGMA foreign_keys=OFF")
        try:
            with connection.begin():
                if not sqlite:
                    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
                _upgrade(engine, connection)
        finally:
            if sqlite:
                _driver(connection).execute("PRAGMA foreign_keys=ON")


def _upgrade(engine: Engine, connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    found = _revision(connection)
    if found == NEWEST:
        return
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if found is not None and found not in known:
        raise MissingError(
            f"A newer version of Leapnote wrote this database (tables {found!r}, this version knows {NEWEST!r}). Start that "
            "version, or put an older backup back with: python -m backend restore"
        )
    tables = set(inspect(connection).get_table_names())
    if found is not None or tables & set(FIRST_TABLES):
        _keep(engine, found or "0.1.0")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    if _is_sqlite(engine) and connection.exec_driver_sql("PRAGMA foreign_key_check").first() is not None:
        raise MissingError("The database refers to rows that are not there. Nothing was changed; restore a backup.")


def _keep(engine: Engine, revision: str) -> None:
    if not _is_sqlite(engine):
        log.warning("The tables of the database are brought from %s to %s.", revision, NEWEST)
        return
    copy = _copy(engine, revision)
    log.warning(
        "The tables of the database are brought from %s to %s. As it was it lies in %s; that file holds text of patients: "
        "delete it once this version works.",
        revision,
        NEWEST,
        copy,
    )


def _copy(engine: Engine, revision: str) -> Path:
    """The database as it is, in a file beside it that only its owner reads.

    Raises:
        MissingError: the copy cannot be written.
    """
    file = Path(engine.url.database or "")
    copy = file.with_name(f"{file.stem}-{revision}-{datetime.now(UTC):%Y%m%dT%H%M%S}Z{file.suffix}")
    try:
        os.close(os.open(copy, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        with closing(sqlite3.connect(copy)) as target, engine.connect() as reader:
            _driver(reader).backup(target)
    except (OSError, sqlite3.Error) as error:
        copy.unlink(missing_ok=True)
        raise MissingError(
            f"The database must be copied before its tables change, and {copy} cannot be written ({type(error).__name__}). "
            "Nothing was changed; free some space there and start again."
        ) from None
    return copy


def _revision(connection: Connection) -> str | None:
    """What the database says it is; None for an empty one, and for one of version 0.1.0."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


def _is_sqlite(engine: Engine) -> bool:
    return engine.dialect.name == "sqlite"


def _driver(connection: Connection) -> sqlite3.Connection:
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver
