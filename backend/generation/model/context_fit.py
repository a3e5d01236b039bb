"""Fits a writing prompt into a model's context: the lowest ranked evidence goes first, the note never."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from backend.errors import TooLongError
from backend.generation.model.prompt_material import PromptMaterial, material_fence
from backend.interfaces import LanguageModel
from backend.prompts.draft_prompts import WritingPrompt
from backend.prompts.template import Fence
from backend.schemas.chat import Message, most_tokens
from backend.schemas.drafts.written import Dropped

EXAMPLE = "worked examples"
REPLY_SHARE = 3  # the reply may take a third of a small context, so that there is something to write from


class Fitted(NamedTuple):
    """A conversation that fits the model's context.

    Attributes:
        messages: what is sent.
        data: what it fences, by name.
        dropped: what did not fit, kind by kind.
        tokens: what the model counts for it, or at most so many where that fits with room to spare.
        reply: the most tokens that the reply may take.
        fence: around the data.
    """

    messages: tuple[Message, ...]
    data: dict[str, str]
    dropped: tuple[Dropped, ...]
    tokens: int
    reply: int
    fence: Fence


def fitted(
    model: LanguageModel,
    prompt: WritingPrompt,
    material: PromptMaterial,
    values: Mapping[str, object],
    added: Mapping[str, str] | None = None,
) -> Fitted:
    """The conversation with as much evidence as fits beside the whole note; found with few counts.

    Args:
        model: its context is what must hold the conversation and the reply; EngineError is raised where it cannot count.
        prompt: what is asked.
        material: the evidence, with the order in which pieces may be left out.
        values: of the prompt's places; `example` is left out last.
        added: data that is not the material's, as `sentences`.

    Raises:
        TooLongError: the note alone does not fit.
    """
    everything = material.data()
    fence = material_fence(everything)
    reply = min(prompt.longest, max(1, model.context // REPLY_SHARE))
    room = model.context - reply

    def data(gone: int) -> dict[str, str]:
        there = material.data(frozenset(item.id for item in material.leaving[:gone])) | dict(added or {})
        return {name: text for name, text in there.items() if name in prompt.data and text}

    def conversation(gone: int, worked: bool = True) -> tuple[Message, ...]:
        filled = dict(values) if worked or "example" not in values else {**values, "example": ""}
        return prompt.messages(fence, data(gone), **filled)

    messages = conversation(0)
    tokens = most_tokens(messages)
    if tokens > room:  # else nobody need count: a server's own count would keep the first words waiting
        tokens = model.count_tokens(messages)
    if tokens <= room:
        return Fitted(messages, data(0), (), tokens, reply, fence)
    low, high = 0, len(material.leaving)  # the fewest that must go lies between
    while low < high:
        middle = (low + high) // 2
        if model.count_tokens(conversation(middle)) <= room:
            high = middle
        else:
            low = middle + 1
    messages = conversation(low)
    tokens = model.count_tokens(messages)
    worked = tokens <= room or not values.get("example")
    if not worked:
        messages = conversation(low, worked=False)
        tokens = model.count_tokens(messages)
    if tokens > room:
        raise TooLongError(
            f"The note alone takes {tokens:,} tokens with what the model must be told, and its reply up to {reply:,} more; "
            f"{model.name} reads {model.context:,} in all. Shorten the note, or set a model with a longer context."
        )
    return Fitted(messages, data(low), _counted(material, low, worked), tokens, reply, fence)


def _counted(material: PromptMaterial, gone: int, worked: bool) -> tuple[Dropped, ...]:
    there = Counter(item.kind for item in material.leaving)
    left = Counter(item.kind for item in material.leaving[:gone])
    dropped = tuple(Dropped(kind, count, there[kind]) for kind, count in left.items())
    return dropped if worked else (*dropped, Dropped(EXAMPLE, 1, 1))
