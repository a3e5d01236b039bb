"""The rows of a run, one JSON line an item, so that a killed run takes up where it stood.

The first line holds the run's key. Another key starts anew. A line that a kill cut short is dropped and its item is done
again. Rows hold ids and numbers, never a note's text.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

Progress = Callable[[int, int, str], None]


def run_key(**parts: Any) -> str:
    """sha256 over the canonical JSON of everything a run's figures depend on."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def file_sha256(path: Path) -> str:
    """The sha256 of a file's bytes, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Journal:
    """Use as a context manager. rows: item id to what was kept of it."""

    def __init__(self, path: Path, key: str) -> None:
        self.path = path
        self.rows: dict[str, dict[str, Any]] = {}
        self._key = key
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        kept = self._read()
        self._file = self.path.open("r+b" if kept else "wb")
        if kept:
            self._file.truncate(kept)
            self._file.seek(kept)
        else:
            self._write({"key": self._key})
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def add(self, item: str, row: Mapping[str, Any]) -> None:
        """Keep the row of an item; it survives a kill of the process from here on."""
        self._write({"id": item, "row": row})
        self.rows[item] = dict(row)

    def _write(self, line: Mapping[str, Any]) -> None:
        if self._file is None:
            raise RuntimeError("The journal is not open.")
        self._file.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _read(self) -> int:
        """Fill rows; returns how many bytes hold whole lines of this key, 0 to start anew."""
        if not self.path.is_file():
            return 0
        kept = 0
        for line, end in _whole_lines(self.path):
            if not kept and line.get("key") != self._key:
                return 0
            if "id" in line:
                self.rows[str(line["id"])] = line["row"]
            kept = end
        return kept


def _whole_lines(path: Path) -> Iterator[tuple[dict[str, Any], int]]:
    """Each line that ends and can be read, with the byte after it; stops at the first that cannot."""
    end = 0
    with path.open("rb") as file:
        for raw in file:
            try:
                line = json.loads(raw) if raw.endswith(b"\n") else None
            except ValueError:
                line = None
            if not isinstance(line, dict):
                return
            end += len(raw)
            yield line, end
