"""What every system's way to evidence must keep, shipped or added: registering one is enough to be tested here."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest

from backend.diagnosis.ranking.condition_ranking import GraphConditionRanker
from backend.errors import CancelledError
from backend.interfaces import LanguageModel, NoteContext, SourcePlanner
from backend.nlp.extraction.linker import DictionaryLinker
from backend.planning.note_planner import RuleNotePlanner
from backend.planning.source_plan import PlannerParts, SourceChoice, make_planner
from backend.prompts.template import Fence
from backend.registry import STRATEGIES, strategy
from backend.retrieval.entities.entity_index import EntityVectors
from backend.retrieval.entities.entity_search import EntitySearch
from backend.retrieval.strategies.graph_lookup import GraphLookup
from backend.retrieval.strategies.strategy import Progress, RetrievedEvidence, Strategy, retrieved, silent
from backend.retrieval.strategies.strategy_parts import StrategyParts, make_strategy
from backend.schemas.drafts.evidence import Passage, Plan, ReasoningPath
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Source
from backend.settings import Settings
from backend.stores.graph.graph import Graph
from backend.systems import all_systems, system
from models.llm.engine_scripted import Dead
from tests.retrieval.sources import BOOK, WIKI, EntityIndexes, searched

NOTES = ("HPI: Leg swelling and dyspnea in heart failure. No fever.", "HPI: Cough and fever. Takes amoxicillin.")
NOTHING = "HPI: qwerty."
PATHS = (ReasoningPath(id="K1", keyword="leg swelling", steps=(), score=1.0, text="Leg swelling is of heart failure."),)


class Workbench:
    """Builds a system's strategy over small sources, and retrieves with it."""

    def __init__(self, name: str, graph: Graph, linker: DictionaryLinker, encoder: Any) -> None:
        self.name = name
        self._graph = graph
        self._linker = linker
        self._encoder = encoder

    def strategy(
        self,
        model: LanguageModel | None = None,
        sources: tuple[Source, ...] = tuple(Source),
        book: Mapping[str, str] = BOOK,
        wiki: Mapping[str, str] = WIKI,
    ) -> Strategy:
        """A new one. Empty texts leave a source unfilled."""
        texts = {name: found for name, found in (("book", book), ("wiki", wiki)) if found}
        search, graph, encode = searched(self._encoder, **texts), self._graph, self._encoder.encode
        vectors = encode(list(graph.names))

        def planner(name: str) -> SourcePlanner:
            filled = frozenset({*search.filled(), Source.GRAPH})
            return make_planner(PlannerParts(name, filled, model, SourceChoice(sources), new_fence=fence))

        indexes = EntityIndexes(self._linker, graph, wiki, False, book)
        entities = EntitySearch(graph, EntityVectors(graph, vectors, encode, ""), indexes, search)
        return make_strategy(
            StrategyParts(
                system=system(self.name),
                settings=Settings(_env_file=None),  # type: ignore[call-arg]
                sources=sources,
                search=search,
                graph=graph,
                graph_name="tiny",
                linker=self._linker,
                encoder=self._encoder,
                note_planner=RuleNotePlanner(search.filled()),
                planner=planner,
                planner_model=model,
                extractor_model=model,
                reranker=lambda: None,
                graph_lookup=lambda reranker: GraphLookup(graph, self._linker, encode, vectors, reranker),
                entities=lambda: entities,
                new_fence=fence,
            )
        )

    def context(self, text: str, paths: tuple[ReasoningPath, ...] = PATHS) -> NoteContext:
        """A note with the conditions that fit it."""
        request = DraftRequest(text=text, system=self.name)
        linked = self._linker.link(text)
        return NoteContext(linked, GraphConditionRanker(self._graph, {}).rank(linked, request), paths, request)


def fence() -> Fence:
    return Fence("0123456789abcdef")


def steps(made: Strategy, context: NoteContext) -> list[tuple[int, int, str]]:
    """What progress was called with."""
    seen: list[tuple[int, int, str]] = []
    made.retrieve(context, lambda done, total, what: seen.append((done, total, what)))
    return seen


def check_it_retrieves_and_writes_nothing(bench: Workbench) -> None:
    """It gives the value, with a reason for each stage, and citable ids without a gap."""
    for text in NOTES:
        found = bench.strategy().retrieve(bench.context(text))
        assert isinstance(found, RetrievedEvidence)
        assert all((found.thought_reason, found.plan_reason, found.passages_reason))
        assert [p.id for p in found.passages] == [f"P{i}" for i in range(1, len(found.passages) + 1)]
        assert [g.id for g in found.graph] == [f"G{i}" for i in range(1, len(found.graph) + 1)]
        known = {item.id for item in (*found.passages, *found.graph)}
        assert {one for reference in found.references for one in reference.evidence} <= known
        assert all(text for text in (*found.thoughts, *found.fallbacks))


def check_nothing_found_says_why(bench: Workbench) -> None:
    """Without a text, a recognised word and a path there is nothing, with a reason for each stage."""
    found = bench.strategy(book={}, wiki={}).retrieve(bench.context(NOTHING, ()))
    assert (found.passages, found.graph, found.references) == ((), (), ())
    assert all((found.thought_reason, found.plan_reason, found.passages_reason))
    assert all(query.skipped for query in found.plan.sub_queries if query.source != Source.GRAPH)


def check_progress_is_called(bench: Workbench) -> None:
    """At least once, with how much is done of how much."""
    seen = steps(bench.strategy(), bench.context(NOTES[0]))
    assert seen
    assert all(0 <= done <= total and what for done, total, what in seen)


def check_a_cancel_stops_it(bench: Workbench) -> None:
    """Whatever step cancels, it ends there."""
    for stop in range(len(steps(bench.strategy(), bench.context(NOTES[0])))):
        calls: list[int] = []

        def progress(done: int, total: int, what: str, stop: int = stop, calls: list[int] = calls) -> None:
            calls.append(done)
            if len(calls) > stop:
                raise CancelledError("Cancelled.")

        with pytest.raises(CancelledError):
            bench.strategy().retrieve(bench.context(NOTES[0]), progress)
        assert len(calls) == stop + 1


def check_no_state_is_kept(bench: Workbench) -> None:
    """One request leaves nothing for the next, and threads nothing for one another; a new strategy finds the same."""
    one, other = (bench.context(text) for text in NOTES)
    made = bench.strategy()
    first, second = made.retrieve(one), made.retrieve(other)
    assert made.retrieve(one) == first == bench.strategy().retrieve(one)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(made.retrieve, (one, other, one, other))) == [first, second, first, second]


def check_sources_left_out_are_not_searched(bench: Workbench) -> None:
    """A source that the request leaves out brings nothing, and the plan does not ask it."""
    found = bench.strategy(sources=(Source.WIKI,)).retrieve(bench.context(NOTES[0]))
    assert {passage.source for passage in found.passages} <= {Source.WIKI}
    assert found.graph == ()
    assert all(query.skipped for query in found.plan.sub_queries if query.source != Source.WIKI)


def check_a_model_that_fails_is_said(bench: Workbench) -> None:
    """Evidence as without a model, or a fallback that says so."""
    context = bench.context(NOTES[0])
    found = bench.strategy(model=Dead()).retrieve(context)
    assert found.fallbacks or found == bench.strategy().retrieve(context)


Check = Callable[[Workbench], None]
CHECKS: tuple[Check, ...] = (
    check_it_retrieves_and_writes_nothing,
    check_nothing_found_says_why,
    check_progress_is_called,
    check_a_cancel_stops_it,
    check_no_state_is_kept,
    check_sources_left_out_are_not_searched,
    check_a_model_that_fails_is_said,
)


@pytest.fixture
def bench_of(tiny_graph: Graph, tiny_linker: DictionaryLinker, encoder: Any) -> Callable[[str], Workbench]:
    return lambda name: Workbench(name, tiny_graph, tiny_linker, encoder)


@pytest.mark.parametrize("name", [row.name for row in all_systems()])
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
def test_every_system(bench_of: Callable[[str], Workbench], name: str, check: Check) -> None:
    check(bench_of(name))


def test_every_registered_strategy_is_of_a_system() -> None:
    assert {row.strategy for row in all_systems()} == set(STRATEGIES.names())


class Careless:
    """Breaks every rule: counts requests, numbers from 2, asks what was left out, hears no cancel, hides a failed model."""

    def __init__(self, parts: StrategyParts) -> None:
        self._parts = parts
        self._requests = 0

    def retrieve(self, context: NoteContext, progress: Progress = silent) -> RetrievedEvidence:
        self._requests += 1
        passage = Passage(
            id=f"P{self._requests + 1}",
            source=Source.BOOK,
            document_id="made up",
            title="Made up",
            text="Made up." if self._parts.planner_model is None else "Made up by a model that is dead.",
            start_char=0,
            end_char=8,
            licence="none",
            scores={},
        )
        return retrieved(Plan(), (passage,), reasons=("", "", ""))


class Deaf(Careless):
    """Tells how far it has come, and goes on when it is cancelled."""

    def retrieve(self, context: NoteContext, progress: Progress = silent) -> RetrievedEvidence:
        with suppress(CancelledError):
            progress(0, 1, "search")
        return super().retrieve(context)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
def test_a_strategy_that_breaks_the_rules_fails(bench_of: Callable[[str], Workbench], check: Check) -> None:
    broken = Deaf if check is check_a_cancel_stops_it else Careless
    with STRATEGIES.scratch():
        strategy("broken", what="breaks the rules")(broken)
        with pytest.raises((AssertionError, pytest.fail.Exception)):
            check(bench_of("broken"))
