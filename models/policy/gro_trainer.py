"""A training run of GRO: epochs, validation, early stopping, and a state on disk that survives a kill.

The state is written beside the old one and swapped, after an epoch. Since every draw is a function of (seed, epoch,
note), a run that is taken up again ends with the same weights as one that was never broken.
"""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from models.policy.concept_step.concept_scorer import LearnedStep, ScorerWeights
from models.policy.folded_policy import FoldedPolicy
from models.policy.gro import Advantage, GROSettings, LearnFrom, optimiser_of, roll_out, taught, update
from models.policy.network import PolicyNetwork
from models.policy.rollouts import Forest
from models.policy.value_baseline import ValueBaseline
from models.policy.walking.environment import STOP
from models.policy.walking.walks import GroupPolicy

Progress = Callable[[int, int, str], None]
StepFit = Callable[[GroupPolicy | None], LearnedStep]
SAVE_EVERY_S = 30.0


class Epoch(NamedTuple):
    """One line of the learning curve. reward and entropy (nats) are means over rollouts; recall is new-concept recall."""

    epoch: int
    reward: float
    entropy: float
    validation_reward: float
    validation_recall: float
    seconds: float
    rollouts: int


class Processes(NamedTuple):
    """This process's place among those that train together; each takes its share of every batch."""

    rank: int = 0
    size: int = 1


ALONE = Processes()


class Trainer:
    """Trains a network on the notes of a forest; validation notes choose the epoch that is kept.

    learn_step fits the concept step, at the start and again every refit_every epochs with the policy of that moment;
    None keeps the published one.
    """

    def __init__(
        self,
        network: PolicyNetwork,
        training: Forest,
        validation: Forest,
        settings: GROSettings,
        folder: Path,
        learn_step: StepFit | None = None,
        refit_every: int = 0,
        processes: Processes = ALONE,
        save_every_s: float = SAVE_EVERY_S,
    ) -> None:
        self.network = network
        self.settings = settings
        self.history: list[Epoch] = []
        self.step: LearnedStep | None = None
        self._training = training
        self._validation = validation
        self._folder = folder
        self._learn_step = learn_step
        self._refit_every = refit_every
        self._processes = processes
        self._save_every_s = save_every_s
        self._optimiser = optimiser_of(network, settings)
        self._value = ValueBaseline.of(network, settings.seed) if settings.advantage == Advantage.VALUE else None
        self._trained: torch.nn.Module = network
        if processes.size > 1:
            self._trained = torch.nn.parallel.DistributedDataParallel(network)
        self._best = -np.inf
        self._best_epoch = -1
        self._best_weights: dict[str, torch.Tensor] = {}
        self._best_step: ScorerWeights | None = None

    def fit(self, progress: Progress | None = None, stop: Callable[[], bool] = lambda: False) -> bool:
        """Train to the last epoch or until validation has not risen for `patience` epochs; True when it ended by itself.

        Takes up a state that lies in the folder. stop is asked after each epoch; the state is saved before it is obeyed.
        """
        self._load()
        if self._learn_step and self.step is None:
            self._take_step(self._learn_step(None))
        saved = time.monotonic()
        for epoch in range(len(self.history), self.settings.epochs):
            if self._waited(epoch):
                break
            if self._learn_step and self._refit_every and epoch and epoch % self._refit_every == 0:
                self._take_step(self._learn_step(self.network.fold()))
            self.history.append(self._epoch(epoch))
            line = self.history[-1]
            self._keep_best(line)
            last = epoch + 1 == self.settings.epochs or self._waited(epoch + 1)
            if last or stop() or time.monotonic() - saved >= self._save_every_s:
                self._save()
                saved = time.monotonic()
            if progress:
                summary = f"reward {line.reward:.2f}, entropy {line.entropy:.2f}, recall {line.validation_recall:.3f}"
                progress(epoch + 1, self.settings.epochs, summary)
            if stop() and not last:
                return False
        self.network.load_state_dict(self._best_weights)
        if self._best_step is not None and self.step is not None:
            self._take_step(self.step.with_weights(self._best_step))
        return True

    @property
    def best_epoch(self) -> int:
        """The epoch that was kept, from 0."""
        return self._best_epoch

    def _waited(self, epoch: int) -> bool:
        return self._best_epoch >= 0 and epoch - self._best_epoch > self.settings.patience

    def _epoch(self, epoch: int) -> Epoch:
        begun = time.monotonic()
        count = len(self._training.examples)
        order = np.random.default_rng((self.settings.seed, epoch)).permutation(count)
        rank, size = self._processes
        rewards, entropies = [], []
        for first in range(0, count, self.settings.batch):
            batch = order[first : first + self.settings.batch].tolist()
            mine = batch[rank::size] or batch[:1]  # a process without a share goes along with a weight of nothing
            share = len(batch[rank::size]) * size / len(batch)
            if self.settings.learn_from == LearnFrom.RANKS:
                decisions = taught(self.network, self._training, mine)
            else:
                decisions = roll_out(self.network, self._training, mine, self.settings, epoch, self._value)
            _, entropy = update(self._trained, self._optimiser, decisions, self.settings, epoch, share)
            rewards.append(decisions.rewards)
            entropies.append(entropy)
        reward, recall = validate(self.network.fold(), self._validation)
        done = np.concatenate(rewards)
        seconds = time.monotonic() - begun
        return Epoch(epoch, float(done.mean()), float(np.mean(entropies)), reward, recall, seconds, len(done) * size)

    def _keep_best(self, line: Epoch) -> None:
        if line.validation_reward > self._best:
            self._best, self._best_epoch = line.validation_reward, line.epoch
            self._best_weights = {name: part.detach().clone() for name, part in self.network.state_dict().items()}
            self._best_step = self.step.weights if self.step else None

    def _take_step(self, step: LearnedStep) -> None:
        self.step = step
        for forest in (self._training, self._validation):
            forest.environment.step = step
            forest.clear()

    def _save(self) -> None:
        if self._processes.rank:
            return
        state = {
            "network": self.network.state_dict(),
            "optimiser": self._optimiser.state_dict(),
            "history": [list(line) for line in self.history],
            "best": (float(self._best), self._best_epoch),
            "best_weights": self._best_weights,
            "step": _as_tensors(self.step.weights if self.step else None),
            "best_step": _as_tensors(self._best_step),
            "value": self._value.state() if self._value else None,
        }
        self._folder.mkdir(parents=True, exist_ok=True)
        partial = self._folder / "state.partial"
        torch.save(state, partial)
        partial.replace(self._folder / "state.pt")
        lines = "".join(json.dumps(line._asdict()) + "\n" for line in self.history)
        (self._folder / "history.jsonl").write_text(lines)

    def _load(self) -> None:
        path = self._folder / "state.pt"
        if not path.is_file():
            return
        state: dict[str, Any] = torch.load(path, weights_only=True, map_location=self.network.groups.device)
        self.network.load_state_dict(state["network"])
        self._optimiser.load_state_dict(state["optimiser"])
        if self._value:
            self._value.restore(state["value"])
        self.history = [Epoch(*line) for line in state["history"]]
        self._best, self._best_epoch = state["best"]
        self._best_weights = state["best_weights"]
        self._best_step = _from_tensors(state["best_step"])
        weights = _from_tensors(state["step"])
        if weights is not None and self._learn_step:
            # the statistics come from the data, the weights from the state
            self._take_step(self._learn_step(None).with_weights(weights))


def validate(policy: FoldedPolicy, forest: Forest) -> tuple[float, float]:
    """Mean reward and mean new-concept recall of greedy walks; the recall leaves out notes whose document is all keywords."""
    rewards, recalls = [], []
    for note in range(len(forest.examples)):
        tree = forest.tree(note)
        node, steps = tree.root, 0
        while node.depth < forest.environment.settings.steps:
            chances = policy.probabilities(node.depth, node.state.group, tree.scarce, node.average, node.legal)
            action = int(chances.argmax())
            if action == STOP:
                break
            node = forest.child(tree, node, action)
            steps += 1
        rewards.append(forest.reward(tree, node, steps))
        new = np.setdiff1d(tree.truth, tree.view.keywords)
        if len(new):
            recalls.append(np.isin(new, node.state.explored).mean())
    return float(np.mean(rewards)), float(np.mean(recalls)) if recalls else 0.0


def _as_tensors(weights: ScorerWeights | None) -> dict[str, torch.Tensor] | None:
    if weights is None:
        return None
    return {name: torch.as_tensor(part) for name, part in weights.as_arrays().items()}


def _from_tensors(parts: dict[str, torch.Tensor] | None) -> ScorerWeights | None:
    if parts is None:
        return None
    return ScorerWeights.from_arrays({name: part.cpu().numpy() for name, part in parts.items()})
