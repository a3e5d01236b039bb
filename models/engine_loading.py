"""Loads a causal language model and its tokenizer for use in this process, and turns a conversation into its tokens."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from backend.errors import EngineError
from backend.schemas.chat import Message

NO_LIMIT = 1_000_000
"""Tokenizers without a limit say a number above this."""
UNKNOWN_CONTEXT = 2048


class LoadedModel(NamedTuple):
    """context: tokens of prompt and reply together. ends: the tokens that end a reply."""

    model: Any
    tokenizer: Any
    context: int
    ends: frozenset[int]


def load_model(place: str, device: str, given: int) -> LoadedModel:
    """Raises EngineError when there is no such model, it has no chat template, or the memory is too small."""
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
    """(1, tokens) int64, with the words that begin a reply. Raises EngineError when the template refuses the conversation."""
    from jinja2 import TemplateError

    said = [{"role": message.role, "content": message.content} for message in messages]
    try:
        return tokenizer.apply_chat_template(said, add_generation_prompt=True, return_tensors="pt", return_dict=True)[
            "input_ids"
        ]
    except TemplateError:
        refused = ", ".join(message.role for message in messages)
    raise EngineError(f"The chat template of the language model {name} refuses a conversation of: {refused}.")
