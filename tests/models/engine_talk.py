"""What the tests of the engine over HTTP say to it, how long they wait, and how they ask."""

from collections.abc import Callable

import pytest

from backend.errors import EngineError
from backend.interfaces import LanguageModel
from backend.schemas.chat import Message
from models.llm.engine_openai import OpenAIEngine
from models.llm.engine_setup import EngineLimits

TALK = (Message("system", "You help."), Message("user", "Mr Secret has chest pain"))
QUICK = EngineLimits(first_token_s=10, between_s=10, backoff_s=0.01, backoff_most_s=0.02, retry_after_most_s=0.2)
HASTY = EngineLimits(first_token_s=0.3, between_s=0.3)
Make = Callable[..., OpenAIEngine]
SHAPE = {"type": "object", "properties": {"answer": {"type": "string", "enum": ["yes"]}}, "required": ["answer"]}


def said(engine: LanguageModel) -> str:
    return engine.chat(TALK)[0].text


def refusal(engine: OpenAIEngine) -> EngineError:
    """The error of a chat, which holds no word of the talk or of the server's reply, here or behind it."""
    with pytest.raises(EngineError) as refused:
        engine.chat(TALK)
    error = refused.value
    assert error.__cause__ is None
    assert error.__context__ is None
    assert "Secret" not in str(error) + repr(error)
    return error
