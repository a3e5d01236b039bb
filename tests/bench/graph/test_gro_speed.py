"""The row `gro`, on a graph that is small: each note once an epoch, and a rate."""

from collections.abc import Iterator

import numpy as np
import pytest
import torch

from backend.bench.graph import gro_speed
from models.policy.gro import GROSettings


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    """The row trains on one thread; what runs after it is as before."""
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def test_the_row_gives_a_time_a_batch_and_what_the_paper_s_run_would_take(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = {"CONCEPTS": 600, "EDGES": 2_400, "DIMENSION": 16, "NOTES": 6, "EXPLORING_EPOCHS": 2, "SETTLED_EPOCHS": 1}
    for name, value in sizes.items():
        monkeypatch.setattr(gro_speed, name, value)
    found = gro_speed.gro(None)
    batches = len(gro_speed._batches(GROSettings(epochs=1), 2))
    assert len(found.times_ms) == len(found.cpu_ms) == batches and min(found.times_ms) > 0
    assert "the paper's 15 million take" in found.about and found.peer_reason  # 3,000 notes, 10 walks, 500 epochs


def test_every_note_is_trained_on_once_an_epoch() -> None:
    settings = GROSettings(epochs=1)
    batches = gro_speed._batches(settings, 2)
    for epoch in (0, 1):
        assert sorted(n for at, notes in batches if at == epoch for n in notes) == list(range(gro_speed.NOTES))
    assert {len(notes) for _, notes in batches} == {settings.batch}


def test_the_truth_is_concepts_of_the_graph() -> None:
    truth = gro_speed.truth_of(np.random.default_rng(0))
    assert 20 <= len(truth) <= 25 and len(set(truth.tolist())) == len(truth)
    assert 0 <= truth.min() <= truth.max() < gro_speed.CONCEPTS
    assert np.array_equal(truth, gro_speed.truth_of(np.random.default_rng(0)))
