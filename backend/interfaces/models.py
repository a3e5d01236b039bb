"""The models: encoders, rerankers and language models."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np

from backend.schemas.chat import GREEDY, Abilities, Cancelled, Completion, Message, Piece, SamplingParams, never


class Encoder(Protocol):
    """Text to unit vectors, compared by cosine.

    A factory of encoders (`EncoderFactory`) is registered; the setting LEAPNOTE_ENCODER names one. One encoder serves several
    threads at once. The same text gives the same vector, whatever it is encoded with, but for rounding.

    name: identifies the weights, so that an index can refuse another encoder's vectors. dimension: of every vector.
    """

    name: str
    dimension: int

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """The vectors of passages.

        Args:
            texts: any strings, the empty one and repeated ones too; what is longer than the model takes is cut.

        Returns:
            (len(texts), dimension) float32, rows of length 1 in the order of the texts.
        """

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        """The same for what is searched with; another model where an encoder has one for queries."""


class EncoderFactory(Protocol):
    """What `@encoder(name, label=…)` registers, in a module of `models/encoders`: it makes an encoder.

    Facts of the registration: `order`, an integer, its place in lists; `embedded`, True where it needs nothing from outside.
    """

    def __call__(self, folder: str = "") -> Encoder:
        """The encoder; its weights may be loaded later, when they are first used.

        Args:
            folder: where its weights lie, of a setting such as `sapbert:FOLDER`; empty for its usual place.

        Raises:
            MissingError: the weights are absent or not those expected; the message says what to do.
        """
        ...


class Reranker(Protocol):
    """Scores passages against a query, reading both together."""

    name: str

    def scores(self, query: str, passages: Sequence[str]) -> np.ndarray:
        """(len(passages),) float32; higher fits better; comparable within one query only."""


class LanguageModel(Protocol):
    """A chat model, however it is reached. It may serve several requests at once.

    name says which weights answer, for the draft's record. context: tokens of prompt and reply together. The methods
    raise EngineError when the model cannot be reached, refuses, stalls or breaks off; what had been written is in it.
    """

    @property
    def name(self) -> str:
        """Which weights answer."""

    @property
    def context(self) -> int:
        """Tokens of prompt and reply together."""

    @property
    def abilities(self) -> Abilities:
        """What the engine can do beyond text."""

    def chat(
        self,
        messages: Sequence[Message],
        *,
        sampling: SamplingParams = GREEDY,
        schema: Mapping[str, object] | None = None,
        scored: bool = False,
        cancelled: Cancelled = never,
    ) -> tuple[Completion, ...]:
        """The replies to one conversation.

        Args:
            messages: the conversation, in order.
            sampling: how many replies, and how they are drawn; the i-th with seed + i.
            schema: a JSON schema each reply must follow; an engine without that ability leaves it out, since callers check.
            scored: with the tokens' log-probabilities.
            cancelled: asked again and again; once true, what was written so far is given back as cancelled.

        Returns:
            sampling.n replies.
        """

    def stream(
        self,
        messages: Sequence[Message],
        *,
        sampling: SamplingParams = GREEDY,
        cancelled: Cancelled = never,
    ) -> Iterator[Piece]:
        """One reply as it is written, the same as `chat` gives for the same sampling; its n is left aside.

        Closing the iterator, or cancelled() turning true, stops the engine too.
        """

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """Tokens of the conversation as the model reads it; never too few where the engine can only estimate."""


class Engine(LanguageModel, Protocol):
    """A language model that a setting names: made once, shared by all requests, closed at the end."""

    def warm(self) -> str:
        """Find out in advance what the first request would wait for; a sentence on what was found, or nothing.

        Raises EngineError when it does not answer.
        """

    def check_queue(self) -> None:
        """Raises FullError where a request would be refused now; takes no place."""

    def close(self) -> None:
        """Give back connections or memory, after what still runs; a later request connects or loads again."""
