"""A learned value of each state, as REINFORCE with a baseline has it (Williams 1992), to hold against the group's mean of Eq. 8.

A small network of its own, trained on the rewards of the same rollouts after they were judged by it. It serves training alone.
"""

from typing import Any, Self

import numpy as np
import torch
from torch import nn

from models.policy.network import PolicyNetwork
from models.policy.walking.environment import GROUP_COUNT

HIDDEN = 64
LEARNING_RATE = 1e-3
PASSES = 4
"""Steps that the value takes on each batch of rollouts."""
_LEAST = 1e-6


class ValueBaseline:
    """V(s): the reward that a walk through a state comes to, (inputs) -> 1."""

    def __init__(self, width: int, seed: int) -> None:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self._network = nn.Sequential(nn.Linear(width, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 1))
        self._optimiser = torch.optim.Adam(self._network.parameters(), lr=LEARNING_RATE)

    @classmethod
    def of(cls, network: PolicyNetwork, seed: int) -> Self:
        """One that reads what a policy reads, and how far the walk is."""
        width = network.dimension + (0 if network.outlook is None else network.outlook.shape[1])
        return cls(2 * GROUP_COUNT + width + 1, seed)

    @staticmethod
    def inputs(group: np.ndarray, scarce: np.ndarray, average: np.ndarray, done: np.ndarray) -> np.ndarray:
        """(m, inputs) float32 of states. group, scarce: (m,); average: (m, d or more); done: (m,), the share of steps behind it."""
        one = np.eye(GROUP_COUNT, dtype=np.float32)
        return np.concatenate([one[group], one[scarce], average, done[:, None]], axis=1).astype(np.float32)

    def advantages(self, inputs: np.ndarray, rewards: np.ndarray) -> np.ndarray:
        """(v,) rewards less the values of the states, over their spread; the value then learns these rewards.

        Args:
            inputs: (v, inputs) a state for each visit of a rollout.
            rewards: (v,) what that rollout came to.
        """
        states = torch.as_tensor(inputs)
        wanted = torch.as_tensor(rewards, dtype=torch.float32)
        with torch.no_grad():
            gained = wanted - self._network(states)[:, 0]
        for _ in range(PASSES):
            loss = (self._network(states)[:, 0] - wanted).square().mean()
            self._optimiser.zero_grad()
            loss.backward()
            self._optimiser.step()
        found = gained.numpy().astype(np.float64)
        return np.asarray(found / max(float(found.std()), _LEAST))

    def state(self) -> dict[str, Any]:
        """What a run that is taken up again needs."""
        return {"network": self._network.state_dict(), "optimiser": self._optimiser.state_dict()}

    def restore(self, state: dict[str, Any]) -> None:
        """As it was when `state` gave it."""
        self._network.load_state_dict(state["network"])
        self._optimiser.load_state_dict(state["optimiser"])
