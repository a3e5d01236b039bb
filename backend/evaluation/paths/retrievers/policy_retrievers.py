"""Retrievers that walk by a policy, for `evaluate paths`: a trained one, what it must beat, and it with a part left out.

A walk's concepts are ranked by what the retriever itself thinks of them: the learned step's log-odds, or the cosine to the
keywords' mean where the published step was used. Proposals are ranked by the same log-odds, so that a walk beside them can only
add what they lack altogether; whether its choices are worth anything shows where both lists are fused by rank. What the note denies is never walked through; nor are fillers.
"""

import zlib
from collections.abc import Callable, Sequence
from copy import copy
from typing import NamedTuple

import numpy as np

from backend.evaluation.paths.retrievers.concept_retrievers import best
from backend.evaluation.paths.retrievers.linked_example import NoteExample
from backend.evaluation.paths.training_seeds import FUSED, PROPOSALS, WALK
from backend.interfaces import PathGraph
from backend.retrieval.passages.fusion import RRF_K
from models.policy.checkpoint import Checkpoint
from models.policy.concept_step.concept_edges import Edges
from models.policy.concept_step.concept_scorer import LearnedStep
from models.policy.walking.environment import Environment
from models.policy.walking.note_view import NoteView
from models.policy.walking.walk_settings import CandidateKind, ConnectScore, WalkSettings
from models.policy.walking.walk_state import WalkState
from models.policy.walking.walks import GroupPolicy, SchedulePolicy, UniformPolicy, Walk, schedule_of, walk

DRAWS = 10
"""Walks of a sampled policy that are averaged for each note."""
PATH_COUNTS = (1, 3, 5, 10, 20)
SCHEDULE_NOTES = 300
"""Training notes whose walks give the fixed schedule; more do not change the commonest group of a step."""


class World(NamedTuple):
    """What all walks share.

    allowed: (n,) bool, False for fillers; None allows all. seed: of drawn actions. note_side: as NoteView has it.
    """

    graph: PathGraph
    vectors: np.ndarray
    allowed: np.ndarray | None
    seed: int
    note_side: np.ndarray | None = None


class Variant(NamedTuple):
    """One way to walk. sampled: actions are drawn. paths: only the best so many paths count; 0 for all.

    propose: the learned step's own proposals join the walk's concepts, as the system `leapnote` has it. walks: False leaves the
    walk out, so that the proposals stand alone. fused: both lists are fused by rank, the walk's in the order of its steps.
    """

    name: str
    what: str
    policy: Callable[[NoteExample], GroupPolicy]
    walk: WalkSettings
    learned: LearnedStep | None
    sampled: bool = False
    paths: int = 0
    propose: bool = False
    walks: bool = True
    fused: bool = False


class PolicyRetriever:
    """The concepts that a variant's walk explores, best first."""

    def __init__(self, world: World, variant: Variant) -> None:
        self.name = variant.name
        self._world = world
        self._variant = variant
        self._environment = Environment(world.graph, variant.walk, variant.learned)

    def ranked(self, example: NoteExample, budget: int) -> np.ndarray:
        """The concepts that the walk ends at, best first."""
        if not len(example.keywords):
            return np.zeros(0, dtype=np.int64)
        view = self._view(example)
        found = np.zeros(0, dtype=np.int64)
        proposed = np.zeros(0, dtype=np.int64)
        if self._variant.propose and self._variant.learned:
            proposed, _ = self._variant.learned.proposals(view, budget)
        if self._variant.walks:
            walked = self.walk(example, view)
            if self._variant.fused:
                return fused([self._in_order_of_steps(view, walked), proposed], budget)
            found = self._best_paths(view, walked.end) if self._variant.paths else walked.end.explored
        if len(proposed):
            found = np.concatenate([found, proposed])
        found = np.setdiff1d(found, example.keywords)
        return best(found, self._worth(view, found), budget)

    def drawn(self) -> "list[PolicyRetriever]":
        """One retriever a draw where actions are drawn, with a seed of its own."""
        if not self._variant.sampled:
            return [self]
        made = [copy(self) for _ in range(DRAWS)]
        for number, one in enumerate(made):
            one._world = self._world._replace(seed=self._world.seed + number)
        return made

    def walk(self, example: NoteExample, view: NoteView | None = None) -> Walk:
        """The walk of one example, sampled where the variant samples."""
        draw = None
        if self._variant.sampled:
            draw = np.random.default_rng([self._world.seed, zlib.crc32(example.pair_id.encode())])
        return walk(self._environment, view or self._view(example), self._variant.policy(example), draw)

    def states(self, example: NoteExample) -> list[np.ndarray]:
        """What the policy was told at each step of the walk."""
        view = self._view(example)
        return [
            self._environment.observation(view, state, step)
            for step, state in enumerate(self.walk(example, view).states)
        ]

    def _view(self, example: NoteExample) -> NoteView:
        allowed = self._world.allowed
        if len(example.blocked):
            allowed = np.ones(len(self._world.vectors), dtype=bool) if allowed is None else allowed.copy()
            allowed[example.blocked] = False
        world = self._world
        return NoteView(example.keywords, world.vectors, allowed, (), example.text_vector, world.note_side)

    def _worth(self, view: NoteView, concepts: np.ndarray) -> np.ndarray:
        return self._environment.step.worth(view, concepts)

    def _in_order_of_steps(self, view: NoteView, walked: Walk) -> np.ndarray:
        """What each step found, the earlier steps first, of one step by its worth."""
        explored = walked.end.explored
        steps = np.searchsorted([len(state.explored) for state in walked.states], np.arange(len(explored)), "right")
        order = np.lexsort((explored, -self._worth(view, explored), steps))
        return np.asarray(explored[order][~np.isin(explored[order], view.keywords)])

    def _best_paths(self, view: NoteView, end: WalkState) -> np.ndarray:
        """The concepts of the paths whose gained concepts are worth most on average."""
        rows = [end.paths[row, 1 : end.lengths[row]] for row in range(len(end.paths))]
        rows = [row for row in rows if len(row)]
        rows.sort(key=lambda row: -float(self._worth(view, row).mean()))
        return np.concatenate([*rows[: self._variant.paths], np.zeros(0, dtype=np.int32)])


def fused(rankings: Sequence[np.ndarray], most: int) -> np.ndarray:
    """The concepts of several rankings by the sum of their reciprocal ranks, 1 / (RRF_K + place from 1); absent counts 0."""
    concepts = np.unique(np.concatenate(rankings))
    scores = np.zeros(len(concepts))
    for ranking in rankings:
        scores[np.searchsorted(concepts, ranking)] += 1 / (RRF_K + np.arange(1, len(ranking) + 1))
    return best(concepts.astype(np.int64), scores, most)


class ForeignState:
    """A policy that is shown another note's concept state: if it does as well, it never looked at the note."""

    def __init__(self, policy: GroupPolicy, averages: Sequence[np.ndarray]) -> None:
        self._policy = policy
        self._averages = averages

    def probabilities(self, step: int, group: int, scarce: int, average: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """The policy's probabilities, given the mean state of other notes in place of this one's."""
        shown = self._averages[min(step, len(self._averages) - 1)]
        return self._policy.probabilities(step, group, scarce, shown, legal)


def policy_retrievers(
    checkpoint: Checkpoint,
    world: World,
    edges: Edges,
    training: Sequence[NoteExample],
    evaluated: Sequence[NoteExample],
    name: str = "",
    variants: bool = True,
) -> list[tuple[PolicyRetriever, str]]:
    """The checkpoint's retriever with what it is, its walk alone where it has a learned step, then the variants if wanted.

    A variant that would equal it is left out, and so is the walk of a point of a sensitivity curve (NAME@…).

    training: examples the fixed schedule is taken from; without any there is none. evaluated: whose concept states are
    exchanged among each other.
    """
    name = name or checkpoint.name
    learned = checkpoint.step(edges)
    policy: GroupPolicy = checkpoint.policy
    full = Variant(
        name,
        f"the policy {checkpoint.name}" + (" with the learned step's proposals, as it is served" if learned else ""),
        lambda _: policy,
        checkpoint.walk,
        learned,
        checkpoint.sampled,
        propose=learned is not None,
    )
    retriever = PolicyRetriever(world, full)
    made = [(retriever, full.what)]
    if learned and "@" not in name:
        alone = "the learned step's proposals alone, no walk"
        made.append((PolicyRetriever(world, full._replace(name=f"{name}{PROPOSALS}", what=alone, walks=False)), alone))
        both = "walk and proposals, fused by rank"
        made.append((PolicyRetriever(world, full._replace(name=f"{name}{FUSED}", what=both, fused=True)), both))
        # proposals fill every budget by themselves, so what the policy is worth shows only without them
        name = f"{name}{WALK}"
        full = full._replace(name=name, what="the walk alone, without the learned step's proposals", propose=False)
        made.append((PolicyRetriever(world, full), full.what))
    if not variants:
        return made
    uniform = UniformPolicy()
    changed = [
        full._replace(name=f"{name}-uniform", what="every group alike, drawn", policy=lambda _: uniform, sampled=True)
    ]
    if training:
        schedule = SchedulePolicy(schedule_of([retriever.walk(example) for example in training[:SCHEDULE_NOTES]]))
        about = "the commonest group of each step in training, whatever the note"
        changed.append(full._replace(name=f"{name}-schedule", what=about, policy=lambda _: schedule, sampled=False))
    if len(evaluated) > 1:
        states = foreign_states(retriever, policy, evaluated)
        about = "the policy with another note's concept state"
        changed.append(full._replace(name=f"{name}-shuffled", what=about, policy=lambda e: states(e.pair_id)))
    changed += _without(full)
    changed += [
        full._replace(name=f"{name}@paths={n}", what=f"its best {n} path{'s' if n > 1 else ''} alone", paths=n)
        for n in PATH_COUNTS
    ]
    return made + [(PolicyRetriever(world, variant), variant.what) for variant in changed]


def foreign_states(
    retriever: PolicyRetriever, policy: GroupPolicy, examples: Sequence[NoteExample]
) -> Callable[[str], GroupPolicy]:
    """By pair id the policy with the states of another example's walk; each lends to one, in the order of hashed ids."""
    order = sorted(examples, key=lambda example: (zlib.crc32(example.pair_id.encode()), example.pair_id))
    lender = {example.pair_id: order[i - 1] for i, example in enumerate(order)}

    def policy_of(pair_id: str) -> GroupPolicy:
        return ForeignState(policy, retriever.states(lender[pair_id]))

    return policy_of


def _without(full: Variant) -> list[Variant]:
    """Each part of the walk left out by itself, where the walk has it."""
    name, settings = full.name, full.walk
    parts: list[Variant] = []
    if settings.leaps:
        parts.append(full._replace(name=f"{name}-no-leaps", what="without leaps", walk=settings._replace(leaps=False)))
    if settings.candidates == CandidateKind.FRONTIER:
        explored = settings._replace(candidates=CandidateKind.EXPLORED)
        parts.append(
            full._replace(name=f"{name}-no-frontier", what="connects to explored concepts alone", walk=explored)
        )
    if settings.spread:
        about = "paths may repeat one another's concepts"
        parts.append(full._replace(name=f"{name}-no-spread", what=about, walk=settings._replace(spread=False)))
    if settings.connect_cap or settings.retrieve_cap:
        uncapped = settings._replace(connect_cap=0, retrieve_cap=0)
        parts.append(full._replace(name=f"{name}-no-caps", what="all candidates of hubs are looked at", walk=uncapped))
    if full.learned:
        about = "the published concept step in place of the learned one"
        parts.append(full._replace(name=f"{name}-cosine-step", what=about, learned=None))
    elif settings.connect_score == ConnectScore.MEAN:
        by_path = settings._replace(connect_score=ConnectScore.PATH)
        parts.append(full._replace(name=f"{name}-connect-path", what="connects by the path alone", walk=by_path))
    return parts
