"""Counts what an engine was asked and what it gave: calls, tokens and seconds. It changes nothing that is asked or given.

An evaluation takes the difference before and after a draft, which is the draft's cost where one draft is written at a time.
"""

import threading
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import NamedTuple

from backend.interfaces import Engine
from backend.schemas.chat import (
    GREEDY,
    Abilities,
    Cancelled,
    Completion,
    Message,
    Piece,
    SamplingParams,
    Usage,
    never,
)


class Spent(NamedTuple):
    """What was asked of models.

    Attributes:
        calls: conversations sent, however many replies were asked for.
        read: tokens of prompts, as the servers counted them for each reply.
        written: tokens of replies, likewise.
        untold: calls whose tokens the server did not tell; they are in neither sum.
        seconds: from sending to the last word, added up over calls that ran at once too.
    """

    calls: int = 0
    read: int = 0
    written: int = 0
    untold: int = 0
    seconds: float = 0.0

    def plus(self, other: "Spent") -> "Spent":
        """The sum of both."""
        return Spent(
            self.calls + other.calls,
            self.read + other.read,
            self.written + other.written,
            self.untold + other.untold,
            self.seconds + other.seconds,
        )

    def since(self, before: "Spent") -> "Spent":
        """What was added after `before`."""
        return self.plus(Spent(-before.calls, -before.read, -before.written, -before.untold, -before.seconds))


class MeteredEngine:
    """An engine whose use is counted; threads may share it."""

    def __init__(self, engine: Engine) -> None:
        """Take the engine that answers."""
        self.engine = engine
        self._spent = Spent()
        self._lock = threading.Lock()

    @property
    def spent(self) -> Spent:
        """All that was asked so far."""
        with self._lock:
            return self._spent

    @property
    def name(self) -> str:
        """Which weights answer."""
        return self.engine.name

    @property
    def context(self) -> int:
        """Tokens of prompt and reply together."""
        return self.engine.context

    @property
    def abilities(self) -> Abilities:
        """What the engine can do beyond text."""
        return self.engine.abilities

    def chat(
        self,
        messages: Sequence[Message],
        *,
        sampling: SamplingParams = GREEDY,
        schema: Mapping[str, object] | None = None,
        scored: bool = False,
        cancelled: Cancelled = never,
    ) -> tuple[Completion, ...]:
        """The engine's replies; a call that fails counts as one whose tokens are not told."""
        began, given = time.perf_counter(), tuple[Completion, ...]()
        try:
            given = self.engine.chat(messages, sampling=sampling, schema=schema, scored=scored, cancelled=cancelled)
            return given
        finally:
            self._count([one.usage for one in given] or [None], time.perf_counter() - began)

    def stream(
        self,
        messages: Sequence[Message],
        *,
        sampling: SamplingParams = GREEDY,
        cancelled: Cancelled = never,
    ) -> Iterator[Piece]:
        """The engine's reply as it is written.

        Yields:
            Its pieces, as they come.
        """
        began, usage = time.perf_counter(), None
        pieces = self.engine.stream(messages, sampling=sampling, cancelled=cancelled)
        try:
            for piece in pieces:
                if piece.ended is not None:
                    usage = piece.ended.usage
                yield piece
        finally:
            if isinstance(pieces, Generator):
                pieces.close()  # whoever leaves stops the engine too
            self._count([usage], time.perf_counter() - began)

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """Tokens of the conversation as the model reads it."""
        return self.engine.count_tokens(messages)

    def warm(self) -> str:
        """Find out in advance what the first request would wait for."""
        return self.engine.warm()

    def check_queue(self) -> None:
        """Raises FullError where a request would be refused now."""
        self.engine.check_queue()

    def close(self) -> None:
        """Give back connections or memory."""
        self.engine.close()

    def _count(self, usages: Sequence[Usage | None], seconds: float) -> None:
        told = [one for one in usages if one is not None]
        added = Spent(
            calls=1,
            read=sum(one.prompt for one in told),
            written=sum(one.written for one in told),
            untold=0 if told else 1,
            seconds=seconds,
        )
        with self._lock:
            self._spent = self._spent.plus(added)
