"""A search tree over tries: selection by UCT, expansion, back-propagation (Kocsis and Szepesvari, 2006).

A node's value is the mean reward of the tries at and below it. Rewards lie in 0 to 1.
"""

import math
from typing import Generic, TypeVar

Item = TypeVar("Item")
EXPLORE = math.sqrt(2.0)  # UCB1's constant for rewards of 0 to 1


class Node(Generic[Item]):
    """One try. visits: tries at and below it. total: the sum of their rewards."""

    def __init__(self, item: Item, reward: float, parent: "Node[Item] | None" = None) -> None:
        """Adds itself below its parent and back-propagates its reward to the root."""
        self.item = item
        self.reward = reward
        self.parent = parent
        self.children: list[Node[Item]] = []
        self.visits = 0
        self.total = 0.0
        if parent is not None:
            parent.children.append(self)
        node: Node[Item] | None = self
        while node is not None:
            node.visits += 1
            node.total += reward
            node = node.parent

    @property
    def value(self) -> float:
        return self.total / self.visits

    def line(self) -> list["Node[Item]"]:
        """The nodes from the root to this one."""
        above = self.parent.line() if self.parent is not None else []
        return [*above, self]


def uct(child: Node[Item], explore: float = EXPLORE) -> float:
    """value + explore * sqrt(ln(visits of the parent) / visits). Raises ValueError for a root, which has no rival."""
    if child.parent is None:
        raise ValueError("The root has no parent to be chosen by.")
    return child.value + explore * math.sqrt(math.log(child.parent.visits) / child.visits)


def select(root: Node[Item], width: int, explore: float = EXPLORE) -> Node[Item]:
    """The node to expand: from the root down to the first node with fewer than width children, by highest UCT.

    Equal UCT: the older child.
    """
    node = root
    while len(node.children) >= width:
        node = max(node.children, key=lambda child: uct(child, explore))
    return node
