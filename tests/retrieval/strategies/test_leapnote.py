"""Leapnote's retrieval: rules first, a model's plan and the thought beside them, hybrid passages within a budget."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from backend.diagnosis.ranking.condition_ranking import GraphConditionRanker
from backend.interfaces import LanguageModel, NoteContext
from backend.nlp.extraction.linker import DictionaryLinker
from backend.planning.note_planner import RuleNotePlanner
from backend.planning.source_plan import PlannerParts, make_planner
from backend.retrieval.passages.source_search import SearchMode
from backend.retrieval.paths.graph_facts import GraphFactRetriever
from backend.retrieval.strategies.leapnote import FIRST, LeapnoteSettings, LeapnoteStrategy, estimated_tokens, reread
from backend.retrieval.strategies.strategy import RetrievedEvidence
from backend.schemas.drafts.evidence import Passage, ReasoningPath
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Source
from backend.stores.graph.graph import Graph
from models.llm.engine_scripted import Dead, Scripted
from tests.retrieval.sources import BOOK, WIKI, searched

PATHS = (ReasoningPath(id="K1", keyword="k", steps=(), score=1.0, text="Gout is worsened by beer."),)
Retrieve = Callable[..., RetrievedEvidence]


@pytest.fixture
def retrieve(tiny_graph: Graph, tiny_linker: DictionaryLinker, encoder: Any) -> Retrieve:
    def run(
        model: LanguageModel | None = None,
        paths: tuple[ReasoningPath, ...] = PATHS,
        plan: bool = False,
        **settings: Any,
    ) -> RetrievedEvidence:
        search = searched(encoder, book=BOOK, wiki=WIKI)
        planner = make_planner(PlannerParts("model", search.filled(), model)) if plan else None
        strategy = LeapnoteStrategy(
            RuleNotePlanner(search.filled()),
            search,
            GraphFactRetriever(tiny_graph),
            LeapnoteSettings(**settings),
            model,
            planner,
        )
        request = DraftRequest(text="HPI: leg swelling.")
        linked = tiny_linker.link(request.text)
        return strategy.retrieve(
            NoteContext(linked, GraphConditionRanker(tiny_graph, {}).rank(linked, request), paths, request)
        )

    return run


def thought_queries(found: RetrievedEvidence, reason: str = "the thought") -> list[str]:
    return [query.text for query in found.plan.sub_queries if query.reason == reason]


def test_without_a_model_the_paths_are_the_thought_and_that_is_no_fallback(retrieve: Retrieve) -> None:
    found = retrieve()
    assert found.thoughts == ("Gout is worsened by beer.",)
    assert thought_queries(found) == ["Gout is worsened by beer."] * 2  # book and wiki
    assert found.fallbacks == ()
    assert found.plan.sub_queries[0].text == "heart failure: What it is"
    assert found.graph
    assert "fused" in found.passages[0].scores


def test_a_title_the_rules_ask_for_comes_before_what_the_thought_finds(retrieve: Retrieve) -> None:
    titles = [p.title for p in retrieve(each=1).passages]
    assert titles.index("Heart failure: Diet") < titles.index("Gout: Diet")


def test_without_paths_there_is_no_thought(retrieve: Retrieve) -> None:
    found = retrieve(paths=())
    assert thought_queries(found) == []
    assert found.thought_reason == "no reasoning path to tell"


def test_a_model_s_thought_and_plan_are_added_to_the_rules(retrieve: Retrieve) -> None:
    model = Scripted("Botulism weakens arms.", '{"book": ["infant constipation"], "graph": [{"term": "gout"}]}')
    found = retrieve(model, plan=True)
    assert found.thoughts == ("Botulism weakens arms.",)
    assert thought_queries(found) == ["Botulism weakens arms."] * 2  # book and wiki
    assert thought_queries(found, "the reasoning paths") == ["Gout is worsened by beer."] * 2
    texts = [query.text for query in found.plan.sub_queries]
    assert texts.index("infant constipation") > texts.index("heart failure: What it is")
    assert "gout" not in texts  # the graph facts are chosen by condition
    assert "planned by rules and model, by scripted" in found.plan_reason
    assert "Botulism" in [p.title for p in found.passages]
    assert found.fallbacks == ()


def test_a_long_thought_leaves_the_paths_their_query(retrieve: Retrieve) -> None:
    words = [f"word{i}" for i in range(80)]
    found = retrieve(Scripted(" ".join(words)))
    assert thought_queries(found)[0] == " ".join(words[:64])
    assert thought_queries(found, "the reasoning paths")[0] == "Gout is worsened by beer."
    assert "Gout: Diet" in [p.title for p in found.passages]


def test_a_dead_model_leaves_rules_and_paths_and_says_so(retrieve: Retrieve) -> None:
    found = retrieve(Dead(), plan=True)
    assert found.thoughts == ("Gout is worsened by beer.",)
    assert [text.split(":")[0] for text in found.fallbacks] == ["thought", "plan"]
    assert len(thought_queries(found)) == 2 and thought_queries(found, "the reasoning paths") == []
    assert found.passages


def test_the_budget_cuts_passages_from_the_end_and_says_how_many(retrieve: Retrieve) -> None:
    whole = retrieve()
    costs = [estimated_tokens(f"{p.title}. {p.text}") for p in whole.passages]
    cut = retrieve(tokens=costs[0] + costs[1])
    assert [p.title for p in cut.passages] == [p.title for p in whole.passages][:2]
    assert f"{len(costs) - 2} more left out by the budget of {costs[0] + costs[1]} tokens" in cut.passages_reason
    assert len(retrieve(tokens=1).passages) == 1
    assert len(retrieve(most=3).passages) == 3
    assert "budget" not in whole.passages_reason


def test_a_dropped_source_is_left_out_of_plan_passages_and_facts(retrieve: Retrieve) -> None:
    found = retrieve(sources=(Source.WIKI,))
    assert {p.source for p in found.passages} == {Source.WIKI}
    assert found.graph == ()
    assert all(q.skipped for q in found.plan.sub_queries if q.source != Source.WIKI)


PAGES = {f"Gout: part {i}": f"Gout and beer, part {i} of what is known of gout." for i in range(FIRST + 6)}


def _asked(
    tiny_graph: Graph, tiny_linker: DictionaryLinker, encoder: Any, **request: Any
) -> tuple[list[str], list[str]]:
    """What the system shows of the pages for a question, and the ranking's own order."""
    search = searched(encoder, wiki=PAGES | {"Oedema": "Leg swelling is water in the tissue of a leg."})
    asked = DraftRequest(question="Is gout worse with heart failure?", **request)
    linked = tiny_linker.link(asked.text or asked.question)
    facts = GraphFactRetriever(tiny_graph)
    strategy = LeapnoteStrategy(RuleNotePlanner(search.filled()), search, facts, LeapnoteSettings(most=len(PAGES)))
    conditions = GraphConditionRanker(tiny_graph, {}).rank(linked, asked)
    paths = (PATHS[0].model_copy(update={"text": "Oedema is water in the tissue of a leg."}),)
    found = strategy.retrieve(NoteContext(linked, conditions, paths, asked))
    ranked = search.search(Source.WIKI, [asked.question], SearchMode.HYBRID, len(PAGES))[0]
    return [p.title for p in found.passages], [p.title for p in ranked]


def test_a_question_that_stands_alone_is_answered_in_the_ranking_s_own_order(
    tiny_graph: Graph, tiny_linker: DictionaryLinker, encoder: Any
) -> None:
    shown, ranked = _asked(tiny_graph, tiny_linker, encoder)
    assert shown == ranked


def test_a_question_beside_a_note_leaves_the_plan_its_turn_behind_the_first(
    tiny_graph: Graph, tiny_linker: DictionaryLinker, encoder: Any
) -> None:
    shown, ranked = _asked(tiny_graph, tiny_linker, encoder, text="HPI: leg swelling.")
    assert shown[:FIRST] == ranked[:FIRST]
    assert "Oedema" in shown and "Oedema" not in ranked


def test_tokens_are_a_quarter_of_the_characters_rounded_up() -> None:
    assert [estimated_tokens(text) for text in ("", "a", "abcd", "abcde")] == [0, 1, 1, 2]


def test_a_cross_encoder_orders_the_first_passages_anew_and_leaves_the_rest() -> None:
    class Longest:
        name = "longest"

        def scores(self, query: str, passages: Sequence[str]) -> np.ndarray:
            assert query == "salt?"
            return np.array([len(text) for text in passages], dtype=np.float32)

    def passage(text: str) -> Passage:
        return Passage(
            id="P0", source=Source.BOOK, document_id=text, title="T", text=text, start_char=0, end_char=len(text)
        )

    found = reread(Longest(), "salt?", [passage("a"), passage("bbb"), passage("cc"), passage("dddd")], 3)
    assert [one.text for one in found] == ["bbb", "cc", "a", "dddd"]
    assert [one.scores.get("rerank") for one in found] == [6.0, 5.0, 4.0, None]  # with "T. "
