"""Row `paths-large`: a note's reasoning paths at the paper's size. Row `gro`: training rollouts a second.

443,000 concepts, 2.9 million directed edges, 768 dimensions, 20 keywords, T = 5, policy included. Graph, vectors and notes
come from a seed and mean nothing; what they cost is what is measured.
"""

import tempfile
import time
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from backend.bench.graph.graph_texts import synthetic_snapshot
from backend.bench.measuring import Measured, rss_mb, timed
from backend.stores.graph.graph import Graph
from backend.stores.graph.snapshot import read_snapshot
from models.policy.folded_policy import FoldedPolicy
from models.policy.network import PolicyNetwork
from models.policy.walking.environment import Environment
from models.policy.walking.note_view import NoteView
from models.policy.walking.walk_settings import OURS
from models.policy.walking.walks import UniformPolicy, walk

CONCEPTS, EDGES, DIMENSION, KEYWORDS, NOTES = 443_000, 2_900_000, 768, 20, 200


def paths_large(peer_python: str | None) -> Measured:
    """One input is one note: walked by the likeliest groups of a folded policy, its view built anew."""
    with tempfile.TemporaryDirectory() as folder, threadpool_limits(limits=1, user_api="blas"):
        begun = time.perf_counter()
        synthetic_snapshot(Path(folder) / "graph", CONCEPTS, EDGES, seed=0)
        build_s = time.perf_counter() - begun
        begun = time.perf_counter()
        graph = read_snapshot(Path(folder) / "graph")
        load_s = time.perf_counter() - begun
        vectors = random_vectors(Path(folder) / "vectors.npy", CONCEPTS, DIMENSION)
        notes = notes_of(graph, NOTES + 20)
        policy = PolicyNetwork(DIMENSION).fold()
        environment = Environment(graph, OURS)

        def one(keywords: np.ndarray) -> None:
            walk(environment, NoteView(keywords, vectors), policy)

        for keywords in notes[:20]:
            one(keywords)
        times = timed(one, notes[20:])
        drawn = timed(lambda k: _drawn(environment, vectors, policy, k), notes[20:])
        spread = f"{np.median(drawn.wall):.1f} ms where the groups are drawn"
        return Measured(
            times_ms=times.wall,
            cpu_ms=times.cpu,
            rss_mb=rss_mb(),
            build_s=round(build_s, 1),
            about=f"{KEYWORDS} keywords, {CONCEPTS:,} concepts, {EDGES:,} directed edges, d={DIMENSION}, T={OURS.steps}, "
            f"float16 vectors mapped from a file; the snapshot opened in {load_s:.2f} s; {spread}",
            peer_reason="Bolt: run backend/bench/graph/bolt.py against a server (docs/graphs.md)",
        )


def _drawn(environment: Environment, vectors: np.ndarray, policy: FoldedPolicy, keywords: np.ndarray) -> None:
    walk(environment, NoteView(keywords, vectors), UniformPolicy(), np.random.default_rng(int(keywords[0])))


def random_vectors(path: Path, count: int, dimension: int) -> np.ndarray:
    """(count, dimension) float16, rows of length 1, mapped from a file as an imported graph's are."""
    made = np.lib.format.open_memmap(path, mode="w+", dtype=np.float16, shape=(count, dimension))
    rng = np.random.default_rng(0)
    for start in range(0, count, 16_384):
        rows = rng.standard_normal((min(16_384, count - start), dimension), dtype=np.float32)
        made[start : start + len(rows)] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    made.flush()
    return np.asarray(np.load(path, mmap_mode="r")).view(np.ndarray)


def notes_of(graph: Graph, count: int) -> list[np.ndarray]:
    """Keywords of so many notes: concepts that have edges, half of them among the better joined ones."""
    rng = np.random.default_rng(1)
    degrees = np.diff(graph.offsets)
    joined = np.flatnonzero(degrees > 0)
    busy = np.argsort(-degrees, kind="stable")[:20_000]
    half = KEYWORDS // 2
    drawn = [
        np.concatenate([rng.choice(joined, KEYWORDS), rng.choice(busy, half, replace=False)]) for _ in range(count)
    ]
    return [np.unique(row)[rng.permutation(len(np.unique(row)))][:KEYWORDS].astype(np.int32) for row in drawn]
