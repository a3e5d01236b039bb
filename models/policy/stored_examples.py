"""Linked examples kept in a file, so that a run that is taken up again, or the next one on the same pairs, need not link anew."""

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from models.policy.rollouts import Example


def write_examples(path: Path, examples: Sequence[Example], dimension: int) -> None:
    """Beside, then in place. dimension: of the text vectors; an example without one is given zeros."""
    parts: dict[str, np.ndarray] = {"ids": np.array([e.pair_id for e in examples], dtype=str)}
    for field in ("keywords", "truth", "blocked"):
        rows = [getattr(e, field) for e in examples]
        parts[field] = np.concatenate([np.zeros(0, dtype=np.int32), *rows]).astype(np.int32)
        parts[f"{field}_ends"] = np.cumsum([len(row) for row in rows], dtype=np.int64)
    zeros = np.zeros(dimension, dtype=np.float32)
    rows = [e.text_vector if len(e.text_vector) else zeros for e in examples]
    parts["vectors"] = np.array(rows, dtype=np.float32).reshape(len(rows), dimension)
    partial = path.with_suffix(f".{os.getpid()}.partial.npz")
    np.savez_compressed(partial, **parts)  # type: ignore[arg-type]
    partial.replace(path)


def read_examples(path: Path) -> list[Example]:
    """Those of a file that write_examples wrote, in its order."""
    with np.load(path) as stored:
        fields = [np.split(stored[f], stored[f"{f}_ends"])[:-1] for f in ("keywords", "truth", "blocked")]
        rows = zip(stored["ids"].tolist(), *fields, stored["vectors"], strict=True)
        return [Example(*row) for row in rows]
