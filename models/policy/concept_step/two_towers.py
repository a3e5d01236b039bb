"""A two-tower scorer beside the concept step's weighted features: a note and a concept, each brought to a few numbers, and their product.

The note's tower reads what the note is: the mean of its keywords (of the note and of the record), its whole text and the semantic groups
of its keywords. The concept's reads the concept's vector and its features for that note, among them what the graph's paths from the
keywords bring it. Their product is added to the log-odds of the weighted features, and begins at 0.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from models.policy.walking.environment import GROUP_COUNT
from models.policy.walking.note_view import NoteView

WIDTH = 16
"""How many numbers each tower makes."""
MOST = 4.0
"""A standardised feature counts no further than this."""
LEARNING_RATE, PULL, BATCH, MOST_EPOCHS, PATIENCE = 1e-3, 3e-3, 16, 40, 4
"""Of Adam; the pull of all weights to 0 a step; notes a step; passes over the notes at most, and those waited for a better one."""
HELD = 5
"""Every so many-th note, drawn by the seed, says after how many passes the fit stops."""


class Towers(NamedTuple):
    """note: (d + e + GROUP_COUNT + 1, WIDTH), the last row a shift. concept: (d, WIDTH). path: (features, WIDTH)."""

    note: np.ndarray
    concept: np.ndarray
    path: np.ndarray


class Rows(NamedTuple):
    """The candidates of one training note.

    Attributes:
        note: (d + e + GROUP_COUNT + 1,) what its tower reads.
        concepts: (m,) the candidates.
        path: (m, features) standardised.
        base: (m,) log-odds by the weighted features.
        labels: (m,) 1 where the document holds the concept, else 0.
        weights: (m,) how many concepts each stands for.
    """

    note: np.ndarray
    concepts: np.ndarray
    path: np.ndarray
    base: np.ndarray
    labels: np.ndarray
    weights: np.ndarray


def note_input(view: NoteView, groups: np.ndarray, text_width: int) -> np.ndarray:
    """(d + e + GROUP_COUNT + 1,) float32: what the note's tower reads.

    Args:
        view: of the note.
        groups: (n,) the semantic group of each concept.
        text_width: e, of the vectors of whole notes; zeros stand for a note without one.
    """
    share = np.bincount(groups[view.keywords], minlength=GROUP_COUNT) / len(view.keywords)
    whole = view.text if view.text is not None and len(view.text) == text_width else np.zeros(text_width)
    return np.concatenate([view.mean, whole, share, [1.0]]).astype(np.float32)


def standardised(features: np.ndarray, centre: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """(m, features) float32, none beyond MOST."""
    return np.asarray(np.clip((features - centre) / scale, -MOST, MOST), dtype=np.float32)


def tower_scores(towers: Towers, note: np.ndarray, vectors: np.ndarray, path: np.ndarray) -> np.ndarray:
    """(m,) float32 log-odds to be added. vectors: (m, d) of the concepts; path: (m, features) as standardised."""
    asked = np.tanh(note @ towers.note)
    return np.asarray(vectors @ (towers.concept @ asked) + path @ (towers.path @ asked), dtype=np.float32)


def fit_towers(rows: Sequence[Rows], vectors: np.ndarray, seed: int) -> Towers:
    """The towers that make the documents' concepts likeliest beside the weighted features.

    The concept's tower begins at 0. A fifth of the notes says when to stop; then all are learned from for as many passes.

    Args:
        rows: of the training notes.
        vectors: (n, d) of all concepts.
        seed: of the first weights, of the notes kept apart and of their order.
    """
    order = np.random.default_rng((seed, 3)).permutation(len(rows))
    held, rest = order[: len(rows) // HELD], order[len(rows) // HELD :]
    _, passes = _fitted([rows[i] for i in rest], [rows[i] for i in held], vectors, seed, MOST_EPOCHS)
    return _fitted(rows, (), vectors, seed, passes)[0]


def _fitted(
    rows: Sequence[Rows], held: Sequence[Rows], vectors: np.ndarray, seed: int, epochs: int
) -> tuple[Towers, int]:
    """Towers after `epochs`, or with held notes those of the best one, and how many that were; 0 where none was better than none."""
    width, features = vectors.shape[1], rows[0].path.shape[1]
    made = torch.Generator().manual_seed(seed)
    note = torch.randn(len(rows[0].note), WIDTH, generator=made) / 2.0
    parts = [note, torch.zeros(width, WIDTH), torch.zeros(features, WIDTH)]
    for part in parts:
        part.requires_grad_(True)
    optimiser = torch.optim.AdamW(parts, lr=LEARNING_RATE, weight_decay=PULL / LEARNING_RATE)

    def loss(some: Sequence[Rows]) -> torch.Tensor:
        asked = torch.tanh(torch.as_tensor(np.stack([one.note for one in some])) @ parts[0])
        total, count = torch.zeros(()), 0.0
        for place, one in enumerate(some):
            taken = torch.as_tensor(vectors[one.concepts].astype(np.float32))
            added = taken @ (parts[1] @ asked[place]) + torch.as_tensor(one.path) @ (parts[2] @ asked[place])
            logits = torch.as_tensor(one.base) + added
            total = total + torch.nn.functional.binary_cross_entropy_with_logits(
                logits, torch.as_tensor(one.labels), weight=torch.as_tensor(one.weights), reduction="sum"
            )
            count += float(one.labels.sum())
        return total / max(count, 1.0)

    def held_loss() -> float:
        with torch.no_grad():
            return float(loss(held))

    best, waited, chosen = (held_loss() if held else 0.0), 0, 0
    for epoch in range(1, epochs + 1):
        order = np.random.default_rng((seed, 4, epoch)).permutation(len(rows))
        for first in range(0, len(rows), BATCH):
            optimiser.zero_grad()
            loss([rows[i] for i in order[first : first + BATCH]]).backward()  # type: ignore[no-untyped-call]
            optimiser.step()
        if not held:
            chosen = epoch
            continue
        now = held_loss()
        waited = 0 if now < best else waited + 1
        if now < best:
            best, chosen = now, epoch
        if waited > PATIENCE:
            break
    return Towers(*(part.detach().numpy() for part in parts)), chosen
