"""What a language model server can do, found by trying it: schemas, log-probabilities, token counts, length of context.

Asking for it is no proof: some servers refuse what they do not know, others ignore it without a word. So a schema that no
reply would follow by chance is sent, and the reply tells.
"""

import asyncio
import json
import random
import secrets
from collections.abc import Awaitable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from backend.schemas.chat import Abilities, Finish, Message, SamplingParams
from models.llm.engine_client import Address
from models.llm.engine_faults import EngineFault, SilentError
from models.llm.engine_setup import DEFAULT_LIMITS, EngineLimits
from models.llm.engine_wire import Call, Growing, Wire, messages_of
from models.llm.event_loop import BackgroundLoop

ASSUMED_CONTEXT = 4096
"""Tokens, for a server that does not tell its own."""
PROBE_TOKENS = 64
CHECK_S = 10.0
"""How long a question that needs no writing may take, in seconds."""
_TRIAL = (Message("user", "Reply with a JSON object that has one key, answer."),)
# 500: `transformers serve` without a cache of models; a server that is truly broken fails at the trial as well
_ABSENT = {400, 404, 405, 422, 500, 501}


class Found(NamedTuple):
    """summary: what was found, in a sentence for people. context: tokens of prompt and reply together."""

    abilities: Abilities
    context: int
    summary: str


async def examine(wire: Wire, given_context: int = 0) -> Found:
    """Tries the server out. given_context: tokens, when a setting says so; 0 asks the server.

    Raises EngineError when the server cannot be reached, refuses the key, does not know the model or cannot chat.
    """
    served = await wire.patiently(lambda: listed(wire))
    card = served.get(wire.address.model, {})
    count, counted_context = await _counting(wire)
    schema, scores, cannot = await _probe(wire)
    stated = given_context or counted_context or _context_of(card)
    context = stated or ASSUMED_CONTEXT
    wire.context = context if stated else 0
    sentences = [
        f"{wire.address.place} serves {wire.address.model} with {context:,} tokens"
        + ("" if stated else ", which is assumed since the server does not tell")
    ]
    if served and wire.address.model not in served:
        sentences.append(f"it does not list that model, but {', '.join(list(served)[:5])}")
    sentences.append(
        "JSON schemas are followed, as a trial showed" if schema else f"JSON schemas are {cannot}, as a trial showed"
    )
    sentences.append("log-probabilities come" if scores else "no log-probabilities come")
    sentences.append("it counts tokens" if count else "tokens are estimated, at most as many as bytes")
    return Found(Abilities(schema=schema, scores=scores, counts_tokens=count), context, "; ".join(sentences) + ".")


async def listed(wire: Wire) -> dict[str, Mapping[str, Any]]:
    """What the server says of each of its models, by name; nothing when it has no such list.

    Raises:
        APIStatusError: the server refuses, other than by not having it.
    """
    import openai

    try:
        answer = await _within(wire.client.get("/models", cast_to=object))
    except openai.APIStatusError as error:
        if error.status_code in _ABSENT:
            return {}
        raise
    cards = answer.get("data") if isinstance(answer, dict) else None
    found = [card for card in cards or () if isinstance(card, dict)] if isinstance(cards, list) else []
    return {str(card["id"]): card for card in found if card.get("id")}


def models_at(address: Address, limits: EngineLimits = DEFAULT_LIMITS) -> tuple[str, ...]:
    """The names of the models a server lists, as it orders them. Raises EngineError when it does not answer; asked once."""
    once = replace(limits, tries=1)

    async def ask() -> tuple[str, ...]:
        wire = Wire(address, once, random.Random(0))  # asked once: nothing waits by chance
        try:
            return tuple(await wire.patiently(lambda: listed(wire)))
        finally:
            await wire.close()

    loop = BackgroundLoop("language-model-check")
    try:
        return loop.run(ask())
    finally:
        loop.close()


async def count(wire: Wire, messages: tuple[Message, ...]) -> tuple[int, int] | None:
    """Tokens of the conversation with the words that begin a reply, and the context; None where the server does not count.

    Raises:
        APIStatusError: the server refuses, other than by not having it.
    """
    import openai

    root = wire.address.base_url.rstrip("/").removesuffix("/v1")
    asked = {"model": wire.address.model, "messages": messages_of(messages), "add_generation_prompt": True}
    try:
        answer = await _within(wire.client.post(f"{root}/tokenize", cast_to=object, body=asked))
    except openai.APIStatusError as error:
        if error.status_code in _ABSENT:
            return None
        raise
    number = answer.get("count") if isinstance(answer, dict) else None
    if not isinstance(answer, dict) or not isinstance(number, int):
        return None
    longest = answer.get("max_model_len")
    return number, longest if isinstance(longest, int) else 0


async def _counting(wire: Wire) -> tuple[bool, int]:
    found = await wire.patiently(lambda: count(wire, _TRIAL))
    return (found is not None and found[0] > 0, found[1] if found else 0)


async def _probe(wire: Wire) -> tuple[bool, bool, str]:
    """Whether a schema bites, whether log-probabilities come, and what became of the schema if it does not bite."""
    word = f"probe-{secrets.token_hex(4)}"  # nothing a model would say, and never twice the same
    schema = _probe_schema(word)
    both = await _tried(wire, Call(_TRIAL, SamplingParams(max_tokens=PROBE_TOKENS), schema, True))
    if both is not None:
        return follows(both, word), bool(both.scores), "ignored"
    # refused: find out which of the two it was
    shaped = await _tried(wire, Call(_TRIAL, SamplingParams(max_tokens=PROBE_TOKENS), schema))
    scored = await _tried(wire, Call(_TRIAL, SamplingParams(max_tokens=4), None, True))
    if shaped is None and scored is None:
        await wire.read(
            Call(_TRIAL, SamplingParams(max_tokens=4)), Growing(), _unheard
        )  # raises when it cannot chat at all
    return (
        shaped is not None and follows(shaped, word),
        scored is not None and bool(scored.scores),
        "refused" if shaped is None else "ignored",
    )


async def _tried(wire: Wire, call: Call) -> Growing | None:
    """The reply; None when the server refused this request as such.

    Raises:
        EngineFault: it failed otherwise.
    """
    growing = Growing()
    try:
        await wire.read(call, growing, _unheard)
    except EngineFault as error:
        if error.fault.form:
            return None
        raise
    return growing


def follows(reply: Growing, word: str) -> bool:
    """The reply is the one object that the schema allows, or as much of it as the limit of tokens left room for.

    A weak model may fill up with blanks where the schema allows them; it must get some way into the word.
    """
    try:
        return bool(json.loads(reply.text) == {"answer": word})
    except ValueError:
        begun = "".join(reply.text.split())
        wanted = json.dumps({"answer": word}, separators=(",", ":"))
        far = len('{"answer":"probe-') + 4
        return reply.finish is Finish.LENGTH and len(begun) >= far and wanted.startswith(begun)


async def _within(answer: Awaitable[object]) -> object:
    try:
        async with asyncio.timeout(CHECK_S):
            return await answer
    except TimeoutError:
        raise SilentError(CHECK_S) from None


def _probe_schema(word: str) -> dict[str, object]:
    return {
        "type": "object",
        "properties": {"answer": {"type": "string", "enum": [word]}},
        "required": ["answer"],
        "additionalProperties": False,
    }


def _context_of(card: Mapping[str, Any]) -> int:
    """VLLM and SGLang say it in the model's card."""
    longest = card.get("max_model_len")
    return longest if isinstance(longest, int) and longest > 0 else 0


def _unheard(_: str) -> None:
    """Nobody reads a trial's pieces."""
