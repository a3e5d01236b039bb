"""The synthetic graph: the size that was asked for, the same for the same seed, and fast to open at full size."""

import time
from pathlib import Path

import numpy as np
import pytest

from backend.bench.graph.graph_texts import synthetic_snapshot
from backend.errors import InputError
from backend.stores.graph.snapshot import read_snapshot


def test_a_synthetic_snapshot_has_the_size_it_was_asked_for(tmp_path: Path) -> None:
    graph = synthetic_snapshot(tmp_path / "g", 2_000, 12_000, seed=3)
    assert (len(graph), graph.edge_count) == (2_000, 12_000)
    assert graph.fingerprint == synthetic_snapshot(tmp_path / "again", 2_000, 12_000, seed=3).fingerprint
    assert graph.fingerprint != synthetic_snapshot(tmp_path / "other", 2_000, 12_000, seed=4).fingerprint
    back = read_snapshot(tmp_path / "g", verify=True)
    assert [back.row(i) for i in (0, 1_999)] == [graph.row(i) for i in (0, 1_999)]
    assert np.diff(back.offsets).max() > 10 * np.median(np.diff(back.offsets))  # there are hubs


def test_a_size_that_cannot_be_is_refused(tmp_path: Path) -> None:
    for concepts, edges in ((10, 23), (10, 40)):
        with pytest.raises(InputError, match=f"{edges} directed edges do not fit 10 concepts"):
            synthetic_snapshot(tmp_path / "g", concepts, edges)


@pytest.mark.slow
def test_443000_concepts_load_in_a_second(tmp_path: Path) -> None:
    synthetic_snapshot(tmp_path / "g")
    began = time.perf_counter()
    graph = read_snapshot(tmp_path / "g")
    assert time.perf_counter() - began < 1.0
    assert (len(graph), graph.edge_count) == (443_000, 2_900_000)
    assert graph.computed_fingerprint() == graph.fingerprint
