"""One training run of the path policy: pairs to examples, GRO, checkpoint, card, curves. Resumable in its folder.

Takes what the command has loaded; knows no command line.
"""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import torch

from backend.errors import InputError
from backend.ingest.clinical_notes.note_pairs import SPLITS
from backend.training.curves import write_curves
from backend.training.gro.gro_examples import Progress, linked_examples, policy_places, with_validation
from backend.training.gro.gro_settings import Loaded, RunSettings, claim, identity
from models.policy.carried_over import names_of
from models.policy.checkpoint import Checkpoint, save_checkpoint
from models.policy.concept_step.concept_training import fit_concept_step
from models.policy.concept_step.similar_notes import left_out
from models.policy.gro import Advantage
from models.policy.gro_trainer import Processes, StepFit, Trainer
from models.policy.network import PolicyNetwork
from models.policy.rollouts import Example, Forest
from models.policy.walking.environment import Environment, observation_width
from models.policy.walking.walks import GroupPolicy


class Finished(NamedTuple):
    """A run that came to its end, with its test examples for the figures of the card."""

    checkpoint: Checkpoint
    test: list[Example]
    training: list[Example]


def run_gro(
    pairs: Path,
    loaded: Loaded,
    settings: RunSettings,
    folder: Path,
    progress: Progress,
    stop: Callable[[], bool] = lambda: False,
) -> Finished | None:
    """Train, or go on where the folder's run stopped; None when `stop` asked for an end before the run was through.

    Raises:
        InputError: the folder belongs to another run, or the pairs make no training or validation example.
    """
    rank, size = processes()
    if size > 1 and settings.training.advantage == Advantage.VALUE:
        raise InputError(f"--advantage value trains in one process, not in {size}. Leave torchrun out, or take group.")
    run_identity = identity(pairs, loaded, settings)
    claim(folder, run_identity, rank)
    examples = {
        split: linked_examples(pairs, split, loaded, folder, run_identity, progress, settings.learn_step)
        for split in SPLITS
    }
    train, held = with_validation(examples["train"], examples["validation"], settings.training.seed)
    if not train or not held:
        raise InputError(
            f"{pairs.name} gives {len(train)} training and {len(held)} validation examples; both are needed. "
            "A pair counts when its note holds a present concept of the graph and its document any."
        )
    device = torch.device(settings.device)
    observed_width = observation_width(settings.walk)
    network = PolicyNetwork(loaded.vectors.shape[1], settings.walk.stop, settings.training.seed, observed_width).to(
        device
    )
    trainer = Trainer(
        network,
        _training_forest(train, loaded, settings),
        Forest(
            Environment(loaded.graph, settings.walk),
            loaded.vectors,
            held,
            settings.rewards,
            loaded.allowed,
            settings.memory_mb * 0.2,
            note_side=loaded.note_side,
        ),
        settings.training,
        folder,
        _step_fit(train, loaded, settings, progress) if settings.learn_step else None,
        settings.refit_every,
        Processes(rank, size),
    )
    through = trainer.fit(progress, stop)
    if rank == 0:
        write_curves(folder, trainer.history, settings.name)
    if not through:
        return None
    step = trainer.step
    every = [*train, *held]
    if refitted := settings.learn_step and len(every) < settings.refit_below:
        step = _step_fit(every, loaded, settings, progress)(network.fold())
    card = {**run_identity, **_figures(trainer, train, held, examples["test"]), "refitted": refitted}
    checkpoint = Checkpoint(
        settings.name,
        network.fold(),
        settings.walk,
        settings.sampled,
        step.statistics if step else None,
        step.weights if step else None,
        card,
        names_of(loaded.graph, loaded.graph.ids, step.statistics if step else None),
    )
    if rank == 0:
        save_checkpoint(folder / "checkpoint", checkpoint)
    return Finished(checkpoint, examples["test"], every if refitted else train)


def processes() -> tuple[int, int]:
    """This process's rank and the number of processes, as torchrun tells them; joins the group of several."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size > 1 and not torch.distributed.is_initialized():
        torch.distributed.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    return int(os.environ.get("RANK", "0")), size


def _training_forest(train: list[Example], loaded: Loaded, settings: RunSettings) -> Forest:
    """Walks of the notes the policy trains on, each scored without those that its concept step is fitted without."""
    chosen = policy_places(len(train), settings.policy_notes, settings.training.seed)
    without = left_out(train) if settings.learn_step else None
    return Forest(
        Environment(loaded.graph, settings.walk),
        loaded.vectors,
        [train[i] for i in chosen],
        settings.rewards,
        loaded.allowed,
        settings.memory_mb * 0.8,
        [without[i] for i in chosen] if without else None,
        loaded.note_side,
    )


def _step_fit(train: list[Example], loaded: Loaded, settings: RunSettings, progress: Progress) -> StepFit:
    def fit(policy: GroupPolicy | None) -> Any:
        return fit_concept_step(
            train,
            loaded.graph,
            loaded.vectors,
            settings.walk,
            settings.training.seed,
            loaded.allowed,
            policy,
            progress,
            loaded.note_side,
            settings.scorer,
        )

    return fit


def _figures(trainer: Trainer, train: list[Example], held: list[Example], test: list[Example]) -> dict[str, Any]:
    best = trainer.history[trainer.best_epoch]
    return {
        "trained": datetime.now(UTC).date().isoformat(),
        "examples": {"train": len(train), "validation": len(held), "test": len(test)},
        "epochs": len(trainer.history),
        "best_epoch": trainer.best_epoch + 1,
        "validation": {
            "reward": round(best.validation_reward, 4),
            "new_concept_recall": round(best.validation_recall, 4),
        },
        "torch": torch.__version__,
    }
