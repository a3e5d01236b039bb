"""A whole walk of one note: the policy chooses a group, the environment moves all paths, until T or the stop action."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from models.policy.walking.environment import GROUP_COUNT, STOP, Environment
from models.policy.walking.note_view import NoteView
from models.policy.walking.walk_state import WalkState


class GroupPolicy(Protocol):
    """Whatever gives probabilities over the legal groups (and the stop action, when legal has a place for it).

    average: what Environment.observation tells of the state.
    """

    def probabilities(self, step: int, group: int, scarce: int, average: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """(actions,) that sum to 1, 0 where an action is not legal."""
        ...


class Choice(NamedTuple):
    """What was chosen at one step. probabilities and legal: (actions,). added: distinct concepts that were new."""

    step: int
    action: int
    probabilities: np.ndarray
    legal: np.ndarray
    added: int


class Walk(NamedTuple):
    """states[0] is the start, states[i] what followed choice i."""

    states: tuple[WalkState, ...]
    choices: tuple[Choice, ...]

    @property
    def end(self) -> WalkState:
        """The last state."""
        return self.states[-1]


class UniformPolicy:
    """Every legal action alike: what a policy must beat."""

    def probabilities(self, step: int, group: int, scarce: int, average: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Equal ones over the legal actions."""
        return np.asarray(legal / legal.sum())


class SchedulePolicy:
    """The same groups for every note, in order; where one is not legal, the first later one that is, else any legal."""

    def __init__(self, groups: tuple[int, ...]) -> None:
        self._groups = groups

    def probabilities(self, step: int, group: int, scarce: int, average: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """1 for the chosen group, 0 for the others."""
        wanted = self._groups[step:] + self._groups[:step]
        chosen = next((g for g in wanted if legal[g]), int(np.argmax(legal)))
        return np.asarray(np.arange(len(legal)) == chosen, dtype=np.float64)


def walk(
    environment: Environment,
    view: NoteView,
    policy: GroupPolicy,
    draw: np.random.Generator | None = None,
    begin: Callable[[int], None] | None = None,
) -> Walk:
    """Walk by the likeliest action (ties: the lowest group), or by drawing each action from draw (Eq. 5, 11).

    begin is told each step before it is taken.
    """
    settings = environment.settings
    state = environment.start(view)
    scarce = environment.scarce(view, state)
    states, choices = [state], []
    for step in range(settings.steps):
        if begin:
            begin(step)
        legal = environment.legal(state)
        if settings.stop:
            legal = np.append(legal, step > 0)
        chances = policy.probabilities(step, state.group, scarce, environment.observation(view, state, step), legal)
        action = int(chances.argmax()) if draw is None else int(draw.choice(len(chances), p=chances))
        if action == STOP:
            choices.append(Choice(step, action, chances, legal, 0))
            break
        after = environment.advance(view, state, action)
        choices.append(Choice(step, action, chances, legal, len(after.explored) - len(state.explored)))
        state = after
        states.append(state)
    return Walk(tuple(states), tuple(choices))


def schedule_of(walks: list[Walk]) -> tuple[int, ...]:
    """The commonest group of each step over some walks: the best fixed schedule that ignores the note."""
    steps = max((len(found.choices) for found in walks), default=0)
    chosen = []
    for step in range(steps):
        actions = [w.choices[step].action for w in walks if len(w.choices) > step and w.choices[step].action != STOP]
        chosen.append(int(np.bincount(actions, minlength=GROUP_COUNT).argmax()) if actions else 0)
    return tuple(chosen)
