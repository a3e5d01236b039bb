"""Encode the names of a graph's concepts into a folder of vectors, in batches, resumable.

Takes a graph and an encoder; fills the folder that concept_vectors.ConceptVectors opens. A row is written once: after a
kill the work goes on behind the last batch that was noted. The matrix is never held in memory whole.
"""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from backend.errors import KnowledgeError
from backend.interfaces import Encoder
from backend.stores.graph.concept_vectors import (
    KEY_BYTES,
    ConceptVectors,
    KnownVectors,
    VectorsMeta,
    damaged_vectors,
    names_digest,
    read_vectors_meta,
)
from backend.stores.graph.graph import Graph
from backend.stores.graph.vector_file import text_key
from backend.stores.swapped_folder import MARK, private_folder

Progress = Callable[[int, int, str], None]
PROGRESS = "progress.json"
LENGTH_SLACK = 0.01  # a row further than this from length 1 is no unit vector, whatever the rounding


def encode_concepts(
    graph: Graph,
    encoder: Encoder,
    folder: Path,
    batch: int = 1024,
    progress: Progress | None = None,
    known: tuple[Path, ...] = (),
) -> ConceptVectors:
    """The vectors of all names. known: finished folders whose rows are taken over where encoder and text are the same.

    An equal name is encoded once. Raises KnowledgeError for a folder of another graph or encoder, and for an encoder
    whose rows are not of length 1.
    """
    meta = VectorsMeta(encoder.name, encoder.dimension, len(graph), graph.fingerprint, names_digest(graph))
    if (folder / MARK).exists():
        _same(folder, read_vectors_meta(folder), meta)
        return ConceptVectors(folder)
    private_folder(folder)
    done = _done(folder, meta)
    keys = _keys(graph)
    first = _first_rows(keys)
    stored = KnownVectors(known, encoder)
    matrix = _matrix(folder, meta, done)
    while done < len(graph):
        end = min(done + batch, len(graph))
        _fill(matrix, done, end, keys, first, stored, graph, encoder)
        matrix.flush()
        done = end
        _note(folder, meta, done)
        if progress:
            progress(done, len(graph), "concept names encoded")
    del matrix
    np.save(folder / "keys.npy", keys, allow_pickle=False)
    _write(folder / MARK, meta.as_json())
    (folder / PROGRESS).unlink(missing_ok=True)
    return ConceptVectors(folder)


def _fill(
    matrix: np.memmap,
    start: int,
    end: int,
    keys: np.ndarray,
    first: np.ndarray,
    stored: KnownVectors,
    graph: Graph,
    encoder: Encoder,
) -> None:
    """Rows start to end: taken over, encoded, or copied from the first row of the same name.

    Raises:
        KnowledgeError: the encoder gave vectors of another shape or length.
    """
    rows = np.zeros((end - start, matrix.shape[1]), dtype=np.float16)
    own = first[start:end] == np.arange(start, end)
    found = stored.find(keys[start:end], rows)
    missing = np.flatnonzero(own & ~found)
    if len(missing):
        fresh = np.asarray(encoder.encode([graph.names[start + i] for i in missing.tolist()]), dtype=np.float32)
        lengths = np.linalg.norm(fresh, axis=1)
        if fresh.shape != (len(missing), matrix.shape[1]) or not (np.abs(lengths - 1.0) < LENGTH_SLACK).all():
            raise KnowledgeError(
                f"The encoder {encoder.name!r} gave vectors of shape {fresh.shape} with lengths from {lengths.min():.3f} to "
                f"{lengths.max():.3f}; they must have {matrix.shape[1]} values and length 1. Choose another encoder."
            )
        rows[missing] = fresh
    matrix[start:end] = rows
    copies = np.flatnonzero(~own & ~found)
    matrix[start + copies] = matrix[first[start + copies]]


def _keys(graph: Graph) -> np.ndarray:
    """(n, 16) uint8: the key of each name."""
    joined = bytearray()
    for name in graph.names:
        joined += text_key(name)
    return np.frombuffer(bytes(joined), dtype=np.uint8).reshape(-1, KEY_BYTES)


def _first_rows(keys: np.ndarray) -> np.ndarray:
    """(n,) the first row that has each row's key."""
    _, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return np.asarray(first[inverse.reshape(-1)])


def _matrix(folder: Path, meta: VectorsMeta, done: int) -> np.memmap:
    """The file being filled, mapped.

    It has its name from the start: what counts as finished has a `meta.json`.

    Raises:
        damaged_vectors: the file is missing, cut short or of another shape.
    """
    shape = (meta.concepts, meta.dimension)
    path = folder / "vectors.npy"
    if not done:
        return np.lib.format.open_memmap(path, mode="w+", dtype=np.float16, shape=shape)
    try:
        matrix = np.lib.format.open_memmap(path, mode="r+")
    except (OSError, ValueError) as error:
        raise damaged_vectors(folder, f"{path.name} is missing or cut short") from error
    if matrix.shape != shape or matrix.dtype != np.float16:
        raise damaged_vectors(folder, f"{path.name} has the shape {matrix.shape}, not {shape}")
    return matrix


def _done(folder: Path, meta: VectorsMeta) -> int:
    """How many rows are finished; a folder that was begun for something else is refused.

    Raises:
        ValueError: caught here, and becomes the next.
        damaged_vectors: the note of progress cannot be read.
    """
    path = folder / PROGRESS
    if not path.exists():
        return 0
    try:
        fields = json.loads(path.read_bytes())
        done, begun = int(fields.pop("done")), VectorsMeta(**fields)
        if not 0 <= done <= begun.concepts:
            raise ValueError(done)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise damaged_vectors(folder, f"{PROGRESS} cannot be read") from error
    _same(folder, begun, meta)
    return done


def _same(folder: Path, there: VectorsMeta, wanted: VectorsMeta) -> None:
    if there != wanted:
        differs = ", ".join(
            f"{name} {old} there, {new} here"
            for name, old, new in zip(wanted._fields, there, wanted, strict=True)
            if old != new
        )
        raise KnowledgeError(
            f"The folder {folder.name!r} holds the concept vectors of something else ({differs}). Name another folder, and "
            "give this one as known: rows of names that did not change are taken over."
        )


def _note(folder: Path, meta: VectorsMeta, done: int) -> None:
    _write(folder / PROGRESS, json.dumps({**meta._asdict(), "done": done}))


def _write(path: Path, text: str) -> None:
    partial = path.with_suffix(".partial.json")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)
