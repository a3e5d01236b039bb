"""The examples of a run: linked once and kept in its folder, a validation set, and the notes that the policy trains on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from backend.ingest.clinical_notes.note_pairs import Pair, read_pairs
from backend.training.gro.gro_settings import Loaded
from backend.training.gro.linked_examples import AT_ONCE, examples_of
from models.policy.rollouts import Example
from models.policy.stored_examples import read_examples, write_examples

Progress = Callable[[int, int, str], None]


def linked_examples(
    pairs: Path, split: str, loaded: Loaded, folder: Path, run_identity: dict[str, Any], progress: Progress, whole: bool
) -> list[Example]:
    """Examples of a split, linked once a run and kept in the folder.

    With `whole` they have the vector of each note, which a learned concept step reads.
    """
    kept = folder / f"examples-{split}-{run_identity['data']['hash'][:8]}-{run_identity['graph'][:8]}.npz"
    if kept.is_file():
        return read_examples(kept)
    encoder = loaded.encoder if whole else None
    read: list[Pair] = list(read_pairs(pairs, (split,)))
    found: list[Example] = []
    for start in range(0, len(read), AT_ONCE):
        some = read[start : start + AT_ONCE]
        found.extend(examples_of(some, loaded.linker, loaded.graph.index, loaded.allowed, encoder))
        progress(start + len(some), len(read), f"{split} notes linked")
    write_examples(kept, found, loaded.encoder.dimension)
    return found


def with_validation(train: list[Example], held: list[Example], seed: int) -> tuple[list[Example], list[Example]]:
    """The pairs' own validation split, else a tenth of the training examples."""
    if held or len(train) < 2:
        return train, held
    order = np.random.default_rng((seed, 7)).permutation(len(train))
    cut = max(1, len(train) // 10)
    return [train[i] for i in sorted(order[cut:])], [train[i] for i in sorted(order[:cut])]


def policy_places(count: int, wanted: int, seed: int) -> list[int]:
    """Which of `count` training notes the policy trains on, in their order: `wanted` of them drawn by the seed, all for 0."""
    if not 0 < wanted < count:
        return list(range(count))
    drawn = np.random.default_rng((seed, 8)).permutation(count)
    return sorted(drawn[:wanted].tolist())
