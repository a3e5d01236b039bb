"""A model whose failures are not taken for answers.

The askers of a request turn a dead server into a reason and fall back. Training data must not: a sample without an answer
would be labelled wrong. So the failure is remembered here and raised, and the run goes on from its journal later.
"""

from collections.abc import Iterator, Mapping, Sequence

from backend.errors import LeapnoteError
from backend.interfaces import LanguageModel
from backend.schemas.chat import Cancelled, Completion, Message, Piece, never


class WatchedModel:
    """The model itself, for one question at a time."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._failed: LeapnoteError | None = None
        self.name = model.name
        self.context = model.context
        self.abilities = model.abilities

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
        scored: bool = False,
        cancelled: Cancelled = never,
    ) -> tuple[Completion, ...]:
        """The model's replies; a failure is remembered and raised on."""
        try:
            return self._model.chat(
                messages,
                schema=schema,
                n=n,
                temperature=temperature,
                top_p=top_p,
                seed=seed,
                max_tokens=max_tokens,
                scored=scored,
                cancelled=cancelled,
            )
        except LeapnoteError as error:
            self._failed = error
            raise

    def stream(
        self,
        messages: Sequence[Message],
        *,
        temperature: float = 0.0,
        top_p: float = 1.0,
        seed: int = 0,
        max_tokens: int = 1024,
        cancelled: Cancelled = never,
    ) -> Iterator[Piece]:
        """The model's reply as it is written."""
        return self._model.stream(
            messages, temperature=temperature, top_p=top_p, seed=seed, max_tokens=max_tokens, cancelled=cancelled
        )

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """The model's own count."""
        return self._model.count_tokens(messages)

    def check(self) -> None:
        """Raises the failure of a call that was made since, if there was one."""
        if self._failed is not None:
            raise self._failed
