"""A trained policy as it ships: folded tables, the learned concept step if there is one, and a card.

A checkpoint is bound to the graph whose concepts it indexes and the encoder whose vectors it read; another graph or
encoder is refused. Tables are float16 on disk: the probabilities move by less than a hundredth.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from backend.errors import KnowledgeError
from models.policy.concept_step.concept_edges import Edges
from models.policy.concept_step.concept_features import NAMES, Statistics
from models.policy.concept_step.concept_scorer import LearnedStep, ScorerWeights
from models.policy.folded_policy import FoldedPolicy
from models.policy.walking.walk_settings import WalkSettings

WEIGHTS, CARD = "weights.npz", "card.json"


class Checkpoint(NamedTuple):
    """card holds at least graph, encoder, dimension, walk and sampled; statistics and scorer stand or fall together."""

    name: str
    policy: FoldedPolicy
    walk: WalkSettings
    sampled: bool
    statistics: Statistics | None
    scorer: ScorerWeights | None
    card: dict[str, Any]

    @property
    def learned_from(self) -> str:
        """What it was trained on, in words: made-up pairs are said to be."""
        return "(trained on synthetic pairs)" if self.card["data"].get("synthetic") else "(trained on pairs of notes)"

    def check(self, graph: str, encoder: str) -> None:
        """Hold the checkpoint against what is loaded.

        Raises:
            KnowledgeError: the graph's fingerprint or the encoder is not the one it was trained with.
        """
        for what, mine, yours in (
            ("graph", self.card["graph"], graph),
            ("encoder", self.card["encoder"], encoder),
        ):
            if mine != yours:
                raise KnowledgeError(
                    f"The policy {self.name!r} was trained with the {what} {mine}, but {yours} is loaded. "
                    "Train one for it: python -m backend train gro --help"
                )

    def step(self, edges: Edges) -> LearnedStep | None:
        """The learned concept step over a graph's edges; None where the published one was used."""
        if self.statistics is None or self.scorer is None:
            return None
        return LearnedStep(self.statistics, self.scorer, edges)


def save_checkpoint(folder: Path, checkpoint: Checkpoint) -> None:
    """Write weights, then the card; a folder without a card is no checkpoint."""
    folder.mkdir(parents=True, exist_ok=True)
    parts: dict[str, np.ndarray] = {
        f"policy_{name}": np.asarray(part, dtype=np.float16) for name, part in checkpoint.policy._asdict().items()
    }
    if checkpoint.statistics is not None and checkpoint.scorer is not None:
        counted = checkpoint.statistics
        parts |= {f"scorer_{name}": np.asarray(part) for name, part in checkpoint.scorer._asdict().items()}
        parts |= {
            "notes": np.array(counted.notes),
            "vocabulary": counted.vocabulary,
            "truth_counts": counted.truth_counts,
            "keywords": counted.keywords,
            "keyword_counts": counted.keyword_counts,
            "joint_data": counted.joint.data.astype(np.float32),
            "joint_indices": counted.joint.indices.astype(np.int32),
            "joint_indptr": counted.joint.indptr.astype(np.int32),
        }
    partial = folder / "weights.partial.npz"
    np.savez_compressed(partial, **parts)  # type: ignore[arg-type]
    partial.replace(folder / WEIGHTS)
    card = {**checkpoint.card, "walk": checkpoint.walk.as_json(), "sampled": checkpoint.sampled}
    written = folder / "card.partial.json"
    written.write_text(json.dumps(card, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    written.replace(folder / CARD)


def load_checkpoint(folder: Path) -> Checkpoint:
    """Read a checkpoint.

    Raises:
        KnowledgeError: the folder holds no whole checkpoint.
    """
    if not (folder / CARD).is_file():
        raise KnowledgeError(
            f"There is no trained policy {folder.name!r}. Train one: python -m backend train gro --help"
        )
    try:
        card = json.loads((folder / CARD).read_text(encoding="utf-8"))
        with np.load(folder / WEIGHTS) as stored:
            parts = {name: stored[name] for name in stored.files}
        held = {
            name: parts[f"policy_{name}"] for name in FoldedPolicy._fields if name not in FoldedPolicy._field_defaults
        }
        held |= {name: parts[f"policy_{name}"] for name in FoldedPolicy._field_defaults if f"policy_{name}" in parts}
        policy = FoldedPolicy(**{name: part.astype(np.float32) for name, part in held.items()})
        statistics, scorer = _scorer(parts) if "vocabulary" in parts else (None, None)
        walk = WalkSettings.from_json(card["walk"])
        needed = (card["graph"], card["encoder"], bool(card["sampled"]))
    except (OSError, KeyError, ValueError) as error:
        raise KnowledgeError(
            f"The policy {folder.name!r} is not whole ({type(error).__name__}). "
            "Train it again: python -m backend train gro --help"
        ) from None
    return Checkpoint(folder.name, policy, walk, needed[2], statistics, scorer, card)


def _scorer(parts: dict[str, np.ndarray]) -> tuple[Statistics, ScorerWeights]:
    shape = (len(parts["keywords"]), len(parts["vocabulary"]))
    joint = csr_matrix((parts["joint_data"], parts["joint_indices"], parts["joint_indptr"]), shape=shape)
    statistics = Statistics(
        int(parts["notes"]),
        parts["vocabulary"],
        parts["truth_counts"],
        parts["keywords"],
        parts["keyword_counts"],
        joint,
    )
    weights = ScorerWeights(
        parts["scorer_centre"],
        parts["scorer_scale"],
        parts["scorer_base"],
        float(parts["scorer_shift"]),
        float(parts["scorer_path"]),
        parts["scorer_relation"],
    )
    known = len(NAMES) + 2 * (len(weights.relation) - 2)
    if len(weights.base) != known:
        raise ValueError(f"{len(weights.base)} features where {known} are known")
    return statistics, weights
