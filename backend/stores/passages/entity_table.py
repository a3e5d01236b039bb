"""Which concepts each passage of a collection names: the postings of an entity index (ClinicalRAG section 3.2).

Made once a collection, by linking each passage, and stored in one npz file. It is written in blocks that outlive a kill, and
put in place whole. Passages are known again by the content of their text, so an import that changes a few links a few. What
names the concepts comes from outside. A file that is damaged or of something else is no error: it counts as absent.
"""

import hashlib
import os
import shutil
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from backend.stores.graph.vector_file import text_key
from backend.stores.passages.passage_index import PassageRow
from backend.stores.swapped_folder import private_folder

FORMAT = 1
BLOCK = 500  # passages between two writes: seconds of work that a kill may cost
TITLE_COUNTS = 3.0  # a name in the title says more of what a passage is about
KEY_BYTES = 16

Named = Callable[[str], Iterable[tuple[int, str]]]
"""The concepts that a text names: where each name starts, and its concept's id."""
Progress = Callable[[int, int, str], None]


class Rows(Protocol):
    """Passages by number, from 0."""

    def __len__(self) -> int: ...

    def rows(self, numbers: Sequence[int]) -> list[PassageRow]:
        """The passages of these numbers, in this order."""
        ...


class TableKey(NamedTuple):
    """What a table depends on. content: changes with the passages. names: changes with the names that are sought."""

    content: str
    names: str

    @property
    def fingerprint(self) -> str:
        """16 hexadecimal digits."""
        return hashlib.sha256(f"{FORMAT}\n{self.content}\n{self.names}".encode()).hexdigest()[:16]


class EntityTable(NamedTuple):
    """Of n passages. keys: (n, 16) uint8, of their texts. offsets: (n + 1,) int64 into the next two, by passage.

    concepts: (p,) int32, indices of the graph, ascending within a passage. salience: (p,) float16, the concept's share of
    the passage's names, 0 to 1, a name in the title counting three times.
    present: (m,) int32, the concepts named at all, ascending. starts: (m + 1,) int64 into `rows` (p,) int32 and
    `row_salience` (p,) float16: the passages that name each, the most salient first.
    """

    keys: np.ndarray
    offsets: np.ndarray
    concepts: np.ndarray
    salience: np.ndarray
    present: np.ndarray
    starts: np.ndarray
    rows: np.ndarray
    row_salience: np.ndarray

    def __len__(self) -> int:
        return len(self.keys)


def read_table(path: Path, key: TableKey) -> EntityTable | None:
    """The table in a file; None when there is none, it is damaged, or it belongs to something else."""
    stored = _read(path)
    if stored is None or _stored_text(stored, "fingerprint") != key.fingerprint:
        return None
    return _inverted(stored)


def build_table(
    held: Rows, named: Named, index: Mapping[str, int], path: Path | None, key: TableKey, progress: Progress
) -> EntityTable:
    """Link every passage, going on where a killed run stopped. path: None keeps nothing.

    index: the place of each concept id; names of other concepts are left out. progress(done, total, what) is called
    after each block, and may raise to stop.
    """
    known = _Known(_read(path) if path else None, key.names)
    parts = _begun(path, key) if path else None
    blocks = []
    for start in range(0, len(held), BLOCK):
        end = min(start + BLOCK, len(held))
        file = parts / f"{start:09}.npz" if parts else None
        block = _read(file) if file else None
        if block is None:
            block = _linked(held.rows(range(start, end)), named, index, known)
            if file is not None:
                _write(file, block)
        blocks.append(block)
        progress(end, len(held), "passages linked")
    whole = _joined(blocks)
    if path is not None and parts is not None:
        _write(path, whole | {"names": _bytes(key.names), "fingerprint": _bytes(key.fingerprint)})
        shutil.rmtree(parts, ignore_errors=True)
    return _inverted(whole)


class _Known:
    """Passages of the file that is to be replaced, by the key of their text; only where the same names were sought."""

    def __init__(self, stored: Mapping[str, np.ndarray] | None, names: str) -> None:
        self._stored = stored or {}
        self._places: dict[bytes, int] = {}
        if stored is not None and _stored_text(stored, "names") == names:
            self._places = {row.tobytes(): place for place, row in enumerate(stored["keys"])}

    def find(self, key: bytes) -> tuple[np.ndarray, np.ndarray] | None:
        place = self._places.get(key)
        if place is None:
            return None
        span = slice(*self._stored["offsets"][place : place + 2].tolist())
        return self._stored["concepts"][span], self._stored["salience"][span]


def _begun(path: Path, key: TableKey) -> Path:
    """The folder of blocks for this table; blocks of another are removed."""
    parts = path.with_name(f"{path.name}.{key.fingerprint}.parts")
    for left in path.parent.glob(f"{path.name}.*.parts"):
        if left != parts:
            shutil.rmtree(left, ignore_errors=True)
    private_folder(parts)
    return parts


def _linked(rows: Sequence[PassageRow], named: Named, index: Mapping[str, int], known: _Known) -> dict[str, np.ndarray]:
    keys = [text_key(f"{row.title}. {row.text}") for row in rows]
    found = []
    for key, row in zip(keys, rows, strict=True):
        taken = known.find(key)
        found.append(taken if taken is not None else _named_in(row, named, index))
    counts = np.array([len(concepts) for concepts, _ in found], dtype=np.int64)
    return {
        "keys": np.frombuffer(b"".join(keys), dtype=np.uint8).reshape(-1, KEY_BYTES),
        "offsets": np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)]),
        "concepts": np.concatenate([concepts for concepts, _ in found]).astype(np.int32),
        "salience": np.concatenate([salience for _, salience in found]).astype(np.float16),
    }


def _named_in(row: PassageRow, named: Named, index: Mapping[str, int]) -> tuple[np.ndarray, np.ndarray]:
    """The concepts of one passage, ascending, with their salience."""
    weights: dict[int, float] = {}
    for start, concept_id in named(f"{row.title}. {row.text}"):
        concept = index.get(concept_id)
        if concept is not None:
            weights[concept] = weights.get(concept, 0.0) + (TITLE_COUNTS if start < len(row.title) else 1.0)
    concepts = np.array(sorted(weights), dtype=np.int32)
    salience = np.array([weights[c] for c in concepts.tolist()], dtype=np.float32)
    return concepts, salience / max(salience.sum(), 1.0)


def _joined(blocks: Sequence[Mapping[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """The blocks as one; no block gives an empty table."""
    if not blocks:
        return {
            "keys": np.zeros((0, KEY_BYTES), dtype=np.uint8),
            "offsets": np.zeros(1, dtype=np.int64),
            "concepts": np.zeros(0, dtype=np.int32),
            "salience": np.zeros(0, dtype=np.float16),
        }
    lengths = np.concatenate([np.diff(block["offsets"]) for block in blocks])
    whole = {name: np.concatenate([block[name] for block in blocks]) for name in ("keys", "concepts", "salience")}
    return {**whole, "offsets": np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])}


def _inverted(stored: Mapping[str, np.ndarray]) -> EntityTable:
    """The table with the passages of each concept."""
    keys, offsets, concepts, salience = (stored[name] for name in ("keys", "offsets", "concepts", "salience"))
    rows = np.repeat(np.arange(len(keys), dtype=np.int32), np.diff(offsets))
    order = np.lexsort((rows, -salience.astype(np.float32), concepts))
    present, first = np.unique(concepts[order], return_index=True)
    starts = np.append(first, len(concepts)).astype(np.int64)
    return EntityTable(keys, offsets, concepts, salience, present, starts, rows[order], salience[order])


def _read(path: Path) -> dict[str, np.ndarray] | None:
    """The arrays of a file, or None where it cannot be read or they do not fit together."""
    try:
        with np.load(path, allow_pickle=False) as file:
            stored = {name: file[name] for name in file.files}
        offsets = stored["offsets"]
        fits = len(offsets) == len(stored["keys"]) + 1 and offsets[-1] == len(stored["concepts"])
        return stored if fits and len(stored["salience"]) == len(stored["concepts"]) else None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
        return None


def _write(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Whole or not at all."""
    private_folder(path.parent)
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial.npz")
    try:
        np.savez(partial, **arrays)  # type: ignore[arg-type]
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _bytes(text: str) -> np.ndarray:
    return np.frombuffer(text.encode(), dtype=np.uint8)


def _stored_text(stored: Mapping[str, np.ndarray], name: str) -> str:
    return stored[name].tobytes().decode("ascii", "replace") if name in stored else ""
