"""The imported graphs of a data folder: a snapshot for each name, and the vectors of their concepts beside.

`graphs/<name>/` holds a snapshot, `vectors/<fingerprint>-<digest of names>-<encoder>/` its concepts' vectors. Names are
plain, so that they are folders; a folder elsewhere can be named by its path.
"""

import os
import re
import shutil
from pathlib import Path
from typing import NamedTuple

from backend.errors import InputError, KnowledgeError, NotFoundError
from backend.stores.graph.concept_vectors import names_digest, read_vectors_meta
from backend.stores.graph.graph import Graph
from backend.stores.graph.snapshot_meta import SnapshotMeta, read_meta
from backend.stores.swapped_folder import MARK

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
RESERVED = "starter"


class StoredGraph(NamedTuple):
    """An imported graph. meta is None for one that cannot be opened; problem says why."""

    name: str
    folder: Path
    meta: SnapshotMeta | None
    problem: str = ""


class ImportedGraphs:
    """What is under one data folder; nothing is made before something is written."""

    def __init__(self, data: Path) -> None:
        self._graphs, self._vectors = data / "graphs", data / "vectors"

    def folder(self, name: str) -> Path:
        """Where a graph of this name lies or would lie.

        Raises:
            InputError: for a name that is none.
        """
        if not _NAME.fullmatch(name) or name.lower() == RESERVED or name.endswith("."):
            raise InputError(
                f"{name!r} is no name for a graph. Use up to 64 letters, digits, points, underscores and hyphens, a letter or "
                f"digit first; {RESERVED!r} is taken."
            )
        return self._graphs / name

    def find(self, name_or_folder: str) -> Path:
        """The folder of a name or a path; a name goes first.

        Raises:
            NotFoundError: that lists the names there are.
        """
        if _NAME.fullmatch(name_or_folder) and (self._graphs / name_or_folder / MARK).is_file():
            return self._graphs / name_or_folder
        if name_or_folder and (Path(name_or_folder) / MARK).is_file():
            return Path(name_or_folder)
        there = ", ".join(found.name for found in self.all()) or "none"
        raise NotFoundError(
            f"There is no graph {name_or_folder!r}, neither as a name nor as a folder. Imported graphs: {there}. Add one with: "
            "python -m backend knowledge add tsv --from CONCEPTS EDGES"
        )

    def all(self) -> tuple[StoredGraph, ...]:
        """By name. What is half written is not among them; what is damaged is, with what is wrong."""
        found = []
        for folder in sorted(self._graphs.glob("*/")) if self._graphs.is_dir() else []:
            if folder.name.startswith(".") or not (folder / MARK).is_file():
                continue
            try:
                found.append(StoredGraph(folder.name, folder, read_meta(folder)))
            except KnowledgeError as error:
                found.append(StoredGraph(folder.name, folder, None, str(error)))
        return tuple(found)

    def vectors(self, graph: Graph, encoder: str) -> Path:
        """Where the vectors of a graph's concepts lie or would lie. Names count: the fingerprint leaves them out."""
        return self._vectors / f"{graph.fingerprint}-{names_digest(graph)[:8]}-{encoder.replace('/', '_')}"

    def encoded(self, encoder: str) -> tuple[Path, ...]:
        """The finished vectors of an encoder, of whatever graph."""
        finished = []
        for folder in sorted(self._vectors.glob(f"*/{MARK}")) if self._vectors.is_dir() else []:
            try:
                if read_vectors_meta(folder.parent).encoder == encoder:
                    finished.append(folder.parent)
            except KnowledgeError:
                continue  # what is damaged gives no rows; whoever needs that very folder is told
        return tuple(finished)

    def remove(self, name: str) -> tuple[Path, ...]:
        """Remove a graph and vectors that no other graph uses; gives the folders that went.

        Raises:
            KnowledgeError: for a folder that holds no snapshot.
            NotFoundError: for a name that is none.
        """
        folder = self.folder(name)
        known = {found.name: found for found in self.all()}
        if name not in known:
            raise NotFoundError(f"There is no imported graph {name!r}. There are: {', '.join(known) or 'none'}")
        gone = known[name].meta
        if gone is None and b'"leapnote graph snapshot"' not in (folder / MARK).read_bytes()[:200]:
            raise KnowledgeError(f"{name!r} holds no graph snapshot, so it is not removed. Look into {folder}.")
        # under a name that counts as half written, so that a removal that is killed leaves no broken graph behind
        doomed = folder.with_name(f".{folder.name}.partial-{os.getpid()}")
        folder.rename(doomed)
        shutil.rmtree(doomed)
        removed = [folder]
        kept = {found.meta.fingerprint for found in self.all() if found.meta}
        if gone and gone.fingerprint not in kept and self._vectors.is_dir():
            for vectors in sorted(self._vectors.glob(f"{gone.fingerprint}-*/")):
                shutil.rmtree(vectors)
                removed.append(vectors)
        return tuple(removed)
