"""One process at a time: the lock on the stored sources.

Chroma gives wrong counts when a second process opens its folder, and two imports would write over each other. Whoever
opens the sources for searching with Chroma, or changes them, holds this lock as long as it does so: the API while it
runs, a command while it imports. The system frees the lock of a process that ends, however it ends.
"""

import fcntl
import json
import os
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from backend.errors import ConflictError
from backend.stores.passages.collection_meta import sources_folder


class SourceLock:
    """A lock on `<data>/sources/.lock`. who: what holds it, for the message that another process will read."""

    def __init__(self, data: Path, who: str) -> None:
        """Take the lock. Raises ConflictError, saying who has it, when another holder is alive."""
        folder = sources_folder(data)
        folder.mkdir(parents=True, exist_ok=True)
        self._file: IO[str] | None = (folder / ".lock").open("a+", encoding="utf-8")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = _holder(self._file)
            self._file.close()
            self._file = None
            raise ConflictError(
                f"The sources are in use by {holder}, and only one process may open them. Import through it, or stop it "
                "first; an import that was interrupted goes on where it stopped."
            ) from None
        self._file.seek(0)
        self._file.truncate()
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self._file.write(json.dumps({"pid": os.getpid(), "who": who, "since": now}))
        self._file.flush()

    def release(self) -> None:
        """Give it back; a second time does nothing."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def _holder(file: IO[str]) -> str:
    file.seek(0)
    try:
        told = json.loads(file.read())
        return f"{told['who']} (process {int(told['pid'])}, since {told['since']})"
    except (ValueError, KeyError, TypeError):
        return "another process"
