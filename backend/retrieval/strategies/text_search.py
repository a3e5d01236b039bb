"""All text sources as one collection, searched by BM25 (RAR2 section 5.3: k1 = 1.2, b = 0.75, top 32).

Each source has an index of its own, but a word weighs what it weighs among the passages of all: else a small source would
never be found beside a large one.
"""

from collections.abc import Sequence
from typing import NamedTuple

from backend.prompts.task import query_text
from backend.retrieval.passages.passage_rows import numbered
from backend.retrieval.passages.query_expansion import expanded
from backend.retrieval.passages.source_search import SourceSearch
from backend.retrieval.strategies.strategy import TEXT_SOURCES, RetrievedEvidence, counted, retrieved
from backend.retrieval.strategies.strategy_parts import StrategyParts
from backend.retrieval.strategies.thoughts import BESIDE, BY_PATHS, BY_QUESTION, NO_HELP, Thoughts
from backend.schemas.drafts.evidence import Passage, Plan, SubQuery
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Source

TOP = 32


class TextFinder(NamedTuple):
    """Searches the text sources together.

    Attributes:
        search: the sources' indexes.
        sources: those that may be searched, as a source ablation leaves them.
        k: the passages a query brings in all.
    """

    search: SourceSearch
    sources: tuple[Source, ...] = TEXT_SOURCES
    k: int = TOP

    def find(self, query: str, beside: str = "", share: float = 0.0) -> list[Passage]:
        """The k best passages of all sources, best first; equal scores in the order of the sources.

        Args:
            query: what is searched.
            beside: a second query, whose scores count a share of the first one's.
            share: 0 leaves it out.
        """
        own = self.search.across(self._searched(), query, self.k)
        if not beside or share <= 0:
            return own
        return expanded(own, self.search.across(self._searched(), beside, self.k), share, self.k)

    def sub_queries(self, queries: Sequence[str], reason: str) -> tuple[SubQuery, ...]:
        """The queries as the plan shows them, for each source, with why a source is not searched."""
        searched = self._searched()
        planned: list[SubQuery] = []
        for source in Source:
            if source in searched:
                planned.extend(SubQuery(source=source, text=query, reason=reason) for query in queries)
            else:
                planned.append(SubQuery(source=source, text="", skipped=self._why_not(source)))
        return tuple(planned)

    def beside_question(self, request: DraftRequest, thoughts: Thoughts, share: float) -> RetrievedEvidence:
        """What a lone question finds, the thought from its paths beside it; the question alone where the share is 0."""
        question = query_text(request)
        if share > 0:
            told = thoughts._replace(fallback=thoughts.fallback.replace(BY_PATHS, BESIDE))
            beside = " ".join(thoughts.texts)
            return self.evidence(
                question, told, f"the question, and the paths at {share:g}", beside=beside, share=share
            )
        told = thoughts._replace(texts=(), reason=NO_HELP, fallback=thoughts.fallback.replace(BY_PATHS, BY_QUESTION))
        return self.evidence(question, told, "the question as query")

    def evidence(
        self,
        query: str,
        thoughts: Thoughts,
        asked_with: str,
        plan_reason: str = "",
        beside: str = "",
        share: float = 0.0,
    ) -> RetrievedEvidence:
        """What one query finds.

        Args:
            query: searched in every source.
            thoughts: those that the query was made of.
            asked_with: what the query is, in words, beside it in the plan.
            beside: a second query (`find`).
            share: what it counts.
            plan_reason: what is said of the plan; where it is empty, what the query is, or that no source can be searched.
        """
        planned = self.sub_queries([query, beside] if beside else [query], asked_with)
        passages = numbered(self.find(query, beside, share))
        searched = any(not sub_query.skipped for sub_query in planned)
        return retrieved(
            Plan(thoughts=thoughts.texts, sub_queries=planned),
            passages,
            reasons=(
                thoughts.reason,
                plan_reason or (asked_with if searched else "no text source holds anything to search"),
                f"{counted(len(passages), 'passage')} by BM25, at most {self.k}",
            ),
            fallbacks=(thoughts.fallback,),
        )

    def _searched(self) -> tuple[Source, ...]:
        filled = self.search.filled()
        return tuple(source for source in TEXT_SOURCES if source in filled and source in self.sources)

    def _why_not(self, source: Source) -> str:
        if source == Source.GRAPH:
            return "This system searches text alone."
        if source not in self.sources:
            return "Left out by choice."
        return f"No passages are indexed for source '{source.value}'."


def text_finder(parts: StrategyParts) -> TextFinder:
    """The finder over the sources that may be searched, with as many passages as the settings say."""
    allowed = tuple(source for source in TEXT_SOURCES if source in parts.sources)
    return TextFinder(parts.search, allowed, parts.settings.rar2_documents)
