"""A trained policy as it ships: folded tables, the learned concept step if there is one, and a card.

A checkpoint is bound to the encoder whose vectors it read. To another graph than the one whose concepts it indexes it is carried over, and
says how much of what it learned from that one holds. Tables are float16 on disk: the probabilities move by less than a hundredth.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy.sparse import csr_matrix

from backend.errors import KnowledgeError
from models.policy.carried_over import (
    GraphNames,
    OtherGraph,
    carried_places,
    carried_statistics,
    carried_weights,
)
from models.policy.concept_step.concept_edges import Edges
from models.policy.concept_step.concept_features import NAMES, Statistics
from models.policy.concept_step.concept_scorer import LearnedStep, ScorerWeights
from models.policy.folded_policy import FoldedPolicy
from models.policy.walking.walk_settings import WalkSettings

WEIGHTS, CARD = "weights.npz", "card.json"


class FittedGraph(OtherGraph, Protocol):
    """The graph that a policy is to walk."""

    @property
    def fingerprint(self) -> str:
        """What equal graphs share."""
        ...


class Checkpoint(NamedTuple):
    """card holds at least graph, encoder, dimension, walk and sampled; statistics and scorer stand or fall together.

    names: of the graph that it was trained over; None in checkpoints that do not hold them, which fit no other graph.
    carried: how it came to another graph, in words; empty on its own.
    """

    name: str
    policy: FoldedPolicy
    walk: WalkSettings
    sampled: bool
    statistics: Statistics | None
    scorer: ScorerWeights | None
    card: dict[str, Any]
    names: GraphNames | None = None
    carried: str = ""

    @property
    def learned_from(self) -> str:
        """What it was trained on, in words: made-up pairs are said to be."""
        return "(trained on synthetic pairs)" if self.card["data"].get("synthetic") else "(trained on pairs of notes)"

    def fitted(self, graph: FittedGraph, encoder: str) -> "Checkpoint":
        """The checkpoint for the graph and encoder that are loaded: itself, or carried over by concepts and relation names.

        Another encoder is a KnowledgeError, and so is a graph with none of the concepts that a learned concept step counts.
        """
        if self.card["encoder"] != encoder:
            raise self._refused("encoder", self.card["encoder"], encoder)
        if self.card["graph"] == graph.fingerprint:
            return self
        if self.names is None:
            raise self._refused("graph", self.card["graph"], graph.fingerprint)
        found = carried_places(self.names, graph, self.statistics)
        if not found.share and self.statistics is not None:
            raise self._refused("graph", self.card["graph"], graph.fingerprint)
        words = f"carried over to a graph that holds {found.share:.0%} of the concepts it learned from"
        made = self._replace(carried=f"{words}, {found.by_name} of them by name" if found.by_name else words)
        if self.statistics is None or self.scorer is None:
            return made
        return made._replace(
            statistics=carried_statistics(self.statistics, found.where),
            scorer=carried_weights(self.scorer, self.names, graph),
        )

    def _refused(self, what: str, mine: str, yours: str) -> KnowledgeError:
        return KnowledgeError(
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
        parts |= {f"scorer_{name}": part for name, part in checkpoint.scorer.as_arrays().items()}
        parts |= {
            "notes": np.array(counted.notes),
            "vocabulary": counted.vocabulary,
            "truth_counts": counted.truth_counts,
            "keywords": counted.keywords,
            "keyword_counts": counted.keyword_counts,
            "joint_data": counted.joint.data.astype(np.float32),
            "joint_indices": counted.joint.indices.astype(np.int32),
            "joint_indptr": counted.joint.indptr.astype(np.int32),
            "texts": counted.texts,
            "held_indices": counted.held.indices.astype(np.int32),
            "held_indptr": counted.held.indptr.astype(np.int32),
        }
    if checkpoint.names is not None:
        parts |= {f"graph_{part}": _joined(words) for part, words in checkpoint.names._asdict().items() if words}
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
        names = (
            GraphNames(**{part: _split(parts[key]) for part in GraphNames._fields if (key := f"graph_{part}") in parts})
            if "graph_ids" in parts
            else None
        )
        needed = (card["graph"], card["encoder"], bool(card["sampled"]))
    except (OSError, KeyError, ValueError) as error:
        raise KnowledgeError(
            f"The policy {folder.name!r} is not whole ({type(error).__name__}). "
            "Train it again: python -m backend train gro --help"
        ) from None
    return Checkpoint(folder.name, policy, walk, needed[2], statistics, scorer, card, names)


def _joined(words: tuple[str, ...]) -> np.ndarray:
    """Words as bytes, one a line."""
    return np.frombuffer("\n".join(words).encode(), dtype=np.uint8)


def _split(stored: np.ndarray) -> tuple[str, ...]:
    return tuple(stored.tobytes().decode().split("\n"))


def _scorer(parts: dict[str, np.ndarray]) -> tuple[Statistics, ScorerWeights]:
    shape = (len(parts["keywords"]), len(parts["vocabulary"]))
    joint = csr_matrix((parts["joint_data"], parts["joint_indices"], parts["joint_indptr"]), shape=shape)
    said = np.ones(len(parts["held_indices"]), dtype=np.float32)
    held = csr_matrix((said, parts["held_indices"], parts["held_indptr"]), shape=(int(parts["notes"]), shape[1]))
    statistics = Statistics(
        int(parts["notes"]),
        parts["vocabulary"],
        parts["truth_counts"],
        parts["keywords"],
        parts["keyword_counts"],
        joint,
        parts["texts"],
        held,
    )
    own = {name.removeprefix("scorer_"): part for name, part in parts.items() if name.startswith("scorer_")}
    weights = ScorerWeights.from_arrays(own)
    known = len(NAMES) + 2 * (len(weights.relation) - 2)
    if len(weights.base) != known:
        raise ValueError(f"{len(weights.base)} features where {known} are known")
    return statistics, weights
