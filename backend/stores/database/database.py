"""The SQL database: SQLite in WAL mode by default, PostgreSQL by URL. One transaction a request.

Takes a URL or the settings; gives sessions to read and to write with. It knows no table: modules declare theirs on
`Base`. Errors of the driver come out as MissingError or ConflictError, in words, without the values of a statement.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from weakref import WeakValueDictionary

from sqlalchemy import DateTime, Dialect, Engine, TypeDecorator, create_engine, event
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import DeclarativeBase, Session
from sqlalchemy.pool import ConnectionPoolEntry

from backend.errors import ConflictError, InputError, LeapnoteError, MissingError
from backend.settings import Settings
from backend.stores.database.migration import is_newest, migrate
from backend.stores.database.sqlite_file import SqliteFile

FILE = "leapnote.sqlite"
WAIT_S = 10.0
WRITES = "leapnote_writes"
POSTGRES = "postgresql+pg8000"  # pure Python, BSD
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
        """To the database: UTC, on SQLite without its zone."""
        if value is None:
            return None
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """From the database: a moment in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Database:
    """Sessions on one database. Threads may share it; each session belongs to one."""

    def __init__(self, url: str | URL, wait_s: float = WAIT_S) -> None:
        """Open nothing yet, but create the file of SQLite where it is missing.

        Args:
            url: as SQLAlchemy has it.
            wait_s: seconds that a write waits for another, on SQLite.

        Raises:
            InputError: the URL is not known.
            MissingError: the driver is not installed, or the file cannot be made.
        """
        parsed = _parsed(url)
        self.sqlite = parsed.get_backend_name() == "sqlite"
        # values of a statement are patients' text: they stay out of every message
        options = {"hide_parameters": True, "pool_pre_ping": not self.sqlite}
        try:
            if self.sqlite:
                file = SqliteFile(Path(parsed.database or ""))
                self.engine = create_engine(parsed, connect_args={"timeout": wait_s}, **options)
                _sqlite_events(self.engine, file)
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
        """The database the settings name: one a process for each URL, shared by all who ask.

        It fails as the constructor does.

        Args:
            settings: the URL, and the data folder for where it is empty.

        Returns:
            The same object as before, as long as somebody still holds it.
        """
        url = _named_by(settings)
        with _sharing:
            found = _shared.get(url)
            if found is None:
                found = _shared[url] = cls(url)
        return found

    def prepare(self) -> None:
        """Bring the tables to this version (`migration.py`). Cheap when called again."""
        with self._preparing:
            if not self._prepared:
                with self.reading() as session:
                    newest = is_newest(session.connection())
                if not newest:
                    with _worded():
                        migrate(self.engine, WRITES)
                self._prepared = True

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that sees one state of the database throughout.

        Yields:
            the session; it ends with the block.
        """
        with _worded(), Session(self._reader, expire_on_commit=False) as session, session.begin():
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A session whose changes are all kept at its end, or none.

        On SQLite it holds the only write lock.

        Yields:
            the session; it ends with the block.
        """
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
        """Close the connections that nobody uses. Whoever still has this database opens new ones by using it."""
        self.engine.dispose()


_shared: WeakValueDictionary[URL, Database] = WeakValueDictionary()
_sharing = threading.Lock()


def database_file(settings: Settings) -> Path | None:
    """The file of the SQLite database that the settings name, wherever it lies; None for a server. Opens nothing."""
    url = _named_by(settings)
    return Path(url.database or "") if url.get_backend_name() == "sqlite" else None


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


def _named_by(settings: Settings) -> URL:
    return _parsed(settings.database_url.get_secret_value() or f"sqlite:///{settings.data / FILE}")


def _parsed(url: str | URL) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise InputError(_unknown("it")) from None
    if parsed.drivername in ("postgres", "postgresql"):
        parsed = parsed.set(drivername=POSTGRES)
    if parsed.get_backend_name() not in ("sqlite", "postgresql"):
        raise InputError(_unknown(parsed.drivername))
    return _resolved(parsed) if parsed.get_backend_name() == "sqlite" else parsed


def _resolved(url: URL) -> URL:
    """The URL with the file's absolute path: one file has one URL, whatever folder the program is in."""
    if not url.database or url.database == ":memory:":
        raise InputError("LEAPNOTE_DATABASE_URL: SQLite needs a file, as in sqlite:////data/leapnote.sqlite")
    return url.set(database=str(Path(url.database).resolve()))


def _unknown(what: str) -> str:
    return f"LEAPNOTE_DATABASE_URL: {what!r} is not known. Use postgresql://user:password@host:5432/name, or leave it empty."


def _sqlite_events(engine: Engine, file: SqliteFile) -> None:
    @event.listens_for(engine, "connect")
    def connect(connection: object, record: ConnectionPoolEntry) -> None:
        # the driver's own transactions begin too late for one consistent state, so SQLAlchemy begins them (below)
        connection.isolation_level = None  # type: ignore[attr-defined]
        cursor = connection.cursor()  # type: ignore[attr-defined]
        # FULL: a signature survives a power cut; secure_delete: deleted text is overwritten, not only unlinked
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.execute("PRAGMA schema_version")  # a read: it opens the write-ahead log
        cursor.close()
        file.opened(record)

    @event.listens_for(engine, "close")
    def close(connection: object, record: ConnectionPoolEntry) -> None:
        file.closed(record)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # a write takes its lock at once: taken halfway, two of them could only fail
        writes = connection.get_execution_options().get(WRITES)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    @event.listens_for(engine, "commit")
    def commit(connection: Connection) -> None:
        if connection.get_execution_options().get(WRITES):
            file.check()
