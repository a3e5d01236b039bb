"""Group-based retriever optimisation (GRO, ReinRAG section 2.3): REINFORCE with rewards centred on each note's group.

Holds the settings, Eq. 8 to 10 as functions, and one training step over a batch of notes. Draws are a function of
(seed, epoch, note), so a run that is taken up again, or spread over processes, draws the same rollouts.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from models.environment import GROUP_COUNT, STOP
from models.policy import PolicyNetwork
from models.rollouts import Forest, Node, Tree

EPSILON = 1e-6
FLAT = 1e-7  # a group whose rewards spread less than this prefers nothing


class GROSettings(NamedTuple):
    """Hyper-parameters of training; docs/papers.md says which are the paper's.

    rollouts is G, discount gamma, entropy_start and entropy_end beta, decayed linearly over the epochs.
    """

    epochs: int = 40
    batch: int = 48
    rollouts: int = 10
    discount: float = 1.0
    entropy_start: float = 0.05
    entropy_end: float = 0.0
    learning_rate: float = 3e-4
    clip: float = 1.0
    patience: int = 10
    seed: int = 0

    def entropy_weight(self, epoch: int) -> float:
        """beta of an epoch, counted from 0."""
        share = epoch / max(1, self.epochs - 1)
        return self.entropy_start + (self.entropy_end - self.entropy_start) * min(1.0, share)

    def as_json(self) -> dict[str, Any]:
        return self._asdict()


PAPER_TRAINING = GROSettings(epochs=500, discount=0.1, entropy_start=1e-4)
"""Appendix C.2. With gamma 0.1 every return is at most a tenth, so the entropy term is scaled down, or it drowns all."""


class Decisions(NamedTuple):
    """The distinct states of a batch of rollouts, and what was chosen in each.

    group, scarce (m,) int64; average (m, d or more) float32, as Environment.told gives it; legal (m, actions) bool; weight (m, actions) float64: the sum of the
    discounted advantages of the rollouts that took the action there; visits (m,): rollouts that came by.
    rewards: (notes * G,), the rollouts of one note adjacent.
    """

    group: np.ndarray
    scarce: np.ndarray
    average: np.ndarray
    legal: np.ndarray
    weight: np.ndarray
    visits: np.ndarray
    rewards: np.ndarray


def group_advantages(rewards: np.ndarray, group_size: int) -> np.ndarray:
    """Centre and scale each rollout's reward on its group (Eq. 8).

    rewards: (notes * group_size,), unitless; the rollouts of one note are adjacent. Returns the same shape; a group of
    equal rewards gives zeros, since it prefers nothing. Raises ValueError if the length is no multiple of group_size.
    """
    if group_size < 1 or len(rewards) % group_size:
        raise ValueError(f"{len(rewards)} rewards do not make groups of {group_size}.")
    groups = np.asarray(rewards, dtype=np.float64).reshape(-1, group_size)
    spread = groups.std(axis=1, keepdims=True)
    centred = (groups - groups.mean(axis=1, keepdims=True)) / (spread + EPSILON)
    return np.asarray(np.where(spread < FLAT, 0.0, centred)).reshape(-1)


def discounts(steps: int, discount: float) -> np.ndarray:
    """(steps,) float64: gamma^(T - t) for t = 0 to T - 1 (Eq. 10); the last choice is discounted least."""
    return np.asarray(discount ** (steps - np.arange(steps, dtype=np.float64)))


def objective(log_probabilities: Tensor, decisions: "DecisionTensors", entropy_weight: float, rollouts: int) -> Tensor:
    """J of Eq. 9 with the entropy bonus of Eq. 10, as a scalar to be maximised.

    log_probabilities: (m, actions) of the distinct states; the sum over rollouts stands in weight and visits.
    rollouts: all rollouts of the batch, notes times G.
    """
    safe = log_probabilities.masked_fill(~decisions.legal, 0.0)
    gained = (decisions.weight * safe).sum()
    entropy = -(safe.exp() * safe).masked_fill(~decisions.legal, 0.0).sum(dim=-1)
    return (gained + entropy_weight * (decisions.visits * entropy).sum()) / rollouts


class DecisionTensors(NamedTuple):
    """Decisions on a device; float parts in the network's type."""

    group: Tensor
    scarce: Tensor
    average: Tensor
    legal: Tensor
    weight: Tensor
    visits: Tensor


def to_device(decisions: Decisions, device: torch.device) -> DecisionTensors:
    def put(array: np.ndarray, kind: torch.dtype) -> Tensor:
        return torch.as_tensor(array).to(device=device, dtype=kind)

    return DecisionTensors(
        put(decisions.group, torch.int64),
        put(decisions.scarce, torch.int64),
        put(decisions.average, torch.float32),
        put(decisions.legal, torch.bool),
        put(decisions.weight, torch.float32),
        put(decisions.visits, torch.float32),
    )


def optimiser_of(network: torch.nn.Module, settings: GROSettings) -> torch.optim.Optimizer:
    """Adam in one kernel: step by step it takes an eighth of a settled batch."""
    return torch.optim.Adam(network.parameters(), lr=settings.learning_rate, fused=True)


def roll_out(
    network: PolicyNetwork, forest: Forest, notes: Sequence[int], settings: GROSettings, epoch: int
) -> Decisions:
    """G rollouts of each note by the policy as it is (Eq. 5), and what each choice was worth (Eq. 8, 10).

    Each distinct state is evaluated once. States stand in the order in which the rollouts reach them, whatever the cache holds.
    """
    steps, size = forest.environment.settings.steps, settings.rollouts
    actions = GROUP_COUNT + int(network.stop)
    device = network.groups.device
    with torch.no_grad():
        tables = network.tables()
        leaning = network.leaning
    trees = [forest.tree(note) for note in notes]
    drawn = np.concatenate(
        [np.random.default_rng((settings.seed, epoch, note)).random((size, steps)) for note in notes]
    )
    at: list[Node] = [tree.root for tree in trees for _ in range(size)]
    owner = np.repeat(np.arange(len(notes)), size)
    ends: list[tuple[Node, int] | None] = [None] * len(at)
    chosen: list[tuple[int, int, int, int]] = []  # rollout, step, state, action
    states: list[tuple[Node, Tree]] = []
    for step in range(steps):
        live = [i for i in range(len(at)) if ends[i] is None]
        if not live:
            break
        first = len(states)
        place: dict[int, int] = {}
        for i in live:
            if id(at[i]) not in place:
                place[id(at[i])] = len(states)
                states.append((at[i], trees[owner[i]]))
        probabilities = _probabilities(tables, leaning, states[first:], device)
        cumulated = np.cumsum(probabilities, axis=1)
        rows = np.array([place[id(at[i])] - first for i in live])
        # an action of probability 0 adds nothing to the sum and is passed over; rounding may not lead past the last one
        picked = (cumulated[rows] <= (drawn[live, step] * cumulated[rows, -1])[:, None]).sum(axis=1)
        picked = np.minimum(picked, (probabilities[rows] > 0).cumsum(axis=1).argmax(axis=1))
        for i, row, action in zip(live, rows.tolist(), picked.tolist(), strict=True):
            tree = trees[owner[i]]
            chosen.append((i, step, first + row, action))
            after = forest.child(tree, at[i], action)
            at[i] = after
            if action == STOP or after.depth >= steps:
                ends[i] = (after, after.depth - int(action == STOP))
    rewards = np.array([forest.reward(trees[owner[i]], *end) for i, end in enumerate(ends) if end is not None])
    worth = group_advantages(rewards, size)
    scale = discounts(steps, settings.discount)
    weight = np.zeros((len(states), actions))
    visits = np.zeros(len(states))
    table = np.array(chosen)
    np.add.at(weight, (table[:, 2], table[:, 3]), worth[table[:, 0]] * scale[table[:, 1]])
    np.add.at(visits, table[:, 2], 1.0)
    nodes = [node for node, _ in states]
    return Decisions(
        group=np.array([node.state.group for node in nodes]),
        scarce=np.array([tree.scarce for _, tree in states]),
        average=np.stack([node.average for node in nodes]),
        legal=np.stack([node.legal for node in nodes]),
        weight=weight,
        visits=visits,
        rewards=rewards,
    )


def _probabilities(
    tables: tuple[Tensor, Tensor, Tensor, Tensor],
    leaning: Callable[[Tensor, Tensor], Tensor],
    states: Sequence[tuple[Node, Tree]],
    device: torch.device,
) -> np.ndarray:
    """(m, actions) float64: Eq. 4 for states that share a step."""
    by_group, by_scarce, by_concepts, actions = tables
    group = torch.tensor([node.state.group for node, _ in states], device=device)
    scarce = torch.tensor([tree.scarce for _, tree in states], device=device)
    average = torch.as_tensor(np.stack([node.average for node, _ in states])).to(device)
    legal = torch.as_tensor(np.stack([node.legal for node, _ in states])).to(device)
    with torch.no_grad():
        hidden = torch.relu(by_group[group] + by_scarce[scarce] + average @ by_concepts.T)
        logits = leaning(hidden @ actions.T, average).masked_fill(~legal, float("-inf"))
        return np.asarray(torch.softmax(logits.double(), dim=-1).cpu().numpy())


def update(
    network: torch.nn.Module,
    optimiser: torch.optim.Optimizer,
    decisions: Decisions,
    settings: GROSettings,
    epoch: int,
    share: float = 1.0,
) -> tuple[float, float]:
    """One ascent of J on a batch; returns the objective and the mean entropy of the visited states, in nats.

    network may be wrapped for several processes; share then corrects for batches of unequal size.
    """
    device = next(network.parameters()).device
    batch = to_device(decisions, device)
    log_probabilities = network(batch.group, batch.scarce, batch.average, batch.legal)
    gain = objective(log_probabilities, batch, settings.entropy_weight(epoch), len(decisions.rewards))
    optimiser.zero_grad()
    (-gain * share).backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(network.parameters(), settings.clip)
    optimiser.step()
    with torch.no_grad():
        safe = log_probabilities.masked_fill(~batch.legal, 0.0)
        entropy = -(safe.exp() * safe).masked_fill(~batch.legal, 0.0).sum(dim=-1)
        mean = (entropy * batch.visits).sum() / batch.visits.sum()
    return float(gain.detach()), float(mean)
