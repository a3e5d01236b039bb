"""From a note to its evidence: paths, plans, graph facts and the patient's own notes."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from backend.schemas.drafts.evidence import Condition, GraphItem, NotePiece, Plan, PolicyStep, ReasoningPath, SubQuery
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest


class PathRetriever(Protocol):
    """Finds reasoning paths through the graph.

    Registered with `@path_retriever(name, label=…)`, in a module of `backend/retrieval/paths`, on what builds it from `PathParts`;
    a system names it as its `paths`. It keeps nothing between notes: one serves several requests at once.
    """

    def paths(
        self, linked: LinkedNote, conditions: Sequence[Condition], seed: int
    ) -> tuple[tuple[ReasoningPath, ...], tuple[PolicyStep, ...], str]:
        """The paths of a note.

        Args:
            linked: the note as it was read.
            conditions: candidates, the best first.
            seed: of what is drawn; the same seed gives the same paths.

        Returns:
            Paths K1, K2…, the best first and no more than the parts allow: each starts from a present mention that is no allergen,
            walks concepts of the graph, and ends at nothing that the note denies or tells of a relative. Then the policy's choices,
            none without a policy, and a reason: how the paths were chosen, or why there are none.
        """


class PathGraph(Protocol):
    """A graph as a policy walks it. A concept is an index 0..n-1 in the order of the ids; a group indexes GROUPS."""

    groups: np.ndarray
    """(n,) int8: the semantic group of each concept."""
    reach: np.ndarray
    """(n,) uint16: bit g is set where an edge leads into group g."""
    relations: tuple[str, ...]

    def fetch(self, concepts: np.ndarray, group: int) -> None:
        """Make ready the edges into one group, of these concepts and of all that those edges lead to.

        Called once a step, before into_group_many: a remote graph answers it in one round trip, one in memory at once.
        """

    def into_group_many(self, concepts: np.ndarray, group: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Offsets (len(concepts) + 1,) int64, tails (m,) int32 and relation ids (m,) int16 of the edges into a group.

        The edges of concepts[i] are offsets[i] to offsets[i + 1], ordered by relation, then tail, then qualifier.
        """


class NoteContext(NamedTuple):
    """What is known of a request before its text sources are searched: what strategies and planners start from.

    Attributes:
        linked: the note, or the question alone, with its mentions.
        conditions: candidates, best first; none where the system ranks none.
        paths: reasoning paths K1, K2…, best first; none where the system finds none.
        request: as it came.
    """

    linked: LinkedNote
    conditions: Sequence[Condition]
    paths: Sequence[ReasoningPath]
    request: DraftRequest


FindTexts = Callable[[Sequence[SubQuery]], Sequence[Sequence[str]]]
"""Runs sub-queries and gives for each the texts found, best first: how a planner that reflects sees what its queries find."""


class Planned(NamedTuple):
    """What a planner gives.

    Attributes:
        plan: every source is named in it: asked, or skipped with the reason.
        reason: who made the plan and how.
        fallbacks: what ran otherwise than the planner's name promises, and why; the page shows them.
    """

    plan: Plan
    reason: str
    fallbacks: tuple[str, ...] = ()


class SourcePlanner(Protocol):
    """Plans at most 3 queries for each of the five sources (Omni-RAG section 4).

    Registered with `@planner(name, label=…)`, with `needs_model=False` where it is what it promises without a language model.
    With `what=…` it is also a system of its name, whose plan is carried out as Omni-RAG does.

    It asks only sources that hold something and are allowed, keeps no state between two requests, gives the same plan for
    the same request and seed, and without a language model falls back and says so. name: as it is registered.
    """

    name: str

    def plan(self, context: NoteContext, find_texts: FindTexts) -> Planned:
        """The plan of a request.

        Args:
            context: note, conditions, paths and request.
            find_texts: runs sub-queries; a planner that does not reflect never calls it.

        Raises:
            CancelledError: the request was cancelled while a model or a search was waited for.
        """


class NotePlanner(Protocol):
    """Plans from the note alone, as many queries as it needs."""

    def plan(self, context: NoteContext) -> Plan:
        """Sub-queries for every source, each asked or skipped with the reason."""


class GraphFacts(Protocol):
    """Finds graph definitions and relations worth citing."""

    def facts(
        self, linked: LinkedNote, conditions: Sequence[Condition], asked: bool = False, offered: Sequence[str] = ()
    ) -> tuple[GraphItem, ...]:
        """Items G1, G2…, none where nothing is known.

        asked: linked is a question, and what joins its things comes first. offered: the concepts of its options, and what joins
        them to its things and its conditions comes before all.
        """


class PatientNotes(Protocol):
    """Finds what the patient's own notes say that a draft may cite."""

    def pieces(self, linked: LinkedNote, request: DraftRequest) -> tuple[NotePiece, ...]:
        """Pieces N1, N2… of the pasted note and of earlier notes."""
