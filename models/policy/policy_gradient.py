"""The gradient of the policy network's parameters, by hand, from a forward pass that is kept (ReinRAG Eq. 4 and 10).

Rollouts evaluate every distinct state once. Automatic differentiation would evaluate them all again, and lay out each part of
W1 in zeros of the whole; by hand it is a handful of products. Several processes go the automatic way, which DDP needs.
"""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import one_hot

from models.policy.network import PolicyNetwork
from models.policy.walking.environment import GROUP_COUNT, PROMISE

Tables = tuple[Tensor, Tensor, Tensor, Tensor]


class Passed(NamedTuple):
    """A forward pass over m states, without gradients.

    tables: as PolicyNetwork.tables gives them. hidden: (m, 4d). logits: (m, actions).
    """

    tables: Tables
    hidden: Tensor
    logits: Tensor


def passed(network: PolicyNetwork, tables: Tables, group: Tensor, scarce: Tensor, average: Tensor) -> Passed:
    """The hidden layer and the logits of states, before any is masked; group, scarce (m,) int64, average (m, d + outlook_width)."""
    by_group, by_scarce, by_concepts, actions = tables
    with torch.no_grad():
        hidden = (average @ by_concepts.T).add_(by_group[group]).add_(by_scarce[scarce]).relu_()
        return Passed(tables, hidden, network.leaning(hidden @ actions.T, average))


@torch.no_grad()
def backward(
    network: PolicyNetwork, forward: Passed, group: Tensor, scarce: Tensor, average: Tensor, by_logits: Tensor
) -> None:
    """Set the .grad of every parameter. by_logits: (m, actions), the gradient of what is minimised by the logits."""
    d, own = network.dimension, network.groups[:GROUP_COUNT]
    *_, actions = forward.tables
    by_hidden = (by_logits @ actions).mul_(forward.hidden > 0)
    features = torch.cat([one_hot(group, GROUP_COUNT), one_hot(scarce, GROUP_COUNT), average], dim=1).to(average.dtype)
    by_tables = features.T @ by_hidden
    by_current, by_scarce = by_tables[:GROUP_COUNT], by_tables[GROUP_COUNT : 2 * GROUP_COUNT]
    by_concepts = by_tables[2 * GROUP_COUNT :]
    by_actions = by_logits.T @ forward.hidden
    by_groups = by_actions @ network.second.T
    by_groups[:GROUP_COUNT] += by_current @ network.first[:, : 2 * d] + by_scarce @ network.first[:, 2 * d : 4 * d]
    by_first = torch.empty_like(network.first)
    torch.mm(by_current.T, own, out=by_first[:, : 2 * d])
    torch.mm(by_scarce.T, own, out=by_first[:, 2 * d : 4 * d])
    by_first[:, 4 * d :] = by_concepts[:d].T @ network.project.T
    network.groups.grad = by_groups
    network.first.grad = by_first
    network.second.grad = network.groups.T @ by_actions
    network.project.grad = (by_concepts[:d] @ network.first[:, 4 * d :]).T.contiguous()
    if network.outlook is not None and network.lean is not None:
        network.outlook.grad = by_concepts[d:].T.contiguous()
        network.lean.grad = (by_logits[:, :GROUP_COUNT] * average[:, PROMISE]).sum(dim=0)
