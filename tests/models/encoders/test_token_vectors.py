"""Vectors of single tokens, which BERTScore rests on: of the embedded encoder, and of a model in a folder."""

from pathlib import Path

import numpy as np
import pytest

from backend.evaluation.metrics.bertscore import TokenEncoder, bertscore
from backend.evaluation.metrics.language_measures import LanguageMeasures
from models.encoders.encoders import make_encoder
from models.encoders.minilm import minilm
from models.encoders.sentence_encoder import Published, SentenceEncoder
from tests.models.encoders.test_rerankers import WORDS, tiny

TEXTS = ("take the tablets with food", "", "take your tablets with some food")


def test_the_embedded_encoder_gives_a_row_a_word_piece() -> None:
    rows = minilm().token_vectors(TEXTS)
    assert [one.shape for one in rows] == [(5, 384), (0, 384), (6, 384)]
    assert np.linalg.norm(rows[0], axis=1) == pytest.approx(1.0)
    (alone,) = minilm().token_vectors(TEXTS[:1])
    assert alone == pytest.approx(rows[0], abs=1e-4)  # padding beside a longer text changes nothing


def test_a_model_of_a_folder_gives_them_too(tmp_path: Path) -> None:
    folder = tiny(tmp_path / "model", 1)
    encoder = SentenceEncoder("tiny", Published("tiny", "", str(folder), "", "cls", 64, 64))
    assert isinstance(encoder, TokenEncoder)
    rows = encoder.token_vectors([" ".join(WORDS[:3]), WORDS[0]])
    assert [one.shape for one in rows] == [(3, 16), (1, 16)]
    assert np.linalg.norm(rows[0], axis=1) == pytest.approx(1.0, abs=1e-3)


def test_bertscore_is_there_by_default_and_a_near_text_is_nearer() -> None:
    encoder = make_encoder("minilm")
    assert "bertscore" not in {one.name for one in LanguageMeasures(encoder).not_available}
    measures = LanguageMeasures(encoder)
    same, near = (measures.scores(text, TEXTS[0]).bertscore for text in (TEXTS[0], TEXTS[2]))
    far = measures.scores("the moon is far away", TEXTS[0]).bertscore
    assert same is not None and near is not None and far is not None
    assert same == pytest.approx(1.0, abs=1e-5) and same > near > far
    assert bertscore(*encoder.token_vectors(TEXTS[:2])) is None  # type: ignore[attr-defined]
