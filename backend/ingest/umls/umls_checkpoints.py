"""What a pass over one large file found, kept beside so that a killed import takes up after the last finished file.

A checkpoint is one .npz file of arrays and its report. It is written under another name and then replaced, and it counts only
when it opens whole and was made from the same bytes with the same settings; anything else is made anew.
"""

import hashlib
import json
import os
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from backend.ingest.documents.import_report import ImportReport
from backend.ingest.umls.umls_files import ReleaseFile
from backend.stores.swapped_folder import private_folder

FORMAT = 1  # raise it when what a checkpoint holds changes
Arrays = dict[str, np.ndarray]


def input_key(files: Sequence[ReleaseFile | None], choices: Any) -> str:
    """64 hexadecimal digits that change with a file's name, size or time, with the choices and with the format."""
    seen = [
        [part.name, part.stat().st_size, part.stat().st_mtime_ns] for file in files if file for part in file.parts
    ] + [list(file.columns) for file in files if file]
    return hashlib.sha256(json.dumps([FORMAT, seen, choices], sort_keys=True).encode()).hexdigest()


class Checkpoints:
    """The checkpoints of one work folder; without a folder nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def take(self, name: str, key: str, make: Callable[[ImportReport], Arrays]) -> tuple[Arrays, ImportReport]:
        """The arrays of that name and key, from the folder or made now, and the report of the pass that made them."""
        if self._folder is None:
            report = ImportReport()
            return make(report), report
        path = self._folder / f"{name}.checkpoint.npz"
        found = _read(path, key)
        if found is not None:
            return found
        report = ImportReport()
        arrays = make(report)
        private_folder(self._folder)
        partial = self._folder / f"{name}.partial.npz"
        with partial.open("wb") as out:
            np.savez(out, __key__=np.array(key), __report__=np.array(json.dumps(report.as_json())), **arrays)  # type: ignore[arg-type]
            out.flush()
            os.fsync(out.fileno())
        partial.replace(path)
        return arrays, report

    def clear(self) -> None:
        """Remove every checkpoint, as after an import that went through."""
        if self._folder is not None and self._folder.is_dir():
            for path in self._folder.glob("*.npz"):
                if path.name.endswith((".checkpoint.npz", ".partial.npz")):
                    path.unlink()


def _read(path: Path, key: str) -> tuple[Arrays, ImportReport] | None:
    """None when there is none, when it belongs to other input, or when it is not whole (zip checks each array's CRC)."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            if str(stored["__key__"]) != key:
                return None
            arrays = {name: stored[name] for name in stored.files if not name.startswith("__")}
            return arrays, ImportReport.from_json(json.loads(str(stored["__report__"])))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
