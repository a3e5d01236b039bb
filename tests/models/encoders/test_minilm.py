"""The embedded encoder: texts of like length are run together, and who runs beside whom changes no vector."""

from collections.abc import Sequence

import numpy as np
import pytest

from models.encoders.minilm import BATCH, MiniLMEncoder, _batches


@pytest.mark.parametrize(
    ("lengths", "expected"),
    [
        ([], []),
        ([5, 60, 128], [[0, 1, 2]]),  # all at most twice as long as 64
        ([5, 60, 129], [[0, 1], [2]]),
        ([100, 200, 201, 1000], [[0, 1], [2], [3]]),  # each batch is measured by its own shortest
        ([10] * (BATCH + 1), [list(range(BATCH)), [BATCH]]),
    ],
)
def test_a_batch_holds_texts_of_like_length(lengths: Sequence[int], expected: list[list[int]]) -> None:
    assert _batches(range(len(lengths)), lengths) == expected


def test_a_short_text_has_the_same_vector_beside_a_long_one() -> None:
    encoder = MiniLMEncoder()
    short, long = "Gout.", "Take the tablets with food, and drink enough. " * 20
    together = encoder.encode_apart([long, short])
    assert np.allclose(together, np.vstack([encoder.encode_apart([long]), encoder.encode_apart([short])]), atol=1e-5)
    assert np.allclose(np.linalg.norm(together, axis=1), 1.0)
