"""The vector file: keyed by content, so that a changed text is missing and an old one is stale."""

import hashlib
from pathlib import Path
from typing import Any

import numpy as np

from backend.stores.graph.vector_file import VectorFile, text_key

TEXTS = ["heart failure", "low salt diet", "daily weight"]


def test_a_key_is_the_first_sixteen_bytes_of_the_sha256() -> None:
    assert text_key("é") == hashlib.sha256("é".encode()).digest()[:16]


def test_an_absent_file_holds_nothing(tmp_path: Path) -> None:
    stored = VectorFile(tmp_path / "words.npz")
    assert stored.missing(TEXTS) == TEXTS
    assert stored.stale(TEXTS) == 0


def test_what_is_written_is_read_back_in_half_precision(tmp_path: Path, encoder: Any) -> None:
    path = tmp_path / "deep" / "words.npz"
    assert VectorFile(path).write([*TEXTS, TEXTS[0]], encoder) == 3
    again = VectorFile(path)
    assert again.missing(TEXTS) == []
    encoder.encoded.clear()
    vectors = again.vectors(list(reversed(TEXTS)), encoder)
    assert encoder.encoded == []
    assert vectors.dtype == np.float32
    assert np.allclose(vectors, encoder.encode(list(reversed(TEXTS))), atol=1e-3)


def test_a_changed_text_is_missing_and_the_old_one_is_stale(tmp_path: Path, encoder: Any) -> None:
    stored = VectorFile(tmp_path / "words.npz")
    stored.write(TEXTS, encoder)
    changed = [*TEXTS[:2], "weigh yourself daily"]
    assert stored.missing(changed) == ["weigh yourself daily"]
    assert stored.stale(changed) == 1


def test_a_rewrite_encodes_only_what_changed_and_drops_the_rest(tmp_path: Path, encoder: Any) -> None:
    path = tmp_path / "words.npz"
    VectorFile(path).write(TEXTS, encoder)
    encoder.encoded.clear()
    changed = [*TEXTS[:2], "weigh yourself daily"]
    assert VectorFile(path).write(changed, encoder) == 1
    assert encoder.encoded == ["weigh yourself daily"]
    assert VectorFile(path).stale(changed) == 0
    assert VectorFile(path).missing(changed) == []
    assert [p.name for p in tmp_path.iterdir()] == ["words.npz"]


def test_missing_vectors_are_made_on_the_way(tmp_path: Path, encoder: Any) -> None:
    stored = VectorFile(tmp_path / "words.npz")
    stored.write(TEXTS[:1], encoder)
    vectors = stored.vectors([TEXTS[2], TEXTS[0], TEXTS[2]], encoder)
    assert np.allclose(vectors[0], vectors[2])
    assert np.allclose(vectors[0], encoder.encode([TEXTS[2]])[0], atol=1e-3)
