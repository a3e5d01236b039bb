"""The policy network (ReinRAG Eq. 1 to 5), and the same network folded into tables for inference.

The state is [k_t | k_scarce | M avg(C_t)], 5d wide; an action is [k_(t-1) | k_t], 4d wide. The half of an action that
holds k_(t-1) is the same for all actions of a step, so it drops out of the softmax, and with it half of z: W2 here is
the other half, (2d, 4d). With U = W1a K, V = W1b K, F = W1c M and Y = K W2 the logits are Y relu(U[k] + V[s] + F avg).
What a walk tells beside avg (StateKind.OUTLOOK, ours) has columns of its own, which stand after those of avg in F.
"""

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from models.environment import GROUP_COUNT


class PolicyNetwork(nn.Module):
    """dimension is d of the concept vectors. With stop there is one more action, after the groups.

    told: how many numbers follow the mean vector in a state; 0 is the paper's network.
    """

    def __init__(self, dimension: int, stop: bool = False, seed: int = 0, told: int = 0) -> None:
        super().__init__()
        d = dimension
        self.dimension = d
        self.stop = stop
        made = torch.Generator().manual_seed(seed)

        def drawn(rows: int, columns: int, width: int) -> nn.Parameter:
            return nn.Parameter(torch.randn(rows, columns, generator=made) * width**-0.5)

        self.groups = drawn(GROUP_COUNT + int(stop), 2 * d, 2 * d)  # K: the hidden state embeddings of the groups
        self.first = drawn(4 * d, 5 * d, 5 * d)  # W1
        self.second = drawn(2 * d, 4 * d, 4 * d)  # W2, the half that counts
        self.project = nn.Parameter(torch.eye(d))  # M of Eq. 2
        self.outlook = drawn(4 * d, told, told) if told else None

    def tables(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """U (15, 4d), V (15, 4d), F (4d, d + told) and Y (actions, 4d); differentiable."""
        d = self.dimension
        own = self.groups[:GROUP_COUNT]
        current = own @ self.first[:, : 2 * d].T
        scarce = own @ self.first[:, 2 * d : 4 * d].T
        concepts = self.first[:, 4 * d :] @ self.project
        if self.outlook is not None:
            concepts = torch.cat([concepts, self.outlook], dim=1)
        return current, scarce, concepts, self.groups @ self.second

    def forward(self, group: Tensor, scarce: Tensor, average: Tensor, legal: Tensor) -> Tensor:
        """Log-probabilities (m, actions) of Eq. 4; -inf where an action is not legal.

        group, scarce: (m,) int64; average: (m, d + told); legal: (m, actions) bool, at least one True a row.
        """
        by_group, by_scarce, by_concepts, actions = self.tables()
        hidden = torch.relu(by_group[group] + by_scarce[scarce] + average @ by_concepts.T)
        logits = (hidden @ actions.T).masked_fill(~legal, float("-inf"))
        return torch.log_softmax(logits, dim=-1)

    def fold(self) -> "FoldedPolicy":
        """The tables as numpy arrays; fold once a checkpoint, never a step."""
        with torch.no_grad():
            parts = [np.ascontiguousarray(part.detach().cpu().numpy()) for part in self.tables()]
        return FoldedPolicy(*parts)


class FoldedPolicy(NamedTuple):
    """current, scarce: (15, 4d); concepts: (4d, d + told); actions: (15 or 16, 4d), float32."""

    current: np.ndarray
    scarce: np.ndarray
    concepts: np.ndarray
    actions: np.ndarray

    @property
    def stop(self) -> bool:
        return len(self.actions) > GROUP_COUNT

    def probabilities(self, step: int, group: int, scarce: int, average: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """(actions,) float64 that sum to 1: the policy distribution d_t of Eq. 4 over the legal actions."""
        hidden = np.maximum(self.current[group] + self.scarce[scarce] + self.concepts @ average, 0.0)
        logits = np.where(legal, (self.actions @ hidden).astype(np.float64), -np.inf)
        weights = np.exp(logits - logits.max())
        return np.asarray(weights / weights.sum())
