"""The shape of a source plan: at most 3 queries for each of five sources (Omni-RAG section 4), and what planners are built from.

Every source is named in a plan: asked, left out by choice, skipped because it holds nothing, or not needed.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from backend.errors import InputError
from backend.interfaces import LanguageModel, SourcePlanner
from backend.prompts.asking import Asker
from backend.prompts.task import first_words
from backend.prompts.template import NewFence, fresh_fence
from backend.registry import PLANNERS
from backend.schemas.drafts.evidence import Plan, SubQuery
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Source

MOST_QUERIES = 3
QUERY_WORDS = 32  # of a query that a planner words
PASSAGE_WORDS = 200  # of query2doc's passages
QUESTION_WORDS = 1_024  # of a question that is a query as it stands; beyond, it is cut
NO_MODEL = "no language model is set"
NO_SOURCE = "no source can be searched, so nothing is planned"


class SourceChoice(NamedTuple):
    """Which sources a plan may use: all five, or what a source ablation leaves (Omni-RAG Table 6)."""

    sources: tuple[Source, ...] = tuple(Source)

    def allows(self, source: Source) -> bool:
        """Whether a plan may use the source."""
        return source in self.sources


class PlannerParts(NamedTuple):
    """What every planner is built from; a registered planner is called with it alone.

    Attributes:
        name: the name by which the planner was asked for; one implementation may be registered under several.
        filled: the sources that hold something.
        model: what words plans; None where there is none.
        choice: the sources that may be searched.
        trained_for: the planner that the model's weights were trained for; empty for none.
        new_fence: gives the fence of a request's prompts.
    """

    name: str
    filled: frozenset[Source]
    model: LanguageModel | None = None
    choice: SourceChoice = SourceChoice()
    trained_for: str = ""
    new_fence: NewFence = fresh_fence

    @property
    def sources(self) -> tuple[Source, ...]:
        """Those that can be searched: allowed, and not empty. In the order of the vocabulary."""
        return tuple(source for source in Source if source in self.filled and self.choice.allows(source))

    def asker(self, request: DraftRequest) -> Asker | None:
        """What asks the model for one request; None without a model."""
        return None if self.model is None else Asker(self.model, request.seed, self.new_fence)

    def planned(
        self, queries: Mapping[Source, Iterable[str]], reason: str, most_words: int = QUERY_WORDS
    ) -> tuple[SubQuery, ...]:
        """`source_plan` over these sources."""
        return source_plan(queries, self.filled, self.choice, reason, most_words)

    def nothing_planned(self) -> Plan:
        """A plan that asks nothing and says of each source why."""
        return Plan(sub_queries=self.planned({}, ""))


PlannerFactory = Callable[[PlannerParts], SourcePlanner]
"""What `@planner` registers: a class or function that builds a planner from its parts."""


def make_planner(parts: PlannerParts) -> SourcePlanner:
    """The planner registered as `parts.name`; a name that is not registered is a NotFoundError that lists those there are."""
    build: PlannerFactory = PLANNERS.get(parts.name).value
    return build(parts)


def source_choice(sources: Sequence[str] = (), dropped: Sequence[str] = ()) -> SourceChoice:
    """The choice of `--sources` and `--drop-source`; nothing given means all.

    Raises:
        InputError: a name is no source, or no source is left.
    """
    for name in (*sources, *dropped):
        if name not in tuple(Source):
            raise InputError(f"There is no source {name!r}. Choose from: {', '.join(Source)}")
    kept = tuple(s for s in Source if (not sources or s.value in sources) and s.value not in dropped)
    if not kept:
        raise InputError("No source is left to search. Drop fewer sources, or use the system no-retrieval.")
    return SourceChoice(kept)


def source_plan(
    queries: Mapping[Source, Iterable[str]],
    filled: Collection[Source],
    choice: SourceChoice,
    reason: str,
    most_words: int = QUERY_WORDS,
) -> tuple[SubQuery, ...]:
    """Sub-queries in the order of the sources, each source's first 3 that differ.

    Args:
        queries: by source. Line breaks become spaces; what is only white space asks nothing.
        filled: the sources that hold something.
        choice: the sources that may be searched.
        reason: of every query that is asked.
        most_words: where a query is cut.

    Returns:
        At least one sub-query a source; one that asks nothing says why.
    """
    planned: list[SubQuery] = []
    for source in Source:
        why = not_searched(source, filled, choice)
        cut = (first_words(" ".join(text.split()), most_words) for text in queries.get(source, ()))
        kept = list(dict.fromkeys(text for text in cut if text))[:MOST_QUERIES]
        if why or not kept:
            planned.append(SubQuery(source=source, text="", skipped=why or "The plan needs nothing from this source."))
        else:
            planned.extend(SubQuery(source=source, text=text, reason=reason) for text in kept)
    return tuple(planned)


def not_searched(source: Source, filled: Collection[Source], choice: SourceChoice) -> str:
    """Why a source is not searched, whatever the plan; empty when it can be."""
    if not choice.allows(source):
        return "Left out by choice."
    if source not in filled:
        held = (
            "No graph is loaded" if source == Source.GRAPH else f"No passages are indexed for source '{source.value}'"
        )
        return f"{held}."
    return ""
