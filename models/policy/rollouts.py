"""Walks of the training notes, kept as prefix trees: transitions depend on nothing but the sequence of groups.

A node is a note and the groups chosen so far. It is expanded once and found again by every later rollout that comes by,
within a limit of memory; when the limit is reached the trees are dropped and grow anew, which changes no result.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from models.policy.concept_step.concept_scorer import LearnedStep
from models.policy.rewards import NONE, RewardKind, reward
from models.policy.walking.environment import STOP, Environment
from models.policy.walking.note_view import NoteView
from models.policy.walking.walk_state import WalkState


class Example(NamedTuple):
    """One training or evaluation note. keywords (k,) int32, at least one; truth (t,) int32, of the document; both distinct.

    blocked: concepts no path may touch. text_vector: (d,) the vector of the whole note; may be empty, or zeros.
    """

    pair_id: str
    keywords: np.ndarray
    truth: np.ndarray
    blocked: np.ndarray = np.zeros(0, dtype=np.int32)
    text_vector: np.ndarray = np.zeros(0, dtype=np.float32)


class RewardSettings(NamedTuple):
    """weight is the paper's lambda. step_cost is taken off for each step; it is what gives the stop action a use.

    beyond: RESIDUAL leaves out so many of the note's best proposals.
    """

    kind: RewardKind = RewardKind.NOVEL
    weight: float = 3.0
    step_cost: float = 0.0
    beyond: int = 50


class Node:
    """A state with what the policy needs of it. children: action -> node. reward is set at the end of a walk."""

    __slots__ = ("average", "children", "depth", "legal", "reward", "state")

    def __init__(self, state: WalkState, average: np.ndarray, legal: np.ndarray, depth: int) -> None:
        self.state = state
        self.average = average
        self.legal = legal
        self.depth = depth
        self.children: dict[int, Node] = {}
        self.reward: float | None = None


class Tree:
    """The walks of one note."""

    def __init__(self, view: NoteView, root: Node, scarce: int, truth: np.ndarray) -> None:
        self.view = view
        self.root = root
        self.scarce = scarce
        self.truth = truth


class Forest:
    """Trees of all notes, grown on demand.

    memory_mb limits nodes and views together, by an estimate that is checked when a note comes up. left_out: for notes that
    statistics were taken from, those that each is scored without; None for other notes. note_side: as NoteView has it.
    """

    def __init__(
        self,
        environment: Environment,
        vectors: np.ndarray,
        examples: Sequence[Example],
        rewards: RewardSettings,
        allowed: np.ndarray | None = None,
        memory_mb: float = 2048.0,
        left_out: Sequence[Sequence[Example]] | None = None,
        note_side: np.ndarray | None = None,
    ) -> None:
        self.environment = environment
        self.examples = examples
        self.expanded = 0
        self.found = 0
        self._vectors = vectors
        self._rewards = rewards
        self._allowed = allowed
        self._left_out = left_out
        self._note_side = note_side
        self._limit = int(memory_mb * 2**20)
        self._trees: dict[int, Tree] = {}
        self._held = 0

    def tree(self, note: int) -> Tree:
        """The tree of a note, with its root."""
        tree = self._trees.get(note)
        if tree is None:
            if self._held + sum(known.view.nbytes for known in self._trees.values()) > self._limit:
                self.clear()
            example = self.examples[note]
            mask = allowed_for(self._allowed, example, len(self._vectors))
            without = self._left_out[note] if self._left_out else ()
            view = NoteView(example.keywords, self._vectors, mask, without, example.text_vector, self._note_side)
            state = self.environment.start(view)
            tree = Tree(view, self._node(view, state, 0), self.environment.scarce(view, state), example.truth)
            self._trees[note] = tree
        return tree

    def child(self, tree: Tree, node: Node, action: int) -> Node:
        """The node after an action; the walk of a new one happens here."""
        return self.children([(tree, node, action)])[0]

    def children(self, wanted: Sequence[tuple[Tree, Node, int]]) -> list[Node]:
        """The node after each action; what is new is walked together, group by group. Each is asked for once."""
        new: dict[int, list[tuple[Tree, Node]]] = {}
        for tree, node, action in wanted:
            if action in node.children:
                self.found += 1
            else:
                self.expanded += 1
                new.setdefault(action, []).append((tree, node))
        for action, places in new.items():
            states = [node.state for _, node in places]
            if action != STOP:
                states = self.environment.advance_many([tree.view for tree, _ in places], states, action)
            for (tree, node), state in zip(places, states, strict=True):
                node.children[action] = self._node(tree.view, state, node.depth + 1)
        return [node.children[action] for _, node, action in wanted]

    def finished(self, node: Node, action: int) -> bool:
        """Whether a walk ends with this action."""
        return action == STOP or node.depth >= self.environment.settings.steps

    def reward(self, tree: Tree, node: Node, steps: int) -> float:
        """R^(i) of the walk that ends here after so many steps."""
        if node.reward is None:
            kind, weight = self._rewards.kind, self._rewards.weight
            left_out = self.proposed(tree, self._rewards.beyond) if kind == RewardKind.RESIDUAL else NONE
            node.reward = reward(tree.view, node.state, tree.truth, kind, weight, left_out)
        return node.reward - self._rewards.step_cost * steps

    def proposed(self, tree: Tree, most: int) -> np.ndarray:
        """(at most `most`,) what the concept step proposes for the note without a walk, best first.

        Raises:
            ValueError: the published concept step is used, which proposes nothing.
        """
        step = self.environment.step
        if not isinstance(step, LearnedStep):
            raise ValueError("Only a learned concept step proposes concepts; train with --learn-step yes")
        return tree.view.kept(f"proposed {most}", lambda: step.proposals(tree.view, most)[0])

    def clear(self) -> None:
        """Forget every walk, as after a change of the concept step."""
        self._trees.clear()
        self._held = 0

    def _node(self, view: NoteView, state: WalkState, depth: int) -> Node:
        legal = self.environment.legal(state)
        if self.environment.settings.stop:
            legal = np.append(legal, depth > 0)  # a walk of no step would be no walk
        observed = self.environment.observation(view, state, depth)
        node = Node(state, observed, legal, depth)
        self._held += node.average.nbytes + sum(part.nbytes for part in state[1:]) + 1000
        return node


def allowed_for(allowed: np.ndarray | None, example: Example, concepts: int) -> np.ndarray | None:
    """(concepts,) bool: what the graph allows less what the note blocks; None when that is everything."""
    if not len(example.blocked):
        return allowed
    mask = np.ones(concepts, dtype=bool) if allowed is None else allowed.copy()
    mask[example.blocked] = False
    return mask
