"""What every encoder must do: each check takes an encoder, or what makes two of them, and fails by an assertion."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from backend.interfaces import Encoder

TEXTS = ("heart failure", "kidney stone", "chest pain walking", "salt", "heart")
NEAR = 0.02
"""Half precision, where a processor has it, keeps 8 bits, and batches are padded differently."""
Make = Callable[[int], Encoder]
"""Makes the encoder of one of two sets of weights, 0 or 1; an embedded one has the same for both."""


def gives_float32_rows_of_length_1(encoder: Encoder) -> None:
    for rows in (encoder.encode(TEXTS), encoder.encode_queries(TEXTS)):
        assert isinstance(rows, np.ndarray) and rows.dtype == np.float32
        assert rows.shape == (len(TEXTS), encoder.dimension)
        assert np.abs(np.linalg.norm(rows, axis=1) - 1).max() < 1e-4


def gives_nothing_for_nothing(encoder: Encoder) -> None:
    assert encoder.encode([]).shape == encoder.encode_queries([]).shape == (0, encoder.dimension)


def gives_a_text_one_vector_in_any_batch(encoder: Encoder) -> None:
    for encode in (encoder.encode, encoder.encode_queries):
        together = encode(TEXTS)
        for place, text in enumerate(TEXTS):
            assert np.abs(encode([text])[0] - together[place]).max() < NEAR


def keeps_the_order_and_repeats(encoder: Encoder) -> None:
    rows, back = encoder.encode(TEXTS), encoder.encode((*TEXTS[::-1], TEXTS[0]))
    assert np.abs(rows - back[:-1][::-1]).max() < NEAR
    assert np.abs(rows[0] - back[-1]).max() < NEAR


def tells_texts_apart(encoder: Encoder) -> None:
    rows = encoder.encode(TEXTS)
    assert all(np.abs(rows[i] - rows[j]).max() > 1e-4 for i in range(len(TEXTS)) for j in range(i))


def serves_threads_alike(encoder: Encoder) -> None:
    wanted = encoder.encode(TEXTS)
    rounds = [TEXTS[i % 5 :] + TEXTS[: i % 5] for i in range(24)]
    with ThreadPoolExecutor(6) as threads:
        for texts, rows in zip(rounds, threads.map(encoder.encode, rounds), strict=True):
            assert np.abs(rows - wanted[[TEXTS.index(text) for text in texts]]).max() < NEAR


def names_its_weights(make: Make) -> None:
    one, again, other = make(0), make(0), make(1)
    assert one.name == again.name and one.name.strip()
    same = np.abs(one.encode(TEXTS) - other.encode(TEXTS)).max() < 1e-6
    assert (one.name == other.name) == same


CHECKS = (
    gives_float32_rows_of_length_1,
    gives_nothing_for_nothing,
    gives_a_text_one_vector_in_any_batch,
    keeps_the_order_and_repeats,
    tells_texts_apart,
    serves_threads_alike,
)
