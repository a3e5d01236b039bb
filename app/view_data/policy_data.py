"""The steps that the path policy took for a draft, as rows. Pure functions."""

from typing import Any, NamedTuple

from app.words.words import _
from backend.schemas.drafts.evidence import Move, PolicyStep
from backend.schemas.visible_text import visible
from backend.schemas.vocabulary import GROUP_NAMES

STOP = "stop"
GROUPS = {group.value: name for group, name in GROUP_NAMES.items()}


class StepView(NamedTuple):
    """One step: its head, what could be chosen, what could not, where each path went, what was passed over."""

    title: str
    chances: list[dict[str, Any]]
    masked: list[str]
    moves: list[str]
    rejected: list[str]


def step_views(steps: tuple[PolicyStep, ...]) -> list[StepView]:
    """Every step in order."""
    return [step_view(step) for step in steps]


def step_view(step: PolicyStep) -> StepView:
    """One step, the likeliest choice first; the chosen one is told by a word."""
    taken = STOP if step.stopped else step.group.value
    rows = sorted(step.probabilities.items(), key=lambda row: -row[1])
    chances = [
        {_("choice"): group_name(group), _("preference"): share, _("chosen"): _("chosen") if group == taken else ""}
        for group, share in rows
    ]
    return StepView(
        _("Step {n}: {group}").format(n=step.step, group=group_name(taken)),
        chances,
        [group_name(group) for group in step.masked],
        [move_words(move) for move in step.moves],
        [visible(one.name) for one in step.rejected],
    )


def group_name(group: str) -> str:
    """A semantic group in words; stopping too."""
    return _("Stop here") if group == STOP else _(GROUPS.get(group, group))


def move_words(move: Move) -> str:
    """Where one path went at a step."""
    if not move.steps:
        return _("{keyword}: stays where it is").format(keyword=visible(move.keyword))
    leap = _("leap, no known link")
    parts = [
        f"{leap if one.leap else _(visible(one.relation.replace('_', ' ')))} → {visible(one.name)}"
        for one in move.steps
    ]
    return f"{visible(move.keyword)}: {'; '.join(parts)}"
