"""Asks a model and takes nothing on trust: a reply is parsed, validated, asked for once more, and else refused.

A refusal is a value with its reason, so that whoever asked can fall back and say so. The reason names kinds of faults,
never the words of a note or a reply.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import ValidationError

from backend.errors import CancelledError, FullError, LeapnoteError
from backend.interfaces import LanguageModel
from backend.prompts.template import Fence, NewFence, Prompt, fresh_fence
from backend.schemas.base import Frozen
from backend.schemas.chat import GREEDY, Cancelled, Message, SamplingParams, never

Shape = TypeVar("Shape", bound=Frozen)
MOST_FAULTS = 10
Mend = Callable[[object], object]
Apart = Callable[[], AbstractContextManager[None]]
_HEEDED: ContextVar[tuple[Cancelled, Apart]] = ContextVar("heeded", default=(never, nullcontext))


@contextmanager
def heeding(cancelled: Cancelled, apart: Apart = nullcontext) -> Iterator[None]:
    """Whoever is made an Asker within it gives up when cancelled() is true, and so does its model.

    It waits for the model within apart(). Ambient, since between a pipeline and the Askers stand planners and loops that have no
    other use for it.
    """
    held = _HEEDED.set((cancelled, apart))
    try:
        yield
    finally:
        _HEEDED.reset(held)


class Reply(NamedTuple, Generic[Shape]):
    """What a model was asked for, or None with the reason; reason also says what had to be mended, empty when all was well."""

    value: Shape | None
    reason: str = ""


class Texts(NamedTuple):
    """The replies that hold something, in order; reason says why there is none."""

    texts: tuple[str, ...]
    reason: str = ""


class Asker:
    """One request's talk with a model. All its prompts share one fence; make one Asker a request.

    Whatever a model fails by is a reason, but a caller that cancels within `heeding`, and a queue before the model that is full.

    Args:
        model: what is asked.
        seed: of every reply.
        new_fence: gives the fence.
    """

    def __init__(self, model: LanguageModel, seed: int, new_fence: NewFence = fresh_fence) -> None:
        self._model = model
        self._cancelled, self._apart = _HEEDED.get()
        self._seed = seed
        self.fence: Fence = new_fence()
        self.name = model.name

    def texts(
        self,
        prompt: Prompt,
        data: Mapping[str, str],
        *,
        sampling: SamplingParams = GREEDY,
        **values: object,
    ) -> Texts:
        """Ask for free replies. Replies without a word are left out.

        Args:
            prompt: what is asked.
            data: what the prompt fences, by name.
            sampling: how many replies, and how they are drawn; the seed is the Asker's, the length the prompt's.
            values: what fills the prompt's places.

        Raises:
            CancelledError: whoever asks gave up.
            FullError: the queue before the model is full.
        """
        messages = prompt.messages(self.fence, data, **values)
        try:
            replies = self._chat(messages, prompt, None, sampling)
        except (CancelledError, FullError):
            raise
        except LeapnoteError as error:
            return Texts((), f"{self.name} did not answer: {error}")
        # half characters, which some servers send, would stop an encoder
        whole = (reply.encode("utf-8", "ignore").decode().strip() for reply in replies)
        kept = tuple(reply for reply in whole if reply)
        return Texts(kept, "" if kept else f"{self.name} answered without a word")

    def shaped(
        self, prompt: Prompt, shape: type[Shape], data: Mapping[str, str], mend: Mend | None = None, **values: object
    ) -> Reply[Shape]:
        """Ask for one reply in a shape, at temperature 0, and once more where it is out of shape.

        Args:
            prompt: what is asked.
            shape: what the reply must be.
            data: what the prompt fences, by name.
            mend: makes the best of a second reply that is JSON but out of shape.
            values: what fills the prompt's places.

        Raises:
            CancelledError: whoever asks gave up.
            FullError: the queue before the model is full.
        """
        messages = prompt.messages(self.fence, data, **values)
        schema = shape.model_json_schema()
        fault, found = "", None
        for _ in range(2):
            try:
                replies = self._chat(messages, prompt, schema, GREEDY)
            except (CancelledError, FullError):
                raise
            except LeapnoteError as error:
                return Reply(None, f"{self.name} did not answer: {error}")
            reply = replies[0] if replies else ""
            found = json_in(reply)
            try:
                return Reply(shape.model_validate(found))
            except ValidationError as error:
                fault = ", ".join(sorted({str(item["type"]) for item in error.errors()}))
                faults = fault_text(error, shape)
            asked = f"Your reply was not in the form asked for: {faults}. Reply again, with the JSON object alone."
            messages = (*messages, Message("assistant", reply), Message("user", asked))
        reason = f"{self.name} twice replied out of form ({fault})"
        if mend is not None and found is not None:
            try:
                return Reply(shape.model_validate(mend(found)), f"{reason}; what could be used of it was")
            except ValidationError:
                pass
        return Reply(None, reason)

    def _chat(
        self,
        messages: tuple[Message, ...],
        prompt: Prompt,
        schema: Mapping[str, object] | None,
        sampling: SamplingParams,
    ) -> tuple[str, ...]:
        with self._apart():
            replies = self._model.chat(
                messages,
                sampling=sampling._replace(seed=self._seed, max_tokens=prompt.longest),
                schema=schema,
                cancelled=self._cancelled,
            )
        if self._cancelled():
            raise CancelledError(f"Cancelled while {self.name} was asked for: {prompt.name}.")
        return tuple(reply.text for reply in replies)


def fault_text(error: ValidationError, shape: type[Frozen]) -> str:
    """What was wrong, in the validator's words: names that a reply made up are not repeated, since they are data."""
    faults = []
    for item in error.errors(include_input=False, include_url=False):
        place = "/".join(
            str(part) if isinstance(part, int) or part in shape.model_fields else "?" for part in item["loc"]
        )
        faults.append(f"{place or 'reply'}: {item['msg']}")
    return "; ".join(faults[:MOST_FAULTS])


def json_in(reply: str) -> Any:
    """The first JSON object of a reply, prose and code marks around it left out; None when there is none."""
    decoder = json.JSONDecoder()
    place = reply.find("{")
    while place >= 0:
        try:
            found, _ = decoder.raw_decode(reply, place)
        except (ValueError, RecursionError):
            place = reply.find("{", place + 1)
        else:
            return found
    return None
