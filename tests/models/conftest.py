"""The engine over HTTP and the server it talks to."""

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import SecretStr

from models.llm.engine_client import Address
from models.llm.engine_openai import OpenAIEngine
from models.llm.engine_setup import EngineLimits
from tests.models.engine_server import MODEL, FakeServer, fake_server
from tests.models.engine_talk import QUICK, Make


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with fake_server() as served:
        yield served


@pytest.fixture
def make() -> Iterator[Make]:
    """Makes an engine for a url; all are closed at the end."""
    made: list[OpenAIEngine] = []

    def one(url: str, limits: EngineLimits = QUICK, model: str = MODEL, key: str = "", **more: Any) -> OpenAIEngine:
        made.append(OpenAIEngine(Address(url, model, SecretStr(key)), limits, **more))
        return made[-1]

    yield one
    for engine in made:
        engine.close()


@pytest.fixture
def engine(server: FakeServer, make: Make) -> OpenAIEngine:
    return make(server.url)
