"""The row `paths-large`, on a graph that is small: what it draws, and a time a note."""

from pathlib import Path

import numpy as np
import pytest

from backend.bench.graph import paths_large
from backend.bench.graph.graph_texts import synthetic_snapshot


def test_the_row_gives_a_time_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("CONCEPTS", 2_000), ("EDGES", 12_000), ("DIMENSION", 16), ("KEYWORDS", 6), ("NOTES", 3)):
        monkeypatch.setattr(paths_large, name, value)
    found = paths_large.paths_large(None)
    assert len(found.times_ms) == len(found.cpu_ms) == 3 and min(found.times_ms) > 0
    assert "6 keywords, 2,000 concepts, 12,000 directed edges, d=16" in found.about
    assert found.build_s is not None and found.peer_reason


def test_vectors_are_of_length_one_and_the_same_each_time(tmp_path: Path) -> None:
    first, again = (paths_large.random_vectors(tmp_path / name, 17_000, 8) for name in ("a.npy", "b.npy"))
    assert (first.shape, first.dtype) == ((17_000, 8), np.float16)
    assert np.array_equal(first, again)
    assert np.allclose(np.linalg.norm(first.astype(np.float32), axis=1), 1, atol=2e-3)  # also beyond one block


def test_the_keywords_of_a_note_are_distinct_concepts_that_have_edges(tmp_path: Path) -> None:
    graph = synthetic_snapshot(tmp_path / "g", 60_000, 120_000, seed=1)
    joined = set(np.flatnonzero(np.diff(graph.offsets)).tolist())
    notes = paths_large.notes_of(graph, 4)
    assert len(notes) == 4 and len({note.tobytes() for note in notes}) == 4
    for note in notes:
        assert 0 < len(note) <= paths_large.KEYWORDS
        assert len(set(note.tolist())) == len(note) and set(note.tolist()) <= joined
