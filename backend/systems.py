"""The table of systems: data, one entry each. `assembly` builds what an entry names."""

from enum import StrEnum
from typing import NamedTuple

from backend.errors import NotFoundError


class PathKind(StrEnum):
    NONE = "none"
    LEAPNOTE = "leapnote"
    REINRAG = "reinrag"
    RANDOM1HOP = "random1hop"
    SIM1HOP = "sim1hop"
    DRKNOWS = "drknows"


class System(NamedTuple):
    """What a system does at each stage. A stage that is False is left out, and the draft says so."""

    name: str
    origin: str
    what: str
    conditions: bool
    paths: PathKind
    passages: bool
    graph_facts: bool
    two_stage_notes: bool = False


SYSTEMS: tuple[System, ...] = (
    System(
        "leapnote",
        "ours",
        "conditions, reasoning paths by a trained policy with leaps and a learned concept step, rule plan, hybrid passages, verified citations, safety flags",
        True,
        PathKind.LEAPNOTE,
        True,
        True,
        two_stage_notes=True,
    ),
    System(
        "reinrag",
        "ReinRAG as published",
        "reasoning paths by a policy of its own, pinned to the paper: explored candidates, cluster leaps, sampled actions, reward as printed",
        True,
        PathKind.REINRAG,
        False,
        False,
    ),
    System(
        "random1hop",
        "baseline of ReinRAG",
        "a flat list of one-hop concepts of the keywords, at random by seed",
        True,
        PathKind.RANDOM1HOP,
        False,
        False,
    ),
    System(
        "sim1hop",
        "baseline of ReinRAG",
        "a flat list of one-hop concepts, the most similar to the whole note",
        True,
        PathKind.SIM1HOP,
        False,
        False,
    ),
    System(
        "drknows",
        "baseline of ReinRAG",
        "multi-hop paths from the keywords, ranked hop by hop against the note",
        True,
        PathKind.DRKNOWS,
        False,
        False,
    ),
    System(
        "cli-rag",
        "CLI-RAG",
        "the patient's own notes alone: header-first chunks, global then local retrieval by note type, hybrid rerank, previous visit's summary",
        False,
        PathKind.NONE,
        False,
        False,
        two_stage_notes=True,
    ),
    System(
        "no-retrieval",
        "baseline of all papers",
        "the note alone",
        False,
        PathKind.NONE,
        False,
        False,
    ),
)
DEFAULT_SYSTEM = "leapnote"


def system(name: str) -> System:
    """The entry of a name. Raises NotFoundError that lists the names there are."""
    for entry in SYSTEMS:
        if entry.name == name:
            return entry
    raise NotFoundError(f"There is no system {name!r}. Choose one of: {', '.join(entry.name for entry in SYSTEMS)}")
