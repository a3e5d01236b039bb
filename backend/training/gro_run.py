"""One training run of the path policy: pairs to examples, GRO, checkpoint, card, curves. Resumable in its folder.

Takes what the command has loaded; knows no command line. Everything a run depends on stands in `run.json`: a folder
that holds another run is refused.
"""

import hashlib
import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from backend.errors import InputError
from backend.ingest.pairs import SPLITS, Pair, read_pairs
from backend.interfaces import Encoder, Linker
from backend.stores.graph import Graph
from backend.training.examples import examples_of
from backend.training.learning_curves import write_curves
from backend.training.stored_examples import read_examples, write_examples
from models.checkpoint import Checkpoint, save_checkpoint
from models.concept_kin import left_out
from models.concept_training import fit_concept_step
from models.environment import Environment, told_width
from models.gro import GROSettings
from models.gro_trainer import Processes, StepFit, Trainer
from models.policy import PolicyNetwork
from models.rollouts import Example, Forest, RewardSettings
from models.walk_settings import WalkSettings
from models.walks import GroupPolicy

Progress = Callable[[int, int, str], None]


class RunSettings(NamedTuple):
    """name is the checkpoint's. learn_step fits the concept step; refit_every: epochs between its fits, 0 for once.

    policy_notes: the policy trains on so many of the training notes, drawn by the seed; 0 for all. The concept step and the
    counts are of all.

    sampled: whether the checkpoint draws its actions. memory_mb limits the trees of walks.
    """

    name: str
    walk: WalkSettings
    rewards: RewardSettings
    training: GROSettings
    learn_step: bool
    policy_notes: int = 0
    refit_every: int = 0
    sampled: bool = False
    memory_mb: float = 4096.0
    device: str = "cpu"


class Loaded(NamedTuple):
    """What a run reads. vectors: (concepts, d) in the graph's order; allowed: (concepts,) bool, False for fillers."""

    graph: Graph
    vectors: np.ndarray
    encoder: Encoder
    linker: Linker
    allowed: np.ndarray


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

    Raises InputError when the folder belongs to another run, or the pairs make no training or validation example.
    """
    rank, size = processes()
    told = _identity(pairs, loaded, settings)
    _claim(folder, told, rank)
    examples = {split: _examples(pairs, split, loaded, folder, told, progress) for split in SPLITS}
    train, held = _validation(examples["train"], examples["validation"], settings.training.seed)
    if not train or not held:
        raise InputError(
            f"{pairs.name} gives {len(train)} training and {len(held)} validation examples; both are needed. "
            "A pair counts when its note holds a present concept of the graph and its document any."
        )
    device = torch.device(settings.device)
    told_beside = told_width(settings.walk)
    network = PolicyNetwork(loaded.vectors.shape[1], settings.walk.stop, settings.training.seed, told_beside).to(device)
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
    card = {**told, **_figures(trainer, train, held, examples["test"])}
    checkpoint = Checkpoint(
        settings.name,
        network.fold(),
        settings.walk,
        settings.sampled,
        step.statistics if step else None,
        step.weights if step else None,
        card,
    )
    if rank == 0:
        save_checkpoint(folder / "checkpoint", checkpoint)
    return Finished(checkpoint, examples["test"], train)


def processes() -> tuple[int, int]:
    """This process's rank and the number of processes, as torchrun tells them; joins the group of several."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size > 1 and not torch.distributed.is_initialized():
        torch.distributed.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    return int(os.environ.get("RANK", "0")), size


def synthetic(pairs: Path) -> bool:
    """Whether every pair of the file says that it is made up."""
    return all("synthetic" in pair.notices for pair in read_pairs(pairs))


def file_hash(path: Path) -> str:
    """sha256 of a file's bytes."""
    with path.open("rb") as read:
        return hashlib.file_digest(read, "sha256").hexdigest()


def _identity(pairs: Path, loaded: Loaded, settings: RunSettings) -> dict[str, Any]:
    """What makes two runs the same."""
    if not pairs.is_file():
        raise InputError(f"There is no file {pairs.name!r}. Give a JSONL file of pairs with the fields note and text.")
    return {
        "name": settings.name,
        "data": {"file": pairs.name, "hash": file_hash(pairs), "synthetic": synthetic(pairs)},
        "graph": loaded.graph.fingerprint,
        "graph_size": {"concepts": len(loaded.graph), "edges": loaded.graph.edge_count},
        "encoder": loaded.encoder.name,
        "dimension": int(loaded.vectors.shape[1]),
        "walk": settings.walk.as_json(),
        "rewards": settings.rewards._asdict(),
        "training": settings.training.as_json(),
        "learned_concept_step": settings.learn_step,
        "policy_notes": settings.policy_notes,
        "refit_every": settings.refit_every,
        "sampled": settings.sampled,
    }


def _claim(folder: Path, told: dict[str, Any], rank: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "run.json"
    text = json.dumps(told, indent=1, ensure_ascii=False) + "\n"
    if path.is_file():
        there = json.loads(path.read_text(encoding="utf-8"))
        if there != json.loads(text):
            other = [key for key in told if there.get(key) != json.loads(text)[key]]
            raise InputError(
                f"The folder {folder.name!r} holds another run: {', '.join(other)} differ. "
                "Name another folder with --out, or start this one anew with --restart."
            )
    elif rank == 0:
        path.write_text(text, encoding="utf-8")


def _examples(
    pairs: Path, split: str, loaded: Loaded, folder: Path, told: dict[str, Any], progress: Progress
) -> list[Example]:
    """Examples of a split, linked once a run and kept in the folder."""
    kept = folder / f"examples-{split}-{told['data']['hash'][:8]}-{told['graph'][:8]}.npz"
    if kept.is_file():
        return read_examples(kept)
    read: list[Pair] = list(read_pairs(pairs, (split,)))
    found: list[Example] = []
    for done, pair in enumerate(read, start=1):
        # only evaluation reads the vectors of whole notes, and encoding costs more than linking
        encoder = loaded.encoder if split == "test" else None
        found.extend(examples_of([pair], loaded.linker, loaded.graph.index, loaded.allowed, encoder))
        progress(done, len(read), f"{split} notes linked")
    write_examples(kept, found, loaded.vectors.shape[1])
    return found


def _validation(train: list[Example], held: list[Example], seed: int) -> tuple[list[Example], list[Example]]:
    """The pairs' own validation split, else a tenth of the training examples."""
    if held or len(train) < 2:
        return train, held
    order = np.random.default_rng((seed, 7)).permutation(len(train))
    cut = max(1, len(train) // 10)
    return [train[i] for i in sorted(order[cut:])], [train[i] for i in sorted(order[:cut])]


def _training_forest(train: list[Example], loaded: Loaded, settings: RunSettings) -> Forest:
    """Walks of the notes the policy trains on, each scored without those that its concept step is fitted without."""
    chosen = list(range(len(train)))
    if 0 < settings.policy_notes < len(train):
        drawn = np.random.default_rng((settings.training.seed, 8)).permutation(len(train))
        chosen = sorted(drawn[: settings.policy_notes].tolist())
    without = left_out(train) if settings.learn_step else None
    return Forest(
        Environment(loaded.graph, settings.walk),
        loaded.vectors,
        [train[i] for i in chosen],
        settings.rewards,
        loaded.allowed,
        settings.memory_mb * 0.8,
        [without[i] for i in chosen] if without else None,
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
