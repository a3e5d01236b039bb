"""SPO's retrieval: dense top 20, reranked to 10; the graph's definitions and best relations; every baseline by name."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from backend.diagnosis.ranking.condition_ranking import GraphConditionRanker
from backend.interfaces import LanguageModel, NoteContext
from backend.nlp.extraction.linker import DictionaryLinker
from backend.planning.source_plan import PlannerParts, make_planner, source_choice
from backend.registry import PLANNERS
from backend.retrieval.passages.source_search import SearchMode
from backend.retrieval.strategies.graph_lookup import GraphLookup, numbered_items
from backend.retrieval.strategies.source_plan_search import PlanSettings, SourcePlanStrategy
from backend.retrieval.strategies.strategy import RetrievedEvidence
from backend.schemas.chat import Message
from backend.schemas.drafts.evidence import GraphItem
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Document, Source
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow
from models.llm.engine_scripted import Scripted
from tests.retrieval.sources import BOOK, WIKI, searched

PLAN = {"book": ["salt", "gout"], "wiki": [], "graph": [{"term": "heart failure", "query": "diet"}]}
Retrieve = Callable[..., RetrievedEvidence]


class Longest:
    """A reranker that likes long texts, and remembers how many it was given."""

    name = "longest first"

    def __init__(self) -> None:
        self.given: list[int] = []

    def scores(self, query: str, passages: Sequence[str]) -> np.ndarray:
        self.given.append(len(passages))
        return np.array([len(text) for text in passages], dtype=np.float32)


@pytest.fixture
def lookup(tiny_graph: Graph, tiny_linker: DictionaryLinker, encoder: Any) -> GraphLookup:
    return GraphLookup(tiny_graph, tiny_linker, encoder.encode, encoder.encode(list(tiny_graph.names)))


@pytest.fixture
def retrieve(tiny_graph: Graph, tiny_linker: DictionaryLinker, lookup: GraphLookup, encoder: Any) -> Retrieve:
    def run(
        name: str,
        model: LanguageModel | None = None,
        *,
        book: dict[str, str] = BOOK,
        dropped: Sequence[str] = (),
        reranker: Any = None,
        graph: bool = True,
        **settings: Any,
    ) -> RetrievedEvidence:
        search = searched(encoder, book=book, wiki=WIKI)
        filled = search.filled() | ({Source.GRAPH} if graph else set())
        planner = make_planner(PlannerParts(name, filled, model, source_choice(dropped=dropped)))
        strategy = SourcePlanStrategy(
            planner,
            search,
            reranker,
            lookup if graph else None,
            PlanSettings(**settings),
        )
        request = DraftRequest(text="HPI: leg swelling and dyspnea.", document=Document.DISCHARGE_INSTRUCTIONS)
        linked = tiny_linker.link(request.text)
        return strategy.retrieve(
            NoteContext(linked, GraphConditionRanker(tiny_graph, {}).rank(linked, request), (), request)
        )

    return run


def test_passages_come_in_turn_reranked_and_once(retrieve: Retrieve) -> None:
    found = retrieve("prompting", Scripted(json.dumps(PLAN)), reranker=Longest())
    # title and text have 67, 61, 51, 50 and 35 characters, and both queries find all five
    assert [p.title for p in found.passages] == [
        "Heart failure: Diet",
        "Botulism",
        "Pneumonia: Diet",
        "Heart failure: Activity",
        "Gout: Diet",
    ]
    assert [p.id for p in found.passages] == ["P1", "P2", "P3", "P4", "P5"]
    assert found.passages[1].scores["rerank"] == len(f"Botulism. {BOOK['Botulism']}")
    assert "cosine" in found.passages[0].scores
    assert "reranked by longest first" in found.passages_reason
    assert [reference.evidence for reference in found.references] == [(f"P{i}",) for i in range(1, 6)]


def test_twenty_are_found_and_ten_kept(retrieve: Retrieve) -> None:
    reranker = Longest()
    many = {f"Title {i}": f"salt {'x' * i}" for i in range(60)}
    found = retrieve("prompting", Scripted('{"book": ["salt"]}'), book=many, reranker=reranker)
    assert reranker.given == [20]
    assert len(found.passages) == 10
    few = retrieve("prompting", Scripted('{"book": ["salt"]}'), book=many, found=5, kept=3, most=2)
    assert len(few.passages) == 2


def test_without_a_reranker_ranks_of_bm25_and_cosine_are_summed_and_nothing_is_encoded(
    retrieve: Retrieve, encoder: Any
) -> None:
    book = {"A": "salt", "B": "salt salt salt water", "C": "water"}
    found = retrieve("prompting", Scripted('{"book": ["salt"]}'), book=book)
    # B says it most, by words and by cosine, then A; C does not: ranks 1 and 1, 2 and 2, 3 and 3
    assert [p.title for p in found.passages] == ["B", "A", "C"]
    assert found.passages[0].scores["rerank"] == round(2 / 61, 4)
    assert encoder.encoded[-1] == "salt"  # the query was the last thing encoded
    assert "reranked by rank fusion of BM25 and cosine" in found.passages_reason
    lexical = retrieve("prompting", Scripted('{"book": ["salt"]}'), book=book, mode=SearchMode.LEXICAL)
    assert [p.title for p in lexical.passages] == ["B", "A"]
    assert "rank fusion of BM25 and lexical" in lexical.passages_reason


def test_the_graph_gives_the_definition_and_its_relations(retrieve: Retrieve) -> None:
    found = retrieve("prompting", Scripted(json.dumps(PLAN)))
    assert found.graph[0].text == "Heart failure: a heart that pumps too weakly."
    assert found.graph[1].tail_name == "low salt diet"  # the only relation that shares a word with `diet`
    assert [item.id for item in found.graph] == [f"G{i}" for i in range(1, len(found.graph) + 1)]
    assert "relations by rank fusion of BM25 and cosine" in found.passages_reason


def test_a_term_the_graph_does_not_know_is_told_in_the_plan(retrieve: Retrieve) -> None:
    found = retrieve("prompting", Scripted('{"graph": [{"term": "zzz", "query": "x"}]}'))
    assert found.graph == ()
    graph = next(query for query in found.plan.sub_queries if query.source == Source.GRAPH)
    assert graph.skipped == "The graph knows no concept of this name."
    assert found.passages_reason == "no source was searched: see the plan"


def test_without_a_graph_the_plan_says_so(retrieve: Retrieve) -> None:
    found = retrieve("rules", graph=False)
    assert found.graph == ()
    assert any(query.skipped == "No graph is loaded." for query in found.plan.sub_queries)


@pytest.mark.parametrize("name", PLANNERS.names())
def test_every_planner_retrieves_by_name_with_a_model_and_without(retrieve: Retrieve, name: str) -> None:
    def answer(messages: Sequence[Message]) -> str:
        asked = messages[0].content
        if '{"score"' in asked:
            return '{"score": 5, "advice": ""}'
        return '{"terms": ["gout"]}' if '{"terms"' in asked else json.dumps(PLAN) if "these keys" in asked else "salt"

    for model in (Scripted(answer=answer), None):
        found = retrieve(name, model)
        assert found.passages
        assert found.graph
        assert found.plan_reason
        assert bool(found.fallbacks) == (name in ("spo", "trainable-planning", "rafe") if model else name != "rules")


def test_what_a_planner_searched_is_not_searched_again(retrieve: Retrieve, encoder: Any) -> None:
    def answer(messages: Sequence[Message]) -> str:
        return '{"score": 5, "advice": ""}' if '{"score"' in messages[0].content else '{"book": ["salt"]}'

    reranker = Longest()
    retrieve("reflexion", Scripted(answer=answer), reranker=reranker)
    assert len(reranker.given) == 1


def test_a_dropped_source_brings_nothing(retrieve: Retrieve) -> None:
    found = retrieve("original-question", dropped=["book", "graph"], mode=SearchMode.LEXICAL)
    assert {p.source for p in found.passages} == {Source.WIKI}
    assert found.graph == ()


@pytest.mark.parametrize("name", ["prompting", "reflexion"])
def test_a_source_withheld_after_planning_leaves_the_plan_and_loses_its_documents(
    retrieve: Retrieve, name: str
) -> None:
    def answer(messages: Sequence[Message]) -> str:
        return '{"score": 5, "advice": ""}' if '{"score"' in messages[0].content else json.dumps(PLAN)

    whole = retrieve(name, Scripted(answer=answer))
    without = {
        source: retrieve(name, Scripted(answer=answer), withheld=source) for source in (Source.BOOK, Source.GRAPH)
    }
    for source, found in without.items():
        assert [(q.source, q.text) for q in found.plan.sub_queries] == [
            (q.source, q.text) for q in whole.plan.sub_queries
        ]
        held = {q.skipped for q in found.plan.sub_queries if q.source == source}
        assert held == {"Planned, and left out afterwards: a source ablation."}
    assert whole.passages and not without[Source.BOOK].passages and without[Source.BOOK].graph == whole.graph
    assert whole.graph and not without[Source.GRAPH].graph and without[Source.GRAPH].passages == whole.passages


def test_a_hub_s_best_relations_are_kept_of_thousands(relations: dict[str, RelationRow], encoder: Any) -> None:
    rows = [ConceptRow("hub", "hub disease", "DISO", "disease", definition="a hub")]
    rows += [ConceptRow(f"t{i}", f"finding {i}", "DISO", "finding") for i in range(3_000)]
    rows.append(ConceptRow("w", "purple urine", "DISO", "finding"))
    triples = [TripleRow("hub", "has_finding", row.concept_id) for row in rows[1:]]
    graph = Graph(rows, triples, relations)
    linker = DictionaryLinker(rows[:1])
    found = GraphLookup(graph, linker, encoder.encode, encoder.encode(list(graph.names))).look_up(
        "hub disease", "purple"
    )
    assert len(found.items) == 11
    assert found.items[1].tail_name == "purple urine"
    ranked = GraphLookup(graph, linker, encoder.encode, np.zeros((0, 0)), Longest(), k=3).look_up("hub disease", "")
    assert [item.tail_name for item in ranked.items[1:]] == ["finding 1000", "finding 1001", "finding 1002"]


def test_the_longest_name_in_a_term_is_looked_up(lookup: GraphLookup) -> None:
    assert lookup.look_up("chest pain in heart failure", "").items[0].concept_id == "T:heart-failure"
    assert lookup.look_up("", "").missing


def test_drugbank_s_texts_stand_beside_the_graph_s_definition(
    tiny_graph: Graph, tiny_linker: DictionaryLinker, encoder: Any
) -> None:
    words = " ".join(str(i) for i in range(200))
    texts = {"T:furosemide": (("definition", "A loop diuretic."), ("absorption", words), ("indication", "Swelling."))}
    vectors = encoder.encode(list(tiny_graph.names))
    found = GraphLookup(tiny_graph, tiny_linker, encoder.encode, vectors, texts=texts).look_up("furosemide", "")
    assert [(item.relation, item.text[:36]) for item in found.items[:4]] == [
        ("", "Furosemide: a water pill for leg swe"),
        ("description", "Furosemide, description: A loop diur"),
        ("absorption", "Furosemide, absorption: 0 1 2 3 4 5 "),
        ("indication", "Furosemide, indication: Swelling."),
    ]
    assert found.items[2].text.endswith(" 118 119")  # the first 120 words
    assert len(found.items) > 4 and found.items[4].tail_id  # the relations follow
    plain = GraphLookup(tiny_graph, tiny_linker, encoder.encode, vectors).look_up("furosemide", "")
    assert [item.text for item in plain.items] == [found.items[0].text, *(i.text for i in found.items[4:])]


def test_items_found_twice_are_numbered_once() -> None:
    item = GraphItem(id="G0", concept_id="a", text="A.")
    assert [i.id for i in numbered_items([item, item, item.model_copy(update={"text": "B."})])] == ["G1", "G2"]
