"""One request to an OpenAI-compatible server: sent, read as a stream, tried again where that is right.

All requests stream, those of `chat` too: so a server that stalls is noticed, and one that is given up stops. What goes
over the line is the conversation and its settings.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from backend.schemas.chat import Completion, Finish, Message, SamplingParams, TokenScore, Usage
from models.llm.engine_client import Address, make_client
from models.llm.engine_faults import BrokenOffError, Fault, GarbageError, fault_of
from models.llm.engine_setup import EngineLimits

if TYPE_CHECKING:
    from openai import AsyncOpenAI

T = TypeVar("T")
AFTER_END_S = 2.0
"""How long the count of tokens is waited for, once a reply is whole, in seconds."""
_ENDS = {"length": Finish.LENGTH}
_BROKEN_ENDS = {"abort", "error", "content_filter"}


class Call(NamedTuple):
    """One request for one reply: sampling's n is left aside."""

    messages: tuple[Message, ...]
    sampling: SamplingParams
    schema: Mapping[str, object] | None = None
    scored: bool = False


class Growing:
    """A reply while it is written."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.scores: list[TokenScore] = []
        self.finish: Finish | None = None
        self.usage: Usage | None = None
        self.started = False

    @property
    def text(self) -> str:
        """What came so far."""
        return "".join(self.parts)

    def completion(self) -> Completion:
        """What there is. A reply that did not end was cancelled."""
        return Completion(self.text, self.finish or Finish.CANCELLED, tuple(self.scores), self.usage)


class Wire:
    """The line to one server, used from one event loop."""

    def __init__(self, address: Address, limits: EngineLimits, rng: random.Random) -> None:
        """rng: the jitter of waits before another try."""
        self.address = address
        self.context = 0
        self._limits = limits
        self._rng = rng
        self._client: AsyncOpenAI | None = None

    @property
    def client(self) -> "AsyncOpenAI":
        """The client, made at first use."""
        if self._client is None:
            self._client = make_client(self.address, self._limits)
        return self._client

    async def close(self) -> None:
        """Close the connections; a later request opens others."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def read(self, call: Call, growing: Growing, emit: Callable[[str], None]) -> None:
        """Fills `growing` and emits each piece as it comes. Raises EngineError."""
        await self.patiently(lambda: self._attempt(call, growing, emit), growing)

    async def patiently(self, attempt: Callable[[], Awaitable[T]], growing: Growing | None = None) -> T:
        """attempt() until it succeeds, fails for good, or has been tried often enough. Raises EngineError."""
        tried = 0
        while True:
            try:
                return await attempt()
            except Exception as error:
                started = growing is not None and growing.started
                found = fault_of(error, self.address.place, self.address.model, started, self._limits, self.context)
                if found is None:
                    raise
                fault = found
            # outside the except clause: the server's own words do not travel with our error
            tried += 1
            wait_s = self._pause(fault, tried)
            if started or not fault.passes or tried >= self._limits.tries or wait_s > self._limits.retry_after_most_s:
                break
            await asyncio.sleep(wait_s)
        if fault.unknown_model:
            fault = fault._replace(message=f"{fault.message}. {await self._served()}")
        raise fault.error(growing.text if growing else "")

    def _pause(self, fault: Fault, tried: int) -> float:
        """Seconds before the next try, after `tried` of them."""
        if fault.after_s is not None:
            return fault.after_s
        pause: float = min(self._limits.backoff_s * 2 ** (tried - 1), self._limits.backoff_most_s)
        return pause * self._rng.uniform(0.5, 1.0)

    async def _attempt(self, call: Call, growing: Growing, emit: Callable[[str], None]) -> None:
        loop = asyncio.get_running_loop()
        limits, came = self._limits, False
        from openai import AsyncStream  # importing it takes a second, which is not the server's

        client = self.client
        try:
            async with asyncio.timeout(limits.first_token_s) as limit:
                # as plain objects: the client's own typed ones cost more time a token than all else together
                stream = await client.post(
                    "/chat/completions",
                    cast_to=object,
                    body=request_of(self.address.model, call),
                    stream=True,
                    stream_cls=AsyncStream[object],
                )
                async with stream:
                    async for chunk in stream:
                        came = True
                        piece, worded = take(chunk, growing)
                        if piece:
                            emit(piece)
                        if growing.finish is not None:
                            limit.reschedule(loop.time() + AFTER_END_S)
                        elif worded:
                            growing.started = True
                            limit.reschedule(loop.time() + limits.between_s)
        except Exception:
            if growing.finish is None:  # else the reply was whole, and only its count of tokens is missing
                raise
        if growing.finish is None:
            raise BrokenOffError if came else GarbageError

    async def _served(self) -> str:
        """The models there are, for a message."""
        import openai

        try:
            async with asyncio.timeout(self._limits.connect_s):
                listed = await self.client.models.list()
            names = [str(one.id) for one in listed.data if one.id]
        except (openai.OpenAIError, TimeoutError, ValueError, TypeError, AttributeError):
            return "It does not list its models: check the address, which usually ends in /v1."
        return f"It serves: {', '.join(names[:20])}." if names else "It serves none."


def request_of(model: str, call: Call) -> dict[str, Any]:
    """The body of a chat request. One reply a request: servers differ in whether and how they seed several."""
    body: dict[str, Any] = {
        "model": model,
        "messages": [{"role": message.role, "content": message.content} for message in call.messages],
        "temperature": call.sampling.temperature,
        "top_p": call.sampling.top_p,
        "seed": call.sampling.seed,
        "max_tokens": call.sampling.max_tokens,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if call.schema is not None:
        form = {"name": "reply", "strict": True, "schema": dict(call.schema)}
        body["response_format"] = {"type": "json_schema", "json_schema": form}
    if call.scored:
        body["logprobs"] = True
    return body


def take(chunk: Any, growing: Growing) -> tuple[str, bool]:
    """Add a chunk to the reply.

    Returns:
        Its text, and whether it holds a word, be it one of a hidden thought.

    Raises:
        GarbageError: the chunk has no form that is known.
        BrokenOffError: the server itself says that it broke off.
    """
    try:
        usage = chunk.get("usage")
        if usage is not None:
            cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
            growing.usage = Usage(int(usage["prompt_tokens"]), int(usage["completion_tokens"]), int(cached))
        if not chunk["choices"]:
            return "", False
        choice = chunk["choices"][0]
        delta, scores, finish = choice["delta"], choice.get("logprobs"), choice.get("finish_reason")
        piece = delta.get("content") or ""
        if not piece.isascii():
            piece = whole_characters(piece)
        if piece:
            growing.parts.append(piece)
        if scores and scores.get("content"):
            # rounding takes some servers a hair above 0
            growing.scores += [
                TokenScore(str(one["token"]), min(0.0, float(one["logprob"]))) for one in scores["content"]
            ]
        if finish is not None:
            if finish in _BROKEN_ENDS:
                raise BrokenOffError(finish)
            growing.finish = _ENDS.get(finish, Finish.STOP)
        return piece, bool(piece or delta.get("reasoning_content") or delta.get("reasoning"))
    except (AttributeError, TypeError, ValueError, KeyError, IndexError):
        raise GarbageError from None


def whole_characters(text: str) -> str:
    """Half characters, which some servers send, become U+FFFD: nothing behind us could encode them."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def messages_of(messages: Sequence[Message]) -> list[dict[str, str]]:
    """Messages as the protocol sends them."""
    return [{"role": message.role, "content": message.content} for message in messages]
