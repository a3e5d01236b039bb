"""Hybrid retrieval: fused as written, each passage once, a title asks for its passage, a source is never mixed up."""

from typing import Any

import pytest

from backend.retrieval.passages import BM25_SHARE, COSINE_SHARE, HybridRetriever, SourceIndex, passage_text
from backend.schemas.evidence import Plan, SubQuery
from backend.schemas.vocabulary import Source
from backend.stores.passages import PassageRow, PassageVectors

TEXTS = {
    "Heart failure: Diet": "Salt makes the body hold water.",
    "Heart failure: Activity": "Walk a little every day.",
    "Pneumonia: Diet": "Drink water when you have a fever.",
    "Gout: Diet": "Beer can bring on gout.",
}


@pytest.fixture
def index(encoder: Any) -> SourceIndex:
    rows = [
        PassageRow(f"k{i}", Source.BOOK, f"d{i}", title, text, 0, len(text))
        for i, (title, text) in enumerate(TEXTS.items())
    ]
    vectors = encoder.encode([passage_text(row) for row in rows])
    return SourceIndex(Source.BOOK, rows, vectors, PassageVectors("test-hybrid"))


def plan(*texts: str, source: Source = Source.BOOK, skipped: str = "") -> Plan:
    return Plan(sub_queries=tuple(SubQuery(source=source, text=text, skipped=skipped) for text in texts))


def test_the_fused_score_is_the_weighted_sum(index: SourceIndex, encoder: Any) -> None:
    passages = HybridRetriever({Source.BOOK: index}, encoder, 10).retrieve(plan("salt and water"), ())
    for passage in passages:
        expected = BM25_SHARE * passage.scores["bm25"] + COSINE_SHARE * passage.scores["cosine"]
        assert passage.scores["fused"] == pytest.approx(expected, abs=1e-3)
    assert passages[0].title == "Heart failure: Diet"


def test_a_query_that_is_a_title_finds_that_passage_first(index: SourceIndex, encoder: Any) -> None:
    (first, *_) = HybridRetriever({Source.BOOK: index}, encoder, 10).retrieve(plan("gout: diet"), ())
    assert first.title == "Gout: Diet"
    assert first.scores["fused"] > 1.0


def test_each_passage_comes_once_and_the_limit_holds(index: SourceIndex, encoder: Any) -> None:
    retriever = HybridRetriever({Source.BOOK: index}, encoder, 3)
    passages = retriever.retrieve(plan("salt", "salt water", "walk", "beer and gout"), ())
    assert len({p.title for p in passages}) == len(passages) <= 3
    assert [p.id for p in passages] == [f"P{i}" for i in range(1, len(passages) + 1)]


def test_a_skipped_query_and_a_source_without_an_index_find_nothing(index: SourceIndex, encoder: Any) -> None:
    retriever = HybridRetriever({Source.BOOK: index}, encoder, 10)
    assert retriever.retrieve(plan("salt", skipped="nothing there"), ()) == ()
    assert retriever.retrieve(plan("salt", source=Source.WIKI), ()) == ()
    assert retriever.retrieve(Plan(), ()) == ()
