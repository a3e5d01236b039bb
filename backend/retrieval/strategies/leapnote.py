"""Leapnote's own way: plan by rules, and by a model beside them; thought from the paths; hybrid passages; a budget.

The rules' sub-queries come first, then a model's, then the thought, and beside a model's thought the paths in a query of
their own, so that a long thought does not push them out. Passages come in turn, so that the plan's order
decides and no query pushes another out, until the budget of tokens is spent. A question's own passages come before all.

A question in lay words names its disease otherwise than the page does. The linker knows the page's name, so a second query
holds the names alone and adds a share of its scores (docs/retrieval.md).
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from backend.interfaces import GraphFacts, LanguageModel, Linker, NoteContext, NotePlanner, Reranker, SourcePlanner
from backend.prompts.asking import Asker
from backend.prompts.task import first_words
from backend.prompts.template import NewFence, fresh_fence
from backend.registry import strategy
from backend.retrieval.passages.fusion import interleaved
from backend.retrieval.passages.passage_rows import numbered, passage_key
from backend.retrieval.passages.source_search import SearchMode, SourceSearch
from backend.retrieval.paths.graph_facts import GraphFactRetriever
from backend.retrieval.strategies.strategy import (
    TEXT_SOURCES,
    Progress,
    RetrievedEvidence,
    counted,
    estimated_tokens,
    retrieved,
    silent,
)
from backend.retrieval.strategies.strategy_parts import StrategyParts
from backend.retrieval.strategies.thoughts import Thoughts, path_thought, sampled
from backend.schemas.drafts.evidence import GraphItem, Passage, Plan, SubQuery
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Source

RERANK = "rerank"
THOUGHT_WORDS = 64
"""Of the thought or the paths as a query: a longer one costs more to encode than the rest of the plan."""
FIRST = 10
"""Passages that a question beside a note or options decides alone; behind them it alternates with the rest of the plan."""


@dataclass(frozen=True)
class LeapnoteSettings:
    """How much is retrieved.

    Attributes:
        most: passages a draft may cite.
        tokens: what they may take together, by `estimated_tokens` unless counted otherwise.
        each: passages a sub-query may bring.
        ask_thought: search with the thought too.
        sources: those that may be searched.
        reranked: passages of the question that a cross-encoder orders anew.
    """

    most: int = 32
    tokens: int = 8_000
    each: int = 2
    ask_thought: bool = True
    sources: tuple[Source, ...] = tuple(Source)
    reranked: int = 0


class LeapnoteStrategy:
    """Rules' and model's queries together, within a budget.

    Args:
        note_planner: the plan by rule.
        search: the text sources.
        facts: graph facts; None where the graph is not searched.
        settings: how much is retrieved.
        model: who thinks; without one the reasoning paths are the thought.
        source_planner: a model's plan, added to the rules'; None without a model.
        new_fence: gives the fence of a request's prompts.
        count_tokens: tokens of a text.
        linker: reads the options of a question; without one nothing is looked up for them.
        reranker: the cross-encoder; None for the ranking alone.
    """

    def __init__(
        self,
        note_planner: NotePlanner,
        search: SourceSearch,
        facts: GraphFacts | None,
        settings: LeapnoteSettings = LeapnoteSettings(),
        model: LanguageModel | None = None,
        source_planner: SourcePlanner | None = None,
        new_fence: NewFence = fresh_fence,
        count_tokens: Callable[[str], int] | None = None,
        linker: Linker | None = None,
        reranker: Reranker | None = None,
    ) -> None:
        self._note_planner = note_planner
        self._search = search
        self._facts = facts
        self._settings = settings
        self._model = model
        self._source_planner = source_planner
        self._new_fence = new_fence
        self._count = count_tokens or estimated_tokens
        self._linker = linker
        self._reranker = reranker

    def retrieve(self, context: NoteContext, progress: Progress = silent) -> RetrievedEvidence:
        """Passages by plan, thought and question, and the graph facts of the conditions."""
        linked, conditions, paths, request = context
        thoughts = self._thoughts(context)
        progress(1, 3, "thought")
        added, planned_by, fallbacks = self._model_plan(context)
        filled = self._search.filled()
        queries = [*self._note_planner.plan(context).sub_queries, *added, *self._thought_queries(context, thoughts)]
        queries = [self._chosen(query) for query in queries]
        progress(2, 3, "plan")
        planned = self._found(queries, filled)
        if request.question.strip():
            allowed = [source for source in TEXT_SOURCES if source in filled and self._allows(source)]
            asked_for = by_question(self._search, allowed, request.question, self._settings.most)
            if self._reranker is not None:
                asked_for = reread(self._reranker, request.question, asked_for, self._settings.reranked)
            beside = bool(request.text.strip() or request.options)
            planned = question_first(asked_for, planned, FIRST if beside else self._settings.most)
        found = numbered(planned[: self._settings.most])
        passages = self._within(found)
        alone = not request.text.strip()
        facts: tuple[GraphItem, ...] = ()
        if self._facts and self._allows(Source.GRAPH):
            facts = self._facts.facts(linked, conditions, alone, self._offered(request))
        progress(3, 3, "passages")
        left = f", {len(found) - len(passages)} more left out by the budget of {self._settings.tokens:,} tokens"
        reason = f"{counted(len(passages), 'passage')}, {counted(len(facts), 'graph fact')}"
        return retrieved(
            Plan(thoughts=tuple(p.text for p in paths) or thoughts.texts, sub_queries=tuple(queries)),
            passages,
            reasons=(
                thoughts.reason,
                f"{sum(not q.skipped for q in queries)} sub-queries{planned_by}",
                reason + (left if len(found) > len(passages) else ""),
            ),
            graph=facts,
            thoughts=thoughts.texts,
            fallbacks=(thoughts.fallback, *fallbacks),
        )

    def _offered(self, request: DraftRequest) -> tuple[str, ...]:
        """The concepts of a question's options."""
        if self._linker is None:
            return ()
        named = (mention for option in request.options for mention in self._linker.named(option))
        return tuple(dict.fromkeys(mention.concept_id for mention in named))

    def _thoughts(self, context: NoteContext) -> Thoughts:
        """A model's thought, else the paths. The paths are this system's own thought: no fallback without a model."""
        paths = context.paths
        if self._model is None:
            text = path_thought(paths)
            reason = f"from {len(paths)} reasoning paths" if text else "no reasoning path to tell"
            return Thoughts((text,) if text else (), reason)
        return sampled(Asker(self._model, context.request.seed, self._new_fence), context.request, paths, 1, 0.0)

    def _thought_queries(self, context: NoteContext, thoughts: Thoughts) -> list[SubQuery]:
        """The thought, and beside a model's thought the paths, for each text source."""
        if not self._settings.ask_thought or not thoughts.texts:
            return []
        asked = {" ".join(thoughts.texts): "the thought"}
        from_paths = path_thought(context.paths)
        if from_paths:
            asked.setdefault(from_paths, "the reasoning paths")  # without a model they are the thought
        filled = self._search.filled()
        return [
            SubQuery(source=source, text=first_words(text, THOUGHT_WORDS), reason=reason)
            for text, reason in asked.items()
            for source in TEXT_SOURCES
            if source in filled
        ]

    def _model_plan(self, context: NoteContext) -> tuple[tuple[SubQuery, ...], str, tuple[str, ...]]:
        """What a model's plan adds to the rules': its text queries. The graph facts are chosen by condition."""
        if self._source_planner is None:
            return (), ", planned by rules", ()
        planned = self._source_planner.plan(context, lambda _: ())
        added = tuple(q for q in planned.plan.sub_queries if not q.skipped and q.source != Source.GRAPH)
        return added, f", planned by rules and {planned.reason.removeprefix('planned by ')}", planned.fallbacks

    def _found(self, queries: Sequence[SubQuery], filled: Collection[Source]) -> list[Passage]:
        """In turn over the queries; of a passage found twice the better find's scores."""
        asked = [query for query in queries if not query.skipped and query.source in filled]
        lists: list[list[Passage]] = [[] for _ in asked]
        for source in dict.fromkeys(query.source for query in asked):
            places = [i for i, query in enumerate(asked) if query.source == source]
            texts = [asked[i].text for i in places]
            found = self._search.search(source, texts, SearchMode.HYBRID, self._settings.each)
            for place, passages in zip(places, found, strict=True):
                lists[place] = passages
        best: dict[object, Passage] = {}
        for passage in (p for passages in lists for p in passages):
            held = best.get(passage_key(passage))
            if held is None or held.scores["fused"] < passage.scores["fused"]:
                best[passage_key(passage)] = passage
        return [best[key] for key in interleaved([[passage_key(p) for p in passages] for passages in lists])]

    def _within(self, passages: Sequence[Passage]) -> tuple[Passage, ...]:
        """Passages in order until the next one would break the budget; the first always stays."""
        spent = 0
        for place, passage in enumerate(passages):
            spent += self._count(f"{passage.title}. {passage.text}")
            if spent > self._settings.tokens and place:
                return tuple(passages[:place])
        return tuple(passages)

    def _chosen(self, query: SubQuery) -> SubQuery:
        if query.skipped or self._allows(query.source):
            return query
        return query.model_copy(update={"skipped": "Left out by choice."})

    def _allows(self, source: Source) -> bool:
        return source in self._settings.sources


def by_question(search: SourceSearch, sources: Sequence[Source], question: str, most: int) -> list[Passage]:
    """The best `most` passages of the sources together, by the question's score.

    A source's scores hold for that source alone, so they are weighed by its best cosine to the question over the best of all.
    """
    found_in = [search.search(source, [question], SearchMode.HYBRID, most)[0] for source in sources]
    nearest = [max((p.scores["cosine"] for p in found), default=0.0) for found in found_in]
    best = max(nearest, default=0.0)
    scored = [
        (passage.scores["fused"] * (near / best if near > 0 else 0.0), passage)
        for found, near in zip(found_in, nearest, strict=True)
        for passage in found
    ]
    scored.sort(key=lambda one: -one[0])
    return [passage for _, passage in scored[:most]]


def reread(reranker: Reranker, question: str, passages: Sequence[Passage], depth: int) -> list[Passage]:
    """The first `depth` passages in the cross-encoder's order, with its score beside the others; the rest as they were."""
    read, rest = passages[:depth], passages[depth:]
    scores = reranker.scores(question, [f"{passage.title}. {passage.text}" for passage in read])
    order = np.argsort(-scores, kind="stable").tolist()
    scored = [read[i].model_copy(update={"scores": {**read[i].scores, RERANK: float(scores[i])}}) for i in order]
    return [*scored, *rest]


def question_first(asked: Sequence[Passage], planned: Sequence[Passage], first: int = FIRST) -> list[Passage]:
    """The first of what the question found, then the rest in turn with what the plan found, without repeats."""
    held = {passage_key(passage): passage for passage in (*planned, *asked)}  # with the question's own scores
    leading = [passage_key(passage) for passage in asked[:first]]
    rest = interleaved([[passage_key(p) for p in asked[first:]], [passage_key(p) for p in planned]])
    return [held[key] for key in dict.fromkeys([*leading, *rest])]


@strategy("leapnote", label="Leapnote")
def leapnote_strategy(parts: StrategyParts) -> LeapnoteStrategy:
    """Plan by rules and by a model, thought from the paths, hybrid passages within a budget."""
    settings = LeapnoteSettings(
        parts.settings.passages,
        parts.settings.evidence_tokens,
        sources=parts.sources,
        reranked=parts.settings.rerank_depth,
    )
    return LeapnoteStrategy(
        parts.note_planner,
        parts.search,
        GraphFactRetriever(parts.graph),
        settings,
        parts.planner_model,
        parts.planner("model") if parts.planner_model else None,
        parts.new_fence,
        linker=parts.linker,
        reranker=parts.reranker() if parts.settings.rerank_depth else None,
    )
