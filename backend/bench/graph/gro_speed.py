"""Row `gro`: how fast the policy trains, in batches of 48 notes with 10 rollouts each, on this machine's processor.

Graph, vectors and pairs come from a seed. Exploring: a new policy from its first batch on, caches empty. Settled: a policy
that has all but made up its mind, on notes it has walked before. The paper's size is told by arithmetic, not measured.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from threadpoolctl import threadpool_limits

from backend.bench.graph.graph_texts import synthetic_snapshot
from backend.bench.graph.paths_large import notes_of
from backend.bench.measuring import Measured, rss_mb, timed
from models.policy.gro import GROSettings, optimiser_of, roll_out, update
from models.policy.network import PolicyNetwork
from models.policy.rollouts import Example, Forest, RewardSettings
from models.policy.walking.environment import Environment
from models.policy.walking.note_view import unit
from models.policy.walking.walk_settings import OURS

CONCEPTS, EDGES, DIMENSION, NOTES = 50_000, 330_000, 384, 240
EXPLORING_EPOCHS, SETTLED_EPOCHS = 4, 3
PAPER_ROLLOUTS = 3_000 * 10 * 500


def gro(peer_python: str | None) -> Measured:
    """One input is one batch while exploring: rollouts, rewards, gradient and step."""
    torch.set_num_threads(1)
    settings = GROSettings(epochs=100)
    with tempfile.TemporaryDirectory() as folder, threadpool_limits(limits=1, user_api="blas"):
        graph = synthetic_snapshot(Path(folder) / "graph", CONCEPTS, EDGES, seed=0)
        rng = np.random.default_rng(0)
        vectors = rng.standard_normal((CONCEPTS, DIMENSION), dtype=np.float32)
        vectors = unit(vectors)
        examples = [Example(str(i), keywords[:10], truth_of(rng)) for i, keywords in enumerate(notes_of(graph, NOTES))]
        forest = Forest(Environment(graph, OURS), vectors, examples, RewardSettings())
        network = PolicyNetwork(DIMENSION)
        exploring = timed(_step(network, forest, settings), _batches(settings, EXPLORING_EPOCHS))
        with torch.no_grad():
            network.groups.mul_(8.0)  # sharp choices, as at the end of a run
        step = _step(network, forest, settings)
        for batch in _batches(settings, 1):
            step(batch)
        settled = timed(step, _batches(settings, SETTLED_EPOCHS))
    # on a busy machine the clock tells of the others, so the rates are of processor time
    first = NOTES * settings.rollouts * EXPLORING_EPOCHS / (sum(exploring.cpu) / 1000)
    late = NOTES * settings.rollouts * SETTLED_EPOCHS / (sum(settled.cpu) / 1000)
    hours = PAPER_ROLLOUTS / late / 3600
    return Measured(
        times_ms=exploring.wall,
        cpu_ms=exploring.cpu,
        rss_mb=rss_mb(),
        about=f"a batch of 48 notes x 10 rollouts, d={DIMENSION}, one core: {first:.0f} rollouts a processor second "
        f"exploring, {late:.0f} settled (median batch {np.median(settled.cpu):.0f} ms); at that rate the paper's {PAPER_ROLLOUTS / 1e6:.0f} million take {hours:.1f} h",
        peer_reason="no other implementation of GRO is to be had",
    )


def truth_of(rng: np.random.Generator) -> np.ndarray:
    """Some 25 concepts by chance."""
    return np.unique(rng.integers(CONCEPTS, size=25)).astype(np.int32)


def _batches(settings: GROSettings, epochs: int) -> list[tuple[int, list[int]]]:
    """(epoch, notes) of every batch."""
    order = np.random.default_rng(2).permutation(NOTES).tolist()
    cuts = range(0, NOTES, settings.batch)
    return [(epoch, order[cut : cut + settings.batch]) for epoch in range(epochs) for cut in cuts]


def _step(network: PolicyNetwork, forest: Forest, settings: GROSettings) -> Callable[[tuple[int, list[int]]], None]:
    optimiser = optimiser_of(network, settings)

    def run(batch: tuple[int, list[int]]) -> None:
        epoch, notes = batch
        update(network, optimiser, roll_out(network, forest, notes, settings, epoch), settings, epoch)

    return run
