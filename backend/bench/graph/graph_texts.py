"""A synthetic knowledge graph of any size, from a seed, written as a snapshot.

It has the shape of a large clinical graph (shares of semantic groups, a few hubs, many concepts of few edges) and means
nothing: which name stands beside which is chance. Nothing of a licensed terminology is in it.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from backend.bench.notes.synthetic_texts import made_up_words
from backend.errors import InputError
from backend.ingest.graphs.graph_build import build_snapshot
from backend.schemas.vocabulary import Category
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow
from backend.stores.graph.snapshot_meta import About

WORDS = 20_000
RELATIONS = 60
HUB = 0.9  # a concept of rank r is drawn in proportion to (r + 20) ** -HUB
# Our choice: more than half disorders, then procedures, body parts and substances, as in a clinical terminology.
SHARES = {"DISO": 0.52, "PROC": 0.16, "ANAT": 0.09, "CHEM": 0.11, "LIVB": 0.05, "CONC": 0.05, "DEVI": 0.02}
CATEGORIES = {
    "DISO": Category.DISEASE,
    "PROC": Category.PROCEDURE,
    "ANAT": Category.ANATOMY,
    "CHEM": Category.SUBSTANCE,
    "LIVB": Category.ORGANISM,
    "CONC": Category.CONCEPT,
    "DEVI": Category.DEVICE,
}


def synthetic_snapshot(folder: Path, n_concepts: int = 443_000, n_edges: int = 2_900_000, seed: int = 0) -> Graph:
    """Write a snapshot of exactly so many concepts and directed edges (n_edges even), and return its graph.

    Raises:
        InputError: so many edges do not fit.
    """
    if n_edges % 2 or n_edges > n_concepts * (n_concepts - 1) // 4:
        raise InputError(
            f"{n_edges} directed edges do not fit {n_concepts} concepts. Give an even number, at most a quarter of n(n-1)."
        )
    rng = np.random.default_rng(seed)
    relations = {row.relation: row for row in map(_relation, range(RELATIONS))}
    about = About(
        name=f"synthetic {n_concepts}",
        source="made up by backend/bench/graph/graph_texts.py",
        licence="none needed: it means nothing",
        created="1970-01-01",
        settings={"concepts": str(n_concepts), "edges": str(n_edges), "seed": str(seed)},
    )
    concepts, triples = _concepts(n_concepts, rng, seed), _triples(n_concepts, n_edges // 2, rng)
    graph, _ = build_snapshot(concepts, triples, relations, folder, about)
    return graph


def _relation(number: int) -> RelationRow:
    every = frozenset("*")
    return RelationRow(f"r{number}", f"r{number}_of", every, every, f"has relation {number} to", f"is {number} of", "")


def _concepts(count: int, rng: np.random.Generator, seed: int) -> Iterator[ConceptRow]:
    """Names of one to five words, two synonyms at every second concept, a definition at every fourth."""
    words = made_up_words(WORDS, seed)
    groups = _group_codes(count, rng)
    lengths = rng.integers(1, 6, size=count)
    drawn = rng.integers(0, WORDS, size=(count, 8))
    for i in range(count):
        picked = [words[j] for j in drawn[i].tolist()]
        name, group = " ".join(picked[: lengths[i]]) + f" {i}", groups[i]
        synonyms = (f"{picked[5]} {picked[6]} {i}", f"{picked[7]} {i}") if i % 2 == 0 else ()
        definition = "A made-up concept: " + " ".join(picked) + "." if i % 4 == 0 else ""
        yield ConceptRow(f"S{i:07d}", name, group, CATEGORIES[group], synonyms, definition)


def _group_codes(count: int, rng: np.random.Generator) -> list[str]:
    codes = list(SHARES)
    return [codes[place] for place in rng.choice(len(codes), size=count, p=list(SHARES.values())).tolist()]


def _triples(count: int, facts: int, rng: np.random.Generator) -> Iterator[TripleRow]:
    """Distinct facts between distinct concepts: heads evenly, tails by rank, so that some are hubs."""
    weights = (np.arange(count) + 20.0) ** -HUB
    edges = np.cumsum(weights / weights.sum())
    hubs = rng.permutation(count)  # ranks have nothing to do with ids
    seen = np.zeros(0, dtype=np.int64)
    while len(seen) < facts:
        size = int((facts - len(seen)) * 1.1) + 100
        heads = rng.integers(0, count, size=size)
        tails = hubs[np.minimum(np.searchsorted(edges, rng.random(size)), count - 1)]
        low, high = np.minimum(heads, tails), np.maximum(heads, tails)
        keys = np.concatenate([seen, (low * count + high)[low != high]])
        _, first = np.unique(keys, return_index=True)
        seen = keys[np.sort(first)][:facts]
    kinds, turned = rng.integers(0, RELATIONS, size=facts).tolist(), (rng.random(facts) < 0.5).tolist()
    for key, kind, swapped in zip(seen.tolist(), kinds, turned, strict=True):
        head, tail = divmod(key, count)
        head, tail = (tail, head) if swapped else (head, tail)
        yield TripleRow(f"S{head:07d}", f"r{kind}", f"S{tail:07d}")
