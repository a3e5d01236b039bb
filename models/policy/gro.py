"""Group-based retriever optimisation (GRO, ReinRAG section 2.3): REINFORCE with rewards centred on each note's group.

Holds the settings, Eq. 8 to 10 as functions, and one training step over a batch of notes. Draws are a function of
(seed, epoch, note), so a run that is taken up again, or spread over processes, draws the same rollouts.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from models.policy.network import PolicyNetwork
from models.policy.policy_gradient import Passed, backward, passed
from models.policy.rollouts import Forest, Node, Tree
from models.policy.value_baseline import ValueBaseline
from models.policy.walking.environment import GROUP_COUNT, STOP

EPSILON = 1e-6
TAUGHT = 100
"""How many proposals a teacher looks for."""
FLAT = 1e-7  # a group whose rewards spread less than this prefers nothing


class Advantage(StrEnum):
    """What a rollout's reward is held against: the mean of its note's group (Eq. 8), or a learned value of each state."""

    GROUP = "group"
    VALUE = "value"


class LearnFrom(StrEnum):
    """What the policy learns from: rollouts of its own (GRO), or walks that follow the ranks of the concept step's proposals."""

    ROLLOUTS = "rollouts"
    RANKS = "ranks"


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
    advantage: Advantage = Advantage.GROUP
    learn_from: LearnFrom = LearnFrom.ROLLOUTS

    def entropy_weight(self, epoch: int) -> float:
        """Beta of an epoch, counted from 0."""
        share = epoch / max(1, self.epochs - 1)
        return self.entropy_start + (self.entropy_end - self.entropy_start) * min(1.0, share)

    def as_json(self) -> dict[str, Any]:
        """The settings by name."""
        return self._asdict()


PAPER_TRAINING = GROSettings(epochs=500, discount=0.1, entropy_start=1e-4)
"""Appendix C.2. With gamma 0.1 every return is at most a tenth, so the entropy term is scaled down, or it drowns all."""


class Decisions(NamedTuple):
    """The distinct states of a batch of rollouts, and what was chosen in each.

    group, scarce (m,) int64; average (m, d or more) float32, as Environment.observation gives it; legal (m, actions) bool; weight (m, actions) float64: the sum of the
    discounted advantages of the rollouts that took the action there; visits (m,): rollouts that came by.
    rewards: (notes * G,), the rollouts of one note adjacent. forward: what the network said of the states when it chose.
    """

    group: np.ndarray
    scarce: np.ndarray
    average: np.ndarray
    legal: np.ndarray
    weight: np.ndarray
    visits: np.ndarray
    rewards: np.ndarray
    forward: Passed


def group_advantages(rewards: np.ndarray, group_size: int) -> np.ndarray:
    """Centre and scale each rollout's reward on its group (Eq. 8).

    rewards: (notes * group_size,), unitless; the rollouts of one note are adjacent. Returns the same shape; a group of
    equal rewards gives zeros, since it prefers nothing.

    Raises:
        ValueError: the length is no multiple of group_size.
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
    """The decisions as tensors on a device."""

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
    network: PolicyNetwork,
    forest: Forest,
    notes: Sequence[int],
    settings: GROSettings,
    epoch: int,
    value: ValueBaseline | None = None,
) -> Decisions:
    """G rollouts of each note by the policy as it is (Eq. 5), and what each choice was worth (Eq. 8, 10).

    Each distinct state is evaluated once. States stand in the order in which the rollouts reach them, whatever the cache holds.
    value: what rewards are held against in place of the group's mean; it then learns from them.
    """
    steps, size = forest.environment.settings.steps, settings.rollouts
    actions = GROUP_COUNT + int(network.stop)
    device = network.groups.device
    with torch.no_grad():
        tables = network.tables()
    trees = [forest.tree(note) for note in notes]
    drawn = np.concatenate(
        [np.random.default_rng((settings.seed, epoch, note)).random((size, steps)) for note in notes]
    )
    states: list[tuple[Tree, Node]] = [(tree, tree.root) for tree in trees]
    parts: list[tuple[_Observed, Passed]] = []
    first, live = 0, np.arange(len(notes) * size)
    at = np.repeat(np.arange(len(notes)), size)  # the state of each live rollout
    rewards = np.zeros(len(at))
    chosen: list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]] = []  # rollout, step, state, action
    for step in range(steps):
        observed = _observed(states[first:])
        parts.append((observed, passed(network, tables, *(torch.as_tensor(part).to(device) for part in observed[:3]))))
        picked = _picked(_probabilities(parts[-1][1].logits, observed.legal)[at - first], drawn[live, step])
        chosen.append((live, np.full(len(live), step), at, picked))
        pairs, place = np.unique(at * (STOP + 1) + picked, return_inverse=True)
        moves = [(*states[pair // (STOP + 1)], pair % (STOP + 1)) for pair in pairs.tolist()]
        nodes = forest.children(moves)
        ended = np.array(
            [action == STOP or node.depth >= steps for (_, _, action), node in zip(moves, nodes, strict=True)]
        )
        gained = np.zeros(len(moves))
        for i in np.flatnonzero(ended).tolist():
            gained[i] = forest.reward(moves[i][0], nodes[i], nodes[i].depth - int(moves[i][2] == STOP))
        over = ended[place]
        rewards[live[over]] = gained[place[over]]
        if over.all():
            break
        first = len(states)
        states += [(move[0], node) for move, node, end in zip(moves, nodes, ended.tolist(), strict=True) if not end]
        at = (first + np.cumsum(~ended) - 1)[place[~over]]
        live = live[~over]
    scale = discounts(steps, settings.discount)
    weight = np.zeros((len(states), actions))
    visits = np.zeros(len(states))
    rollout, when, state, action = (np.concatenate(part) for part in zip(*chosen, strict=True))
    hidden, logits = (torch.cat([getattr(one, part) for _, one in parts]) for part in ("hidden", "logits"))
    observed = _Observed(*(np.concatenate(part) for part in zip(*(one for one, _ in parts), strict=True)))
    if value is None:
        worth = group_advantages(rewards, size)[rollout]
    else:
        depth = np.zeros(len(states))
        depth[state] = when
        worth = value.advantages(value.inputs(*observed[:3], depth / steps)[state], rewards[rollout])
    np.add.at(weight, (state, action), worth * scale[when])
    np.add.at(visits, state, 1.0)
    return Decisions(*observed, weight, visits, rewards, Passed(tables, hidden, logits))


def taught(network: PolicyNetwork, forest: Forest, notes: Sequence[int]) -> Decisions:
    """The choices of a teacher that knows the ranks of the proposals and no document, as decisions of weight 1.

    At each state it takes the group whose step would add most to the sum of 1 / log2(1 + rank) over the proposals that were come by,
    the lowest group at a tie. Nothing is drawn, so the walks are the same in every epoch. rewards: (notes,), of these walks.
    """
    device = network.groups.device
    states: list[tuple[Tree, Node]] = []
    actions, rewards = list[int](), list[float]()
    for note in notes:
        tree = forest.tree(note)
        proposed = forest.proposed(tree, TAUGHT)
        worth = np.zeros(len(forest.environment.graph.groups))
        worth[proposed] = 1.0 / np.log2(np.arange(2, len(proposed) + 2))
        node = tree.root
        while node.depth < forest.environment.settings.steps:
            legal = np.flatnonzero(node.legal[:GROUP_COUNT]).tolist()
            after = [forest.child(tree, node, group) for group in legal]
            best = int(np.argmax([worth[one.state.explored].sum() for one in after]))
            states.append((tree, node))
            actions.append(legal[best])
            node = after[best]
        rewards.append(forest.reward(tree, node, node.depth))
    with torch.no_grad():
        tables = network.tables()
    observed = _observed(states)
    forward = passed(network, tables, *(torch.as_tensor(part).to(device) for part in observed[:3]))
    weight = np.zeros((len(states), GROUP_COUNT + int(network.stop)))
    weight[np.arange(len(states)), actions] = 1.0
    return Decisions(*observed, weight, np.ones(len(states)), np.array(rewards), forward)


class _Observed(NamedTuple):
    """The first fields of Decisions, of some states."""

    group: np.ndarray
    scarce: np.ndarray
    average: np.ndarray
    legal: np.ndarray


def _observed(states: Sequence[tuple[Tree, Node]]) -> _Observed:
    return _Observed(
        np.array([node.state.group for _, node in states]),
        np.array([tree.scarce for tree, _ in states]),
        np.stack([node.average for _, node in states]),
        np.stack([node.legal for _, node in states]),
    )


def _picked(probabilities: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """(m,) int64: the action that each draw (m,) falls on, of the distributions (m, actions)."""
    cumulated = np.cumsum(probabilities, axis=1)
    # an action of probability 0 adds nothing to the sum and is passed over; rounding may not lead past the last one
    picked = (cumulated <= (drawn * cumulated[:, -1])[:, None]).sum(axis=1)
    return np.asarray(np.minimum(picked, (probabilities > 0).cumsum(axis=1).argmax(axis=1)))


def _probabilities(logits: Tensor, legal: np.ndarray) -> np.ndarray:
    """(m, actions) float64: Eq. 4."""
    masked = np.where(legal, logits.cpu().numpy().astype(np.float64), -np.inf)
    weights = np.exp(masked - masked.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


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
    logits = decisions.forward.logits.detach().requires_grad_()
    if isinstance(network, PolicyNetwork):
        log_probabilities = torch.log_softmax(logits.masked_fill(~batch.legal, float("-inf")), dim=-1)
    else:
        log_probabilities = network(batch.group, batch.scarce, batch.average, batch.legal)
    gain = objective(log_probabilities, batch, settings.entropy_weight(epoch), len(decisions.rewards))
    optimiser.zero_grad()
    (-gain * share).backward()  # type: ignore[no-untyped-call]
    if isinstance(network, PolicyNetwork) and logits.grad is not None:
        backward(network, decisions.forward, batch.group, batch.scarce, batch.average, logits.grad)
    torch.nn.utils.clip_grad_norm_(network.parameters(), settings.clip)
    optimiser.step()
    with torch.no_grad():
        safe = log_probabilities.masked_fill(~batch.legal, 0.0)
        entropy = -(safe.exp() * safe).masked_fill(~batch.legal, 0.0).sum(dim=-1)
        mean = (entropy * batch.visits).sum() / batch.visits.sum()
    return float(gain.detach()), float(mean)
