"""What every path retriever is built from, and those that the systems name."""

from collections.abc import Callable
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from backend.errors import KnowledgeError
from backend.interfaces import Encoder, PathGraph, PathRetriever
from backend.knowledge.allergy_reach import AllergyReach
from backend.registry import PATH_RETRIEVERS, path_retriever
from backend.retrieval.paths.guided_paths import GuidedPaths, InsteadPaths, NoPaths
from backend.retrieval.paths.path_baselines import DrKnows, Random1hop, Sim1hop
from backend.retrieval.paths.policy_paths import PolicyPaths
from backend.settings import Settings
from backend.stores.graph.graph import Graph
from backend.stores.graph.vector_file import VectorFile
from models.policy.checkpoint import Checkpoint


class PathParts(NamedTuple):
    """What every path retriever is built from; a registered one is called with it alone. What is heavy comes when called.

    Attributes:
        graph: the knowledge graph.
        reach: what an allergy reaches; no path goes there.
        encoder: texts to vectors.
        vectors: the vectors that ship, by text.
        concept_vectors: (concepts, d) in the order of the graph's ids. Raises KnowledgeError where the graph has none yet.
        policy: the checkpoint of a name that fits graph and encoder, or None and why not.
        fillers: (n,) bool, False for concepts that no path starts at or ends in.
        live_walk: what answers for edges during one walk, where that is not the graph in memory; None where it is.
        live_name: its place, in words.
        most: paths a note gets.
        settings: the program's settings.
        note_side: (concepts, e) by the encoder, where another made concept_vectors; None where it is the same.
    """

    graph: Graph
    reach: AllergyReach
    encoder: Encoder
    vectors: Callable[[], VectorFile]
    concept_vectors: Callable[[], np.ndarray]
    policy: Callable[[str], tuple[Checkpoint | None, str]]
    fillers: Callable[[], np.ndarray]
    live_walk: Callable[[], PathGraph] | None
    live_name: str
    most: int
    settings: Settings
    note_side: Callable[[], np.ndarray | None] = lambda: None


PathFactory = Callable[[PathParts], PathRetriever]
"""What `@path_retriever` registers: a class or function that builds a path retriever from its parts."""


@runtime_checkable
class Remembers(Protocol):
    """A path retriever that keeps what it walked for a note."""

    def forget(self) -> None:
        """Let go of it."""
        ...


@runtime_checkable
class StandsIn(Protocol):
    """A path retriever that runs in another's place, which every draft says."""

    @property
    def notice(self) -> str:
        """What runs, and why not what the system's name promises; empty where nothing stands in."""
        ...


def make_paths(name: str, parts: PathParts) -> tuple[PathRetriever | None, tuple[str, ...]]:
    """The path retriever of a name, None for an empty one, and what every draft has to say of it.

    A name that is not registered is a NotFoundError that lists those there are.
    """
    if not name:
        return None, ()
    build: PathFactory = PATH_RETRIEVERS.get(name).value
    made = build(parts)
    return made, (made.notice,) if isinstance(made, StandsIn) and made.notice else ()


def trained_policies() -> tuple[str, ...]:
    """The path retrievers that walk by a trained policy, a checkpoint of their name."""
    return tuple(entry.name for entry in PATH_RETRIEVERS.entries() if entry.facts.get("trained"))


@path_retriever("leapnote", label="Leapnote's policy", trained=True)
def leapnote_paths(parts: PathParts) -> PathRetriever:
    """Paths of leapnote's concept step, walked for only where LEAPNOTE_WALK says so; by graph edges where it does not fit the graph."""
    walked, why = _walked(parts, "leapnote", parts.settings.walk)
    if walked is not None:
        return walked
    guided = GuidedPaths(parts.graph, parts.reach, parts.encoder, parts.vectors(), parts.most, parts.fillers())
    return InsteadPaths(guided, why)


@path_retriever("reinrag", label="ReinRAG's policy", trained=True)
def reinrag_paths(parts: PathParts) -> PathRetriever:
    """Paths walked by ReinRAG's policy; none where it does not fit the graph."""
    walked, why = _walked(parts, "reinrag")
    return walked if walked is not None else NoPaths(why)


@path_retriever("random1hop", label="One hop, at random")
def random_paths(parts: PathParts) -> PathRetriever:
    """One-hop neighbours of the keywords, at random."""
    return Random1hop(parts.graph, parts.most, parts.fillers())


@path_retriever("sim1hop", label="One hop, by similarity")
def similar_paths(parts: PathParts) -> PathRetriever:
    """One-hop neighbours of the keywords, the most similar to the note."""
    return Sim1hop(parts.graph, parts.encoder, parts.vectors(), parts.most, parts.fillers())


@path_retriever("drknows", label="DR.KNOWS")
def drknows_paths(parts: PathParts) -> PathRetriever:
    """Multi-hop paths, ranked hop by hop."""
    return DrKnows(parts.graph, parts.encoder, parts.vectors(), parts.most, parts.fillers())


def _walked(parts: PathParts, name: str, walks: bool = True) -> tuple[PolicyPaths | None, str]:
    """The paths of a policy, or None and why not: it fits another graph, or a graph from outside has no vectors yet."""
    checkpoint, why = parts.policy(name)
    if checkpoint is None:
        return None, why
    try:
        vectors, note_side = parts.concept_vectors(), parts.note_side()
    except KnowledgeError as error:
        return None, str(error)
    return PolicyPaths(
        parts.graph,
        vectors,
        parts.encoder,
        checkpoint,
        parts.reach,
        parts.fillers(),
        parts.most,
        parts.live_walk,
        parts.live_name,
        note_side,
        walks,
    ), ""
