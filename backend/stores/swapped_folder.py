"""A folder that is written beside and then put in place, so that what is half written is never found under its name."""

import glob
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from backend.errors import KnowledgeError

MARK = "meta.json"  # written last: a folder without it was never finished


@contextmanager
def beside(folder: Path, kind: str) -> Iterator[Path]:
    """An empty folder to write into; when the block ends well it takes the place of `folder`, else it goes.

    kind: what the folder's `meta.json` must name itself for the folder to be replaced. What a killed program left
    beside is removed, and what it had moved away is put back. Raises KnowledgeError for a folder of something else.
    """
    _mend(folder)
    if folder.exists() and not _replaceable(folder, kind):
        raise KnowledgeError(
            f"{folder.name!r} exists and holds no {kind} (its {MARK} does not say so), so it is not replaced. "
            "Name another folder, or remove it."
        )
    folder.parent.mkdir(parents=True, exist_ok=True)
    partial = folder.parent / f".{folder.name}.partial-{os.getpid()}"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    try:
        yield partial
        _sync(partial)
        _swap(partial, folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _replaceable(folder: Path, kind: str) -> bool:
    if not folder.is_dir():
        return False
    mark = folder / MARK
    return (mark.is_file() and f'"{kind}"'.encode() in mark.read_bytes()[:200]) or not any(folder.iterdir())


def _mend(folder: Path) -> None:
    """Clear away what a killed program left: half-written folders go, a finished one that was moved comes back."""
    for left in folder.parent.glob(f".{glob.escape(folder.name)}.*-*"):
        if _runs(left.name):
            continue
        if left.name.startswith(f".{folder.name}.old-") and not folder.exists():
            left.rename(folder)
        else:
            shutil.rmtree(left, ignore_errors=True)


def _swap(partial: Path, folder: Path) -> None:
    """Two renames: a reader finds the old folder or the new one, or for an instant none."""
    old = folder.parent / f".{folder.name}.old-{os.getpid()}"
    if not folder.exists():
        partial.rename(folder)
        return
    folder.rename(old)
    try:
        partial.rename(folder)
    except OSError:
        old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _sync(folder: Path) -> None:
    """Have the disk hold the files before the name points to them."""
    for path in [*folder.iterdir(), folder]:
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _runs(name: str) -> bool:
    """Whether the process that a partial folder is named after still runs on this machine."""
    found = re.search(r"\.(?:partial|old)-(\d+)$", name)
    if found is None:
        return True  # not a folder of ours: leave it alone
    try:
        os.kill(int(found[1]), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
