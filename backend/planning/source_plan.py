"""The shape of a source plan: at most 3 queries for each of five sources (Omni-RAG section 4), within their limits.

Takes queries from rules or a model; gives the sub-queries of a Plan. Every source is named: searched, left out by choice,
skipped because it holds nothing, or not needed.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from backend.errors import InputError
from backend.prompts.task import first_words
from backend.schemas.drafts.evidence import SubQuery
from backend.schemas.vocabulary import Source

MOST_QUERIES = 3
QUERY_WORDS = 32  # of a query that a planner words
PASSAGE_WORDS = 200  # of query2doc's passages
QUESTION_WORDS = 1_024  # of a question that is a query as it stands; beyond, it is cut


class SourceChoice(NamedTuple):
    """Which sources a plan may use: all five, or what a source ablation leaves (Omni-RAG Table 6)."""

    sources: tuple[Source, ...] = tuple(Source)

    def allows(self, source: Source) -> bool:
        return source in self.sources


def source_choice(sources: Sequence[str] = (), dropped: Sequence[str] = ()) -> SourceChoice:
    """The choice of `--sources` and `--drop-source`; nothing given means all. Raises InputError for what is no source."""
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
    """Sub-queries in the order of the sources, each source's first 3 that differ, none longer than most_words.

    filled: the sources that hold something. Line breaks become spaces; what is only white space asks nothing.
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
