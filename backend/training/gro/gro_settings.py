"""What a run of the path policy depends on: its settings, what it reads, and the `run.json` that says so.

A folder that holds another run is refused, so that nothing is taken up that would not have come out the same.
"""

import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from backend.container.container import Container
from backend.errors import InputError
from backend.ingest.clinical_notes.note_pairs import read_pairs
from backend.interfaces import Encoder, Linker
from backend.stores.compiled import code_digest
from backend.stores.graph.graph import Graph
from models.policy.concept_step.concept_training import ScorerKind
from models.policy.gro import GROSettings
from models.policy.rollouts import RewardSettings
from models.policy.walking.walk_settings import WalkSettings


class RunSettings(NamedTuple):
    """name is the checkpoint's. learn_step fits the concept step, of the kind `scorer`; refit_every: epochs between its fits, 0 for once.

    policy_notes: the policy trains on so many of the training notes, drawn by the seed; 0 for all. The concept step and the
    counts are of all.

    refit_below: where training and validation together are fewer pairs, the concept step is fitted anew on all of them once the epoch
    is chosen; 0 for never.

    sampled: whether the checkpoint draws its actions. memory_mb limits the trees of walks.
    """

    name: str
    walk: WalkSettings
    rewards: RewardSettings
    training: GROSettings
    learn_step: bool
    policy_notes: int = 0
    refit_every: int = 0
    refit_below: int = 100
    sampled: bool = False
    memory_mb: float = 4096.0
    device: str = "cpu"
    scorer: ScorerKind = ScorerKind.LOGISTIC


class Loaded(NamedTuple):
    """What a run reads.

    Attributes:
        vectors: (concepts, d) in the graph's order.
        encoder: of whole notes.
        allowed: (concepts,) bool, False for fillers.
        note_side: (concepts, e) names by `encoder`, where another made `vectors`.
        encoders: the name of both; empty for the encoder's.
    """

    graph: Graph
    vectors: np.ndarray
    encoder: Encoder
    linker: Linker
    allowed: np.ndarray
    note_side: np.ndarray | None = None
    encoders: str = ""


def loaded_from(container: Container, vectors: np.ndarray) -> Loaded:
    """What a run reads of a container. vectors: of its concepts, encoded."""
    known = container.loaded
    return Loaded(
        container.graph,
        vectors,
        container.encoder,
        container.linker,
        container.open_concepts,
        known.note_side,
        known.path_encoder,
    )


def identity(pairs: Path, loaded: Loaded, settings: RunSettings) -> dict[str, Any]:
    """What makes two runs the same."""
    if not pairs.is_file():
        raise InputError(f"There is no file {pairs.name!r}. Give a JSONL file of pairs with the fields note and text.")
    return {
        "name": settings.name,
        "data": {"file": pairs.name, "hash": file_hash(pairs), "synthetic": synthetic(pairs)},
        "graph": loaded.graph.fingerprint,
        "graph_size": {"concepts": len(loaded.graph), "edges": loaded.graph.edge_count},
        "encoder": loaded.encoders or loaded.encoder.name,
        "dimension": int(loaded.vectors.shape[1]),
        "walk": settings.walk.as_json(),
        "rewards": settings.rewards._asdict(),
        "training": settings.training.as_json(),
        "learned_concept_step": settings.learn_step,
        "scorer": settings.scorer.value,
        "policy_notes": settings.policy_notes,
        "refit_every": settings.refit_every,
        "refit_below": settings.refit_below,
        "sampled": settings.sampled,
        "code": code_digest(),
    }


def claim(folder: Path, run_identity: dict[str, Any], rank: int) -> None:
    """Make the folder this run's. Raises InputError when it holds another."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "run.json"
    text = json.dumps(run_identity, indent=1, ensure_ascii=False) + "\n"
    if path.is_file():
        there = json.loads(path.read_text(encoding="utf-8"))
        if there != json.loads(text):
            other = [key for key in run_identity if there.get(key) != json.loads(text)[key]]
            raise InputError(
                f"The folder {folder.name!r} holds another run: {', '.join(other)} differ. "
                "Name another folder with --out, or start this one anew with --restart."
            )
    elif rank == 0:
        path.write_text(text, encoding="utf-8")


def synthetic(pairs: Path) -> bool:
    """Whether every pair of the file says that it is made up."""
    return all("synthetic" in pair.notices for pair in read_pairs(pairs))


def file_hash(path: Path) -> str:
    """sha256 of a file's bytes."""
    with path.open("rb") as read:
        return hashlib.file_digest(read, "sha256").hexdigest()
