"""What stood in a hospital's table before: kept when another is installed or it is removed, so that it can be brought back.

A text is kept once, under its digest; the newest MOST_KEPT of a table stay.
"""

import hashlib
import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from backend.errors import NotFoundError
from backend.stores.swapped_folder import private_folder, sync

FOLDER = "former"
MOST_KEPT = 20
_DIGEST = 16


class FormerTable(NamedTuple):
    """One text that stood in a table's place.

    Attributes:
        digest: names it.
        until: when another took its place, or it was removed.
        rows: its lines below the header that are neither empty nor a remark.
    """

    digest: str
    until: datetime
    rows: int


class FormerTables:
    """The texts that a table had. A digest that is none finds nothing, so that no name of a file comes from outside.

    Args:
        place: the folder of the tables.
        table: name of the table.
    """

    def __init__(self, place: Path, table: str) -> None:
        self._folder = place / FOLDER
        self._table = table

    def keep(self, path: Path, now: datetime) -> None:
        """Keep a table's file as it stands, before it goes. The oldest go where there are too many.

        Args:
            path: of the table.
            now: the time until which it stood.
        """
        if not path.is_file():
            return
        private_folder(self._folder)
        held = path.read_bytes()
        kept = self._path(digest_of(held))
        beside = kept.with_suffix(".new")
        beside.write_bytes(held)
        beside.chmod(0o600)
        sync(beside)
        beside.replace(kept)
        os.utime(kept, (now.timestamp(), now.timestamp()))
        for old in self.all()[MOST_KEPT:]:
            self._path(old.digest).unlink(missing_ok=True)

    def all(self) -> list[FormerTable]:
        """Every text that is kept, the last one that stood first."""
        found = []
        for path in self._folder.glob(f"{self._table}-*.tsv") if self._folder.is_dir() else ():
            digest = path.stem.removeprefix(f"{self._table}-")
            if _is_digest(digest):
                until = datetime.fromtimestamp(path.stat().st_mtime, UTC)
                found.append(FormerTable(digest, until, _rows(path.read_bytes())))
        return sorted(found, key=lambda one: (one.until, one.digest), reverse=True)

    def text(self, digest: str) -> str:
        """A text that is kept.

        Raises:
            NotFoundError: none has this digest.
        """
        path = self._path(digest) if _is_digest(digest) else None
        if path is None or not path.is_file():
            raise NotFoundError(f"No {self._table} that was replaced has the number {digest[:_DIGEST]!r}.")
        return path.read_bytes().decode("utf-8", "replace")

    def _path(self, digest: str) -> Path:
        return self._folder / f"{self._table}-{digest}.tsv"


def digest_of(held: bytes) -> str:
    """What a text is known by."""
    return hashlib.sha256(held).hexdigest()[:_DIGEST]


def _is_digest(words: str) -> bool:
    return re.fullmatch(f"[0-9a-f]{{{_DIGEST}}}", words) is not None


def _rows(held: bytes) -> int:
    lines = held.decode("utf-8", "replace").splitlines()
    return sum(bool(line.strip()) and not line.startswith("#") for line in lines[1:])
