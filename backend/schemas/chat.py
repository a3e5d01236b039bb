"""What passes between a caller and a language model."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Literal, NamedTuple

Role = Literal["system", "user", "assistant"]
Cancelled = Callable[[], bool]


class Message(NamedTuple):
    """One turn of a conversation."""

    role: Role
    content: str


class SamplingParams(NamedTuple):
    """How replies are drawn from a language model, by the names that vLLM uses.

    n: replies to one conversation. temperature: 0 takes the likeliest token each time. top_p: 0 to 1, the share of the
    probability that tokens are drawn from. seed: the i-th reply is drawn with seed + i. max_tokens: of each reply.
    """

    n: int = 1
    temperature: float = 0.0
    top_p: float = 1.0
    seed: int = 0
    max_tokens: int = 1024


GREEDY = SamplingParams()


class Finish(StrEnum):
    """Why a reply ended: by itself, at the limit of tokens, or because the caller cancelled."""

    STOP = "stop"
    LENGTH = "length"
    CANCELLED = "cancelled"


class TokenScore(NamedTuple):
    """A token and the natural logarithm of its probability, at most 0."""

    text: str
    log_probability: float


class Usage(NamedTuple):
    """Tokens as the server counted them; cached: the part of the prompt that it did not have to read again."""

    prompt: int
    written: int
    cached: int = 0


class Completion(NamedTuple):
    """One reply. scores: a token each, empty when not asked for or not to be had. usage: None when not told."""

    text: str
    finish: Finish = Finish.STOP
    scores: tuple[TokenScore, ...] = ()
    usage: Usage | None = None


class Piece(NamedTuple):
    """Some text of a reply as it is written. The last piece has no text and the whole reply as `ended`."""

    text: str
    ended: Completion | None = None


class Abilities(NamedTuple):
    """What an engine was found to do. What it cannot do is made up for by the caller, visibly."""

    schema: bool
    scores: bool
    counts_tokens: bool


def most_tokens(messages: Sequence[Message]) -> int:
    """An upper bound of a conversation's tokens, for which nobody need count them.

    A token covers at least one byte; the template's own words around a message are taken as 16 tokens at most.
    """
    return sum(len(message.content.encode("utf-8", "replace")) + 16 for message in messages) + 16


def never() -> bool:
    """A caller that does not cancel."""
    return False
