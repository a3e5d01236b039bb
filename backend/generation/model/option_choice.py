"""One option of a question, chosen by a model: its letter in a strict form, looked up by code.

A reply that names no option of the question is asked for once more and then taken as none, with the reason. Nothing else
chooses in its place.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from pydantic import Field, ValidationError, create_model

from backend.generation.model.context_fit import Fitted, fitted
from backend.generation.model.plain_text import plain
from backend.generation.model.prompt_material import PromptMaterial
from backend.generation.model.reply_stream import ReplySentence
from backend.interfaces import LanguageModel
from backend.nlp.document import sentences
from backend.prompts.asking import Asker, json_in
from backend.prompts.citations import marked
from backend.prompts.draft_prompts import CHOICE
from backend.prompts.task import first_words
from backend.prompts.template import Fence
from backend.schemas.base import Frozen
from backend.schemas.drafts.headings import ANSWER
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import LETTERS

REASONING_WORDS = 250
MOST_CITED = 8


class Choice(NamedTuple):
    """The option that a model chose.

    Attributes:
        letter: of the option; empty where none was chosen.
        option: as it was given; empty where none was chosen, and then reason says why.
        written: the reasoning, a sentence each, with its markers.
        cited: the ids named for the choice, whether they exist or not.
        reason: why no option was chosen.
        fit: the conversation that was sent.
    """

    letter: str
    option: str
    written: tuple[ReplySentence, ...]
    cited: tuple[str, ...]
    reason: str
    fit: Fitted


class ChosenLetter(Frozen):
    """What a model is asked for: first the reasoning, then the option's letter and the ids that it rests on."""

    reasoning: str = Field(min_length=1)
    letter: str
    citations: tuple[str, ...] = ()


def choice_fit(model: LanguageModel, material: PromptMaterial, fence: Fence | None = None) -> Fitted:
    """The conversation that asks for an option, with as much of the material as fits.

    TooLongError is raised where note and question alone do not fit.

    Args:
        model: what is asked.
        material: the evidence.
        fence: in place of the material's own; training data needs one that repeats.
    """
    fit = fitted(model, CHOICE, material, {"words": REASONING_WORDS})
    if fence is None:
        return fit
    return fit._replace(messages=CHOICE.messages(fence, fit.data, words=REASONING_WORDS), fence=fence)


def choose(model: LanguageModel, request: DraftRequest, material: PromptMaterial, fence: Fence | None = None) -> Choice:
    """The model's option, one that the material neither forbids nor bars; none of them left, the model is not asked.

    Raises TooLongError when note and question alone do not fit.
    """
    fit = choice_fit(model, material, fence)
    closed = material.excluded | material.forbidden.keys()
    letters = [letter for letter in LETTERS[: len(request.options)] if letter not in closed]
    if not letters:
        return Choice("", "", (), (), "the safety check forbids each of them for this patient", fit)
    prompt = replace(CHOICE, longest=fit.reply)
    asker = Asker(model, request.seed, lambda: fit.fence)
    reply = asker.shaped(prompt, _shape(letters), fit.data, words=REASONING_WORDS)
    if reply.value is None:
        return Choice("", "", (), (), reply.reason, fit)
    chosen = reply.value
    text = first_words(chosen.reasoning, REASONING_WORDS)
    written = tuple(ReplySentence(text[start:end], ANSWER) for start, end in sentences(text))
    cited = tuple(name.strip().strip("[]").strip() for name in chosen.citations[:MOST_CITED])
    option = request.options[LETTERS.index(chosen.letter)]
    return Choice(chosen.letter, option, written, tuple(name for name in cited if name), "", fit)


def sampled_choice(reply: str, options: Sequence[str]) -> tuple[str, ...]:
    """A sampled reply as sentences: its reasoning, and the option that it chooses; none for one out of form."""
    try:
        chosen = _shape(LETTERS[: len(options)]).model_validate(json_in(reply))
    except ValidationError:
        return ()
    text = first_words(chosen.reasoning, REASONING_WORDS)
    reasons = (plain(marked(text[start:end]).text).text for start, end in sentences(text))
    told = f"The answer chosen is {options[LETTERS.index(chosen.letter)]}."
    return (*(one for one in reasons if any(c.isalnum() for c in one)), told)


def choice_schema(options: Sequence[str]) -> dict[str, Any]:
    """The form of a reply that chooses one of the options."""
    return _shape(LETTERS[: len(options)]).model_json_schema()


def letter_of(reply: str, options: Sequence[str]) -> str:
    """The letter that a reply chooses; empty where it is out of form or names none of the options."""
    try:
        return _shape(LETTERS[: len(options)]).model_validate(json_in(reply)).letter
    except ValidationError:
        return ""


def _shape(letters: Sequence[str]) -> type[ChosenLetter]:
    """The form with the letters that may be chosen, so that a server that holds replies to a form can give no other."""
    allowed: Any = Literal[tuple(letters)]
    return create_model("ChosenLetter", __base__=ChosenLetter, letter=(allowed, ...))
