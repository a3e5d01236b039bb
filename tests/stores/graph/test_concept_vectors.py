"""Vectors of concepts: aligned with the graph, never encoded twice, refused where they belong to something else."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backend.errors import KnowledgeError
from backend.settings import ROOT
from backend.stores.graph.concept_encoding import encode_concepts
from backend.stores.graph.concept_vectors import ConceptVectors
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow


def graph_of(*names: str) -> Graph:
    return Graph([ConceptRow(f"C{i}", name, "DISO", "disease") for i, name in enumerate(names)], [], {})


FIVE = ("heart failure", "gout", "heart failure", "cough", "fever")


def test_rows_stand_in_the_order_of_the_concepts_in_half_precision(tmp_path: Path, encoder: Any) -> None:
    vectors = encode_concepts(graph_of(*FIVE), encoder, tmp_path / "v", batch=2)
    assert vectors.matrix.dtype == np.float16
    assert vectors.matrix.shape == (5, encoder.dimension)
    assert np.allclose(vectors.rows(np.array([4, 0])), encoder.encode(["fever", "heart failure"]), atol=1e-3)
    assert np.allclose(np.linalg.norm(vectors.matrix.astype(np.float32), axis=1), 1.0, atol=2e-3)
    with pytest.raises(ValueError, match="read-only"):
        vectors.matrix[0, 0] = 1


def test_an_equal_name_is_encoded_once(tmp_path: Path, encoder: Any) -> None:
    for batch in (1, 2, 100):
        encoder.encoded.clear()
        vectors = encode_concepts(graph_of(*FIVE), encoder, tmp_path / f"v{batch}", batch=batch)
        assert sorted(encoder.encoded) == sorted(set(FIVE))
        assert np.array_equal(vectors.matrix[0], vectors.matrix[2])


def test_finished_vectors_are_opened_and_nothing_is_encoded(tmp_path: Path, encoder: Any) -> None:
    encode_concepts(graph_of(*FIVE), encoder, tmp_path / "v")
    encoder.encoded.clear()
    encode_concepts(graph_of(*FIVE), encoder, tmp_path / "v").check(graph_of(*FIVE), "words")
    assert encoder.encoded == []
    assert sorted(path.name for path in (tmp_path / "v").iterdir()) == ["keys.npy", "meta.json", "vectors.npy"]


def test_progress_is_told(tmp_path: Path, encoder: Any) -> None:
    progress: list[tuple[int, int, str]] = []
    encode_concepts(graph_of(*FIVE), encoder, tmp_path / "v", batch=2, progress=lambda *step: progress.append(step))
    assert progress == [(done, 5, "concept names encoded") for done in (2, 4, 5)]


KILLED = """
import os, signal, sys
from pathlib import Path
import numpy as np
from backend.stores.graph.concept_encoding import encode_concepts
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow
class Encoder:
    name, dimension = "words", 64
    def encode(self, texts):
        if "name 6" in texts:
            os.kill(os.getpid(), signal.SIGKILL)
        return np.full((len(texts), 64), 0.125, dtype=np.float32)
rows = [ConceptRow(f"C{i}", f"name {i}", "DISO", "disease") for i in range(10)]
encode_concepts(Graph(rows, [], {}), Encoder(), Path(sys.argv[1]), batch=3)
"""


def test_a_killed_encoding_goes_on_behind_its_last_batch(tmp_path: Path, encoder: Any) -> None:
    ended = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "v")], cwd=ROOT, check=False)
    assert ended.returncode == -9
    with pytest.raises(KnowledgeError, match=r"no finished concept vectors.*goes on where it stopped"):
        ConceptVectors(tmp_path / "v")
    vectors = encode_concepts(graph_of(*(f"name {i}" for i in range(10))), encoder, tmp_path / "v", batch=3)
    assert encoder.encoded == [f"name {i}" for i in range(6, 10)]  # batches 0-2 and 3-5 were finished
    assert np.array_equal(vectors.matrix[:6], np.full((6, 64), 0.125, dtype=np.float16))


def test_rows_of_another_snapshot_are_taken_over_by_their_text(tmp_path: Path, encoder: Any) -> None:
    old = encode_concepts(graph_of(*FIVE), encoder, tmp_path / "old")
    encoder.encoded.clear()
    new = encode_concepts(graph_of("cough", "asthma", "gout"), encoder, tmp_path / "new", known=(tmp_path / "old",))
    assert encoder.encoded == ["asthma"]
    assert np.array_equal(new.matrix[[0, 2]], old.matrix[[3, 1]])


def test_rows_of_another_encoder_are_not_taken_over(tmp_path: Path, encoder: Any) -> None:
    encode_concepts(graph_of("cough"), encoder, tmp_path / "old")
    encoder.encoded.clear()
    encoder.name = "other words"
    encode_concepts(graph_of("cough"), encoder, tmp_path / "new", known=(tmp_path / "old",))
    assert encoder.encoded == ["cough"]


def test_another_encoder_or_graph_is_refused(tmp_path: Path, encoder: Any) -> None:
    vectors = encode_concepts(graph_of(*FIVE), encoder, tmp_path / "v")
    vectors.check(graph_of(*FIVE), "words")
    with pytest.raises(KnowledgeError, match="made by the encoder 'words', not by 'other'"):
        vectors.check(graph_of(*FIVE), "other")
    with pytest.raises(KnowledgeError, match="belong to the graph"):
        vectors.check(graph_of(*FIVE[:4]), "words")
    with pytest.raises(KnowledgeError, match="belong to the graph"):  # the fingerprint alone would not tell a new name
        vectors.check(graph_of(*FIVE[:4], "chills"), "words")
    with pytest.raises(KnowledgeError, match="concepts 5 there, 4 here"):
        encode_concepts(graph_of(*FIVE[:4]), encoder, tmp_path / "v")


def test_a_begun_folder_is_not_filled_for_another_graph(tmp_path: Path, encoder: Any) -> None:
    def stop(done: int, total: int, what: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        encode_concepts(graph_of(*FIVE), encoder, tmp_path / "v", batch=2, progress=stop)
    with pytest.raises(KnowledgeError, match="concepts 5 there, 2 here"):
        encode_concepts(graph_of(*FIVE[:2]), encoder, tmp_path / "v")
    encoder.encoded.clear()
    encode_concepts(graph_of(*FIVE), encoder, tmp_path / "v", batch=2)
    assert encoder.encoded == ["cough", "fever"]


def test_an_encoder_whose_rows_are_not_of_length_one_is_refused(tmp_path: Path, encoder: Any) -> None:
    unit = encoder.encode
    encoder.encode = lambda texts: unit(texts) * 2
    with pytest.raises(KnowledgeError, match=r"lengths from 2.000 to 2.000"):
        encode_concepts(graph_of(*FIVE), encoder, tmp_path / "v")
    encoder.encode = lambda texts: unit(texts) * np.nan
    with pytest.raises(KnowledgeError, match="length 1"):
        encode_concepts(graph_of(*FIVE), encoder, tmp_path / "w")


def test_a_graph_without_concepts_has_no_vectors(tmp_path: Path, encoder: Any) -> None:
    assert len(encode_concepts(graph_of(), encoder, tmp_path / "v")) == 0


def test_damaged_vectors_are_refused(tmp_path: Path, encoder: Any) -> None:
    encode_concepts(graph_of(*FIVE), encoder, tmp_path / "v")
    path = tmp_path / "v" / "vectors.npy"
    whole = path.read_bytes()
    path.write_bytes(whole[:-7])
    with pytest.raises(KnowledgeError, match=r"vectors.npy is missing or cut short"):
        ConceptVectors(tmp_path / "v")
    path.write_bytes(whole)
    np.save(tmp_path / "v" / "keys.npy", np.zeros((3, 16), dtype=np.uint8))
    with pytest.raises(KnowledgeError, match=r"keys.npy holds"):
        ConceptVectors(tmp_path / "v")
    meta = tmp_path / "v" / "meta.json"
    stored = json.loads(meta.read_text())
    for text in ("", "[]", json.dumps({**stored, "format": 9}), json.dumps({**stored, "more": 1})):
        meta.write_text(text)
        with pytest.raises(KnowledgeError, match="damaged"):
            ConceptVectors(tmp_path / "v")
