"""ClinicalRAG's retrieval: every agent, every switch, every fallback, on the tiny graph."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from backend.interfaces import LanguageModel, NoteContext
from backend.nlp.extraction.linker import DictionaryLinker
from backend.retrieval.entities.entity_collections import EntityPart, Handbook, named_by
from backend.retrieval.entities.entity_extraction import from_dictionary
from backend.retrieval.entities.entity_index import EntityVectors
from backend.retrieval.entities.entity_search import EntitySearch, Ranked, Reach, ordered
from backend.retrieval.strategies.entity_lookup import ENTITY_SOURCES, EntitySettings, EntityStrategy
from backend.retrieval.strategies.strategy import RetrievedEvidence
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Source
from backend.stores.graph.graph import Graph
from backend.stores.passages.entity_table import Progress, TableKey, build_table
from models.llm.engine_scripted import Dead, Scripted
from tests.retrieval.sources import BOOK, WIKI, EntityIndexes, rows_of, searched

NOTE = "HPI: Leg swelling and dyspnea, no fever. Takes furosemide."
PAGES = WIKI | {"Kawasaki disease": "An illness of children.", "Swollen legs": "Leg swelling, dyspnea and gout."}
Retrieve = Callable[..., RetrievedEvidence]


@pytest.fixture
def retrieve(tiny_graph: Graph, tiny_linker: DictionaryLinker, encoder: Any) -> Retrieve:
    def run(
        model: LanguageModel | None = None,
        *,
        note: str = NOTE,
        question: str = "",
        wiki: dict[str, str] = PAGES,
        unbuilt: bool = False,
        vectors: bool = True,
        progress: Progress = lambda done, total, what: None,
        count: Callable[[str], int] | None = None,
        **settings: Any,
    ) -> RetrievedEvidence:
        rows = encoder.encode(list(tiny_graph.names)) if vectors else None
        missing = "" if vectors else "The graph has no vectors yet."
        compared = EntityVectors(tiny_graph, rows, encoder.encode, missing)
        collection = EntityIndexes(tiny_linker, tiny_graph, wiki, unbuilt)
        search = EntitySearch(tiny_graph, compared, collection, searched(encoder, book=BOOK, wiki=wiki))
        strategy = EntityStrategy(
            search, tiny_graph, tiny_linker, EntitySettings(**settings), model, "Tiny graph", count_tokens=count
        )
        request = DraftRequest(text=note, question=question)
        return strategy.retrieve(NoteContext(tiny_linker.link(note or question), (), (), request), progress)

    return run


def queries(found: RetrievedEvidence, source: Source) -> list[tuple[str, str]]:
    return [(q.text, q.skipped) for q in found.plan.sub_queries if q.source == source]


def test_each_source_is_asked_for_each_entity_and_says_what_it_brought(retrieve: Retrieve) -> None:
    found = retrieve()
    none = "This source holds no entity near enough."
    assert queries(found, Source.BOOK) == [("leg swelling", none), ("dyspnea", none), ("furosemide", none)]
    assert queries(found, Source.WIKI) == [("leg swelling", ""), ("dyspnea", ""), ("furosemide", none)]
    assert next(q.reason for q in found.plan.sub_queries if q.source == Source.WIKI) == "symptom: 2 pieces found"
    assert queries(found, Source.RESEARCH) == [("", "This system reads the graph, books and the encyclopaedia.")]
    assert found.plan_reason == (
        "3 entities by the dictionary (symptom 2, drug 1); 1 denied, of a relative, supposed or allergens, not looked up"
    )
    # of the 4 pages 2 name leg swelling (one as "swelling of legs"), 1 dyspnea and none furosemide, which weighs as if 1 did:
    # ln 3 = 1.099, ln 5 = 1.609 twice, together 4.317. So 2.708 / 4.317 and 1.099 / 4.317
    assert [(p.title, p.scores) for p in found.passages] == [
        ("Swollen legs", {"entity": 1.0, "relevance": 0.6272}),
        ("Heart failure", {"entity": 1.0, "relevance": 0.2545}),
    ]
    assert found.fallbacks == ()
    assert found.thoughts == ()


def test_facts_are_told_once_whichever_end_they_were_found_from(retrieve: Retrieve) -> None:
    texts = [item.text for item in retrieve(note="HPI: heart failure. Takes furosemide.").graph]
    # found as the treatment of one and as what the other treats; it joins both entities, so it comes first of its facts
    assert texts[:2] == [  # definitions first; furosemide has fewer facts, so it counts more
        "Furosemide: a water pill for leg swelling.",
        "Heart failure: a heart that pumps too weakly.",
    ]
    assert sum("furosemide" in text.lower() and "heart failure" in text.lower() for text in texts) == 1
    assert [item.id for item in retrieve().graph] == [f"G{i}" for i in range(1, len(retrieve().graph) + 1)]


def test_k_bounds_what_an_entity_brings_from_a_source(retrieve: Retrieve) -> None:
    wiki = {f"Page {number} of {word}": f"On gout, {word}." for number, word in enumerate(("fire", "ice", "salt"))}
    assert len(retrieve(note="HPI: gout.", wiki=wiki, k=2, sources=(Source.WIKI,)).passages) == 2
    assert len(retrieve(note="HPI: gout.", wiki=wiki, k=9, sources=(Source.WIKI,)).passages) == 3


def test_the_references_follow_the_passages_with_the_graph_last(retrieve: Retrieve) -> None:
    found = retrieve(note="HPI: gout and pneumonia.")
    assert [r.number for r in found.references] == list(range(1, len(found.references) + 1))
    assert found.references[-1].title == "Tiny graph"
    assert found.references[-1].evidence == tuple(item.id for item in found.graph)
    assert {e for r in found.references for e in r.evidence} == {p.id for p in found.passages} | {
        g.id for g in found.graph
    }


def test_the_same_text_of_two_sources_comes_once_unless_references_are_switched_off(retrieve: Retrieve) -> None:
    both = {"Gout: Diet": BOOK["Gout: Diet"]}
    found = retrieve(note="HPI: gout.", wiki=both)
    assert [p.title for p in found.passages] == ["Gout: Diet"]
    assert "1 left out as saying the same" in found.passages_reason
    without = retrieve(note="HPI: gout.", wiki=both, references=False)
    assert [p.source for p in without.passages] == [Source.BOOK, Source.WIKI]
    assert without.references == ()


def test_without_extraction_the_whole_note_is_the_query(retrieve: Retrieve) -> None:
    found = retrieve(note="HPI: gout, gout and nothing else.", extraction=False, whole=1)
    # of the names in a source, gout is the nearest to a text of seven words, two of them gout
    assert {p.title for p in found.passages} == {"Gout: Diet", "Swollen legs"}
    assert 0 < found.passages[0].scores["entity"] < 1
    assert queries(found, Source.BOOK) == [("HPI: gout, gout and nothing else.", "")]
    assert found.plan_reason.startswith("the whole note is the query")


def test_without_knowledge_to_language_facts_are_raw_triples_and_no_model_tells_them(retrieve: Retrieve) -> None:
    model = Scripted('{"entities": [{"text": "furosemide", "category": "drug", "status": "present"}]}')
    found = retrieve(model, language=False)
    assert all(" | " in item.text for item in found.graph)
    assert len(model.calls) == 1  # the extraction
    assert found.thought_reason == "left out: knowledge is not put into words"


def test_the_input_limit_drops_the_last_ranked_first_and_says_how_many(retrieve: Retrieve) -> None:
    def words(text: str) -> int:
        return len(text.split())

    whole = retrieve(count=words)
    pieces = len(whole.passages) + len(whole.graph)
    note = words(NOTE)
    first = whole.graph[0].text
    cut = retrieve(count=words, tokens=note + words(first))
    assert [item.text for item in cut.graph] == [first]
    assert f"{pieces - 1} dropped by the input limit of {note + words(first)} tokens" in cut.passages_reason
    assert "dropped" not in whole.passages_reason
    nothing = retrieve(count=words, tokens=note)
    assert (nothing.graph, nothing.passages, nothing.references) == ((), (), ())
    assert f"{pieces} dropped" in nothing.passages_reason


@pytest.mark.parametrize("tokens", [4096, 2048, 1024, 60, 30])
def test_a_smaller_input_limit_keeps_the_beginning_of_a_larger_one(retrieve: Retrieve, tokens: int) -> None:
    whole, cut = retrieve(tokens=10**6), retrieve(tokens=tokens)
    assert cut.graph == whole.graph[: len(cut.graph)]
    assert cut.passages == whole.passages[: len(cut.passages)]


def test_a_model_names_the_entities_and_tells_the_facts_marked_and_apart(retrieve: Retrieve) -> None:
    def answer(messages: Any) -> str:
        if "HPI" in messages[1].content:
            named = [("furosemide", "drug"), ("pump failure", "disease"), ("dyspnea", "symptom")]
            return json.dumps({"entities": [{"text": t, "category": c, "status": "present"} for t, c in named]})
        line = next(line for line in messages[1].content.splitlines() if "class antihypertensive" in line)
        return json.dumps({"facts": [{"id": line.split(":")[0], "text": "Furosemide is an antihypertensive."}]})

    found = retrieve(Scripted(answer=answer))
    assert "2 entities by scripted (drug 1, symptom 1)" in found.plan_reason
    assert "1 dropped, since the text does not hold them as given" in found.plan_reason
    (thought,) = found.thoughts
    fact_id = thought.split(",")[0]
    assert thought == f"{fact_id}, worded by scripted, no evidence: Furosemide is an antihypertensive."
    assert found.plan.thoughts == found.thoughts
    item = next(item for item in found.graph if item.id == fact_id)
    assert item.text == "Furosemide belongs to the class antihypertensive."  # the evidence is the template's sentence
    assert found.thought_reason == "1 fact worded anew by scripted, marked and no evidence"
    assert {item.id: item.wording for item in found.graph if item.wording} == {
        fact_id: "Furosemide is an antihypertensive."
    }
    # a word a token. With the four words told it fits to the letter; with one less the same is found, and not told
    spent = len(NOTE.split()) + sum(len(f"{p.title}. {p.text}".split()) for p in found.passages)
    spent += sum(len(item.text.split()) for item in found.graph) + 4
    for tokens, fits in ((spent, True), (spent - 1, False)):
        again = retrieve(Scripted(answer=answer), count=lambda text: len(text.split()), tokens=tokens)
        assert [item.text for item in again.graph] == [item.text for item in found.graph]
        assert any(item.wording for item in again.graph) == fits
    assert found.fallbacks == ()


def test_a_dead_model_leaves_dictionary_and_templates_and_says_so(retrieve: Retrieve) -> None:
    found, plain = retrieve(Dead()), retrieve()
    assert (found.graph, found.passages, found.thoughts) == (plain.graph, plain.passages, ())
    assert [text.split(":")[0] for text in found.fallbacks] == ["entities", "knowledge to language"]


def test_an_entity_that_the_graph_does_not_know_finds_the_page_of_its_name(retrieve: Retrieve) -> None:
    reply = '{"entities": [{"text": "Kawasaki disease", "category": "disease", "status": "present"}]}'
    found = retrieve(Scripted(reply), note="HPI: Kawasaki disease.")
    assert [p.title for p in found.passages] == ["Kawasaki disease"]
    assert found.passages[0].scores["entity"] == 1.0


def test_a_collection_without_an_index_is_searched_by_words_and_it_is_said(retrieve: Retrieve) -> None:
    found = retrieve(unbuilt=True)
    assert found.fallbacks == ("wiki: its index is not made",)
    assert {p.title for p in found.passages if p.source == Source.WIKI} == {"Heart failure", "Swollen legs"}
    assert all(set(p.scores) == {"bm25"} for p in found.passages)


def test_without_vectors_entities_find_themselves_alone_and_it_is_said(retrieve: Retrieve) -> None:
    found = retrieve(vectors=False)
    assert found.fallbacks == ("entity vectors: The graph has no vectors yet. So an entity finds itself alone.",)
    assert found.passages == retrieve().passages
    assert found.graph


def test_a_note_that_names_nothing_finds_nothing_and_that_is_no_error(retrieve: Retrieve) -> None:
    found = retrieve(note="Nothing to see.")
    assert (found.passages, found.graph, found.references, found.fallbacks) == ((), (), (), ())
    assert found.plan_reason == "0 entities by the dictionary"
    assert queries(found, Source.BOOK) == [("", "There is no entity to look up.")]


def test_a_question_alone_is_looked_up_and_one_beside_a_note_comes_first(retrieve: Retrieve) -> None:
    alone = retrieve(note="", question="Is gout painful?")
    assert queries(alone, Source.GRAPH) == [("gout", "")]
    beside = retrieve(question="Is it gout?")
    assert [text for text, _ in queries(beside, Source.GRAPH)] == ["gout", "leg swelling", "dyspnea", "furosemide"]
    few = retrieve(question="Is it gout?", most=2)
    assert [text for text, _ in queries(few, Source.GRAPH)] == ["gout", "leg swelling"]
    assert "the first 2 looked up" in few.plan_reason


def test_a_source_that_is_left_out_or_empty_says_which(retrieve: Retrieve) -> None:
    found = retrieve(sources=(Source.BOOK, Source.WIKI), wiki={})
    assert found.graph == ()
    assert queries(found, Source.GRAPH) == [("", "Left out by choice.")]
    assert queries(found, Source.WIKI) == [("", "No passages are indexed for source 'wiki'.")]


def test_the_collections_of_a_source_share_its_k_and_a_refused_one_is_told(
    tiny_graph: Graph, tiny_linker: DictionaryLinker, encoder: Any
) -> None:
    class TwoParts:
        def parts(self, source: Source, progress: Progress) -> tuple[tuple[EntityPart, ...], str]:
            made = []
            for name, texts in (
                ("one", {"A": "On gout, dyspnea and fever."}),
                ("two", {"B": "On gout.", "C": "Gout."}),
            ):
                held, key = Handbook(rows_of(source, texts)), TableKey("", "")
                held.passages = tuple(row._replace(document_id=f"{name}{row.key}") for row in held.passages)
                table = build_table(held, named_by(tiny_linker), tiny_graph.index, None, key, progress)
                made.append(EntityPart(name, held, table))
            return tuple(made), "The collection 'three' is damaged."

    compared = EntityVectors(tiny_graph, None, encoder.encode)
    search = EntitySearch(tiny_graph, compared, TwoParts())
    named = from_dictionary([tiny_linker.link("HPI: gout and fever.")]).entities
    found = search.passages(Source.WIKI, search.query(named, ""), Reach(2, 0.85, 1), True, lambda *step: None)
    # A holds both entities; of its one passage both weigh ln 2. B and C hold gout alone, 0.693 / (0.693 + ln 3) = 0.387
    assert [p.scores["relevance"] for p in found.passages] == [1.0, 0.3869]
    assert [p.title for p in found.passages] == ["A", "B"]
    assert found.brought == (2, 1)
    assert found.fallbacks == ("wiki: The collection 'three' is damaged.",)


class Cancelled(Exception):
    pass


def test_it_can_be_stopped_between_its_steps(retrieve: Retrieve) -> None:
    seen: list[str] = []

    def stop(done: int, total: int, what: str) -> None:
        seen.append(what)
        if what == "looking up entities":
            raise Cancelled

    with pytest.raises(Cancelled):
        retrieve(progress=stop)
    assert seen == ["entities", "looking up entities"]


def test_the_order_is_by_score_then_by_place_then_by_relevance() -> None:
    one = [Ranked(1.0, 0.2, "a"), Ranked(1.0, 0.1, "b"), Ranked(0.9, 0.9, "c")]
    other = [Ranked(1.0, 0.5, "d"), Ranked(1.0, 0.1, "a"), Ranked(0.9, 0.3, "e")]
    # scores of 1 first; of those the first places, d before a by relevance, then b; then 0.9: c before e
    assert ordered([one, other], ranked=True) == ["d", "a", "b", "c", "e"]
    assert ordered([one, other], ranked=False) == ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize("wrong", [{"k": 0}, {"tokens": 0}, {"least": 1.5}, {"most": -1}])
def test_settings_that_cannot_be_are_refused_by_name(wrong: dict[str, float]) -> None:
    ((name, value),) = wrong.items()
    with pytest.raises(ValueError, match=f"{name}={value}"):
        EntitySettings(**wrong)  # type: ignore[arg-type]
    assert EntitySettings().sources == ENTITY_SOURCES
