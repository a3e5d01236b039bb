"""Fits the learned concept step: logistic regression, first what a concept is worth to a note, then what a step adds."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

import numpy as np
import torch

from backend.interfaces import PathGraph
from models.policy.concept_step.concept_edges import Edges
from models.policy.concept_step.concept_features import NAMES, Features, Statistics, count
from models.policy.concept_step.concept_scorer import LearnedStep, ScorerWeights
from models.policy.concept_step.similar_notes import left_out
from models.policy.concept_step.two_towers import Rows, fit_towers, note_input, standardised
from models.policy.rollouts import Example, allowed_for
from models.policy.walking.environment import GROUP_COUNT, CosineStep, Environment
from models.policy.walking.note_view import ConceptStep, NoteView
from models.policy.walking.walk_settings import WalkSettings
from models.policy.walking.walk_state import LEAP
from models.policy.walking.walks import GroupPolicy, UniformPolicy, walk


class WalkedGraph(PathGraph, Edges, Protocol):
    """A graph in memory: it can be walked, and its edges lie open."""


NEGATIVES, ALL_NEGATIVES = 120, 60_000
"""Concepts of the vocabulary drawn a note that its document does not hold, more while all together are fewer; each stands for
its share of all of them."""
PENALTY = 10.0
"""Of a squared weight of a standardised feature, against the summed loss: with few notes the fit stays near the popularity
prior, with many the notes decide."""
RARE = 0.3
"""The least scale of a relation's column: one that is nearly always empty must not weigh more for it."""
STEP_NOTES = 400
"""Training notes walked for what a step adds: a weight a relation, which more notes do not change."""
LEAPS_KEPT = 200
STEP_NEGATIVES = 200
"""Candidates kept a note that its document does not hold; leaving some out moves only the intercept."""
Progress = Callable[[int, int, str], None]


class ScorerKind(StrEnum):
    """What tells a concept's worth to a note."""

    LOGISTIC = "logistic"
    """Weighted features."""
    TWO_TOWER = "two-tower"
    """And the product of a note's and a concept's tower (models/policy/concept_step/two_towers.py)."""


class _Drawn(NamedTuple):
    """Of one note: concepts (m,), features (m, f), labels (m,) 1 or 0, and how many concepts each stands for, weights (m,)."""

    concepts: np.ndarray
    features: np.ndarray
    labels: np.ndarray
    weights: np.ndarray


def fit_concept_step(
    examples: Sequence[Example],
    graph: WalkedGraph,
    vectors: np.ndarray,
    settings: WalkSettings,
    seed: int,
    allowed: np.ndarray | None = None,
    policy: GroupPolicy | None = None,
    progress: Progress | None = None,
    note_side: np.ndarray | None = None,
    scorer: ScorerKind = ScorerKind.LOGISTIC,
) -> LearnedStep:
    """A concept step fitted on training examples, each scored without itself, every other one without its like.

    policy: who walks while candidates are gathered; none walks by chance. note_side: as NoteView has it. scorer: what it is made of.

    Raises:
        ValueError: no example has a document with a concept.
    """
    labelled = [example for example in examples if len(example.truth)]
    if not labelled:
        raise ValueError("No training pair has a document with a concept of this graph, so there is nothing to learn.")
    statistics = count(labelled)

    scored_without = left_out(labelled)

    def view(place: int) -> NoteView:
        # made anew for each pass: over a large graph the caches of all notes at once would fill the memory
        mask = allowed_for(allowed, labelled[place], len(vectors))
        example = labelled[place]
        return NoteView(example.keywords, vectors, mask, scored_without[place], example.text_vector, note_side)

    drawn = _drawn(labelled, view, statistics, graph, seed)
    centre, scale, base, shift = _fit_base(drawn)
    flat = ScorerWeights(centre, scale, base, shift, 0.0, np.zeros(len(graph.relations) + 2, dtype=np.float32))
    if scorer == ScorerKind.TWO_TOWER:
        read = [
            Rows(
                note_input(view(place), graph.groups, statistics.texts.shape[1]),
                one.concepts,
                standardised(one.features, centre, scale),
                (((one.features - centre) / scale) @ base + shift).astype(np.float32),
                one.labels.astype(np.float32),
                one.weights.astype(np.float32),
            )
            for place, one in enumerate(drawn)
        ]
        flat = flat._replace(towers=fit_towers(read, vectors, seed))
    step = LearnedStep(statistics, flat, graph)
    path, relation = _fit_step(labelled, view, step, graph, settings, policy or UniformPolicy(), seed, progress)
    return LearnedStep(statistics, flat._replace(path=path, relation=relation), graph)


def _drawn(
    examples: Sequence[Example],
    view_of: Callable[[int], NoteView],
    statistics: Statistics,
    graph: WalkedGraph,
    seed: int,
) -> list[_Drawn]:
    rng = np.random.default_rng((seed, 1))
    made = []
    most = max(NEGATIVES, ALL_NEGATIVES // len(examples))
    for place, example in enumerate(examples):
        features = Features(statistics, graph, view_of(place))
        # A document's concept that no other note's document holds, and that no edge leads to, could not be proposed for a
        # new note; taken as an example it would teach that what was never seen is likely.
        pools = [features.known, neighbours(graph, example.keywords)]
        positive = np.setdiff1d(np.intersect1d(example.truth, np.concatenate(pools)), example.keywords)
        known = np.concatenate([example.keywords, example.truth])
        # what documents never name must be told from what they do, so neighbours of the keywords are drawn as well
        pools = [np.setdiff1d(pools[0], known), np.setdiff1d(pools[1], np.concatenate([known, pools[0]]))]
        drawn = [rng.choice(pool, min(most, len(pool)), replace=False) for pool in pools]
        concepts = np.concatenate([positive, *drawn])
        labels = np.repeat([1.0, 0.0], [len(positive), len(drawn[0]) + len(drawn[1])])
        shares = [len(pool) / max(1, len(some)) for pool, some in zip(pools, drawn, strict=True)]
        weights = np.repeat([1.0, *shares], [len(positive), *(len(some) for some in drawn)])
        made.append(_Drawn(concepts, features.of(concepts), labels, weights))
    return made


def _fit_base(drawn: Sequence[_Drawn]) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    table = np.concatenate([one.features for one in drawn])
    labels, weights = (np.concatenate(part) for part in zip(*((one.labels, one.weights) for one in drawn), strict=True))
    centre, scale = table.mean(axis=0), table.std(axis=0)
    scale[scale < 1e-6] = 1.0
    scale[len(NAMES) :] = np.maximum(scale[len(NAMES) :], RARE)
    prior = np.zeros(table.shape[1])
    prior[0] = scale[0]  # the popularity prior: log-odds rise as the logarithm of the share of documents
    fitted = logistic((table - centre) / scale, labels, weights, prior)
    return centre, scale, fitted[:-1].astype(np.float32), float(fitted[-1])


def neighbours(graph: PathGraph, concepts: np.ndarray) -> np.ndarray:
    """(m,) int32, sorted: every concept one edge away from any of these."""
    return np.unique(np.concatenate([graph.into_group_many(concepts, group)[1] for group in range(GROUP_COUNT)]))


class _Recorder:
    """A concept step that notes down the candidates it scores: base, cosine to the path, relation, concept."""

    def __init__(self, inner: ConceptStep, learned: LearnedStep, rng: np.random.Generator) -> None:
        self._inner = inner
        self._learned = learned
        self._rng = rng
        self.seen: list[np.ndarray] = []

    def worth(self, view: NoteView, concepts: np.ndarray) -> np.ndarray:
        return self._inner.worth(view, concepts)

    def connect_scores(self, view: NoteView, concepts: np.ndarray, path_cosine: np.ndarray) -> np.ndarray:
        paths, count = path_cosine.shape
        kept = self._rng.choice(paths * count, min(LEAPS_KEPT, paths * count), replace=False)
        self._note(view, concepts[kept % count], np.full(len(kept), LEAP), path_cosine.reshape(-1)[kept])
        return self._inner.connect_scores(view, concepts, path_cosine)

    def retrieve_scores(
        self, view: NoteView, concepts: np.ndarray, relations: np.ndarray, path_cosine: np.ndarray
    ) -> np.ndarray:
        self._note(view, concepts, relations, path_cosine)
        return self._inner.retrieve_scores(view, concepts, relations, path_cosine)

    def promise(self, view: NoteView, explored: np.ndarray, most: np.ndarray) -> np.ndarray:
        return self._learned.promise(view, explored, most)

    def _note(self, view: NoteView, concepts: np.ndarray, relations: np.ndarray, cosine: np.ndarray) -> None:
        base = self._learned.base(view, concepts)
        self.seen.append(np.stack([base, cosine, relations, concepts], axis=1).astype(np.float64))


def _fit_step(
    examples: Sequence[Example],
    view_of: Callable[[int], NoteView],
    step: LearnedStep,
    graph: WalkedGraph,
    settings: WalkSettings,
    policy: GroupPolicy,
    seed: int,
    progress: Progress | None,
) -> tuple[float, np.ndarray]:
    rng = np.random.default_rng((seed, 2))
    tables, labels = [], []
    chosen = np.sort(rng.permutation(len(examples))[:STEP_NOTES]).tolist()
    for done, place in enumerate(chosen, start=1):
        example = examples[place]
        recorder = _Recorder(CosineStep(settings.connect_score), step, rng)
        walk(Environment(graph, settings, recorder), view_of(place), policy, rng)
        if recorder.seen:
            seen = np.concatenate(recorder.seen)
            seen = seen[~np.isin(seen[:, 3], example.keywords)]
            true = np.isin(seen[:, 3], example.truth)
            false = np.flatnonzero(~true)
            kept = np.append(np.flatnonzero(true), rng.choice(false, min(STEP_NEGATIVES, len(false)), replace=False))
            tables.append(seen[kept, :3])
            labels.append(true[kept])
        if progress:
            progress(done, len(chosen), "concept step")
    if not tables:
        return 0.0, np.zeros(len(graph.relations) + 2, dtype=np.float32)
    table, truth = np.concatenate(tables), np.concatenate(labels).astype(np.float64)
    # one column a relation; the last two stand for no relation and a leap, as the negative ids index them
    kinds = table[:, 2].astype(np.int64) % (len(graph.relations) + 2)
    design = np.zeros((len(table), len(graph.relations) + 4), dtype=np.float32)
    design[:, 0], design[:, 1] = table[:, 0], table[:, 1]
    design[np.arange(len(table)), 2 + kinds] = 1.0
    prior = np.zeros(design.shape[1])
    prior[0] = 1.0
    fitted = logistic(design, truth, np.ones(len(truth)), prior)
    base = max(float(fitted[0]), 0.05)  # the base keeps its unit; what a step adds is told in it
    return float(fitted[1]) / base, (fitted[2:-1] / base).astype(np.float32)


def logistic(rows: np.ndarray, labels: np.ndarray, weights: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """(columns + 1,) weights and shift of a logistic regression whose weights are held near prior (columns,), by L-BFGS."""
    x = torch.as_tensor(rows, dtype=torch.float32)
    y = torch.as_tensor(labels, dtype=torch.float32)
    w = torch.as_tensor(weights / weights.sum(), dtype=torch.float32)
    near = torch.as_tensor(prior, dtype=torch.float32)
    fitted = torch.cat([near, torch.zeros(1)]).requires_grad_(True)
    optimiser = torch.optim.LBFGS([fitted], max_iter=100, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimiser.zero_grad()
        logits = x @ fitted[:-1] + fitted[-1]
        entropy = torch.nn.functional.binary_cross_entropy_with_logits(logits, y, weight=w, reduction="sum")
        value = entropy + PENALTY / float(weights.sum()) * (fitted[:-1] - near).square().sum()
        value.backward()  # type: ignore[no-untyped-call]
        return value

    optimiser.step(loss)  # type: ignore[no-untyped-call]
    return np.asarray(fitted.detach().numpy().astype(np.float64))
