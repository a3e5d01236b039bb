"""The API in a process of its own, a server of a language model, and a bad line between them: what drafts by a model are tested with."""

from typing import Any, NamedTuple

from backend.schemas.drafts.draft import Draft
from tests.models.engine_server import Answer
from tests.services.broken_server import BrokenServer
from tests.services.chat_server import MODELS, ChatServer, asked_for
from tests.services.served import Event, Served

FIRST_S, BETWEEN_S = 4.0, 1.5
LEAVES_S = 5.0
"""How soon a server has to see that the reader has left."""
SPARE_S = 15.0
"""Seconds that evidence, verification and a busy machine may take beside the limits."""
NAMES = iter(MODELS)


class World(NamedTuple):
    api: Served
    server: ChatServer
    line: BrokenServer
    auto_port: int

    def straight(self, model: str) -> str:
        return f"openai:{self.server.url}#{model}"

    def through(self, model: str) -> str:
        return f"openai:{self.line.url}#{model}"


def writes(body: dict[str, Any]) -> bool:
    return asked_for(body) == "discharge-instructions"


def spoilt(answer: Answer) -> Any:
    """A rule: the draft itself is answered so, all before it well."""
    return lambda body: answer if writes(body) else None


def stages(events: list[Event]) -> list[str]:
    """Each once, in order; a busy machine may need heartbeats anywhere."""
    return [name for name in dict.fromkeys(event.stage for event in events) if name != "heartbeat"]


def kept_safe(draft: Draft) -> None:
    """Whatever became of the model: evidence is there, and what is written was checked."""
    assert draft.evidence.passages
    assert draft.evidence.paths
    assert all(sentence.reason or sentence.support_score is not None for sentence in draft.sentences)
    for sentence in draft.sentences:
        assert draft.text[sentence.start_char : sentence.end_char] == sentence.text
