"""The file of a SQLite database: private to its owner, and still the one this process has open when a change is kept.

Nothing here opens a file that exists. As soon as a process closes any descriptor of a file, the system drops all locks of
that process on it, SQLite's too; another process then takes the database for unused and removes its write-ahead log.
"""

import os
import stat
import threading
from pathlib import Path
from typing import NamedTuple
from weakref import WeakSet

from sqlalchemy.pool import ConnectionPoolEntry

from backend.errors import MissingError

LOGS = ("-wal", "-shm")
OTHERS = stat.S_IRWXG | stat.S_IRWXO
_creating = threading.Lock()


class Inode(NamedTuple):
    """Which file a name stands for."""

    device: int
    number: int


class SqliteFile:
    """One database's file and its write-ahead log. Threads may share it."""

    def __init__(self, path: Path) -> None:
        """Create the file where it is missing, and take access from other accounts where it is not.

        Args:
            path: absolute, without symbolic links, as SQLite names the logs after the file itself.

        Raises:
            MissingError: the file or its folder cannot be made.
        """
        self.path = path
        self._connections: WeakSet[ConnectionPoolEntry] = WeakSet()
        self._open: tuple[Inode | None, ...] = ()
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with _creating:  # the descriptor is closed before any thread has SQLite open the file
                _create_private(path)
        except OSError as error:
            raise MissingError(
                f"The database {path} cannot be opened ({error.strerror}). Check LEAPNOTE_DATA and its permissions."
            ) from None

    def opened(self, connection: ConnectionPoolEntry) -> None:
        """Note a connection that has read from the database. Raises MissingError where its file is not the others'."""
        with self._lock:
            if self._connections:
                self._check()
            else:
                self._open = self._named()
            self._connections.add(connection)

    def closed(self, connection: ConnectionPoolEntry) -> None:
        """Forget a connection. Once none is open, SQLite may remove and make its log as it likes."""
        with self._lock:
            self._connections.discard(connection)

    def check(self) -> None:
        """Raises MissingError where the open file or its log is no longer the one on the disk."""
        with self._lock:
            self._check()

    def _check(self) -> None:
        if self._named() != self._open:
            raise MissingError(
                f"The database {self.path} was moved, replaced or removed while Leapnote has it open. Nothing was saved; "
                "put it back where it was moved, then stop Leapnote and start it again."
            )

    def _named(self) -> tuple[Inode | None, ...]:
        """What the names of the database and of its log stand for now: two stats, no descriptor."""
        return _inode(self.path), _inode(_log(self.path, "-wal"))


def _create_private(path: Path) -> None:
    """SQLite gives its logs the permissions of the file."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        for each in (path, *(_log(path, end) for end in LOGS)):
            _close_to_others(each)


def _close_to_others(path: Path) -> None:
    """Take the access of other accounts away where the file is there and is this account's."""
    try:
        found = path.stat()
        if found.st_mode & OTHERS and found.st_uid == os.geteuid():
            path.chmod(stat.S_IMODE(found.st_mode) & ~OTHERS)
    except FileNotFoundError:
        return  # a log that is not there, or that its last user has just removed


def _log(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)


def _inode(path: Path) -> Inode | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return Inode(found.st_dev, found.st_ino)
