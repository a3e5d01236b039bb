"""The chunks of one request in Chroma: exact neighbours, filtered by type, gone afterwards."""

import numpy as np
import pytest

from backend.schemas.patients.patient_notes import NoteType
from backend.stores.passages.patient_chunks import ChunkTags, PatientChunkStore


def rows(n: int, d: int = 16) -> np.ndarray:
    found = np.random.default_rng(0).normal(size=(n, d)).astype(np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def tags(n: int) -> list[ChunkTags]:
    kinds = (NoteType.ECG, NoteType.NURSING_OTHER, NoteType.GENERAL)
    return [ChunkTags(i, kinds[i % 3], "Plan", i + 1, i % 4, "2150-01-02T10:00" if i % 4 else "") for i in range(n)]


def test_the_nearest_rows_are_those_of_the_exact_cosine() -> None:
    vectors = rows(300)
    with PatientChunkStore(tags(300), vectors) as store:
        found = store.nearest(vectors[:5], 10)
    for query, hits in zip(vectors[:5], found, strict=True):
        exact = np.argsort(-(vectors @ query), kind="stable")[:10]
        assert [row for row, _ in hits] == exact.tolist()
        assert np.allclose([cosine for _, cosine in hits], (vectors @ query)[exact], atol=1e-5)


def test_a_search_within_one_type_gives_that_type_alone() -> None:
    vectors = rows(30)
    with PatientChunkStore(tags(30), vectors) as store:
        assert store.types == (NoteType.ECG, NoteType.GENERAL, NoteType.NURSING_OTHER)
        (hits,) = store.nearest(vectors[:1], 50, NoteType.NURSING_OTHER)
        assert sorted(row for row, _ in hits) == list(range(1, 30, 3))
        assert store.nearest(vectors[:1], 5, NoteType.ECHO) == [[]]


def test_each_chunk_carries_its_metadata() -> None:
    with PatientChunkStore(tags(6), rows(6)) as store:
        assert store.tags([4, 0]) == [tags(6)[4], tags(6)[0]]
        assert store.tags([]) == []


def test_nothing_is_left_behind_even_after_an_error() -> None:
    with pytest.raises(KeyError), PatientChunkStore(tags(2), rows(2)) as store:
        raise KeyError
    names = {collection.name for collection in store._client.list_collections()}
    assert store._name not in names


def test_two_requests_at_once_do_not_see_each_other() -> None:
    vectors = rows(6)
    with PatientChunkStore(tags(6), vectors) as one, PatientChunkStore(tags(2), vectors[:2]) as other:
        assert [len(hits) for hits in one.nearest(vectors[:1], 9)] == [6]
        assert [len(hits) for hits in other.nearest(vectors[:1], 9)] == [2]


def test_no_chunk_finds_nothing() -> None:
    with PatientChunkStore([], np.empty((0, 16), dtype=np.float32)) as store:
        assert store.nearest(rows(1), 3) == [[]]


def test_a_chunk_without_a_vector_is_refused() -> None:
    with pytest.raises(ValueError, match="2 chunks and 1 vectors"):
        PatientChunkStore(tags(2), rows(1))


def test_equal_chunks_come_in_the_order_of_their_rows_every_time() -> None:
    vectors = np.repeat(rows(2), 100, axis=0)
    for _ in range(3):
        with PatientChunkStore(tags(200), vectors) as store:
            (hits,) = store.nearest(vectors[150:151], 4)
            (within,) = store.nearest(vectors[150:151], 2, NoteType.ECG)
        assert [row for row, _ in hits] == [100, 101, 102, 103]
        assert [row for row, _ in within] == [102, 105]  # the ECGs are rows 0, 3, 6, ...
