"""Two finds by BM25 as one list, the second at a share; the share's card."""

from pathlib import Path

import numpy as np
import pytest

from backend.errors import KnowledgeError
from backend.retrieval.passages.query_expansion import EXPANSION_CARD, both_queries, expanded, read_share
from backend.schemas.drafts.evidence import Passage
from backend.schemas.vocabulary import Source


def found(**scores: float) -> list[Passage]:
    return [
        Passage(
            id="P0",
            source=Source.WIKI,
            document_id=name,
            title=name,
            text=name,
            start_char=0,
            end_char=1,
            scores={"bm25": score},
        )
        for name, score in scores.items()
    ]


def test_what_one_query_did_not_find_counts_as_its_last() -> None:
    # question: a 4/4, b 2/4, c as b; paths: c 10/10, b 5/10, a as b
    both = both_queries(found(a=4.0, b=2.0), found(c=10.0, b=5.0), 2)
    assert [p.title for p in both.passages] == ["a", "b", "c"]
    np.testing.assert_allclose(both.scores, [[1.0, 0.5], [0.5, 0.5], [0.5, 1.0]])
    # fewer than were asked for: it has no word of the query
    short = both_queries(found(a=4.0, b=2.0), found(c=10.0, b=5.0), 3)
    np.testing.assert_allclose(short.scores, [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])


@pytest.mark.parametrize(("share", "order"), [(0.0, "ab"), (0.5, "ac"), (2.0, "ca")])
def test_the_share_decides_how_far_the_second_query_goes(share: float, order: str) -> None:
    # a 1 + share / 2, b 0.5 + share / 2, c 0.5 + share
    kept = expanded(found(a=4.0, b=2.0), found(c=10.0, b=5.0), share, 2)
    assert "".join(p.title for p in kept) == order


def test_a_find_without_a_second_one_stays_as_it_is() -> None:
    assert [p.title for p in expanded(found(a=4.0, b=2.0), [], 0.5, 5)] == ["a", "b"]


def test_the_shipped_share_is_read_and_a_broken_card_refused(tmp_path: Path) -> None:
    assert read_share(EXPANSION_CARD) >= 0
    for number, text in enumerate(('{"share": -1}', "{}", "no card")):
        (tmp_path / f"{number}.json").write_text(text)
        with pytest.raises(KnowledgeError, match="train expansion"):
            read_share(tmp_path / f"{number}.json")
