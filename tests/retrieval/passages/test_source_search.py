"""Search by source: each mode as defined, hybrid as learned_ranker.py has it, a stored source searched as it is."""

from typing import Any

import numpy as np
import pytest

from backend.retrieval.passages.learned_ranker import LeapnoteRanker, WeightedFeatures, Weights
from backend.retrieval.passages.passage_rows import passage_text
from backend.retrieval.passages.ranker import Candidates
from backend.retrieval.passages.shipped_rankers import WeightedRanker
from backend.retrieval.passages.source_search import IndexedSearch, InMemory, Searchable, SearchMode, spread
from backend.schemas.vocabulary import Source
from backend.stores.passages.bm25 import Bm25Index
from backend.stores.passages.stored_sources import StoredSource
from tests.retrieval.sources import BOOK, WIKI, in_memory, rows_of, searched

QUERIES = ["salt and water", "gout: diet", "zzz"]


def test_lexical_is_bm25_and_leaves_out_what_shares_no_word(encoder: Any) -> None:
    found = searched(encoder, book=BOOK).search(Source.BOOK, QUERIES, SearchMode.LEXICAL, 2)
    expected = Bm25Index([f"{title}. {text}" for title, text in BOOK.items()])
    titles = list(BOOK)
    for query, passages in zip(QUERIES, found, strict=True):
        assert [p.title for p in passages] == [titles[row] for row, _ in expected.search(query, 2)]
        assert [p.scores["bm25"] for p in passages] == pytest.approx(
            [s for _, s in expected.search(query, 2)], abs=1e-4
        )
    assert found[2] == []


def test_dense_is_cosine_best_first(encoder: Any) -> None:
    (found,) = searched(encoder, book=BOOK).search(Source.BOOK, ["salt water"], SearchMode.DENSE, 5)
    vectors = encoder.encode([f"{p.title}. {p.text}" for p in found])
    cosine = vectors @ encoder.encode(["salt water"])[0]
    assert [p.scores["cosine"] for p in found] == pytest.approx(cosine.tolist(), abs=1e-4)
    assert sorted(cosine, reverse=True) == pytest.approx(cosine.tolist())


def test_hybrid_fuses_as_ranking_has_it_and_shows_both_scores(encoder: Any) -> None:
    rows = rows_of(Source.BOOK, BOOK)
    vectors = encoder.encode([passage_text(row) for row in rows])
    found = searched(encoder, book=BOOK).search(Source.BOOK, QUERIES, SearchMode.HYBRID, 3)
    bm25 = Bm25Index([passage_text(row) for row in rows])
    for query, passages in zip(QUERIES, found, strict=True):
        # five passages: every one is a candidate, so the ranking sees them all
        lexical, cosine = bm25.scores(query), vectors @ encoder.encode([query])[0]
        fused = LeapnoteRanker().scores(Candidates(query, rows, lexical, cosine, vectors, np.full(len(rows), np.nan)))
        if query == "gout: diet":
            fused[list(BOOK).index("Gout: Diet")] += 1.0
        best = np.argsort(-fused, kind="stable")[:3]
        assert [p.title for p in passages] == [rows[i].title for i in best]
        for name, scores in (("fused", fused), ("bm25", lexical), ("cosine", cosine)):
            assert [p.scores[name] for p in passages] == pytest.approx(scores[best].tolist(), abs=1e-3)
    assert found[1][0].title == "Gout: Diet"
    assert found[1][0].scores["fused"] > 1.0


def test_what_stands_beside_the_best_of_a_document_is_ranked_with_it(encoder: Any) -> None:
    pages = {f"Salt {i}" if i < 60 else f"Leaf {i}": "salt and water" if i < 60 else "green" for i in range(70)}
    rows = [
        row._replace(document_id="page") if 58 <= i < 66 else row for i, row in enumerate(rows_of(Source.BOOK, pages))
    ]
    vectors = encoder.encode([passage_text(row) for row in rows])
    held = {Source.BOOK: InMemory(rows, vectors)}
    ranker = WeightedFeatures(Weights((1.0, 0.0, 100.0, 0.0, 0.0)))  # so that a page's passages follow its best one
    (found,) = IndexedSearch(held, encoder.encode, ranker).search(Source.BOOK, ["salt 59"], SearchMode.HYBRID, 6)
    # 60 rows share words with the question and 48 are found; of the next four rows those of its page join
    assert found[0].title == "Salt 59"
    assert {passage.title for passage in found} == {"Salt 58", "Salt 59", *(f"Leaf {i}" for i in range(60, 64))}


def test_another_ranker_gives_the_plain_weighted_sum(encoder: Any) -> None:
    held = {Source.BOOK: in_memory(Source.BOOK, BOOK, encoder)}
    (found,) = IndexedSearch(held, encoder.encode, WeightedRanker()).search(
        Source.BOOK, ["salt and water"], SearchMode.HYBRID, 5
    )
    most = max(passage.scores["bm25"] for passage in found)
    for passage in found:
        expected = 0.3 * passage.scores["bm25"] / most + 0.7 * passage.scores["cosine"]
        assert passage.scores["fused"] == pytest.approx(expected, abs=1e-3)


def test_a_source_without_passages_finds_nothing_and_is_not_filled(encoder: Any) -> None:
    search = searched(encoder, book=BOOK, wiki={})
    assert search.filled() == {Source.BOOK}
    for source in (Source.WIKI, Source.RESEARCH, Source.GRAPH):
        assert search.search(source, ["salt", "x"], SearchMode.HYBRID, 3) == [[], []]
    assert search.search(Source.BOOK, [], SearchMode.DENSE, 3) == []


def test_passages_carry_where_they_came_from(encoder: Any) -> None:
    (found,) = searched(encoder, wiki=WIKI).search(Source.WIKI, ["sodium"], SearchMode.LEXICAL, 1)
    assert (found[0].source, found[0].document_id, found[0].licence) == (Source.WIKI, "wiki/1", "none")
    assert found[0].text == WIKI["Sodium"]


def test_a_stored_source_fits_as_it_is(encoder: Any) -> None:
    held: Searchable = StoredSource(Source.BOOK, [])
    assert IndexedSearch({Source.BOOK: held}, encoder.encode).filled() == frozenset()
    for name in ("lexical", "nearest", "rows", "vectors", "titled"):
        assert callable(getattr(StoredSource, name))
    assert len(in_memory(Source.BOOK, BOOK, encoder)) == len(BOOK)


def test_a_long_query_among_short_ones_keeps_its_place(encoder: Any) -> None:
    queries = ["beer gout", "constipation " * 60, "walk"]
    found = searched(encoder, book=BOOK).search(Source.BOOK, queries, SearchMode.DENSE, 1)
    assert [passages[0].title for passages in found] == ["Gout: Diet", "Botulism", "Heart failure: Activity"]
    assert searched(encoder, book=BOOK).search(Source.BOOK, queries[1:2], SearchMode.HYBRID, 1) == [
        searched(encoder, book=BOOK).search(Source.BOOK, queries, SearchMode.HYBRID, 1)[1]
    ]


def test_behind_the_first_places_no_page_goes_before_another_with_more_than_two_passages() -> None:
    documents = ["a"] * 13 + ["b", "b", "c"]
    # a has its ten first places, so its other three come after the two of b and the one of c
    assert spread(range(16), documents) == [*range(10), 13, 14, 15, 10, 11, 12]


def test_pages_with_two_passages_keep_their_order() -> None:
    assert spread([3, 1, 0, 2], ["a", "b", "a", "b"]) == [3, 1, 0, 2]
