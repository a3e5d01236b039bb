"""The SQL database: SQLite in WAL mode by default, PostgreSQL by URL. One transaction a request.

Takes a URL or the settings; gives sessions to read and to write with. It knows no table: modules declare theirs on
`Base`. Errors of the driver come out as MissingError or ConflictError, in words, without the values of a statement.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import DateTime, Dialect, Engine, TypeDecorator, create_engine, event, text
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import DeclarativeBase, Session
from sqlalchemy.pool import ConnectionPoolEntry

from backend.errors import ConflictError, InputError, LeapnoteError, MissingError
from backend.settings import Settings

FILE = "leapnote.sqlite"
WAIT_S = 10.0
WRITES = "leapnote_writes"
POSTGRES = "postgresql+pg8000"  # pure Python, BSD
PREPARING = 0x1EAF  # any number: two processes that create the tables at once wait for each other on it
NO_SERVER = "The database server does not answer. Check LEAPNOTE_DATABASE_URL and that the server runs."
WORDS: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("database is locked", "database table is locked", "lock timeout", "deadlock"),
        f"The database is busy with another write for more than {WAIT_S:.0f} s. Nothing was saved; try again.",
    ),
    (
        # PostgreSQL: 53100 is disk_full, whose message may be "wrote only 4096 of 8192 bytes"
        ("disk is full", "no space left", "disk full", "disk i/o error", "'53100'", "check free disk space"),
        "The disk that holds the database is full or failing. Nothing was saved; free some space and try again.",
    ),
    (
        ("readonly", "read-only", "unable to open database file", "permission denied"),
        "The database cannot be written: its folder is read-only or missing. Nothing was saved; "
        "check LEAPNOTE_DATA and its permissions.",
    ),
    (
        ("not a database", "malformed"),
        "The database file is damaged or is no SQLite database. Restore it with: python -m backend restore",
    ),
    (
        (
            "connection refused",
            "could not connect",
            "create a connection",
            "connection failed",
            "network error",
            "server closed",
            "timeout expired",
            "'57p0",  # PostgreSQL: shut down by its administrator, after a crash, or still starting
            "in recovery mode",
            "name or",
        ),
        NO_SERVER,
    ),
    (
        ("password authentication", "role ", "no password"),
        "The database server refuses the login of LEAPNOTE_DATABASE_URL.",
    ),
)


class Base(DeclarativeBase):
    """All tables of the database are declared on it."""


class UtcDateTime(TypeDecorator[datetime]):
    """A moment with its zone. SQLite keeps no zone, so it is taken off on the way in and UTC put on on the way out."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Database:
    """Sessions on one database. Threads may share it; each session belongs to one."""

    def __init__(self, url: str, wait_s: float = WAIT_S) -> None:
        """url: as SQLAlchemy has it. wait_s: how long a write waits for another. Raises InputError or MissingError."""
        parsed = _parsed(url)
        self.sqlite = parsed.get_backend_name() == "sqlite"
        # values of a statement are patients' text: they stay out of every message
        options = {"hide_parameters": True, "pool_pre_ping": not self.sqlite}
        try:
            if self.sqlite:
                _private_file(parsed.database)
                self.engine = create_engine(parsed, connect_args={"timeout": wait_s}, **options)
                _sqlite_events(self.engine)
            else:
                self.engine = create_engine(parsed, **options)
        except NoSuchModuleError:
            raise InputError(_unknown(parsed.drivername)) from None
        except ModuleNotFoundError as error:
            raise MissingError(
                f"The driver {error.name!r} for {parsed.get_backend_name()} is not installed. "
                "For PostgreSQL: pip install pg8000"
            ) from None
        self._writer = self.engine.execution_options(**{WRITES: True})
        # SQLite always shows a reader one state; PostgreSQL must be asked to
        snapshot = {} if self.sqlite else {"isolation_level": "REPEATABLE READ"}
        self._reader = self.engine.execution_options(**snapshot)
        self._prepared = False
        self._preparing = threading.Lock()

    @classmethod
    def of(cls, settings: Settings) -> "Database":
        """The database the settings name."""
        url = settings.database_url.get_secret_value()
        return cls(url or f"sqlite:///{settings.data / FILE}")

    def prepare(self) -> None:
        """Create the tables that are declared and do not exist yet. Cheap when called again."""
        with self._preparing:
            if not self._prepared:
                with self.writing() as session:
                    if not self.sqlite:
                        session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": PREPARING})
                    Base.metadata.create_all(session.connection())
                self._prepared = True

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that sees one state of the database throughout."""
        with _worded(), Session(self._reader, expire_on_commit=False) as session, session.begin():
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A session whose changes are all kept at its end, or none. On SQLite it holds the only write lock."""
        with _worded(), Session(self._writer, expire_on_commit=False) as session, session.begin():
            yield session

    def forget(self) -> None:
        """After a deletion: empty the write-ahead log, so that deleted text does not linger in it.

        A reader at work keeps the log; the next call empties it. PostgreSQL has its own vacuum.
        """
        if self.sqlite:
            with _worded(), self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        self.engine.dispose()


def worded(error: SQLAlchemyError) -> LeapnoteError:
    """The error of ours that tells what a driver's error means. Its message never holds a value."""
    if isinstance(error, IntegrityError):
        return ConflictError("Another write came first and this one does not fit it. Nothing was saved; load it again.")
    if isinstance(error, PoolTimeoutError):
        return MissingError("All connections to the database are in use. Nothing was saved; try again.")
    cause = str(error.orig).lower() if isinstance(error, DBAPIError) else ""
    for signs, words in WORDS:
        if any(sign in cause for sign in signs):
            return MissingError(words)
    kind = type(error.orig if isinstance(error, DBAPIError) else error).__name__
    return MissingError(f"The database failed ({kind}). Nothing was saved; see: python -m backend doctor")


@contextmanager
def _worded() -> Iterator[None]:
    try:
        yield
    except SQLAlchemyError as error:
        raise worded(error) from None
    except ConnectionError:  # pg8000 lets some of a killed server's through as they are
        raise MissingError(NO_SERVER) from None


def _parsed(url: str) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise InputError(_unknown("it")) from None
    if parsed.drivername in ("postgres", "postgresql"):
        parsed = parsed.set(drivername=POSTGRES)
    if parsed.get_backend_name() not in ("sqlite", "postgresql"):
        raise InputError(_unknown(parsed.drivername))
    return parsed


def _unknown(what: str) -> str:
    return f"LEAPNOTE_DATABASE_URL: {what!r} is not known. Use postgresql://user:password@host:5432/name, or leave it empty."


def _private_file(path: str | None) -> None:
    """Create the file readable by its owner alone; SQLite gives its log files the same permissions."""
    if not path or path == ":memory:":
        raise InputError("LEAPNOTE_DATABASE_URL: SQLite needs a file, as in sqlite:////data/leapnote.sqlite")
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise MissingError(
            f"The database {path} cannot be opened ({error.strerror}). Check LEAPNOTE_DATA and its permissions."
        ) from None


def _sqlite_events(engine: Engine) -> None:
    @event.listens_for(engine, "connect")
    def connect(connection: object, record: ConnectionPoolEntry) -> None:
        # the driver's own transactions begin too late for one consistent state, so SQLAlchemy begins them (below)
        connection.isolation_level = None  # type: ignore[attr-defined]
        cursor = connection.cursor()  # type: ignore[attr-defined]
        # FULL: a signature survives a power cut; secure_delete: deleted text is overwritten, not only unlinked
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # a write takes its lock at once: taken halfway, two of them could only fail
        writes = connection.get_execution_options().get(WRITES)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
