"""Leapnote's own gathering: plan by rules, and by a model beside them; thought from the paths; hybrid passages; a budget.

The rules' sub-queries come first, then a model's, then the thought, and beside a model's thought the paths in a query of
their own, so that a long thought does not push them out. Passages come in turn, so that the plan's order
decides and no query pushes another out, until the budget of tokens is spent. A question's own passages come before all.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from backend.interfaces import GraphFacts, LanguageModel, Planner
from backend.prompts.asking import Asker
from backend.prompts.task import first_words
from backend.prompts.template import NewFence, fresh_fence
from backend.retrieval.passages.fusion import in_turn
from backend.retrieval.passages.source_search import SearchMode, SourceSearch
from backend.retrieval.strategies.question_first import by_question, concept_names, question_first
from backend.retrieval.strategies.strategy import (
    TEXT_SOURCES,
    Gathering,
    Progress,
    SourcePlanner,
    counted,
    numbered,
    passage_key,
    references,
    silent,
)
from backend.retrieval.strategies.thoughts import Thoughts, path_thought, sampled
from backend.schemas.drafts.evidence import Condition, Passage, Plan, ReasoningPath, SubQuery
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Source

THOUGHT_WORDS = (
    64  # of the thought or the paths as a query: a longer one costs more to encode than the rest of the plan
)
CHARACTERS_A_TOKEN = 4


@dataclass(frozen=True)
class LeapnoteSettings:
    """most: passages a draft may cite. tokens: what they may take together, by `estimated_tokens` unless told otherwise.

    each: passages a sub-query may bring.
    """

    most: int = 32
    tokens: int = 8_000
    each: int = 2
    ask_thought: bool = True
    sources: tuple[Source, ...] = tuple(Source)


class LeapnoteStrategy:
    """planner: the rules. source_planner: a model's plan, added to the rules'; None without a model."""

    def __init__(
        self,
        planner: Planner,
        search: SourceSearch,
        facts: GraphFacts | None,
        settings: LeapnoteSettings = LeapnoteSettings(),
        model: LanguageModel | None = None,
        source_planner: SourcePlanner | None = None,
        new_fence: NewFence = fresh_fence,
        count_tokens: Callable[[str], int] | None = None,
    ) -> None:
        self._planner = planner
        self._search = search
        self._facts = facts
        self._settings = settings
        self._model = model
        self._source_planner = source_planner
        self._new_fence = new_fence
        self._count = count_tokens or estimated_tokens

    def gather(
        self,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        paths: Sequence[ReasoningPath],
        request: DraftRequest,
        progress: Progress = silent,
    ) -> Gathering:
        told = path_thought(paths)
        thoughts, fell = self._thoughts(request, paths)
        progress(1, 3, "thought")
        ruled = self._planner.plan(linked, conditions, paths, request).sub_queries
        added, planned_by, fallbacks = self._model_plan(linked, conditions, paths, request)
        filled = self._search.filled()
        queries = [*ruled, *added]
        if self._settings.ask_thought and thoughts.texts:
            asked = {" ".join(thoughts.texts): "the thought"}
            if told:
                asked.setdefault(told, "the reasoning paths")  # without a model they are the thought
            queries.extend(
                SubQuery(source=source, text=first_words(text, THOUGHT_WORDS), reason=reason)
                for text, reason in asked.items()
                for source in TEXT_SOURCES
                if source in filled
            )
        queries = [self._chosen(query) for query in queries]
        progress(2, 3, "plan")
        planned = self._found(queries, filled)
        if request.question.strip():
            allowed = [source for source in TEXT_SOURCES if source in filled and self._allows(source)]
            names = concept_names(request, linked)
            asked_for = by_question(self._search, allowed, request.question, names, self._settings.most)
            planned = question_first(asked_for, planned)
        found = numbered(planned[: self._settings.most])
        passages = self._within(found)
        facts = self._facts.facts(linked, conditions) if self._facts and self._allows(Source.GRAPH) else ()
        progress(3, 3, "passages")
        left = f", {len(found) - len(passages)} more left out by the budget of {self._settings.tokens:,} tokens"
        reason = f"{counted(len(passages), 'passage')}, {counted(len(facts), 'graph fact')}"
        return Gathering(
            thoughts=thoughts.texts,
            plan=Plan(thoughts=tuple(p.text for p in paths) or thoughts.texts, sub_queries=tuple(queries)),
            passages=passages,
            graph=facts,
            references=references(passages),
            thought_reason=thoughts.reason,
            plan_reason=f"{sum(not q.skipped for q in queries)} sub-queries{planned_by}",
            passages_reason=reason + (left if len(found) > len(passages) else ""),
            fallbacks=tuple(text for text in (fell, *fallbacks) if text),
        )

    def _thoughts(self, request: DraftRequest, paths: Sequence[ReasoningPath]) -> tuple[Thoughts, str]:
        """A model's thought, else the paths told. The paths are this system's own thought: no fallback without a model."""
        if self._model is None:
            text = path_thought(paths)
            reason = f"from {len(paths)} reasoning paths" if text else "no reasoning path to tell"
            return Thoughts((text,) if text else (), reason), ""
        thoughts = sampled(Asker(self._model, request.seed, self._new_fence), request, paths, 1, 0.0)
        return thoughts, thoughts.fell

    def _model_plan(
        self,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        paths: Sequence[ReasoningPath],
        request: DraftRequest,
    ) -> tuple[tuple[SubQuery, ...], str, tuple[str, ...]]:
        """What a model's plan adds to the rules': its text queries. The graph facts are chosen by condition."""
        if self._source_planner is None:
            return (), ", planned by rules", ()
        plan, reason, fallbacks = self._source_planner.plan(linked, conditions, paths, request, lambda _: ())
        added = tuple(q for q in plan.sub_queries if not q.skipped and q.source != Source.GRAPH)
        return added, f", planned by rules and {reason.removeprefix('planned by ')}", fallbacks

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
        return [best[key] for key in in_turn([[passage_key(p) for p in passages] for passages in lists])]

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


def estimated_tokens(text: str) -> int:
    """A quarter of the characters, rounded up: what English takes in common vocabularies, near enough for a budget."""
    return -(-len(text) // CHARACTERS_A_TOKEN)
