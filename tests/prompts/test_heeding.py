"""Asking is given up when the one who asked has left, and refused, not fallen back from, when the line is full."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from backend.errors import CancelledError, EngineError, FullError
from backend.prompts.asking import Asker, heeding
from backend.prompts.evidence_prompts import TERMS, THOUGHT
from backend.schemas.base import Frozen
from backend.schemas.chat import Completion, Finish, never
from models.llm.engine_scripted import Scripted


class Words(Frozen):
    terms: tuple[str, ...]


class Heeds(Scripted):
    """Writes until it is told to stop, as the engines do."""

    def chat(self, messages: Any, **settings: Any) -> tuple[Completion, ...]:
        super().chat(messages, **settings)
        assert settings["cancelled"] is not never
        return (Completion("as far as it got", Finish.CANCELLED),)


class Fails(Scripted):
    def __init__(self, error: EngineError) -> None:
        super().__init__("")
        self._error = error

    def chat(self, messages: Any, **settings: Any) -> tuple[Completion, ...]:
        raise self._error


def ask(asker: Asker, shaped: bool) -> object:
    if shaped:
        return asker.shaped(TERMS, Words, {"task": "a cough"}, most=3)
    return asker.texts(THOUGHT, {"task": "a cough"}, words=100)


@pytest.mark.parametrize("shaped", [True, False])
def test_a_reply_that_was_cancelled_is_no_reply(shaped: bool) -> None:
    model = Heeds("")
    with heeding(lambda: True):
        asker = Asker(model, 0)
    with pytest.raises(CancelledError, match="scripted was asked for"):
        ask(asker, shaped)
    assert len(model.calls) == 1  # not asked again for its form


@pytest.mark.parametrize("shaped", [True, False])
def test_outside_nobody_cancels(shaped: bool) -> None:
    with heeding(lambda: True):
        pass
    model = Scripted('{"terms": ["cough"]}')
    assert "cough" in str(ask(Asker(model, 0), shaped))


@pytest.mark.parametrize("shaped", [True, False])
def test_a_full_line_is_raised_and_another_failure_is_a_reason(shaped: bool) -> None:
    with pytest.raises(FullError, match="busy"):
        ask(Asker(Fails(FullError("The language model is busy.")), 0), shaped)
    assert "did not answer: The server broke off." in str(
        ask(Asker(Fails(EngineError("The server broke off.")), 0), shaped)
    )


@pytest.mark.parametrize("shaped", [True, False])
def test_who_asks_is_apart_while_the_model_answers_and_only_then(shaped: bool) -> None:
    wording: list[str] = []

    @contextmanager
    def apart() -> Iterator[None]:
        wording.append("away")
        yield
        wording.append("back")

    model = Scripted(answer=lambda messages: wording.append("answers") or '{"terms": ["cough"]}')
    with heeding(never, apart):
        asker = Asker(model, 0)
    ask(asker, shaped)
    assert wording == ["away", "answers", "back"]
