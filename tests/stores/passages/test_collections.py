"""Comparing with every row of a collection: the same rows as numpy's own conversion gives, whatever the values."""

import numpy as np
import pytest

from backend.stores.passages import collections as text_collections
from backend.stores.passages.collections import PART, nearest_halves


def unit(rng: np.random.Generator, rows: int, dimension: int = 32) -> np.ndarray:
    drawn = rng.standard_normal((rows, dimension)).astype(np.float32)
    return np.asarray(drawn / np.linalg.norm(drawn, axis=1, keepdims=True))


@pytest.mark.parametrize("size", [1, PART - 1, PART, 2 * PART + 5])
@pytest.mark.parametrize("k", [1, 7, 5_000])
def test_the_nearest_rows_are_those_of_plain_float32(size: int, k: int) -> None:
    rng = np.random.default_rng(size)
    halves, queries = unit(rng, size).astype(np.float16), unit(rng, 3)
    plain = queries @ halves.astype(np.float32).T
    found = nearest_halves(halves, queries, k)
    for row, near in zip(plain, found, strict=True):
        assert [cosine for _, cosine in near] == pytest.approx(np.sort(row)[::-1][:k].tolist(), abs=1e-6)
        assert [row[place] for place, _ in near] == pytest.approx([cosine for _, cosine in near], abs=1e-6)
        assert len({place for place, _ in near}) == len(near) == min(k, size)


def test_scores_held_in_parts_give_the_same_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    halves, queries = unit(rng, 4 * PART).astype(np.float16), unit(rng, 2)
    whole = nearest_halves(halves, queries, 40)
    monkeypatch.setattr(text_collections, "SCORED", PART)
    assert nearest_halves(halves, queries, 40) == whole


def test_every_finite_half_is_widened_to_its_value() -> None:
    # one dimension, the query 1: a row's product is the row. All 63,488 finite values: 2 signs x 31 exponents x 1,024
    every = np.arange(65_536, dtype=np.uint32).astype(np.uint16).view(np.float16)
    finite = every[np.isfinite(every)]
    assert len(finite) == 63_488
    found = nearest_halves(finite[:, None], np.ones((1, 1), dtype=np.float32), len(finite))[0]
    assert all(value == float(finite[place]) for place, value in found)


def test_equal_rows_come_by_number_and_nothing_is_found_in_nothing() -> None:
    row = np.array([[0.6, 0.8]], dtype=np.float16)
    query = row.astype(np.float32)
    assert [place for place, _ in nearest_halves(np.repeat(row, 9, axis=0), query, 4)[0]] == [0, 1, 2, 3]
    assert nearest_halves(row[:0], query, 4) == [[]]
    assert nearest_halves(row, query, 0) == [[]]
    assert nearest_halves(row, query[:0], 4) == []
