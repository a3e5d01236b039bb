"""The row `plan-large`, run whole on little data: real files, every passage kept, queries that find what they are about."""

import re
from pathlib import Path

import numpy as np
import pytest

from backend.bench.measuring import Measured
from backend.bench.search import plan_large as bench
from backend.schemas.vocabulary import Source
from backend.stores.passages.collections import Collection
from backend.stores.passages.stored_sources import StoredSource


@pytest.fixture(autouse=True)
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"PASSAGES": 1_203, "DIMENSION": 64, "PLANS": 3, "WARM": 1, "PEER_QUERIES": 2}.items():
        monkeypatch.setattr(bench, name, value)


def test_the_row_times_every_plan_and_tells_the_searches_by_words_apart() -> None:
    found = bench.plan_large(None)
    assert isinstance(found, Measured)
    assert len(found.times_ms) == len(found.cpu_ms) == 3
    assert "15 queries" in found.about and "BM25 alone, top 32: median" in found.about
    assert found.peer is not None and found.peer.n == 2 and found.peer.name.endswith("one query by its words")


def test_with_chroma_the_same_plans_are_timed_and_what_it_misses_is_told() -> None:
    found = bench.plan_large_chroma(None)
    assert isinstance(found, Measured)
    assert len(found.times_ms) == 3 and found.build_s and found.build_s > 0
    stated = re.search(r"(\d+)% of the exact 48 nearest and (\d+) of 15 nearest ones", found.about)
    assert stated and int(stated[1]) > 90 and stated[2] == "15"  # 1,203 vectors are few: Chroma finds nearly all


def test_the_collection_holds_every_passage_and_a_query_s_vector_finds_its_own(tmp_path: Path) -> None:
    texts = bench._build(tmp_path)
    source = StoredSource(Source.WIKI, [Collection(tmp_path, None)])
    assert len(source) == len(texts) == 1_203  # 150 documents of 8 passages and one of 3
    assert source.documents == 151
    plans = bench._plans(source, texts, 2)
    assert [len(plan) for plan in plans] == [15, 15]
    first = plans[0][0]
    row = source.lexical(first.text, 1)[0][0]
    assert source.nearest(np.stack([first.vector]), 1)[0][0][0] == row
