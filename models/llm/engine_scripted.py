"""A language model that answers from a script and remembers what it was asked. For tests; no setting ever chooses it."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from backend.errors import EngineError
from backend.schemas.chat import (
    GREEDY,
    Abilities,
    Cancelled,
    Completion,
    Finish,
    Message,
    Piece,
    SamplingParams,
    Usage,
    never,
)

Answer = Callable[[Sequence[Message]], str]
_DEAD = "The language model does not answer. Start it and try again."


class Scripted:
    """replies: one a call, in order, the last one again and again; or a function of the conversation.

    A stream gives one word a piece. A word of the script counts as a token.
    """

    name = "scripted"

    def __init__(self, *replies: str, answer: Answer | None = None, context: int = 8192) -> None:
        self._replies = replies
        self._answer = answer
        self.context = context
        self.abilities = Abilities(schema=True, scores=False, counts_tokens=True)
        self.calls: list[tuple[Message, ...]] = []
        self.samplings: list[SamplingParams] = []
        self.schemas: list[Mapping[str, object] | None] = []

    def chat(
        self,
        messages: Sequence[Message],
        *,
        sampling: SamplingParams = GREEDY,
        schema: Mapping[str, object] | None = None,
        scored: bool = False,
        cancelled: Cancelled = never,
    ) -> tuple[Completion, ...]:
        """The next replies of the script; what was asked is kept in calls, samplings and schemas."""
        self.calls.append(tuple(messages))
        self.samplings.append(sampling)
        self.schemas.append(schema)
        return tuple(Completion(self._reply(messages, i), usage=self._usage(messages)) for i in range(sampling.n))

    def stream(
        self,
        messages: Sequence[Message],
        *,
        sampling: SamplingParams = GREEDY,
        cancelled: Cancelled = never,
    ) -> Iterator[Piece]:
        """The next reply of the script.

        Yields:
            A word a piece, and last the whole reply.
        """
        self.calls.append(tuple(messages))
        self.samplings.append(sampling)
        self.schemas.append(None)
        text, written = self._reply(messages, 0), ""
        for word in text.split(" "):
            if cancelled():
                yield Piece("", Completion(written, Finish.CANCELLED))
                return
            piece = f" {word}" if written else word
            written += piece
            yield Piece(piece)
        yield Piece("", Completion(written, usage=self._usage(messages)))

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """Words."""
        return sum(len(message.content.split()) for message in messages)

    @property
    def said(self) -> str:
        """All that was ever said to it."""
        return "\n".join(message.content for call in self.calls for message in call)

    def _reply(self, messages: Sequence[Message], number: int) -> str:
        if self._answer is not None:
            return self._answer(messages)
        return self._replies[min(len(self.calls) - 1 + number, len(self._replies) - 1)]

    def _usage(self, messages: Sequence[Message]) -> Usage:
        return Usage(self.count_tokens(messages), 1)


class Dead(Scripted):
    """A server that does not answer."""

    name = "dead"

    def chat(self, messages: Sequence[Message], **settings: object) -> tuple[Completion, ...]:
        """Fail.

        Raises:
            EngineError: always.
        """
        raise EngineError(_DEAD)

    def stream(self, messages: Sequence[Message], **settings: object) -> Iterator[Piece]:
        """Fail when it is read.

        Yields:
            Nothing.

        Raises:
            EngineError: always.
        """
        raise EngineError(_DEAD)
        yield  # a generator: it fails when it is read


class DiesAt(Scripted):
    """Answers until the call of that number, counted from 1, and then no more."""

    def __init__(self, call: int, *replies: str, answer: Answer | None = None) -> None:
        super().__init__(*replies, answer=answer)
        self._call = call

    def chat(self, messages: Sequence[Message], **settings: object) -> tuple[Completion, ...]:
        """As the script has it, until the call of that number.

        Raises:
            EngineError: from that call on.
        """
        if len(self.calls) + 1 >= self._call:
            raise EngineError(_DEAD)
        return super().chat(messages, **settings)  # type: ignore[arg-type]
