"""Long work beside readers: it waits for them, not for ever, and leaves their recent texts alone."""

from typing import Any

import numpy as np
import pytest

from models.encoders.background_encoder import LONGEST_S, QUIET_S, BackgroundEncoder
from models.encoders.minilm import MiniLMEncoder


class Asked:
    """An encoder that a reader asked at `asked`."""

    name, dimension = "asked", 2

    def __init__(self, asked: float) -> None:
        self.asked = asked

    def load(self) -> None: ...

    def encode(self, texts: Any) -> np.ndarray:
        raise AssertionError("the readers' own call")

    def encode_apart(self, texts: Any) -> np.ndarray:
        return np.zeros((len(texts), 2), dtype=np.float32)


@pytest.mark.parametrize(
    ("asked", "busy", "waits"),
    [
        (-10.0, False, 0.0),  # nobody asked for long
        (0.0, False, QUIET_S),  # a draft that has just asked once
        (0.0, True, LONGEST_S),  # drafts one after the other
    ],
)
def test_it_waits_until_readers_are_through_but_not_for_ever(asked: float, busy: bool, waits: float) -> None:
    now = [0.0]
    encoder = Asked(asked)

    def sleep(seconds: float) -> None:
        now[0] += seconds
        encoder.asked = now[0] if busy else encoder.asked

    made = BackgroundEncoder(encoder, lambda: now[0], sleep)
    assert made.encode(["a", "b"]).shape == (2, 2)
    assert now[0] == pytest.approx(waits, abs=QUIET_S / 10 + 1e-9)


def test_the_vectors_are_the_same_and_recent_texts_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.encoders.minilm.CACHE_SIZE", 2)
    encoder = MiniLMEncoder()
    encoder.encode(["gout", "salt"])
    ran: list[str] = []
    run = encoder._run
    monkeypatch.setattr(encoder, "_run", lambda texts: ran.extend(texts) or run(texts))
    many = [f"passage {i} of a long import" for i in range(4)]
    found = BackgroundEncoder(encoder, sleep=lambda seconds: None, clock=iter(range(0, 1000, 10)).__next__).encode(many)
    encoder.encode(["gout", "salt"])  # known still: nothing is run for them
    assert ran == many
    assert np.allclose(found, encoder.encode(many), atol=1e-5)
