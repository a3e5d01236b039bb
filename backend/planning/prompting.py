"""A model's plan in one go: `prompting`, and the planners whose training makes the same prompt answer better.

`spo`, `trainable-planning` and `rafe` ask the same prompt of weights that were trained on it (Omni-RAG sections 4 and
D.3). Untrained they are `prompting`, and say so.
"""

from collections.abc import Sequence

from backend.planning.model_plan import ask_plan
from backend.planning.planner_parts import NO_MODEL, NO_SOURCE, Look, PlannerTools, Planning
from backend.planning.source_plan import source_plan
from backend.planning.source_rules import SourceRules
from backend.prompts.task import task_text
from backend.schemas.drafts.evidence import Condition, Plan, ReasoningPath
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest


class PromptingPlanner:
    """name: who asks. trained: the model's weights were trained for this planner; None where no training belongs to it."""

    def __init__(self, tools: PlannerTools, name: str = "prompting", trained: bool | None = None) -> None:
        self.name = name
        self._tools = tools
        self._trained = trained

    def plan(
        self,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        paths: Sequence[ReasoningPath],
        request: DraftRequest,
        look: Look,
    ) -> Planning:
        if not self._tools.sources:
            return Plan(sub_queries=source_plan({}, self._tools.filled, self._tools.choice, "")), NO_SOURCE, ()
        fallbacks: list[str] = []
        why = NO_MODEL
        asker = self._tools.asker(request)
        if asker is not None:
            if self._trained is False:
                fallbacks.append(f"{self.name}: the model was not trained for it, so it runs as prompting")
            worded = ask_plan(asker, task_text(request), self._tools.sources)
            why = worded.reason
            if worded.value is not None:
                if why:
                    fallbacks.append(f"plan: {why}")
                reason = f"{self.name}, by {asker.name}"
                queries = worded.value.queries()
                planned = source_plan(queries, self._tools.filled, self._tools.choice, reason)
                return Plan(sub_queries=planned), f"planned by {reason}", tuple(fallbacks)
        plan, reason, _ = SourceRules(self._tools).plan(linked, conditions, paths, request, look)
        return plan, reason, (*fallbacks, f"plan: {why}, so {self.name} runs as rules")
