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


class GatheringKind(StrEnum):
    """How thought, plan, passages and graph facts come about (backend/retrieval/gathering*.py)."""

    NONE = "none"
    LEAPNOTE = "leapnote"
    THOUGHT = "thought"
    FOLLOW_UP = "follow-up"
    PLAN = "plan"
    ENTITIES = "entities"


class System(NamedTuple):
    """What a system does at each stage. A stage that is none or False is left out, and the draft says so.

    thinks_by_paths: without a model its thought is the reasoning paths, which are then no evidence of the draft.
    """

    name: str
    origin: str
    what: str
    conditions: bool = True
    paths: PathKind = PathKind.NONE
    gathering: GatheringKind = GatheringKind.NONE
    two_stage_notes: bool = False
    thinks_by_paths: bool = False


RAR2 = "RAR2"
RAR2_BASELINE = "baseline of RAR2"
SPO = "Omni-RAG"
SPO_BASELINE = "baseline of Omni-RAG"

SYSTEMS: tuple[System, ...] = (
    System(
        "leapnote",
        "ours",
        "conditions, reasoning paths by a trained policy with leaps and a learned concept step, thought from the paths, "
        "source plan, hybrid passages within a budget, two-stage patient notes, verified citations, safety flags",
        paths=PathKind.LEAPNOTE,
        gathering=GatheringKind.LEAPNOTE,
        two_stage_notes=True,
    ),
    System(
        "reinrag",
        "ReinRAG as published",
        "reasoning paths by a policy of its own, pinned to the paper: explored candidates, cluster leaps, sampled actions, "
        "reward as printed",
        paths=PathKind.REINRAG,
    ),
    System(
        "random1hop",
        "baseline of ReinRAG",
        "a flat list of one-hop concepts of the keywords, at random by seed",
        paths=PathKind.RANDOM1HOP,
    ),
    System(
        "sim1hop",
        "baseline of ReinRAG",
        "a flat list of one-hop concepts, the most similar to the whole note",
        paths=PathKind.SIM1HOP,
    ),
    System(
        "drknows",
        "baseline of ReinRAG",
        "multi-hop paths from the keywords, ranked hop by hop against the note",
        paths=PathKind.DRKNOWS,
    ),
    System(
        "question-rag",
        RAR2_BASELINE,
        "the question, or the note, as the query; BM25 over all text sources, top 32",
        gathering=GatheringKind.THOUGHT,
    ),
    System(
        "rar2",
        RAR2,
        "a thought of what knowledge may be involved, as the query; BM25, top 32",
        gathering=GatheringKind.THOUGHT,
        thinks_by_paths=True,
    ),
    System(
        "rar2-parallel",
        RAR2,
        "several thoughts sampled side by side and joined to one query; BM25, top 32",
        gathering=GatheringKind.THOUGHT,
        thinks_by_paths=True,
    ),
    System(
        "rar2-iterative",
        RAR2,
        "thoughts in rounds, each fed with what the one before it found; BM25, top 32",
        gathering=GatheringKind.THOUGHT,
        thinks_by_paths=True,
    ),
    System(
        "i-medrag",
        RAR2_BASELINE,
        "follow-up questions in rounds, each answered from what it finds; BM25",
        gathering=GatheringKind.FOLLOW_UP,
        thinks_by_paths=True,
    ),
    System(
        "cli-rag",
        "CLI-RAG",
        "the patient's own notes alone: header-first chunks, global then local retrieval by note type, hybrid rerank, previous "
        "visit's summary",
        conditions=False,
        two_stage_notes=True,
    ),
    System(
        "spo",
        SPO,
        "a plan of at most 3 queries for each of 5 sources by a trained planner; dense top 20 reranked to 10; definition and "
        "one-hop relations from the graph",
        gathering=GatheringKind.PLAN,
    ),
    *(
        System(name, SPO_BASELINE, what, gathering=GatheringKind.PLAN)
        for name, what in (
            ("original-question", "every source asked with the question itself, the graph with its terms"),
            ("query2doc", "every source asked with a passage that a model writes in its style"),
            ("prompting", "a plan for five sources by a model that was not trained for it"),
            ("reflexion", "a plan, judged by what it finds and bettered, all sources together"),
            ("serts", "a tree search of queries for each source by itself, judged by what they find"),
            ("trainable-planning", "a plan by a model trained on the reader's gain"),
            ("rafe", "a plan by a model trained on the reranker's scores"),
        )
    ),
    System(
        "clinicalrag",
        "ClinicalRAG",
        "entities with categories, looked up by an entity index over graph, book and wiki; knowledge told as language; a "
        "reference list",
        gathering=GatheringKind.ENTITIES,
    ),
    System("no-retrieval", "baseline of all papers", "the note alone", conditions=False),
)
DEFAULT_SYSTEM = "leapnote"


def system(name: str) -> System:
    """The entry of a name. Raises NotFoundError that lists the names there are."""
    for entry in SYSTEMS:
        if entry.name == name:
            return entry
    raise NotFoundError(f"There is no system {name!r}. Choose one of: {', '.join(entry.name for entry in SYSTEMS)}")
