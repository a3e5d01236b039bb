"""Other ways to learn than the paper's: a value as baseline, rewards beyond the proposals, and a teacher that follows their ranks."""

import numpy as np
import pytest
import torch

from models.policy.concept_step.concept_scorer import LearnedStep
from models.policy.gro import TAUGHT, Advantage, GROSettings, LearnFrom, roll_out, taught, update
from models.policy.gro_trainer import validate
from models.policy.network import PolicyNetwork
from models.policy.rewards import RewardKind
from models.policy.rollouts import Example, Forest, RewardSettings
from models.policy.value_baseline import ValueBaseline
from models.policy.walking.environment import CosineStep, Environment
from models.policy.walking.note_view import NoteView
from models.policy.walking.walk_settings import OURS
from models.policy.walking.walks import walk
from tests.models.policy.concept_step.test_concept_step import learned
from tests.models.policy.test_gro import solvable
from tests.models.world import random_world


@pytest.mark.parametrize("advantage", list(Advantage))
def test_with_either_advantage_the_trivial_graph_is_solved(advantage: Advantage) -> None:
    forest, _ = solvable()
    network = PolicyNetwork(6, seed=0)
    settings = GROSettings(epochs=30, batch=12, learning_rate=3e-3, entropy_start=0.01, advantage=advantage)
    value = ValueBaseline.of(network, 0) if advantage == Advantage.VALUE else None
    optimiser = torch.optim.Adam(network.parameters(), lr=settings.learning_rate)
    for epoch in range(settings.epochs):
        update(network, optimiser, roll_out(network, forest, range(12), settings, epoch, value), settings, epoch)
    assert validate(network.fold(), forest)[1] == 1.0


def test_a_value_learns_what_a_state_comes_to_and_holds_the_next_rewards_against_it() -> None:
    value = ValueBaseline(2, seed=0)
    states = np.array([[1.0, 0.0], [0.0, 1.0]] * 20, dtype=np.float32)
    rewards = np.array([5.0, -3.0] * 20)
    first = value.advantages(states, rewards)
    assert first[0] > 0 > first[1]
    for _ in range(400):
        value.advantages(states, rewards)
    better = value.advantages(np.array([[1.0, 0.0], [1.0, 0.0]], dtype=np.float32), np.array([6.0, 4.0]))
    assert better[0] > 0.9 and better[1] < -0.9  # 6 is above the 5 that was learned, 4 below
    again = ValueBaseline(2, seed=1)
    again.restore(value.state())
    np.testing.assert_array_equal(again.advantages(states, rewards), value.advantages(states, rewards))


def proposing() -> tuple[Forest, LearnedStep, NoteView]:
    """Walks of one note by a learned step; its document holds every concept that is no keyword, proposed or not."""
    step, view, vectors = learned()
    graph, _ = random_world(4)
    told = np.setdiff1d(np.arange(120), view.keywords)
    forest = Forest(
        Environment(graph, OURS._replace(steps=2), step),
        vectors,
        [Example("0", view.keywords, told.astype(np.int32))],
        RewardSettings(RewardKind.RESIDUAL, weight=0.0, beyond=20),
    )
    return forest, step, view


def test_a_residual_reward_counts_what_the_proposals_lack() -> None:
    forest, step, view = proposing()
    tree = forest.tree(0)
    node = tree.root
    for _ in range(2):
        node = forest.child(tree, node, int(np.flatnonzero(node.legal)[0]))
    came_by = set(node.state.explored.tolist()) - set(view.keywords.tolist())
    right = came_by & set(tree.truth.tolist())
    lacked = right - set(step.proposals(view, 20)[0].tolist())
    assert 0 < len(lacked) < len(right)
    assert forest.reward(tree, node, 2) == len(lacked)
    forest.environment.step = CosineStep(OURS.connect_score)
    forest.clear()
    tree = forest.tree(0)
    with pytest.raises(ValueError, match="--learn-step yes"):
        forest.reward(tree, tree.root, 0)


def test_a_teacher_follows_the_ranks_of_the_proposals_and_the_policy_learns_its_walk() -> None:
    forest, step, view = proposing()
    network = PolicyNetwork(8, seed=0)
    decisions = taught(network, forest, [0])
    assert decisions.weight.sum() == decisions.visits.sum() == 2.0  # two steps, one choice each
    tree = forest.tree(0)
    worth = dict(zip(step.proposals(view, TAUGHT)[0].tolist(), 1 / np.log2(np.arange(2, TAUGHT + 2)), strict=False))
    gained = {
        group: sum(worth.get(one, 0.0) for one in forest.child(tree, tree.root, group).state.explored.tolist())
        for group in np.flatnonzero(tree.root.legal).tolist()
    }
    assert int(decisions.weight[0].argmax()) == max(gained, key=lambda group: (gained[group], -group))
    optimiser = torch.optim.Adam(network.parameters(), lr=1e-2)
    settings = GROSettings(entropy_start=0.0, learn_from=LearnFrom.RANKS)
    for epoch in range(60):
        update(network, optimiser, taught(network, forest, [0]), settings, epoch)
    walked = walk(forest.environment, tree.view, network.fold())
    assert [choice.action for choice in walked.choices] == decisions.weight.argmax(axis=1).tolist()
