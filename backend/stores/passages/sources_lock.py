"""One process at a time: the lock on the stored sources.

Chroma gives wrong counts when a second process opens its folder, and two imports would write over each other. Whoever
opens the sources for searching with Chroma, or changes them, holds this lock as long as it does so: the API while it
runs, a command while it imports. The system frees the lock of a process that ends, however it ends.
"""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from filelock import FileLock, Timeout

from backend.errors import ConflictError, MissingError
from backend.stores.passages.collection_meta import sources_folder
from backend.stores.swapped_folder import private_folder


class SourceLock:
    """A lock on `<data>/sources/.lock`, which names its holder. Any thread may release it."""

    def __init__(self, data: Path, who: str) -> None:
        """Take the lock.

        Args:
            data: the data folder.
            who: what holds it, for the message that another process shows.

        Raises:
            ConflictError: another holder is alive; the message names it.
            MissingError: the folder cannot be written, or its file system has no locks.
        """
        path = sources_folder(data) / ".lock"

        def name_holder(descriptor: int) -> None:
            now = datetime.now(UTC).isoformat(timespec="seconds")
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, json.dumps({"pid": os.getpid(), "who": who, "since": now}).encode(), 0)

        self._lock = FileLock(
            path,
            mode=0o600,
            thread_local=False,
            fallback_to_soft=False,
            preserve_lock_file=True,
            on_acquired=name_holder,
        )
        try:
            private_folder(path.parent)
            self._lock.acquire(blocking=False)
        except Timeout:
            raise ConflictError(
                f"The sources are in use by {_holder(path)}, and only one process may open them. Import through it, or stop it "
                "first; an import that was interrupted goes on where it stopped."
            ) from None
        except OSError as error:
            raise MissingError(
                f"The sources in {path.parent} cannot be locked ({error.strerror}). Check LEAPNOTE_DATA and its permissions."
            ) from None

    def release(self) -> None:
        """Give it back; a second time does nothing."""
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def _holder(path: Path) -> str:
    try:
        row = json.loads(path.read_text(encoding="utf-8"))
        return f"{row['who']} (process {int(row['pid'])}, since {row['since']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
