"""What every source planner must keep, shipped or added: registering one is enough to be tested here."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from backend.diagnosis.ranking.condition_ranking import GraphConditionRanker
from backend.interfaces import FindTexts, LanguageModel, NoteContext, Planned
from backend.nlp.extraction.linker import DictionaryLinker
from backend.planning.source_plan import MOST_QUERIES, QUESTION_WORDS, PlannerParts, SourceChoice, make_planner
from backend.prompts.template import Fence
from backend.registry import PLANNERS, planner
from backend.schemas.chat import Message
from backend.schemas.drafts.evidence import Plan, SubQuery
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Source
from backend.stores.graph.graph import Graph
from models.llm.engine_scripted import Answer, Dead, Scripted

NOTE = "Chief Complaint: leg swelling and dyspnea\n\nHPI: A 60-year-old woman with heart failure. She denies fever.\n"
PLAN: dict[str, list[Any]] = {
    "book": ["heart failure findings", "leg swelling causes"],
    "guideline": ["heart failure management"],
    "research": [],
    "wiki": ["heart failure"],
    "graph": [{"term": "heart failure", "query": "treatment"}],
}
TOO_MUCH: dict[str, list[Any]] = {source.value: ["one", "two", "three", "four"] for source in Source}


def answering(plan: dict[str, list[Any]], terms: Sequence[str], words: int) -> Answer:
    """A model that knows every prompt."""

    def answer(messages: Sequence[Message]) -> str:
        asked = messages[0].content
        if '{"score"' in asked:
            return '{"score": 2, "advice": "ask more"}'
        if '{"terms"' in asked:
            return json.dumps({"terms": terms})
        return json.dumps(plan) if "these keys" in asked else " ".join(f"word{i}" for i in range(words))

    return answer


tidy = answering(PLAN, ["heart failure"], 50)
greedy = answering(TOO_MUCH, ["heart failure", "edema", "dyspnea", "a fourth"], 2_000)


class PlanBench:
    """Plans by name for one note; a search finds one text a query, and remembers what was searched."""

    def __init__(self, name: str, graph: Graph, linker: DictionaryLinker) -> None:
        self.name = name
        request = DraftRequest(text=NOTE, question="What explains this?")
        linked = linker.link(NOTE)
        conditions = GraphConditionRanker(graph, {}).rank(linked, request)
        self.context = NoteContext(linked, conditions, (), request)
        self.needs_model = PLANNERS.get(name).facts.get("needs_model", True)
        self.searched: list[SubQuery] = []

    def plan(
        self,
        model: LanguageModel | None = None,
        filled: tuple[Source, ...] = tuple(Source),
        allowed: tuple[Source, ...] = tuple(Source),
    ) -> Planned:
        parts = PlannerParts(
            self.name, frozenset(filled), model, SourceChoice(allowed), self.name, lambda: Fence("0123456789abcdef")
        )
        return make_planner(parts).plan(self.context, self._find_texts)

    def _find_texts(self, sub_queries: Sequence[SubQuery]) -> Sequence[Sequence[str]]:
        self.searched.extend(sub_queries)
        return [[f"text about {query.text}"] for query in sub_queries]


def models() -> tuple[LanguageModel | None, ...]:
    """None, one that answers, one that gives more than was asked for, one that answers out of form, one that is dead."""
    return (None, Scripted(answer=tidy), Scripted(answer=greedy), Scripted("no plan at all"), Dead())


def check_at_most_three_queries_a_source(bench: PlanBench) -> None:
    """Every source is asked or skipped with the reason; at most 3 different queries each, none longer than a question."""
    for model in models():
        planned = bench.plan(model)
        assert planned.reason
        for source in Source:
            own = [query for query in planned.plan.sub_queries if query.source == source]
            texts = [query.text for query in own if not query.skipped]
            assert own and (texts or own[0].skipped)
            assert len(texts) == len(set(texts)) <= MOST_QUERIES
            assert all(0 < len(text.split()) <= QUESTION_WORDS for text in texts)


def check_only_allowed_and_filled_sources_are_asked(bench: PlanBench) -> None:
    """Neither by the plan nor while it is made."""
    filled, allowed = (Source.BOOK, Source.WIKI, Source.GRAPH), (Source.BOOK, Source.RESEARCH, Source.GRAPH)
    for model in models():
        planned = bench.plan(model, filled, allowed)
        asked = [query for query in planned.plan.sub_queries if not query.skipped]
        assert {query.source for query in (*asked, *bench.searched)} <= {Source.BOOK, Source.GRAPH}
    nothing = bench.plan(Scripted(answer=tidy), filled=())
    assert nothing.reason and all(query.skipped for query in nothing.plan.sub_queries)


def check_without_a_model_it_falls_back_and_says_so(bench: PlanBench) -> None:
    """Whatever promises a model says that there is none, or that it failed, and plans all the same."""
    for model in (None, Dead()):
        planned = bench.plan(model)
        assert any(not query.skipped for query in planned.plan.sub_queries)
        assert not bench.needs_model or any("model" in text or "dead" in text for text in planned.fallbacks)


def check_a_model_that_answers_is_used(bench: PlanBench) -> None:
    """It is asked, and nothing falls back."""
    model = Scripted(answer=tidy)
    planned = bench.plan(model)
    assert not bench.needs_model or model.calls
    assert planned.plan.sub_queries and not planned.fallbacks


def check_the_same_request_has_the_same_plan(bench: PlanBench) -> None:
    """A planner keeps nothing between two requests."""
    for model in (None, Scripted(answer=tidy)):
        assert bench.plan(model) == bench.plan(model)
    parts = PlannerParts(bench.name, frozenset(Source), Scripted(answer=tidy), new_fence=lambda: Fence("0" * 16))
    made = make_planner(parts)
    assert made.name == bench.name
    first = made.plan(bench.context, lambda asked: [()] * len(asked))
    assert made.plan(bench.context, lambda asked: [()] * len(asked)) == first


Check = Callable[[PlanBench], None]
CHECKS: tuple[Check, ...] = (
    check_at_most_three_queries_a_source,
    check_only_allowed_and_filled_sources_are_asked,
    check_without_a_model_it_falls_back_and_says_so,
    check_a_model_that_answers_is_used,
    check_the_same_request_has_the_same_plan,
)


@pytest.fixture
def bench_of(tiny_graph: Graph, tiny_linker: DictionaryLinker) -> Callable[[str], PlanBench]:
    return lambda name: PlanBench(name, tiny_graph, tiny_linker)


@pytest.mark.parametrize("name", PLANNERS.names())
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
def test_every_planner(bench_of: Callable[[str], PlanBench], name: str, check: Check) -> None:
    check(bench_of(name))


class Careless:
    """Breaks every rule: asks everything four times, ignores the model, and counts its requests."""

    def __init__(self, parts: PlannerParts) -> None:
        self.name = parts.name
        self._requests = 0

    def plan(self, context: NoteContext, find_texts: FindTexts) -> Planned:
        self._requests += 1
        asked = [SubQuery(source=s, text=f"{self._requests}, {n}") for s in Source for n in range(MOST_QUERIES + 1)]
        find_texts(asked)
        return Planned(Plan(sub_queries=tuple(asked)), "careless")


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
def test_a_planner_that_breaks_the_rules_fails(bench_of: Callable[[str], PlanBench], check: Check) -> None:
    with PLANNERS.scratch():
        planner("broken")(Careless)
        with pytest.raises(AssertionError):
            check(bench_of("broken"))


class Terms:
    """All that the docs show of adding one: the note's terms, asked of every source."""

    def __init__(self, parts: PlannerParts) -> None:
        self.name = parts.name
        self._parts = parts

    def plan(self, context: NoteContext, find_texts: FindTexts) -> Planned:
        names = [mention.name for mention in context.linked.note.mentions]
        return Planned(
            Plan(sub_queries=self._parts.planned(dict.fromkeys(Source, names), "terms")), "terms of the note"
        )


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
def test_a_planner_is_added_by_being_registered(bench_of: Callable[[str], PlanBench], check: Check) -> None:
    with PLANNERS.scratch():
        planner("terms", needs_model=False)(Terms)
        check(bench_of("terms"))
