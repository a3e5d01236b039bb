"""The policy network (ReinRAG Eq. 1 to 5), as it is trained; `folded_policy` holds it as tables for inference.

The state is [k_t | k_scarce | M avg(C_t)], 5d wide; an action is [k_(t-1) | k_t], 4d wide. The half of an action that
holds k_(t-1) is the same for all actions of a step, so it drops out of the softmax, and with it half of z: W2 here is
the other half, (2d, 4d). With U = W1a K, V = W1b K, F = W1c M and Y = K W2 the logits are Y relu(U[k] + V[s] + F avg).
What a walk tells beside avg (StateKind.OUTLOOK, ours) has columns of its own, which stand after those of avg in F; and
each group's logit leans on what it promises, by a weight that is learned too, so that training starts from a policy
that reads the note.
"""

import numpy as np
import torch
from torch import Tensor, nn

from models.policy.folded_policy import NO_LEAN, FoldedPolicy
from models.policy.walking.environment import GROUP_COUNT, PROMISE

LEAN = 20.0
"""How many logits a group gains at first for each unit of log(1 + promise)."""
READ = 3.0
"""M of Eq. 2 starts as READ sqrt(d) times the identity where the policy is told nothing beside the mean vector. The means of two
notes lie some 0.3 apart: with the identity alone that moved a logit by far less than the group chosen last, and training ended
with one order of groups for all notes (docs/papers.md)."""


class PolicyNetwork(nn.Module):
    """dimension is d of the concept vectors. With stop there is one more action, after the groups.

    outlook_width: how many numbers follow the mean vector in a state; 0 is the paper's network.
    """

    def __init__(self, dimension: int, stop: bool = False, seed: int = 0, outlook_width: int = 0) -> None:
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
        self.project = nn.Parameter(torch.eye(d) * (1.0 if outlook_width else READ * d**0.5))  # M of Eq. 2
        self.outlook = drawn(4 * d, outlook_width, outlook_width) if outlook_width else None
        self.lean = nn.Parameter(torch.full((GROUP_COUNT,), LEAN)) if outlook_width else None

    def tables(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """U (15, 4d), V (15, 4d), F (4d, d + outlook_width) and Y (actions, 4d); differentiable."""
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

        group, scarce: (m,) int64; average: (m, d + outlook_width); legal: (m, actions) bool, at least one True a row.
        """
        by_group, by_scarce, by_concepts, actions = self.tables()
        hidden = torch.relu(by_group[group] + by_scarce[scarce] + average @ by_concepts.T)
        logits = self.leaning(hidden @ actions.T, average)
        return torch.log_softmax(logits.masked_fill(~legal, float("-inf")), dim=-1)

    def leaning(self, logits: Tensor, average: Tensor) -> Tensor:
        """(m, actions) logits with what each group gains by its promise; as they are without an outlook."""
        if self.lean is None:
            return logits
        gained = self.lean * average[:, PROMISE]
        return logits + nn.functional.pad(gained, (0, logits.shape[1] - GROUP_COUNT))

    def fold(self) -> FoldedPolicy:
        """The tables as numpy arrays; fold once a checkpoint, never a step."""
        with torch.no_grad():
            current, scarce, concepts, actions = (
                np.ascontiguousarray(part.detach().cpu().numpy()) for part in self.tables()
            )
            lean = NO_LEAN if self.lean is None else self.lean.detach().cpu().numpy().copy()
        return FoldedPolicy(current, scarce, concepts, actions, lean)
