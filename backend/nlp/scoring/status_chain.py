"""A chain of named features and of what follows what, read from a small file: the likeliest status of each statement of a note.

The rules' verdict is one of the features, and stands unless another status is clearly likelier.
"""

import json
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from backend.errors import KnowledgeError
from backend.nlp.scoring.evidence import BONDS, Evidence

Floats = NDArray[np.float64]
S = TypeVar("S", bound=StrEnum)


class StatusChain(NamedTuple, Generic[S]):
    """Weights (features, statuses) with the bias first, and (bonds, status, next status).

    Attributes:
        statuses: what the columns mean.
        columns: the row of each feature.
        weights: (features, statuses), the bias first.
        follows: (bonds, status, next status).
        margin: by how much the rules' verdict must be beaten.
        rarity: (features,), how much each counts beside the others of its statement, which come to one (`shares`); None where each
            counts as one.
    """

    statuses: tuple[S, ...]
    columns: dict[str, int]
    weights: Floats
    follows: Floats
    margin: float
    rarity: Floats | None = None

    def likelihoods(self, evidence: Evidence, verdicts: Sequence[S]) -> Floats:
        """The probability of each status for each statement, (statements, statuses); rows add to one."""
        found, starts = list[int](), list[int]()
        for features, verdict in zip(evidence.features, verdicts, strict=True):
            starts.append(len(found))
            found.append(0)  # the bias
            found += [self.columns[one] for one in (*features, f"rule:{verdict.value}") if one in self.columns]
        weights = self.weights[found]
        if self.rarity is not None:
            weights = weights * shares(self.rarity[found], starts)[:, None]
        rows = np.add.reduceat(weights, starts, axis=0)
        return chances(rows, self.follows[[BONDS.index(bond) for bond in evidence.bonds]])

    def decide(self, evidence: Evidence, verdicts: Sequence[S]) -> list[tuple[S, float]]:
        """For each statement its status with its probability: the rules' verdict, unless another is likelier by the margin."""
        return self.chosen(self.likelihoods(evidence, verdicts), verdicts) if verdicts else []

    def chosen(self, likelihoods: Floats, verdicts: Sequence[S]) -> list[tuple[S, float]]:
        """The same by the likelihoods, (statements, statuses)."""
        found = []
        for row, verdict in zip(likelihoods, verdicts, strict=True):
            best, own = int(row.argmax()), self.statuses.index(verdict)
            chosen = best if row[best] - row[own] > self.margin else own
            found.append((self.statuses[chosen], float(row[chosen])))
        return found


def shares(rarity: Floats, starts: Sequence[int]) -> Floats:
    """How much each feature counts: its rarity, divided by the length of the vector of all of its statement; the bias counts one.

    Args:
        rarity: of the features of all statements, one after another; the first of each statement is its bias, of rarity 0.
        starts: where each statement begins.
    """
    lengths = np.sqrt(np.add.reduceat(rarity**2, starts))
    lengths[lengths == 0] = 1.0
    found: Floats = rarity / np.repeat(lengths, np.diff([*starts, len(rarity)]))
    found[list(starts)] = 1.0
    return found


def chances(rows: Floats, follows: Floats) -> Floats:
    """Marginals of a chain by the forward-backward algorithm, each sum scaled to one (Rabiner 1989).

    Args:
        rows: (n, statuses), the logarithm of the weight of each status at each place.
        follows: (n - 1, statuses, statuses), the logarithm of the weight of a status before another.
    """
    own = np.exp(rows - rows.max(axis=1, keepdims=True))
    ways = np.exp(follows - follows.max(axis=(1, 2), keepdims=True))
    before, after = own.copy(), np.ones_like(own)
    for at in range(1, len(rows)):
        told = (before[at - 1] @ ways[at - 1]) * own[at]
        before[at] = told / told.sum()
    for at in range(len(rows) - 2, -1, -1):
        told = ways[at] @ (own[at + 1] * after[at + 1])
        after[at] = told / told.sum()
    total = before * after
    found: Floats = total / total.sum(axis=1, keepdims=True)
    return found


def read_chain(file: Path, statuses: tuple[S, ...]) -> StatusChain[S]:
    """A shipped chain.

    Args:
        file: the JSON with its weights and its card.
        statuses: what its columns mean, in order.

    Raises:
        KnowledgeError: the file is missing or malformed.
    """
    try:
        held = json.loads(file.read_text(encoding="utf-8"))
        names, many = list(held["weights"]), len(statuses)
        weights = np.array([held["bias"], *held["weights"].values()], dtype=np.float64)
        follows = np.array([held["follows"][bond] for bond in BONDS], dtype=np.float64)
        margin = float(held["margin"])
        rarity = np.array([0.0, *held["rarity"]], dtype=np.float64) if "rarity" in held else None
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise KnowledgeError(f"{file.name} is missing or malformed. Restore it from the release.") from error
    if weights.ndim != 2 or weights.shape[1] != many or follows.shape[1:] != (many, many):
        raise KnowledgeError(f"{file.name} has not the {many} statuses it should have. Restore it from the release.")
    if rarity is not None and len(rarity) != len(weights):
        raise KnowledgeError(f"{file.name} has not one rarity for each weight. Restore it from the release.")
    return StatusChain(statuses, {name: i for i, name in enumerate(names, 1)}, weights, follows, margin, rarity)
