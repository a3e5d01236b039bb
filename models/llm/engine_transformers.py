"""A language model in this process, by transformers: a folder or a hub name, on the GPU where there is one.

For small models and for machines without a server. It reads and writes one request at a time; others wait in line. It follows no JSON
schema; it counts tokens exactly and gives log-probabilities.
"""

import gc
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import Empty
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from backend.errors import EngineError
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
    TokenScore,
    Usage,
    never,
)
from models.llm.engine_queue import LOOK_S, RequestQueue
from models.llm.engine_setup import DEFAULT_LIMITS, INSIDE, EngineLimits, EngineSetting, EngineSetup

if TYPE_CHECKING:
    import torch


NO_LIMIT = 1_000_000  # tokenizers without a limit say a number above this
UNKNOWN_CONTEXT = 2048


class LoadedModel(NamedTuple):
    """context: tokens of prompt and reply together. ends: the tokens that end a reply."""

    model: Any
    tokenizer: Any
    context: int
    ends: frozenset[int]


def load_model(place: str, device: str, given: int) -> LoadedModel:
    """Load a model and its tokenizer. place: a folder or a hub name; device: empty chooses; given: tokens, 0 is all.

    Raises:
        EngineError: there is no such model, it has no chat template, or the memory is too small.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GenerationConfig

    where = device or ("cuda" if torch.cuda.is_available() else "cpu")
    failed = ""
    try:
        tokenizer: Any = AutoTokenizer.from_pretrained(place)
        model: Any = AutoModelForCausalLM.from_pretrained(place, dtype="auto")
        if where == "cpu" and model.dtype == torch.float16:
            model = model.float()  # processors have no fast half precision of that kind
        model = model.to(where).eval()
    except torch.OutOfMemoryError:
        failed = "the memory is too small for it"
    except (OSError, ValueError, RuntimeError, ImportError) as error:
        failed = type(error).__name__
    if failed:
        raise EngineError(
            f"The language model {place!r} cannot be loaded ({failed}). Set a folder that holds a causal language model and its "
            "tokenizer, or a hub name this machine can reach: transformers:FOLDER"
        )
    if not getattr(tokenizer, "chat_template", None):
        raise EngineError(
            f"The language model {place!r} has no chat template, so it cannot be told who says what. Set a model that was tuned to "
            "chat, or put a chat_template.jinja into its folder."
        )
    ends = model.generation_config.eos_token_id
    ends = tokenizer.eos_token_id if ends is None else ends
    listed = [one for one in (ends if isinstance(ends, list) else [ends]) if one is not None]
    pad = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else (listed or [0])[0]
    # whatever else its makers recommend (temperature, penalties) is left out: the caller says how to draw
    model.generation_config = GenerationConfig(eos_token_id=listed or None, pad_token_id=pad)
    most = [getattr(model.config, "max_position_embeddings", None), tokenizer.model_max_length, given or None]
    limits = [limit for limit in most if isinstance(limit, int) and 0 < limit < NO_LIMIT]
    return LoadedModel(model, tokenizer, min(limits, default=UNKNOWN_CONTEXT), frozenset(listed))


def prompt_of(tokenizer: Any, messages: Sequence[Message], name: str) -> Any:
    """(1, tokens) int64, with the words that begin a reply.

    Raises:
        EngineError: the template refuses the conversation.
    """
    from jinja2 import TemplateError

    said = [{"role": message.role, "content": message.content} for message in messages]
    try:
        return tokenizer.apply_chat_template(said, add_generation_prompt=True, return_tensors="pt", return_dict=True)[
            "input_ids"
        ]
    except TemplateError:
        refused = ", ".join(message.role for message in messages)
    raise EngineError(f"The chat template of the language model {name} refuses a conversation of: {refused}.")


class GumbelNoise:
    """Turns greedy decoding into sampling. seed: equal seeds draw equal noise, on one kind of device."""

    def __init__(self, seed: int, device: "torch.device") -> None:
        import torch

        self._generator = torch.Generator(device=device)
        self._generator.manual_seed(seed)

    def __call__(self, input_ids: "torch.Tensor", scores: "torch.Tensor") -> "torch.Tensor":
        """Scores with noise added, as float64: the greatest is a draw from their softmax."""
        import torch

        flat = torch.rand(scores.shape, generator=self._generator, device=scores.device, dtype=torch.float64)
        # uniform numbers may be 0 and, rounded, 1: both would make an infinity
        flat = flat.clamp(1e-300, 1.0 - 1e-16)
        return scores.double() - torch.log(-torch.log(flat))


class TokenScores:
    """Remembers each taken token's log-probability by the model's own scores. Stands first; keeps one row at a time."""

    def __init__(self) -> None:
        self._row: torch.Tensor | None = None
        self._taken: list[float] = []

    def __call__(self, input_ids: "torch.Tensor", scores: "torch.Tensor") -> "torch.Tensor":
        """The scores as they are."""
        if self._row is not None:
            self._taken.append(float(self._row[input_ids[0, -1]]))
        self._row = scores[0].float().log_softmax(dim=-1)
        return scores

    def finished(self, last: int) -> tuple[float, ...]:
        """Natural logarithms, at most 0, of all tokens written; last: the last one's id."""
        if self._row is not None:
            self._taken.append(float(self._row[last]))
            self._row = None
        return tuple(min(0.0, score) for score in self._taken)


def processors(sampling: SamplingParams, device: "torch.device", scored: TokenScores | None) -> Any:
    """The processors of one reply, in order: scores, temperature, nucleus, noise. At temperature 0 the greatest is taken."""
    from transformers import LogitsProcessorList
    from transformers.generation.logits_process import TemperatureLogitsWarper, TopPLogitsWarper

    chain: list[Any] = [scored] if scored is not None else []
    if sampling.temperature > 0:
        if sampling.temperature != 1.0:
            chain.append(TemperatureLogitsWarper(float(sampling.temperature)))
        if sampling.top_p < 1.0:
            chain.append(TopPLogitsWarper(float(sampling.top_p)))
        chain.append(GumbelNoise(sampling.seed, device))
    return LogitsProcessorList(chain)


@engine("transformers", label="A model in this process", form="transformers:<model or folder>", order=4)
@dataclass(frozen=True)
class TransformersSetting(EngineSetting):
    """A model that this program loads itself, from a folder or by its hub name."""

    place: str

    @classmethod
    def read(cls, rest: str | None) -> Self | None:
        """`transformers:<model or folder>`."""
        return cls(rest) if rest else None

    def where(self, setup: EngineSetup) -> str:
        """Nowhere."""
        return INSIDE

    def make(self, setup: EngineSetup) -> "TransformersEngine":
        """Loads nothing yet."""
        return TransformersEngine(self.place, setup.limits, device=setup.device, context=setup.context)


class TransformersEngine:
    """Loads at first use, once. Its weights stay in memory until `close`."""

    def __init__(
        self, place: str, limits: EngineLimits = DEFAULT_LIMITS, *, device: str = "", context: int = 0
    ) -> None:
        """place, device, context: as `load_model` takes them. limits: only `waiting` counts here."""
        self.name = Path(place).name if Path(place).is_dir() else place
        self.abilities = Abilities(schema=False, scores=True, counts_tokens=True)
        self.queue = RequestQueue(1, limits.waiting)
        self._place = place
        self._device = device
        self._given_context = context
        self._loading = threading.Lock()
        self._held: LoadedModel | None = None

    @property
    def context(self) -> int:
        """Tokens of prompt and reply together. Loads the model; raises EngineError when that fails."""
        return self._loaded().context

    def chat(
        self,
        messages: Sequence[Message],
        *,
        sampling: SamplingParams = GREEDY,
        schema: Mapping[str, object] | None = None,
        scored: bool = False,
        cancelled: Cancelled = never,
    ) -> tuple[Completion, ...]:
        """As the protocol has it, one reply after the other. schema is left out: callers check."""
        unwritten = Completion("", Finish.CANCELLED)
        places = self.queue.enter(1, cancelled)
        if not places:
            return (unwritten,) * sampling.n
        try:
            draws = [sampling._replace(seed=sampling.seed + i) for i in range(sampling.n)]
            return tuple(unwritten if cancelled() else self._write(messages, one, scored, cancelled) for one in draws)
        finally:
            self.queue.leave(places)

    def stream(
        self,
        messages: Sequence[Message],
        *,
        sampling: SamplingParams = GREEDY,
        cancelled: Cancelled = never,
    ) -> Iterator[Piece]:
        """As the protocol has it, from a thread of its own.

        Yields:
            Pieces of text, and last the whole reply.
        """
        places = self.queue.enter(1, cancelled)
        if not places:
            yield Piece("", Completion("", Finish.CANCELLED))
            return
        try:
            yield from self._streamed(messages, sampling, cancelled)
        finally:
            self.queue.leave(places)

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """Exactly, with the words that begin a reply. Raises EngineError when the model cannot be loaded."""
        loaded = self._loaded()
        return int(prompt_of(loaded.tokenizer, messages, self.name).shape[1])

    def warm(self) -> str:
        """Nothing is found out in advance: the model is loaded by the first request."""
        return ""

    def check_queue(self) -> None:
        """Raises FullError where a request would be refused now."""
        self.queue.check()

    def close(self) -> None:
        """Gives the memory back, after the request at work; a later request loads the model again."""
        places = self.queue.enter(1)
        try:
            with self._loading:
                self._held = None
            gc.collect()
            _empty_gpu()
        finally:
            self.queue.leave(places)

    def _streamed(self, messages: Sequence[Message], sampling: SamplingParams, cancelled: Cancelled) -> Iterator[Piece]:
        from transformers import TextIteratorStreamer

        streamer: Any = TextIteratorStreamer(self._loaded().tokenizer, skip_prompt=True, skip_special_tokens=True)
        stopped = threading.Event()
        results: list[Completion | BaseException] = []

        def work() -> None:
            try:
                results.append(
                    self._write(messages, sampling, False, lambda: stopped.is_set() or cancelled(), streamer)
                )
            except BaseException as error:
                results.append(error)
            finally:
                streamer.text_queue.put(None)  # the end, also where it failed before the first word

        thread = threading.Thread(target=work, name="language-model", daemon=True)
        written: list[str] = []
        thread.start()
        try:
            while True:
                try:
                    piece = streamer.text_queue.get(timeout=LOOK_S)
                except Empty:
                    continue
                if piece is None:
                    break
                if piece:
                    written.append(piece)
                    yield Piece(piece)
        finally:
            stopped.set()
            thread.join()  # a step of the model at most; the next in line must find it free
        result = results[0]
        if isinstance(result, EngineError):
            result.written = "".join(written)
        if isinstance(result, BaseException):
            raise result
        yield Piece("", result._replace(text="".join(written)))

    def _write(
        self,
        messages: Sequence[Message],
        sampling: SamplingParams,
        scored: bool,
        cancelled: Cancelled,
        streamer: Any = None,
    ) -> Completion:
        import torch
        from transformers import StoppingCriteriaList

        loaded = self._loaded()
        prompt = prompt_of(loaded.tokenizer, messages, self.name).to(loaded.model.device)
        length = int(prompt.shape[1])
        room = loaded.context - length
        if room < 1:
            raise EngineError(
                f"The prompt is too long for the language model {self.name}: {length:,} tokens, and its limit is {loaded.context:,} "
                "tokens of prompt and reply together. Shorten the note or the evidence, or set a model with a longer context."
            )
        scores = TokenScores() if scored else None
        stop = _Stop(cancelled)
        output, failed = None, ""
        try:
            with torch.inference_mode():
                output = loaded.model.generate(
                    prompt,
                    attention_mask=torch.ones_like(prompt),
                    max_new_tokens=min(sampling.max_tokens, room),
                    do_sample=False,  # the noise among the processors draws
                    logits_processor=processors(sampling, prompt.device, scores),
                    stopping_criteria=StoppingCriteriaList([stop]),
                    streamer=streamer,
                )
        except torch.OutOfMemoryError:
            failed = "ran out of memory. Shorten the note or the evidence, or set a smaller model"
        except RuntimeError as error:
            failed = f"failed while it wrote ({type(error).__name__}). Try again"
        if output is None:  # told here, where no traceback holds the tensors any more
            _empty_gpu()
            raise EngineError(f"The language model {self.name} {failed}.")
        return _completion(loaded, output[0, length:].tolist(), length, stop.stopped, scores)

    def _loaded(self) -> LoadedModel:
        with self._loading:
            if self._held is None:
                self._held = load_model(self._place, self._device, self._given_context)
            return self._held


class _Stop:
    """Ends `generate` after the token at work when the caller cancels."""

    def __init__(self, cancelled: Cancelled) -> None:
        self._cancelled = cancelled
        self.stopped = False

    def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:
        import torch

        self.stopped = self.stopped or self._cancelled()
        return torch.full((input_ids.shape[0],), self.stopped, dtype=torch.bool, device=input_ids.device)


def _completion(
    loaded: LoadedModel, tokens: list[int], prompt: int, stopped: bool, scores: TokenScores | None
) -> Completion:
    tokenizer = loaded.tokenizer
    ended = bool(tokens) and tokens[-1] in loaded.ends
    finish = Finish.STOP if ended else Finish.CANCELLED if stopped else Finish.LENGTH
    taken = scores.finished(tokens[-1]) if scores is not None and tokens else ()
    special = set(tokenizer.all_special_ids)  # they hold no text, and servers leave them out too
    scored = tuple(
        TokenScore(tokenizer.decode([token]), score)
        for token, score in zip(tokens, taken, strict=False)
        if token not in special
    )
    text = tokenizer.decode(tokens, skip_special_tokens=True)
    return Completion(text, finish, scored, Usage(prompt, len(tokens)))


def _empty_gpu() -> None:
    import torch

    if torch.cuda.is_available():
        torch.cuda.empty_cache()
