"""A chat model as planning, thinking and answering ask it. Engines come from elsewhere; tests give a scripted one."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

Role = Literal["system", "user", "assistant"]


class Message(NamedTuple):
    role: Role
    content: str


class PlanningModel(Protocol):
    """name says which weights answer, for the draft's record."""

    name: str

    def chat(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, object] | None = None,
        n: int = 1,
        temperature: float = 0.0,
        top_p: float = 1.0,
        seed: int = 0,
        max_tokens: int = 1024,
    ) -> tuple[str, ...]:
        """n replies to one conversation.

        schema: a JSON schema each reply must follow; a server that cannot hold a model to it may leave it out, since
        every reply is checked here. Raises a LeapnoteError when the model does not answer.
        """
        ...
