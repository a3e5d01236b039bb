"""Every prompt by name, of drafts and of training, for the page that lists them and for the records of drafts and checkpoints."""

from backend.errors import NotFoundError
from backend.prompts.clinicalrag_prompts import ENTITIES, KNOWLEDGE
from backend.prompts.draft_prompts import ANSWER, CHOICE, DISCHARGE, DISCHARGE_PARAGRAPH, PROGRESS, REPAIR
from backend.prompts.plan_prompts import JUDGE, PASSAGE, PLAN, PLAN_AGAIN, TERMS
from backend.prompts.template import Prompt
from backend.prompts.thought_prompts import FOLLOW_UP_ANSWER, FOLLOW_UPS, THOUGHT, THOUGHT_AGAIN
from backend.prompts.training_prompts import DIRECT, EXPLORE, OPEN, SUPPORTS
from backend.prompts.verdict_prompts import CARRIED, PREFERRED

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
        KNOWLEDGE,
        DISCHARGE,
        DISCHARGE_PARAGRAPH,
        PROGRESS,
        ANSWER,
        CHOICE,
        REPAIR,
        CARRIED,
        PREFERRED,
        EXPLORE,
        SUPPORTS,
        DIRECT,
        OPEN,
    )
}


def prompt(name: str) -> Prompt:
    """The prompt of a name. Raises NotFoundError that lists the names there are."""
    if name not in PROMPTS:
        raise NotFoundError(f"There is no prompt {name!r}. Choose one of: {', '.join(PROMPTS)}")
    return PROMPTS[name]


def versions() -> dict[str, str]:
    """Version and hash of each prompt by name, as a draft records them."""
    return {name: f"{found.version}, {found.hash}" for name, found in PROMPTS.items()}
