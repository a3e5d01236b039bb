"""Nearest passages: cosine, best first, refused by name where nothing is indexed."""

import numpy as np
import pytest

from backend.errors import MissingError
from backend.schemas.vocabulary import Source
from backend.stores.passages import PassageVectors

VECTORS = np.eye(4, dtype=np.float32)[:3]


@pytest.fixture(scope="module")
def store() -> PassageVectors:
    made = PassageVectors("test-store")
    made.put(Source.BOOK, ["0", "1", "2"], VECTORS)
    return made


def test_the_nearest_come_first_with_their_cosine(store: PassageVectors) -> None:
    query = np.array([[0.8, 0.6, 0.0, 0.0]], dtype=np.float32)
    ((first, second),) = store.search(Source.BOOK, query, 2)
    assert first == ("0", pytest.approx(0.8, abs=1e-5))
    assert second == ("1", pytest.approx(0.6, abs=1e-5))


def test_more_than_there_are_gives_all_and_no_query_gives_nothing(store: PassageVectors) -> None:
    assert len(store.search(Source.BOOK, VECTORS[:1], 99)[0]) == 3
    assert store.search(Source.BOOK, VECTORS[:0], 5) == []


def test_a_source_without_passages_says_how_to_add_some(store: PassageVectors) -> None:
    with pytest.raises(MissingError, match=r"'guideline'.*knowledge add jsonl --source guideline"):
        store.search(Source.GUIDELINE, VECTORS[:1], 5)


def test_a_source_can_be_replaced(store: PassageVectors) -> None:
    store.put(Source.WIKI, ["a"], VECTORS[:1])
    store.put(Source.WIKI, ["b"], VECTORS[1:2])
    assert [key for key, _ in store.search(Source.WIKI, VECTORS[1:2], 5)[0]] == ["b"]
    assert set(store.sources()) == {Source.BOOK, Source.WIKI}
