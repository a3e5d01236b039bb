"""The named systems: a table of those of the papers and of our own, and what a registered strategy or planner adds.

A row names the implementations of its stages by their registered names; `backend.container` builds them.
"""

from typing import Any, NamedTuple

from backend.errors import NotFoundError
from backend.registry import PLANNERS, STRATEGIES, Registry

NO_TEXT = "no-text"
"""The strategy of a system that retrieves no text."""
SOURCE_PLAN = "source-plan"
"""The strategy that carries out the plan of the planner that has the system's name."""


class System(NamedTuple):
    """What a system does at each stage. A stage that it leaves out says so in the draft.

    Attributes:
        name: what `--system`, a request and an evaluation call it.
        origin: the paper it comes from, or `ours`.
        what: what it does, in one sentence.
        strategy: registered name of its way to thought, plan, passages and graph facts.
        paths: registered name of its path retriever; empty for none.
        conditions: whether candidate conditions are ranked.
        two_stage_notes: whether the patient's own notes are searched globally, then by note type.
        thinks_several_times: LEAPNOTE_RAR2_THOUGHTS is its number of thoughts.
        plans_without_model: its plan is what its name promises without a language model too.
        documents_of: what its number of documents is of, where it is not of the whole request.
        thinks_by_paths: without a model its thought is leapnote's reasoning paths, which are then no evidence of the draft.
    """

    name: str
    origin: str
    what: str
    strategy: str = NO_TEXT
    paths: str = ""
    conditions: bool = True
    two_stage_notes: bool = False
    thinks_by_paths: bool = False
    thinks_several_times: bool = False
    plans_without_model: bool = False
    documents_of: str = ""

    @property
    def retrieves_text(self) -> bool:
        """Whether it searches sources at all."""
        return self.strategy != NO_TEXT


RAR2 = "RAR2"
RAR2_BASELINE = "baseline of RAR2"
SPO = "Omni-RAG"
SPO_BASELINE = "baseline of Omni-RAG"

SYSTEMS: tuple[System, ...] = (
    System(
        "leapnote",
        "ours",
        "conditions, reasoning paths to what a learned concept step proposes, carried by graph edges, thought from the paths, "
        "source plan, hybrid passages within a budget, two-stage patient notes, verified citations, safety flags",
        strategy="leapnote",
        paths="leapnote",
        two_stage_notes=True,
        plans_without_model=True,
    ),
    System(
        "reinrag",
        "ReinRAG as published",
        "reasoning paths by a policy of its own, pinned to the paper: explored candidates, cluster leaps, sampled actions, "
        "reward as printed",
        paths="reinrag",
    ),
    System(
        "random1hop",
        "baseline of ReinRAG",
        "a flat list of one-hop concepts of the keywords, at random by seed",
        paths="random1hop",
    ),
    System(
        "sim1hop",
        "baseline of ReinRAG",
        "a flat list of one-hop concepts, the most similar to the whole note",
        paths="sim1hop",
    ),
    System(
        "drknows",
        "baseline of ReinRAG",
        "multi-hop paths from the keywords, ranked hop by hop against the note",
        paths="drknows",
    ),
    System(
        "question-rag",
        RAR2_BASELINE,
        "the question, or the note, as the query; BM25 over all text sources, top 32",
        strategy="question-rag",
    ),
    System(
        "rar2",
        RAR2,
        "a thought of what knowledge may be involved, as the query; BM25, top 32",
        strategy="rar2",
        thinks_by_paths=True,
    ),
    System(
        "rar2-parallel",
        RAR2,
        "several thoughts sampled side by side and joined to one query; BM25, top 32",
        strategy="rar2-parallel",
        thinks_several_times=True,
        thinks_by_paths=True,
    ),
    System(
        "rar2-iterative",
        RAR2,
        "thoughts in rounds, each fed with what the one before it found; BM25, top 32",
        strategy="rar2-iterative",
        thinks_several_times=True,
        thinks_by_paths=True,
    ),
    System(
        "i-medrag",
        RAR2_BASELINE,
        "follow-up questions in rounds, each answered from what it finds; BM25",
        strategy="i-medrag",
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
        strategy=SOURCE_PLAN,
    ),
    System(
        "original-question",
        SPO_BASELINE,
        "every source asked with the question itself, the graph with its terms",
        strategy=SOURCE_PLAN,
        plans_without_model=True,
    ),
    *(
        System(name, SPO_BASELINE, what, strategy=SOURCE_PLAN)
        for name, what in (
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
        strategy="clinicalrag",
        documents_of="each entity and source",
    ),
    System("no-retrieval", "baseline of all papers", "the note alone", conditions=False),
)
DEFAULT_SYSTEM = "leapnote"
PLANS_COMPARED = (DEFAULT_SYSTEM, "spo", "original-question")
"""What an evaluation of plans compares where nobody says otherwise."""
PATHS_BASELINE = "sim1hop"
"""What the paths of the others are compared with where nobody says otherwise."""
NO_RETRIEVAL = "no-retrieval"
"""What the answers and notes of the others are compared with where nobody says otherwise."""
NOTES_COMPARED = ("cli-rag", NO_RETRIEVAL)
"""The systems whose progress notes an evaluation compares where nobody says otherwise."""
SEAM_FACTS = ("order", "needs_model")
"""What a registered strategy or planner may say beside the fields of its system."""


def all_systems() -> tuple[System, ...]:
    """Every system: the table's in its order, then those that a registered strategy or planner adds, by name.

    It imports the strategies and planners; `SYSTEMS` alone imports nothing.

    Raises:
        ValueError: a strategy or planner adds a system of a name that there is already.
    """
    found = {row.name: row for row in SYSTEMS}
    for row in (*_added(STRATEGIES), *_added(PLANNERS, SOURCE_PLAN)):
        if row.name in found:
            raise ValueError(f"There are two systems {row.name!r}. Name one of them otherwise.")
        found[row.name] = row
    return tuple(found.values())


def system(name: str) -> System:
    """The system of a name.

    Raises:
        NotFoundError: there is none; the message lists those there are.
    """
    known = {row.name: row for row in SYSTEMS}
    if name in known:
        return known[name]
    known = {row.name: row for row in all_systems()}
    if name not in known:
        raise NotFoundError(f"There is no system {name!r}. Choose one of: {', '.join(known)}")
    return known[name]


def _added(registry: Registry[Any], strategy: str = "") -> tuple[System, ...]:
    """The systems of the entries that give the fact `what`; their facts are fields of `System`, but for the seam's own."""
    rows = []
    for entry in registry.entries():
        if "what" in entry.facts:
            own: dict[str, Any] = {"name": entry.name, "origin": "added", "strategy": strategy or entry.name}
            own["plans_without_model"] = not entry.facts.get("needs_model", True)
            rows.append(System(**own | {key: value for key, value in entry.facts.items() if key not in SEAM_FACTS}))
    return tuple(rows)
