"""A model whose failures are not taken for answers.

The askers of a request turn a dead server into a reason and fall back. Training data must not: a sample without an answer
would be labelled wrong. So the failure is remembered here and raised, and the run goes on from its journal later.
"""

from collections.abc import Iterator, Mapping, Sequence

from backend.errors import LeapnoteError
from backend.interfaces import LanguageModel
from backend.schemas.chat import GREEDY, Cancelled, Completion, Message, Piece, SamplingParams, never


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
        sampling: SamplingParams = GREEDY,
        schema: Mapping[str, object] | None = None,
        scored: bool = False,
        cancelled: Cancelled = never,
    ) -> tuple[Completion, ...]:
        """The model's replies; a failure is remembered and raised on."""
        try:
            return self._model.chat(messages, sampling=sampling, schema=schema, scored=scored, cancelled=cancelled)
        except LeapnoteError as error:
            self._failed = error
            raise

    def stream(
        self,
        messages: Sequence[Message],
        *,
        sampling: SamplingParams = GREEDY,
        cancelled: Cancelled = never,
    ) -> Iterator[Piece]:
        """The model's reply as it is written."""
        return self._model.stream(messages, sampling=sampling, cancelled=cancelled)

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """The model's own count."""
        return self._model.count_tokens(messages)

    def check(self) -> None:
        """Raises the failure of a call that was made since, if there was one."""
        if self._failed is not None:
            raise self._failed
