"""Folders of the data folder: private to their owner, and put in place whole.

A folder is written beside and then renamed, so that what is half written is never found under its name.
"""

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
    beside is removed, and what it had moved away is put back.

    Yields:
        the folder to write into.

    Raises:
        KnowledgeError: for a folder of something else.
    """
    _mend(folder)
    if folder.exists() and not _replaceable(folder, kind):
        raise KnowledgeError(
            f"{folder.name!r} exists and holds no {kind} (its {MARK} does not say so), so it is not replaced. "
            "Name another folder, or remove it."
        )
    private_folder(folder.parent)
    partial = folder.parent / f".{folder.name}.partial-{os.getpid()}"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(mode=0o700)
    try:
        yield partial
        make_durable(partial)
        _swap(partial, folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def private_folder(folder: Path) -> Path:
    """Create a folder, and what is missing above it, for this account alone; one that is there stays as it is."""
    for missing in reversed([each for each in (folder, *folder.parents) if not each.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)
    return folder


def make_durable(folder: Path) -> None:
    """Take the access of other accounts from a finished folder's files, and have the disk hold them before it is renamed."""
    for path in [*folder.rglob("*"), folder]:
        path.chmod(0o700 if path.is_dir() else 0o600)
        sync(path)


def sync(path: Path) -> None:
    """Have the disk hold a file, or the names in a folder."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


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
    """Two renames: a reader finds the old folder or the new one, or for an instant none.

    Raises:
        OSError: the new folder cannot be renamed; the old one is back in its place.
    """
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
