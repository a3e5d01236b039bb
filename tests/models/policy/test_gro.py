"""The equations of GRO against closed forms, and that it learns what can be learned."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from models.policy.gro import (
    DecisionTensors,
    GROSettings,
    discounts,
    group_advantages,
    objective,
    roll_out,
    update,
)
from models.policy.gro_trainer import validate
from models.policy.network import LEAN, PolicyNetwork
from models.policy.rewards import RewardKind, reward
from models.policy.rollouts import Example, Forest, RewardSettings
from models.policy.walking.environment import GROUP_COUNT, OUTLOOK, CosineStep, Environment, observation_width
from models.policy.walking.note_view import NoteView
from models.policy.walking.walk_settings import OURS, StateKind
from models.policy.walking.walks import UniformPolicy, walk
from tests.models.world import CHEM, DISO, axes, random_world, world


def test_eq8_by_hand() -> None:
    # group 1: mean 2, deviations -1, 0, 1, standard deviation sqrt(2/3); group 2 is flat and prefers nothing
    found = group_advantages(np.array([1.0, 2.0, 3.0, 5.0, 5.0, 5.0]), 3)
    np.testing.assert_allclose(found, [-1.2247, 0.0, 1.2247, 0.0, 0.0, 0.0], atol=1e-4)


@given(st.lists(st.floats(-100, 100), min_size=4, max_size=4), st.floats(0.1, 50), st.floats(-20, 20))
def test_eq8_does_not_see_scale_or_shift(rewards: list[float], scale: float, shift: float) -> None:
    base = np.array(rewards)
    if base.std() < 1e-2:
        return
    np.testing.assert_allclose(group_advantages(base, 4), group_advantages(base * scale + shift, 4), atol=2e-3)


def test_eq8_refuses_a_length_that_makes_no_groups() -> None:
    with pytest.raises(ValueError, match="7 rewards"):
        group_advantages(np.zeros(7), 3)


def test_the_last_choice_is_discounted_once_and_the_first_most() -> None:
    # gamma^(T - t), t = 0, 1, 2, T = 3
    np.testing.assert_allclose(discounts(3, 0.5), [0.125, 0.25, 0.5])
    np.testing.assert_allclose(discounts(2, 1.0), [1.0, 1.0])


def test_the_objective_and_its_gradient_by_hand() -> None:
    # One state, two legal actions of three, logits (0, 0): log-probabilities are -ln 2. Weight 2 on action 0, one visit,
    # two rollouts in all. J = (2 * -ln 2 + beta * ln 2) / 2 with beta = 0.5.
    logits = torch.zeros(1, 3, requires_grad=True)
    legal = torch.tensor([[True, True, False]])
    logs = torch.log_softmax(logits.masked_fill(~legal, float("-inf")), dim=-1)
    decisions = DecisionTensors(
        torch.zeros(1, dtype=torch.int64),
        torch.zeros(1, dtype=torch.int64),
        torch.zeros(1, 1),
        legal,
        torch.tensor([[2.0, 0.0, 0.0]]),
        torch.ones(1),
    )
    gained = objective(logs, decisions, 0.5, 2)
    assert float(gained.detach()) == pytest.approx((2 * -np.log(2) + 0.5 * np.log(2)) / 2)
    gained.backward()
    # d log p0 / d logits = (1 - 1/2, -1/2); the entropy is at its maximum, so its gradient is 0
    np.testing.assert_allclose(logits.grad.numpy(), [[0.5, -0.5, 0.0]], atol=1e-6)


def test_eq7_binary_and_novel_by_hand() -> None:
    graph = world({"k": "DISO", "m": "CHEM", "n": "CHEM"}, [("k", "m"), ("m", "n")])
    vectors = axes(graph, k=(1, 0), m=(0, 1), n=(1, 1))
    view = NoteView(np.array([0], dtype=np.int32), vectors)
    environment = Environment(graph, OURS)
    state = environment.advance(view, environment.start(view), CHEM)  # k, m, n
    truth = np.array([0, 2], dtype=np.int32)  # k, which is a keyword, and n
    # The path's mean lies along (1 + 0 + 0.7071, 0 + 1 + 0.7071) = (1, 1) * 1.7071; the truth's along (1.7071, 0.7071).
    near = (1.7071 + 0.7071) / (np.sqrt(2) * np.hypot(1.7071, 0.7071))
    assert reward(view, state, truth, RewardKind.EQ7, 10) == pytest.approx(2 + 10 * near, abs=1e-3)
    assert reward(view, state, truth, RewardKind.BINARY, 10) == pytest.approx(1 + 10 * near, abs=1e-3)
    assert reward(view, state, truth, RewardKind.NOVEL, 3) == pytest.approx(1 + 3 * near, abs=1e-3)
    assert reward(view, state, truth[:0], RewardKind.EQ7, 10) == 0.0


def reference_logits(network: PolicyNetwork, group: int, scarce: int, mean: np.ndarray, before: int) -> np.ndarray:
    """Eq. 1 to 4 as printed, with full-width W2 and actions: any upper half of W2 must give the same distribution."""
    d = network.dimension
    k = network.groups.detach().numpy()
    upper = np.random.default_rng(1).normal(size=(2 * d, 4 * d)) * 0.1
    second = np.concatenate([upper, network.second.detach().numpy()])
    state = np.concatenate([k[group], k[scarce], network.project.detach().numpy() @ mean])
    z = second @ np.maximum(network.first.detach().numpy() @ state, 0)
    actions = np.stack([np.concatenate([k[before], k[g]]) for g in range(len(k))])
    return np.asarray(actions @ z)


def test_folded_equals_unfolded_equals_the_equations() -> None:
    network = PolicyNetwork(8, stop=True, seed=3)
    rng = np.random.default_rng(0)
    with torch.no_grad():
        network.project += torch.as_tensor(rng.normal(size=(8, 8)), dtype=torch.float32)
    mean = rng.normal(size=8).astype(np.float32)
    legal = np.array([True, False] * 8)
    logits = np.where(legal, reference_logits(network, 4, 9, mean, 4), -np.inf)
    wanted = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    folded = network.fold().probabilities(0, 4, 9, mean, legal)
    whole = network(
        torch.tensor([4]), torch.tensor([9]), torch.as_tensor(mean)[None], torch.as_tensor(legal)[None]
    ).exp()
    np.testing.assert_allclose(folded, wanted, atol=1e-5)
    np.testing.assert_allclose(whole.detach().numpy()[0], wanted, atol=1e-5)


def test_a_state_with_an_outlook_is_read_alike_by_network_and_folded_policy() -> None:
    network = PolicyNetwork(8, stop=True, seed=3, outlook_width=OUTLOOK)
    rng = np.random.default_rng(0)
    observed = rng.normal(size=(2, 8 + OUTLOOK)).astype(np.float32)
    legal = np.ones((2, 16), dtype=bool)
    whole = network(torch.tensor([4, 4]), torch.tensor([9, 9]), torch.as_tensor(observed), torch.as_tensor(legal)).exp()
    for row in (0, 1):
        folded = network.fold().probabilities(0, 4, 9, observed[row], legal[row])
        np.testing.assert_allclose(whole.detach().numpy()[row], folded, atol=1e-5)
    # one more unit of log(1 + promise) in CHEM, and nothing else read of it, multiplies its odds by exp(LEAN)
    with torch.no_grad():
        assert network.outlook is not None
        network.outlook.zero_()
    more = observed[0].copy()
    more[8 + GROUP_COUNT + CHEM] += 1.0
    before, after = (network.fold().probabilities(0, 4, 9, t, legal[0]) for t in (observed[0], more))
    odds = (after[CHEM] / after[DISO]) / (before[CHEM] / before[DISO])
    assert odds == pytest.approx(np.exp(LEAN), rel=1e-3)


def solvable() -> tuple[Forest, int]:
    """Every keyword has one neighbour in each of four groups; the document always holds the one in CHEM."""
    groups = {"a": "ANAT", "c": "CHEM", "p": "PROC", "y": "PHYS"}
    names, edges, rows = {}, [], {}
    rng = np.random.default_rng(0)
    for i in range(12):
        names[f"k{i:02d}"] = "DISO"
        for letter, group in groups.items():
            names[f"{letter}{i:02d}"] = group
            edges.append((f"k{i:02d}", f"{letter}{i:02d}"))
    for name in names:
        rows[name] = rng.normal(size=6)
    graph = world(names, edges)
    vectors = axes(graph, **rows)
    examples = [
        Example(
            str(i),
            np.array([graph.index[f"k{i:02d}"]], dtype=np.int32),
            np.array([graph.index[f"c{i:02d}"]], dtype=np.int32),
        )
        for i in range(12)
    ]
    environment = Environment(graph, OURS._replace(steps=1))
    return Forest(environment, vectors, examples, RewardSettings(weight=0.0)), CHEM


def test_a_trivial_graph_is_solved() -> None:
    forest, goal = solvable()
    network = PolicyNetwork(6, seed=0)
    settings = GROSettings(epochs=30, batch=12, learning_rate=3e-3, entropy_start=0.01)
    optimiser = torch.optim.Adam(network.parameters(), lr=settings.learning_rate)
    before = validate(network.fold(), forest)[1]
    for epoch in range(settings.epochs):
        decisions = roll_out(network, forest, range(12), settings, epoch)
        update(network, optimiser, decisions, settings, epoch)
    reward_now, recall = validate(network.fold(), forest)
    assert recall == 1.0 and reward_now == pytest.approx(1.0)
    assert before < 1.0
    tree = forest.tree(0)
    chosen = walk(forest.environment, tree.view, network.fold()).choices[0]
    assert chosen.action == goal and chosen.probabilities[goal] > 0.5


def two_kinds(kinds: int, dimension: int = 64) -> Forest:
    """As solvable, but the documents of every second note hold what lies in PROC. The keywords' vectors have most in common, as
    those of an encoder do, and beside that what tells the two kinds of note apart, and noise."""
    rng = np.random.default_rng(0)
    names, edges, rows = {}, [], {}
    for i in range(kinds):
        names[f"k{i:02d}"] = "DISO"
        rows[f"k{i:02d}"] = np.append([4.0, 1.5 - 3 * (i % 2)], 0.25 * rng.normal(size=dimension - 2))
        for letter, group in {"c": "CHEM", "p": "PROC"}.items():
            names[f"{letter}{i:02d}"] = group
            rows[f"{letter}{i:02d}"] = rng.normal(size=dimension)
            edges.append((f"k{i:02d}", f"{letter}{i:02d}"))
    graph = world(names, edges)
    examples = [
        Example(
            str(i),
            np.array([graph.index[f"k{i:02d}"]], dtype=np.int32),
            np.array([graph.index[f"{'cp'[i % 2]}{i:02d}"]], dtype=np.int32),
        )
        for i in range(kinds)
    ]
    return Forest(Environment(graph, OURS._replace(steps=1)), axes(graph, **rows), examples, RewardSettings(weight=0.0))


def test_training_at_the_usual_rate_learns_what_the_state_tells_of_the_note() -> None:
    forest = two_kinds(24)
    network = PolicyNetwork(64, seed=0)
    settings = GROSettings(learning_rate=3e-4)
    optimiser = torch.optim.Adam(network.parameters(), lr=settings.learning_rate)
    for epoch in range(20):
        update(network, optimiser, roll_out(network, forest, range(24), settings, epoch), settings, epoch)
    # one group for all notes, the best that a policy can do that reads no state, is right for half of them
    assert validate(network.fold(), forest)[1] > 0.9


def trained(seed: int, limit_mb: float) -> dict[str, torch.Tensor]:
    graph, vectors = random_world(1)
    rng = np.random.default_rng(4)
    examples = [
        Example(str(i), rng.choice(120, 4, False).astype(np.int32), np.sort(rng.choice(120, 9, False)).astype(np.int32))
        for i in range(9)
    ]
    forest = Forest(Environment(graph, OURS), vectors, examples, RewardSettings(), memory_mb=limit_mb)
    network = PolicyNetwork(8, seed=seed)
    settings = GROSettings(epochs=3, batch=4, rollouts=5, seed=seed)
    optimiser = torch.optim.Adam(network.parameters(), lr=1e-3)
    for epoch in range(3):
        for first in (0, 4, 8):
            notes = list(range(first, min(9, first + 4)))
            update(network, optimiser, roll_out(network, forest, notes, settings, epoch), settings, epoch)
    return network.state_dict()


def test_the_same_seed_gives_the_same_weights_and_the_cache_changes_nothing() -> None:
    once, again, uncached, other = trained(0, 100), trained(0, 100), trained(0, 0), trained(1, 100)
    for name, part in once.items():
        assert torch.equal(part, again[name])
        assert torch.equal(part, uncached[name])  # trees are dropped before nearly every note
    assert not torch.equal(once["groups"], other["groups"])


def test_cached_rollouts_equal_fresh_ones() -> None:
    graph, vectors = random_world(7)
    examples = [Example("0", np.array([1, 5, 9], dtype=np.int32), np.array([3, 30, 60], dtype=np.int32))]
    network, settings = PolicyNetwork(8), GROSettings(rollouts=8)
    forest = Forest(Environment(graph, OURS), vectors, examples, RewardSettings())
    first = roll_out(network, forest, [0], settings, 0)
    cached = roll_out(network, forest, [0], settings, 0)
    for a, b in zip(first[:-1], cached[:-1], strict=True):
        np.testing.assert_array_equal(a, b)
    assert torch.equal(first.forward.logits, cached.forward.logits)
    assert forest.found > 0


class Promising(CosineStep):
    """The published step with a promise, so that the lean has a gradient."""

    def promise(self, view: NoteView, explored: np.ndarray, most: np.ndarray) -> np.ndarray:
        return (np.arange(GROUP_COUNT) % 4 * len(explored) / 10).astype(np.float32)


class Wrapped(torch.nn.Module):
    """A network as DDP has it: seen through another module."""

    def __init__(self, network: PolicyNetwork) -> None:
        super().__init__()
        self.module = network

    def forward(self, *states: torch.Tensor) -> torch.Tensor:
        return self.module(*states)


@pytest.mark.parametrize("stop", [False, True])
@pytest.mark.parametrize("state", list(StateKind))
def test_the_gradient_by_hand_is_that_of_automatic_differentiation(stop: bool, state: StateKind) -> None:
    graph, vectors = random_world(2)
    rng = np.random.default_rng(5)
    examples = [
        Example(
            str(i), rng.choice(120, 5, False).astype(np.int32), np.sort(rng.choice(120, 20, False)).astype(np.int32)
        )
        for i in range(6)
    ]
    walk_settings = OURS._replace(stop=stop, state=state)
    forest = Forest(
        Environment(graph, walk_settings, Promising(OURS.connect_score)), vectors, examples, RewardSettings()
    )
    network = PolicyNetwork(8, stop, seed=3, outlook_width=observation_width(walk_settings))
    settings = GROSettings(rollouts=6, entropy_start=0.3, clip=1e9)
    decisions = roll_out(network, forest, list(range(6)), settings, 0)
    optimiser = torch.optim.SGD(network.parameters(), lr=0.0)
    losses = update(network, optimiser, decisions, settings, 0, 0.5)
    by_hand = {name: part.grad.clone() for name, part in network.named_parameters()}
    assert losses == pytest.approx(update(Wrapped(network), optimiser, decisions, settings, 0, 0.5), abs=1e-5)
    for name, part in network.named_parameters():
        assert float(part.grad.abs().max()) > 1e-4, name  # what agrees is no gradient of nothing
        torch.testing.assert_close(by_hand[name], part.grad, atol=1e-5, rtol=1e-4, msg=name)


def test_the_weight_of_a_choice_is_what_its_rollouts_gained() -> None:
    forest, _ = solvable()
    settings = GROSettings(rollouts=6)
    decisions = roll_out(PolicyNetwork(6), forest, [0, 1], settings, 0)
    # one step, one state a note: the weights of a state add up to its advantages, which add up to 0
    np.testing.assert_allclose(decisions.weight.sum(axis=1), 0.0, atol=1e-9)
    assert decisions.visits.tolist() == [6.0, 6.0]
    assert decisions.weight.shape == (2, GROUP_COUNT)
    # the rewarded action of note 0 has a positive weight where it was tried at all
    if decisions.rewards[:6].any() and not decisions.rewards[:6].all():
        assert decisions.weight[0, CHEM] > 0


def test_a_uniform_walk_draws_by_its_generator() -> None:
    graph, vectors = random_world(2)
    view = NoteView(np.array([0, 1], dtype=np.int32), vectors)
    runs = [
        [c.action for c in walk(Environment(graph, OURS), view, UniformPolicy(), np.random.default_rng(s)).choices]
        for s in (0, 0, 1, 2, 3)
    ]
    assert runs[0] == runs[1]
    assert any(run != runs[0] for run in runs[2:])
