"""Reasoning paths by a trained policy: ReinRAG's walk as published, or the concept step of `leapnote`, with its walk or without.

Takes the note's present mentions as keywords; nothing that the note denies, says of a relative, or that an allergy reaches is
walked through. Gives the paths, each told as a sentence, and the policy's choices. It knows no text but names.
"""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from backend.errors import InputError, KnowledgeError, MissingError
from backend.interfaces import Encoder, PathGraph
from backend.knowledge.allergy_reach import AllergyReach
from backend.retrieval.paths.connecting_paths import ConnectingPaths, Standing
from backend.retrieval.paths.path_baselines import keywords
from backend.retrieval.paths.path_choice import Drawn, best_spread, started
from backend.retrieval.paths.path_text import verbalised_path
from backend.retrieval.paths.policy_steps import followed, policy_steps
from backend.retrieval.paths.training_mentions import said_often
from backend.schemas.drafts.evidence import Condition, PolicyStep, ReasoningPath
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.vocabulary import Assertion, Category, ConditionStatus
from backend.stores.graph.graph import Graph
from models.policy.checkpoint import Checkpoint
from models.policy.concept_step.watched_step import WatchedStep
from models.policy.walking.environment import CosineStep, Environment
from models.policy.walking.note_view import ConceptStep, NoteView
from models.policy.walking.walk_settings import CLUSTER_LEAP
from models.policy.walking.walk_state import WalkState
from models.policy.walking.walks import Walk, walk

WRITTEN = frozenset(
    {
        Category.DISEASE,
        Category.SYMPTOM,
        Category.FINDING,
        Category.TEST,
        Category.PROCEDURE,
        Category.DRUG,
        Category.DRUG_CLASS,
        Category.DEVICE,
        Category.DIET,
        Category.ACTIVITY,
        Category.PRECAUTION,
        Category.FOLLOW_UP,
    }
)
"""Categories a discharge document talks about; a path ends on one of them."""
PROPOSED = 3
"""How many concepts training documents may propose beside a walk, for each path that is shown; without one, POOL."""
GROUNDED = 1.0
"""What edges all the way add to the log-odds of a path's end, besides the scores of the conditions it passes by."""
POOL = 4
"""How many of the best concepts are told as paths, for each that is shown, so that there is something to choose from."""
WALKS_KEPT = 8
"""How many notes' walks stay in memory: a letter that follows a clinician's decisions walks from the same words each time."""


class Walked(NamedTuple):
    """A walk from a note's words: the view it was made in, what it found and passed over, and where, in words; None for no walk."""

    view: NoteView
    walk: Walk | None
    watched: WatchedStep
    where: str


class PolicyPaths:
    """Reasoning paths by a trained policy.

    The caller has checked that the checkpoint belongs to graph and encoder, which encodes the whole note where the
    checkpoint has a learned concept step.

    Args:
        graph: the concepts and edges.
        vectors: (concepts, d) of length 1, in the order of the graph.
        encoder: of keywords and note.
        checkpoint: the policy.
        reach: what an allergy excludes.
        open_concepts: (concepts,) bool, False for fillers.
        most: how many paths a note gets.
        elsewhere: gives what answers for edges during one walk, where that is not the graph itself; where it cannot, the
            graph is walked, and the reason says so.
        where: its place, in words.
        note_side: (concepts, e) by the encoder, where another made `vectors`.
        walks: whether a policy with a learned concept step walks as well; one without always does.
    """

    def __init__(
        self,
        graph: Graph,
        vectors: np.ndarray,
        encoder: Encoder,
        checkpoint: Checkpoint,
        reach: AllergyReach,
        open_concepts: np.ndarray,
        most: int,
        elsewhere: Callable[[], PathGraph] | None = None,
        where: str = "",
        note_side: np.ndarray | None = None,
        walks: bool = True,
    ) -> None:
        self._graph = graph
        self._vectors = vectors
        self._encoder = encoder
        self._checkpoint = checkpoint
        self._reach = reach
        self._open = open_concepts
        self._most = most
        self._elsewhere = elsewhere
        self._where = where
        self._note_side = note_side
        self._learned = checkpoint.step(graph)
        self._walks_too = walks or self._learned is None
        self._walks: OrderedDict[bytes, Walked] = OrderedDict()
        self._keeping = threading.Lock()

    def forget(self) -> None:
        """Let go of the notes' walks."""
        with self._keeping:
            self._walks.clear()

    def paths(
        self, linked: LinkedNote, conditions: Sequence[Condition], seed: int
    ) -> tuple[tuple[ReasoningPath, ...], tuple[PolicyStep, ...], str]:
        """What the policy finds as paths that edges or leaps connect, the steps of its walk if any, and the reason where there are none."""
        named = [self._graph.index[concept] for concept in keywords(self._graph, linked)]
        avoided = self._avoided(linked)
        starts = [concept for concept in named if self._open[concept] and concept not in avoided]
        if not starts:
            why = "is in the graph" if not named else "may start one: all are fillers, or what an allergy reaches"
            return (), (), f"no present mention of the note {why}, so no path can start"
        view, found, watched, where = self._walked(linked, starts, avoided, seed)
        if found is None:
            paths = self._verbalised(view, None, conditions)
            what = (
                f"by the concept step of policy {self._checkpoint.name} {self._checkpoint.learned_from}, without a walk"
            )
            return paths, (), f"{len(paths)} paths {what}"
        paths = self._verbalised(view, found.end, conditions)
        how = f"drawn with seed {seed}" if self._checkpoint.sampled else "by its likeliest choices"
        name, count = self._checkpoint.name, len(found.end.explored)
        return (
            paths,
            policy_steps(self._graph, found, watched, self._checkpoint.walk.relation_labels),
            f"{len(paths)} paths over {count} concepts, policy {name} {self._checkpoint.learned_from}, {how}{where}",
        )

    def _walked(self, linked: LinkedNote, starts: Sequence[int], avoided: frozenset[int], seed: int) -> Walked:
        """The note's walk, kept where the graph in memory is walked; conditions have no part in it."""
        allowed = self._allowed(linked, starts, avoided)
        read = linked.note.text.encode("utf-8", "replace") if self._learned else b""
        key = hashlib.sha256(b"%d;%s;%s;" % (seed, np.array(starts).tobytes(), allowed.tobytes()) + read).digest()
        with self._keeping:
            known = self._walks.get(key)
        if known is not None:
            return known
        whole = self._encoder.encode([linked.note.text])[0] if self._learned else None
        view = NoteView(np.array(starts, dtype=np.int32), self._vectors, allowed, (), whole, self._note_side)
        walked = Walked(view, *self._found(view, seed)) if self._walks_too else Walked(view, None, self._watched(), "")
        if self._elsewhere is None:
            with self._keeping:
                self._walks[key] = walked
                while len(self._walks) > WALKS_KEPT:
                    self._walks.popitem(last=False)
        return walked

    def _found(self, view: NoteView, seed: int) -> tuple[Walk, WatchedStep, str]:
        """A walk, what its steps passed over, and where it was walked, in words."""
        if self._elsewhere is None:
            return *self._walk(self._graph, view, seed), ""
        try:
            return *self._walk(self._elsewhere(), view, seed), f", walked in {self._where}"
        except (InputError, KnowledgeError, MissingError) as error:
            # the same draws from the start, so that the paths are those that would have been found there
            return *self._walk(self._graph, view, seed), f", walked in memory and not in {self._where}: {error}"

    def _walk(self, graph: PathGraph, view: NoteView, seed: int) -> tuple[Walk, WatchedStep]:
        watched = self._watched()
        environment = Environment(graph, self._checkpoint.walk, watched)
        draw = np.random.default_rng(seed) if self._checkpoint.sampled else None
        return walk(environment, view, self._checkpoint.policy, draw, watched.begin), watched

    def _watched(self) -> WatchedStep:
        return WatchedStep(self._step)

    @property
    def _step(self) -> ConceptStep:
        return self._learned or CosineStep(self._checkpoint.walk.connect_score)

    def _avoided(self, linked: LinkedNote) -> frozenset[int]:
        """What an allergy of the note reaches. A medicine among it starts no path either, though the note says it is taken."""
        known = [item.concept_id for item in linked.allergies.items if item.concept_id]
        return frozenset(self._graph.index[concept] for one in known for concept in self._reach.avoided(one))

    def _allowed(self, linked: LinkedNote, starts: Sequence[int], avoided: frozenset[int]) -> np.ndarray:
        """(n,) bool: closed are fillers, what the note only denies or says of a relative, and what an allergy reaches."""
        allowed = self._open.copy()
        for mention in linked.note.mentions:
            if mention.assertion in (Assertion.NEGATED, Assertion.FAMILY) and mention.concept_id in self._graph.index:
                allowed[self._graph.index[mention.concept_id]] = False
        allowed[list(starts)] = True
        allowed[list(avoided)] = False
        return allowed

    def _verbalised(
        self, view: NoteView, end: WalkState | None, conditions: Sequence[Condition]
    ) -> tuple[ReasoningPath, ...]:
        walked = end is not None and self._learned is None
        drawn = self._as_walked(view, end) if end is not None and walked else self._grounded(view, end, conditions)
        named = [c.concept_id for c in conditions]
        paths = []
        for number, path in enumerate(started(best_spread(drawn, self._graph.groups, self._most)), start=1):
            verbalised = verbalised_path(self._graph, path.concepts, path.edges, CLUSTER_LEAP, path.leap_words)
            held = {step.concept_id for step in verbalised.steps}
            paths.append(
                ReasoningPath(
                    id=f"K{number}",
                    keyword=verbalised.steps[0].name,
                    steps=verbalised.steps,
                    score=round(path.worth, 4),
                    text=verbalised.text,
                    supported_text=verbalised.supported,
                    condition_id=next((concept for concept in named if concept in held), None),
                )
            )
        return tuple(paths)

    def _as_walked(self, view: NoteView, end: WalkState) -> list[Drawn]:
        """The paths as the paper has them."""
        drawn = (self._cut(view, end, row) for row in range(len(end.paths)))
        return [path for path in drawn if len(path.concepts) > 1]

    def _grounded(self, view: NoteView, end: WalkState | None, conditions: Sequence[Condition]) -> list[Drawn]:
        """What the walk found, if there was one, or training documents propose, each with the graph path that carries it, else a leap.

        A walk moves all paths at once, so a path of it is a history of the search rather than a reason: what it found is
        told again by the shortest edges from a keyword. Without such edges it is a leap from the keyword that training
        documents join it to most.
        """
        assert self._learned is not None
        proposed, _ = self._learned.proposals(view, self._most * (POOL if end is None else PROPOSED))
        explored = view.keywords if end is None else end.explored
        known = np.union1d(view.keywords, self._broader(view.keywords))
        found = np.setdiff1d(np.concatenate([explored, proposed]), known)
        found = found[[Category(self._graph.concepts[c].category) in WRITTEN for c in found.tolist()]]
        worth = self._learned.base(view, found)
        order = np.argsort(-worth, kind="stable")[: self._most * POOL]
        index = self._graph.index
        standing = {
            index[c.concept_id]: Standing(c.score + float(c.focus), self._spoken(c))
            for c in conditions
            if c.status != ConditionStatus.RULED_OUT and c.concept_id in index
        }
        connections = ConnectingPaths(self._graph, view.keywords.tolist(), self._allowed_of(view), standing)
        nearest = self._learned.nearest_keywords(view, found[order])
        drawn = []
        for place, keyword in zip(order.tolist(), nearest.tolist(), strict=True):
            concept = int(found[place])
            edges = connections.of(concept)
            value = float(worth[place])
            if edges:
                value += GROUNDED + connections.standing(edges)
                path = [*(edge.head for edge in edges), concept]
                drawn.append(Drawn(path, [*edges], value, starts=connections.starts(edges[0])))
            elif words := said_often(self._graph, self._learned.statistics, keyword, concept):
                # else neither the graph nor training documents would stand behind it
                drawn.append(Drawn([keyword, concept], [None], value, words))
        return drawn

    def _broader(self, keywords: np.ndarray) -> np.ndarray:
        """What the keywords are kinds of, all the way up: the note says it already, and more exactly."""
        found: set[int] = set()
        left = keywords.tolist()
        while left:
            above = {edge.tail for edge in self._graph.edges(left.pop(), ("isa",))} - found
            found |= above
            left.extend(above)
        return np.array(sorted(found), dtype=np.int32)

    def _spoken(self, condition: Condition) -> tuple[int, ...]:
        """The concepts of the note that speak for a condition, the heaviest first."""
        index, heaviest = self._graph.index, sorted(condition.because, key=lambda reason: -reason.weight)
        return tuple(index[r.concept_id] for r in heaviest if r.weight > 0 and r.concept_id in index)

    def _allowed_of(self, view: NoteView) -> np.ndarray:
        return self._open if view.allowed is None else view.allowed

    def _cut(self, view: NoteView, end: WalkState, row: int) -> Drawn:
        """A path up to its last concept that a document would name, with the edge of each step."""
        concepts = end.paths[row, : end.lengths[row]].tolist()
        while len(concepts) > 1 and Category(self._graph.concepts[concepts[-1]].category) not in WRITTEN:
            concepts.pop()
        links, labels = end.links[row].tolist(), self._checkpoint.walk.relation_labels
        edges = [followed(self._graph, concepts[i - 1], concepts[i], links[i], labels) for i in range(1, len(concepts))]
        gained = np.array(concepts[1:], dtype=np.int32)
        return Drawn(concepts, edges, float(self._worth(view, gained).mean()) if len(gained) else -np.inf)

    def _worth(self, view: NoteView, concepts: np.ndarray) -> np.ndarray:
        """Log-odds by the learned step, else the cosine to the keywords; comparable within one note only."""
        return self._learned.base(view, concepts) if self._learned else view.similarity(concepts)


def open_concepts(graph: Graph, fillers: Sequence[str]) -> np.ndarray:
    """(n,) bool: False for the concepts of these names, and for those that have one of them as a synonym."""
    closed = {name.lower() for name in fillers}
    return np.array(
        [closed.isdisjoint(map(str.lower, (row.name, *row.synonyms))) for row in graph.concepts], dtype=bool
    )
