"""A model that answers from a script, and remembers what it was asked."""

from collections.abc import Callable, Mapping, Sequence

from backend.errors import MissingError
from backend.prompts.model import Message

Answer = Callable[[Sequence[Message]], str]


class Scripted:
    """replies: one a call, in order, the last one again and again; or a function of the conversation."""

    name = "scripted"

    def __init__(self, *replies: str, answer: Answer | None = None) -> None:
        self._replies = replies
        self._answer = answer
        self.calls: list[tuple[Message, ...]] = []
        self.settings: list[dict[str, object]] = []

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
        self.calls.append(tuple(messages))
        self.settings.append({"n": n, "temperature": temperature, "top_p": top_p, "seed": seed, "schema": schema})
        if self._answer is not None:
            return tuple(self._answer(messages) for _ in range(n))
        return tuple(self._replies[min(len(self.calls) - 1 + i, len(self._replies) - 1)] for i in range(n))

    @property
    def said(self) -> str:
        """All that was ever said to it."""
        return "\n".join(message.content for call in self.calls for message in call)


class Dead:
    """A server that does not answer."""

    name = "dead"

    def chat(self, messages: Sequence[Message], **settings: object) -> tuple[str, ...]:
        raise MissingError("The language model does not answer. Start it and try again.")


class DiesAt(Scripted):
    """Answers until the call of that number, counted from 1, and then no more."""

    def __init__(self, call: int, *replies: str, answer: Answer | None = None) -> None:
        super().__init__(*replies, answer=answer)
        self._call = call

    def chat(self, messages: Sequence[Message], **settings: object) -> tuple[str, ...]:  # type: ignore[override]
        if len(self.calls) + 1 >= self._call:
            raise MissingError("The language model does not answer. Start it and try again.")
        return super().chat(messages, **settings)  # type: ignore[arg-type]
