"""Every prompt by name, of drafts and of training, for the page that lists them and for the records of drafts and checkpoints."""

from backend.errors import NotFoundError
from backend.prompts.draft_prompts import ANSWER, CHOICE, DISCHARGE, DISCHARGE_PARAGRAPH, PROGRESS, REPAIR, TRANSLATION
from backend.prompts.evidence_prompts import (
    ENTITIES,
    FOLLOW_UP_ANSWER,
    FOLLOW_UPS,
    JUDGE,
    KNOWLEDGE,
    PASSAGE,
    PLAN,
    PLAN_AGAIN,
    RECORD,
    TERMS,
    THOUGHT,
    THOUGHT_AGAIN,
)
from backend.prompts.paper_prompt import PAPER_DISCHARGE
from backend.prompts.template import Prompt
from backend.prompts.training_prompts import DIRECT, EXPLORE, OPEN, SUPPORTS
from backend.prompts.verdicts import ENTAILED, PREFERRED

PROMPTS: dict[str, Prompt] = {
    prompt.name: prompt
    for prompt in (
        PLAN,
        PLAN_AGAIN,
        JUDGE,
        TERMS,
        PASSAGE,
        THOUGHT,
        THOUGHT_AGAIN,
        FOLLOW_UPS,
        FOLLOW_UP_ANSWER,
        ENTITIES,
        RECORD,
        KNOWLEDGE,
        DISCHARGE,
        DISCHARGE_PARAGRAPH,
        PAPER_DISCHARGE,
        PROGRESS,
        ANSWER,
        CHOICE,
        REPAIR,
        TRANSLATION,
        ENTAILED,
        PREFERRED,
        EXPLORE,
        SUPPORTS,
        DIRECT,
        OPEN,
    )
}


def prompt(name: str) -> Prompt:
    """The prompt of a name.

    Raises:
        NotFoundError: there is none; the message lists the names there are.
    """
    if name not in PROMPTS:
        raise NotFoundError(f"There is no prompt {name!r}. Choose one of: {', '.join(PROMPTS)}")
    return PROMPTS[name]


def versions() -> dict[str, str]:
    """Version and hash of each prompt by name, as a draft records them."""
    return {name: f"{found.version}, {found.hash}" for name, found in PROMPTS.items()}
