"""What is built from the shipped tables, kept as it was built, so that the next process loads it instead of building it.

A value is kept under a digest of everything it was built from: the content of its tables, the program's code, the versions of
Python and of the libraries whose objects it holds. Another digest is another file, so that nothing stale is ever loaded; old
files go. Whatever cannot be read is built anew, silently: this is a saving of time and never a source of truth.

Values are pickled, and loading a pickle runs what it says. So one is loaded only from a folder and file that belong to this
process's account and that no other account can write, which is as far as the program's own code is trusted; otherwise, and on
systems that tell no owners, everything is built.
"""

import contextlib
import copyreg
import hashlib
import logging
import os
import pickle
import stat
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, TypeVar, cast

from backend.settings import ROOT, settings
from backend.stores.swapped_folder import private_folder

log = logging.getLogger("leapnote")
Value = TypeVar("Value")
FOLDER = "compiled"
LIBRARIES = ("numpy", "pydantic")
CODE = ("backend", "models")
RULES = ROOT / "assets" / "rules"
READ = (".tsv", ".md", ".toml", ".json", ".txt", ".py")
_WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_building = threading.Lock()


def compiled(
    name: str,
    tables: Iterable[Path],
    build: Callable[[], Value],
    folder: Path | None = None,
    apart: Mapping[str, object] = MappingProxyType({}),
) -> Value:
    """A value as an earlier process built it from the same tables and code, or built now and kept.

    Args:
        name: of the value, one file a name and digest.
        tables: the folders or files it is built from, beside the rules and the program's code.
        build: makes it; it must depend on nothing else.
        folder: where values are kept; default: in LEAPNOTE_DATA.
        apart: what the value refers to and is not kept with it, by a name; it must be made from the same tables.
    """
    home = folder or settings().data / FOLDER
    path = home / f"{name}-{_key(tables)}.pickle"
    found = _loaded(path, apart)
    if found is not None:
        return cast(Value, found)
    value = build()
    _keep(path, name, value, apart)
    return value


def _key(tables: Iterable[Path]) -> str:
    parts = [sys.version, *map(_version, LIBRARIES), digest_of(RULES), *(digest_of(ROOT / code) for code in CODE)]
    parts += [digest_of(table) for table in tables]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:24]


@lru_cache(maxsize=64)
def digest_of(place: Path) -> str:
    """sha256 over the names and contents of the tables and modules in a folder, or over a file; once a process."""
    summed = hashlib.sha256()
    files = [place] if place.is_file() else sorted(path for path in place.rglob("*") if path.suffix in READ)
    for path in files:
        with path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").digest()
        summed.update(path.relative_to(place).as_posix().encode() + b"\0" + content)
    return summed.hexdigest()


def code_digest() -> str:
    """sha256 over the program's code and rules: what else decides what a run gives."""
    return hashlib.sha256(
        "\n".join(digest_of(place) for place in (RULES, *(ROOT / code for code in CODE))).encode()
    ).hexdigest()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _loaded(path: Path, apart: Mapping[str, object]) -> Any:
    """The value of a file; None where there is none, it may be another account's, or it cannot be read."""
    if not _own(path.parent) or not _own(path):
        return None
    try:
        with path.open("rb") as file:
            if not _is_own(os.fstat(file.fileno())):
                return None
            return _Unpickler(file, apart).load()
    except Exception as error:  # a damaged pickle can raise anything
        log.info("%s cannot be read (%s); it is built anew", path.name, type(error).__name__)
        return None


def _own(path: Path) -> bool:
    """Whether a file or folder is this account's and nobody else can write it."""
    try:
        return _is_own(path.lstat())
    except OSError:
        return False


def _is_own(found: os.stat_result) -> bool:
    mine = hasattr(os, "geteuid") and found.st_uid == os.geteuid()
    return mine and not stat.S_ISLNK(found.st_mode) and not found.st_mode & _WRITABLE_BY_OTHERS


class _Pickler(pickle.Pickler):
    """Writes a name in place of each value that is kept apart."""

    def __init__(self, file: IO[bytes], apart: Mapping[str, object]) -> None:
        super().__init__(file, protocol=pickle.HIGHEST_PROTOCOL)
        self._names = {id(one): name for name, one in apart.items()}

    def persistent_id(self, value: object) -> str | None:
        """The name of what is kept apart."""
        return self._names.get(id(value))


class _Unpickler(pickle.Unpickler):
    """Puts what was kept apart in its place."""

    def __init__(self, file: IO[bytes], apart: Mapping[str, object]) -> None:
        super().__init__(file)
        self._apart = apart

    def persistent_load(self, name: str) -> object:
        """The value of a name."""
        return self._apart[name]


def _reduced(proxy: "MappingProxyType[Any, Any]") -> tuple[Callable[..., Any], tuple[Any, ...]]:
    return _proxy, (dict(proxy),)


def _proxy(held: dict[Any, Any]) -> "MappingProxyType[Any, Any]":
    return MappingProxyType(held)


def _keep(path: Path, name: str, value: object, apart: Mapping[str, object]) -> None:
    """Write a value beside the others and take away older ones of its name; where that cannot be, nothing is kept."""
    with _building:
        partial = path.with_suffix(f".{os.getpid()}.partial")
        try:
            private_folder(path.parent)
            if not _own(path.parent):
                return
            handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as file:
                pickler = _Pickler(file, apart) if apart else pickle.Pickler(file, protocol=pickle.HIGHEST_PROTOCOL)
                pickler.dispatch_table = copyreg.dispatch_table | {MappingProxyType: _reduced}
                pickler.dump(value)
            partial.replace(path)
            for old in path.parent.glob(f"{name}-*.pickle"):
                if old != path:
                    old.unlink(missing_ok=True)
        except (OSError, pickle.PicklingError, TypeError, AttributeError) as error:
            log.info("%s is not kept (%s)", path.name, type(error).__name__)
            with contextlib.suppress(OSError):
                partial.unlink()
