"""What planners take beside the request, and what they share."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from backend.interfaces import LanguageModel
from backend.planning.source_plan import SourceChoice
from backend.prompts.asking import Asker
from backend.prompts.template import NewFence, fresh_fence
from backend.schemas.drafts.evidence import Condition, Plan, ReasoningPath, SubQuery
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Source

Look = Callable[[Sequence[SubQuery]], Sequence[str]]
"""Runs sub-queries and gives the texts found, best first: how a planner that reflects sees what its queries find."""

Planning = tuple[Plan, str, tuple[str, ...]]
"""A plan, who made it and how, and what fell back and why."""


class SourcePlanner(Protocol):
    """Any planner by name. Those that do not reflect never call look."""

    name: str

    def plan(
        self,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        paths: Sequence[ReasoningPath],
        request: DraftRequest,
        look: Look,
    ) -> Planning: ...


class PlannerTools(NamedTuple):
    """What every planner works with. filled: the sources that hold something. model: None when there is none."""

    filled: frozenset[Source]
    model: LanguageModel | None = None
    choice: SourceChoice = SourceChoice()
    new_fence: NewFence = fresh_fence

    @property
    def sources(self) -> tuple[Source, ...]:
        """Those that can be searched: allowed, and not empty. In the order of the vocabulary."""
        return tuple(source for source in Source if source in self.filled and self.choice.allows(source))

    def asker(self, request: DraftRequest) -> Asker | None:
        return None if self.model is None else Asker(self.model, request.seed, self.new_fence)


NO_MODEL = "no language model is set"
NO_SOURCE = "no source can be searched, so nothing is planned"
