"""What an engine was asked is counted, and nothing else changes."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from backend.errors import EngineError
from backend.schemas.chat import Message, Piece, SamplingParams
from models.llm.engine_meter import MeteredEngine, Spent
from models.llm.engine_scripted import Dead, Scripted

ASKED = (Message("user", "three words here"),)


def test_calls_and_tokens_are_those_the_engine_told() -> None:
    engine = MeteredEngine(Scripted("one reply"))  # type: ignore[arg-type]
    before = engine.spent
    (reply,) = engine.chat(ASKED)
    assert reply.text == "one reply"
    assert "".join(piece.text for piece in engine.stream(ASKED)) == "one reply"
    spent = engine.spent.since(before)
    assert (spent.calls, spent.read, spent.written, spent.untold) == (2, 6, 2, 0)
    assert spent.seconds >= 0


def test_several_replies_are_one_call() -> None:
    engine = MeteredEngine(Scripted("a", "b"))  # type: ignore[arg-type]
    assert len(engine.chat(ASKED, sampling=SamplingParams(n=2))) == 2
    assert (engine.spent.calls, engine.spent.written) == (1, 2)


def test_a_call_that_failed_counts_and_its_tokens_are_not_told() -> None:
    engine = MeteredEngine(Dead())  # type: ignore[arg-type]
    with pytest.raises(EngineError):
        engine.chat(ASKED)
    with pytest.raises(EngineError):
        list(engine.stream(ASKED))
    assert (engine.spent.calls, engine.spent.untold, engine.spent.read) == (2, 2, 0)


class Left(Scripted):
    """Remembers that its stream was left."""

    left = False

    def stream(self, messages: Sequence[Message], **settings: Any) -> Iterator[Piece]:
        try:
            yield from super().stream(messages, **settings)
        except GeneratorExit:
            self.left = True
            raise


def test_a_stream_that_is_left_counts_and_is_left_at_once() -> None:
    inner = Left("many words are written here")
    engine = MeteredEngine(inner)  # type: ignore[arg-type]
    pieces = engine.stream(ASKED)
    next(pieces)
    pieces.close()  # type: ignore[attr-defined]
    assert inner.left
    assert (engine.spent.calls, engine.spent.untold) == (1, 1)


def test_sums() -> None:
    one, two = Spent(1, 2, 3, 4, 5.0), Spent(2, 2, 2, 2, 2.0)
    assert one.plus(two).since(two) == one
