"""A policy network folded into tables: what inference reads, in numpy alone."""

from typing import NamedTuple

import numpy as np

from models.policy.walking.environment import GROUP_COUNT, PROMISE

NO_LEAN = np.zeros(0, dtype=np.float32)


class FoldedPolicy(NamedTuple):
    """current, scarce: (15, 4d); concepts: (4d, d + outlook_width); actions: (15 or 16, 4d), lean: (15,) or empty, float32."""

    current: np.ndarray
    scarce: np.ndarray
    concepts: np.ndarray
    actions: np.ndarray
    lean: np.ndarray = NO_LEAN

    @property
    def stop(self) -> bool:
        """Whether there is a stop action, after the groups."""
        return len(self.actions) > GROUP_COUNT

    def probabilities(self, step: int, group: int, scarce: int, average: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """(actions,) float64 that sum to 1: the policy distribution d_t of Eq. 4 over the legal actions."""
        hidden = np.maximum(self.current[group] + self.scarce[scarce] + self.concepts @ average, 0.0)
        logits = (self.actions @ hidden).astype(np.float64)
        if len(self.lean):
            logits[:GROUP_COUNT] += self.lean * average[PROMISE]
        logits = np.where(legal, logits, -np.inf)
        weights = np.exp(logits - logits.max())
        return np.asarray(weights / weights.sum())
