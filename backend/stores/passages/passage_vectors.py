"""The vectors of a collection's passages: `vectors.npy` (n, d) float16 and `keys.npy` (n, 16) uint8, memory-mapped.

A row's key is that of the encoded text (vectors.text_key), so a text that another collection holds already is not encoded
again. Encoding goes window by window and notes after each how far it came; a kill loses one window at most.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from backend.errors import KnowledgeError
from backend.interfaces import Encoder
from backend.stores.graph.vector_file import text_key
from backend.stores.swapped_folder import private_folder

KEY_BYTES = 16
WINDOW = 256  # rows between two notes of progress
AT_ONCE = 16  # texts a call of the encoder: a reader's query waits for no more than that
SPREAD_WINDOWS = 64  # windows handed out at once where several machines encode
LENGTH_SLACK = 0.01  # a row further than this from length 1 is no unit vector, whatever the rounding
_PROGRESS = "encoded.json"
Spread = Callable[[Sequence[Sequence[str]]], Iterator[np.ndarray]]


class Encoded(NamedTuple):
    """Rows encoded by this run, and rows taken over from other collections by this run."""

    fresh: int
    taken_over: int


class KnownRows:
    """Vectors found by the text they encode, in collections of one encoder."""

    def __init__(self, folders: Sequence[Path], dimension: int) -> None:
        """The folders hold vectors of the encoder that will be asked for; of unfinished ones the finished rows count."""
        pairs = [
            (open_array(folder, "vectors", np.float16), open_array(folder, "keys", np.uint8)) for folder in folders
        ]
        self._stored = [(vectors, keys) for vectors, keys in pairs if len(keys) and vectors.shape[1] == dimension]
        firsts = [np.ascontiguousarray(keys).view(np.uint64)[:, 0] for _, keys in self._stored]
        self._orders = [np.argsort(first, kind="stable") for first in firsts]
        self._firsts = firsts

    def find(self, keys: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Fill the rows of out (k, d) float16 whose keys (k, 16) uint8 are known; (k,) bool says which."""
        found = np.zeros(len(keys), dtype=bool)
        wanted = np.ascontiguousarray(keys).view(np.uint64)[:, 0]
        for (vectors, known), firsts, order in zip(self._stored, self._firsts, self._orders, strict=True):
            place = np.minimum(np.searchsorted(firsts, wanted, sorter=order), len(order) - 1)
            rows = order[place]
            same = (known[rows] == keys).all(axis=1) & ~found
            out[same] = vectors[rows[same]]
            found |= same
        return found


def encode_rows(
    folder: Path,
    texts: Callable[[int, int], Iterator[str]],
    size: int,
    encoder: Encoder,
    known: KnownRows,
    progress: Callable[[int], None],
    at_once: int = AT_ONCE,
    spread: Spread | None = None,
) -> Encoded:
    """Fill the two files of a folder for `size` rows, going on where an earlier run stopped.

    texts gives the texts of rows start to end. progress is called with the rows done after each window, and may raise to
    stop. spread: encodes groups of texts on several machines; the groups are the same, and so are the vectors.
    Raises KnowledgeError for an encoder whose rows are not of length 1.
    """
    done = _done(folder, size, encoder.dimension)
    mode = "r+" if done else "w+"
    vectors = np.lib.format.open_memmap(
        folder / "vectors.npy", mode=mode, dtype=np.float16, shape=(size, encoder.dimension)
    )
    keys = np.lib.format.open_memmap(folder / "keys.npy", mode=mode, dtype=np.uint8, shape=(size, KEY_BYTES))
    fresh = taken = 0
    left = texts(done, size)
    encoded = spread or (lambda groups: map(encoder.encode, groups))
    while block := list(islice(left, WINDOW * (SPREAD_WINDOWS if spread else 1))):
        own = np.frombuffer(b"".join(text_key(text) for text in block), dtype=np.uint8).reshape(-1, KEY_BYTES)
        rows = np.zeros((len(block), encoder.dimension), dtype=np.float16)
        missing = np.flatnonzero(~known.find(own, rows)).tolist()
        groups = _groups(block, missing, at_once)
        for chosen, found in zip(groups, encoded([[block[i] for i in group] for group in groups]), strict=True):
            rows[chosen] = _checked(np.asarray(found, dtype=np.float32), len(chosen), encoder)
        end = done + len(block)
        vectors[done:end], keys[done:end] = rows, own
        vectors.flush()
        keys.flush()
        fresh, taken, done = fresh + len(missing), taken + len(block) - len(missing), end
        _note(folder, done)
        progress(done)
    return Encoded(fresh, taken)


def open_array(folder: Path, name: str, kind: type) -> np.ndarray:
    """One of the two files, mapped read-only.

    Raises:
        KnowledgeError: when it is missing, cut short or of another type.
        ValueError: caught here, and becomes a KnowledgeError.
    """
    try:
        array = np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)).view(np.ndarray)
        if array.dtype != np.dtype(kind) or array.ndim != 2:
            raise ValueError(array.dtype)
    except (OSError, ValueError, EOFError) as error:
        raise KnowledgeError(
            f"The file {name}.npy of the collection {folder.name!r} is missing or damaged ({type(error).__name__}). "
            "Import the collection again with: python -m backend knowledge add"
        ) from error
    return array


def _groups(block: Sequence[str], missing: Sequence[int], at_once: int) -> list[list[int]]:
    """The missing rows in groups to encode together, of one window each; of like length, since the longest sets the cost."""
    groups = []
    for start in range(0, len(block), WINDOW):
        order = sorted((i for i in missing if start <= i < start + WINDOW), key=lambda i: (len(block[i]), i))
        groups += [order[first : first + at_once] for first in range(0, len(order), at_once)]
    return groups


def _checked(found: np.ndarray, count: int, encoder: Encoder) -> np.ndarray:
    """The vectors, if they are of the right shape and of length 1.

    Raises:
        KnowledgeError: the encoder gave vectors of another shape or length.
    """
    lengths = np.linalg.norm(found, axis=1)
    if found.shape != (count, encoder.dimension) or not (np.abs(lengths - 1.0) < LENGTH_SLACK).all():
        raise KnowledgeError(
            f"The encoder {encoder.name!r} gave vectors of shape {found.shape} with lengths from {lengths.min():.3f} to "
            f"{lengths.max():.3f}; they must have {encoder.dimension} values and length 1. Choose another encoder."
        )
    return found


def _done(folder: Path, size: int, dimension: int) -> int:
    """How many rows are finished; 0 where what lies there does not fit, which is then written over."""
    try:
        fits = open_array(folder, "vectors", np.float16).shape == (size, dimension)
        return _noted(folder) if fits and open_array(folder, "keys", np.uint8).shape == (size, KEY_BYTES) else 0
    except KnowledgeError:
        return 0


def keep_rows(work: Path, kept: Path) -> None:
    """Move what a broken-off encoding finished to another folder, so that another one may take it over."""
    if _noted(work):
        private_folder(kept)
        for name in ("vectors.npy", "keys.npy", _PROGRESS):
            (work / name).replace(kept / name)


def _noted(folder: Path) -> int:
    """How many rows were noted as finished."""
    try:
        return int(json.loads((folder / _PROGRESS).read_bytes())["done"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0


def _note(folder: Path, done: int) -> None:
    partial = folder / f"{_PROGRESS}.partial"
    partial.write_text(json.dumps({"done": done}), encoding="utf-8")
    partial.replace(folder / _PROGRESS)
