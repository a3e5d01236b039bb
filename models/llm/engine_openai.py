"""A language model behind an OpenAI-compatible HTTP server: vLLM first; SGLang, llama.cpp, Ollama, `transformers serve`.

What the server can do is tried out once, when it is first asked for something that not every server can. Requests stand in line before
they are sent; a request that is cancelled, or whose iterator is closed, closes its connection, and the server stops.
"""

import asyncio
import random
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

from backend.errors import EngineError, InputError
from backend.registry import engine
from backend.schemas.chat import (
    GREEDY,
    Abilities,
    Cancelled,
    Completion,
    Finish,
    Message,
    Piece,
    SamplingParams,
    most_tokens,
    never,
)
from models.llm.engine_client import Address
from models.llm.engine_faults import Blame, EngineFault
from models.llm.engine_queue import LOOK_S, RequestQueue
from models.llm.engine_setup import (
    DEFAULT_LIMITS,
    EngineLimits,
    EngineSetting,
    EngineSetup,
    checked_url,
    where_url_leads,
)
from models.llm.engine_wire import Call, Growing, Wire
from models.llm.event_loop import BackgroundLoop
from models.llm.server_check import Found, count, examine

T = TypeVar("T")
STOP_S = 5.0
"""How long a cancelled request may take to close its connection, in seconds."""


class _End(NamedTuple):
    error: BaseException | None


@engine("vllm", label="A vLLM server", form="vllm:<model>", order=2)
@dataclass(frozen=True)
class VllmSetting(EngineSetting):
    """A model of the vLLM server at LEAPNOTE_LLM_URL, or of the one that `up` starts on this machine."""

    model: str
    own_server: ClassVar[bool] = True

    @classmethod
    def read(cls, rest: str | None) -> Self | None:
        """`vllm:<model>`."""
        return cls(rest) if rest else None

    def where(self, setup: EngineSetup) -> str:
        """By the server's address."""
        return where_url_leads(setup.vllm_url)

    def make(self, setup: EngineSetup) -> "OpenAIEngine":
        """Raises InputError for an address that is none."""
        return OpenAIEngine(
            Address(checked_url(setup.vllm_url), self.model, setup.key), setup.limits, context=setup.context
        )


@engine("openai", label="A server with the OpenAI protocol", form="openai:<base url>#<model>", order=3)
@dataclass(frozen=True)
class OpenAISetting(EngineSetting):
    """A model of any server that speaks the OpenAI protocol."""

    url: str
    model: str

    @classmethod
    def read(cls, rest: str | None) -> Self | None:
        """`openai:<base url>#<model>`.

        Raises:
            InputError: the model is missing or the address is none.
        """
        if rest is None:
            return None
        url, _, model = rest.partition("#")
        if not model:
            raise InputError(
                f"The language model {f'openai:{rest}'!r} names no model after '#'. Write it as openai:<base url>#<model>."
            )
        return cls(checked_url(url), model)

    def where(self, setup: EngineSetup) -> str:
        """By the server's address."""
        return where_url_leads(self.url)

    def make(self, setup: EngineSetup) -> "OpenAIEngine":
        """One engine for this address."""
        return OpenAIEngine(Address(self.url, self.model, setup.key), setup.limits, context=setup.context)


class OpenAIEngine:
    """Serves several requests at once; one connection each. `close` when it is no longer needed."""

    def __init__(
        self,
        address: Address,
        limits: EngineLimits = DEFAULT_LIMITS,
        *,
        context: int = 0,
        clock: Callable[[], float] = time.monotonic,
        rng: random.Random | None = None,
    ) -> None:
        """context: tokens, when a setting says so; 0 asks the server. Nothing is sent before the first request."""
        self.name = address.model
        self.address = address
        self.queue = RequestQueue(limits.concurrent, limits.waiting)
        self._limits = limits
        self._given_context = context
        self._wire = Wire(address, limits, rng or random.Random())
        self._breaker = Breaker(limits.failures, limits.rest_s, clock)
        self._loop = BackgroundLoop("language-model")
        self._examining = asyncio.Lock()
        self._found: Found | None = None

    @property
    def abilities(self) -> Abilities:
        """Found by trying, the first time. Raises EngineError when the server does not answer."""
        return self.examine().abilities

    @property
    def context(self) -> int:
        """Tokens of prompt and reply together. Raises EngineError when the server does not answer."""
        return self._given_context or self.examine().context

    def examine(self) -> Found:
        """What the server can do, tried out once; `summary` says it in a sentence. Raises EngineError."""
        return self._found or self._loop.run(self._guarded(self._examined()))

    def chat(
        self,
        messages: Sequence[Message],
        *,
        sampling: SamplingParams = GREEDY,
        schema: Mapping[str, object] | None = None,
        scored: bool = False,
        cancelled: Cancelled = never,
    ) -> tuple[Completion, ...]:
        """As the protocol has it, a request a reply: the server's own cache spares it reading the prompt again."""
        asked = Call(tuple(messages), sampling, schema, scored)
        calls = [asked._replace(sampling=sampling._replace(seed=sampling.seed + i)) for i in range(sampling.n)]
        growing = [Growing() for _ in calls]
        for _ in self._pieces(calls, growing, False, cancelled):
            pass
        return tuple(one.completion() for one in growing)

    def stream(
        self,
        messages: Sequence[Message],
        *,
        sampling: SamplingParams = GREEDY,
        cancelled: Cancelled = never,
    ) -> Iterator[Piece]:
        """As the protocol has it, one request.

        Yields:
            Pieces of text, and last the whole reply.
        """
        growing, written = Growing(), []
        for piece in self._pieces([Call(tuple(messages), sampling)], [growing], True, cancelled):
            written.append(piece)
            yield Piece(piece)
        ended, text = growing.completion(), "".join(written)
        if text != ended.text:  # cancelled: what was given out counts, and more may have come, even all of it
            ended = Completion(text, Finish.CANCELLED)
        yield Piece("", ended)

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """As the server counts them; else at most as many as there are bytes. Raises EngineError."""
        if not self.abilities.counts_tokens:
            return most_tokens(messages)
        found = self._loop.run(self._guarded(self._wire.patiently(lambda: count(self._wire, tuple(messages)))))
        return found[0] if found else most_tokens(messages)

    def warm(self) -> str:
        """What the server was found to be able to do. Raises EngineError when it does not answer."""
        return self.examine().summary

    def check_queue(self) -> None:
        """Raises FullError where a request would be refused now."""
        self.queue.check()

    def close(self) -> None:
        """Gives up what still runs and closes the connections."""
        self._loop.run(self._wire.close())
        self._loop.close()
        self._examining = asyncio.Lock()  # the next loop is another one

    def _pieces(self, calls: list[Call], growing: list[Growing], streamed: bool, cancelled: Cancelled) -> Iterator[str]:
        """Send calls and wait for their end.

        Yields:
            The text of one call as it comes; of several nothing.
        """
        places = self.queue.enter(len(calls), cancelled)
        if not places:
            return
        events: SimpleQueue[str | _End] = SimpleQueue()

        def ended(error: BaseException | None) -> None:
            self.queue.leave(places)
            events.put(_End(error))

        work = self._answer(calls, growing, events.put if streamed else _unheard, places)
        try:
            cancel = self._loop.start(work, ended)
        except BaseException:  # no thread to be had: nobody would give the places back
            work.close()
            self.queue.leave(places)
            raise
        over = False
        try:
            while not cancelled():
                try:
                    event = events.get(timeout=LOOK_S)
                except Empty:
                    continue
                if isinstance(event, _End):
                    over = True
                    if event.error is not None:
                        raise event.error
                    return
                yield event
        finally:
            if not over:
                cancel()
                _wait_for_end(events)

    async def _answer(
        self, calls: list[Call], growing: list[Growing], emit: Callable[[str], None], places: int
    ) -> None:
        await self._guarded(self._written(calls, growing, emit, places))

    async def _written(
        self, calls: list[Call], growing: list[Growing], emit: Callable[[str], None], places: int
    ) -> None:
        if calls[0].schema is not None or calls[0].scored:
            can = (await self._examined()).abilities
            calls = [
                call._replace(schema=call.schema if can.schema else None, scored=call.scored and can.scores)
                for call in calls
            ]
        free = asyncio.Semaphore(places)

        async def one(call: Call, reply: Growing) -> None:
            async with free:
                await self._wire.read(call, reply, emit)

        tasks = [asyncio.ensure_future(one(*pair)) for pair in zip(calls, growing, strict=True)]
        try:
            await asyncio.gather(*tasks)
        finally:  # one failed, or all were cancelled: none goes on alone
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _examined(self) -> Found:
        async with self._examining:
            if self._found is None:
                self._found = await examine(self._wire, self._given_context)
            return self._found

    async def _guarded(self, work: Coroutine[Any, Any, T]) -> T:
        """Do not send while the server rests after its failures; remember what became of it.

        Raises:
            EngineError: the server rests.
            EngineFault: the request failed.
        """
        wait_s = self._breaker.wait_s()
        if wait_s:
            work.close()
            raise EngineError(
                f"The language model server at {self.address.place} failed {self._breaker.failures} times in a row; the next try is "
                f"in {wait_s:.0f} s. Check that it runs."
            )
        try:
            found = await work
        except EngineFault as error:
            if error.fault.blame is Blame.SERVER:
                self._breaker.failed()
            else:
                self._breaker.succeeded()  # it answered, and refused
            raise
        except BaseException:  # cancelled, or the server was busy: that tells nothing of its health
            self._breaker.unknown()
            raise
        self._breaker.succeeded()
        return found


def _unheard(_: str) -> None:
    """Pieces of several replies at once belong nowhere."""


def _wait_for_end(events: "SimpleQueue[str | _End]") -> None:
    deadline = time.monotonic() + STOP_S
    while (left := deadline - time.monotonic()) > 0:
        try:
            if isinstance(events.get(timeout=left), _End):
                return
        except Empty:
            return


class Breaker:
    """Closed until `failures` requests failed one after the other; then open for rest_s; then one request may try.

    If that one succeeds it is closed, else open for as long again.
    """

    def __init__(self, failures: int, rest_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        """clock: seconds, from anywhere, never going back."""
        self._most = failures
        self._rest_s = rest_s
        self._clock = clock
        self._guard = threading.Lock()
        self._failed = 0
        self._until = 0.0
        self._trying = False

    def wait_s(self) -> float:
        """0 when a request may be sent, and then it counts as sent: tell what became of it. Else seconds to wait."""
        with self._guard:
            if self._failed < self._most:
                return 0.0
            left = self._until - self._clock()
            if left <= 0 and not self._trying:
                self._trying = True
                return 0.0
            return max(left, 1.0)  # the one that tries is still at it

    def succeeded(self) -> None:
        """The request was answered: failures are counted from 0 again."""
        with self._guard:
            self._failed = 0
            self._trying = False

    def failed(self) -> None:
        """The request failed by the server's fault."""
        with self._guard:
            self._failed += 1
            self._trying = False
            self._until = self._clock() + self._rest_s

    def unknown(self) -> None:
        """The request ended without telling anything of the server: it was cancelled, or the server was too busy."""
        with self._guard:
            self._trying = False

    @property
    def failures(self) -> int:
        """Failures one after the other, up to now."""
        with self._guard:
            return self._failed
