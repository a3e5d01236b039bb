"""A model's plan in one go: `prompting`, and the planners whose training makes the same prompt answer better.

`spo`, `trainable-planning` and `rafe` ask the same prompt of weights that were trained on it (Omni-RAG sections 4 and
D.3). Untrained they are `prompting`, and say so.
"""

from backend.interfaces import FindTexts, NoteContext, Planned
from backend.planning.model_plan import ask_plan
from backend.planning.source_plan import NO_MODEL, NO_SOURCE, PlannerParts
from backend.planning.source_rules import plan_by_rules
from backend.prompts.task import task_text
from backend.registry import planner
from backend.schemas.drafts.evidence import Plan


@planner("model", label="A model's plan")
@planner("prompting", label="An untrained model's plan", about="One prompt to a model that was not trained for it.")
class PromptingPlanner:
    """One prompt, one plan.

    Args:
        parts: sources, model and name.
        trained: whether the model's weights were trained for this planner; None where no training belongs to it.
    """

    def __init__(self, parts: PlannerParts, trained: bool | None = None) -> None:
        self.name = parts.name
        self._parts = parts
        self._trained = trained

    def plan(self, context: NoteContext, find_texts: FindTexts) -> Planned:
        """The model's plan; the rules' where there is no model, or it gives none."""
        if not self._parts.sources:
            return Planned(self._parts.nothing_planned(), NO_SOURCE)
        fallbacks: list[str] = []
        why = NO_MODEL
        asker = self._parts.asker(context.request)
        if asker is not None:
            if self._trained is False:
                fallbacks.append(f"{self.name}: the model was not trained for it, so it runs as prompting")
            worded = ask_plan(asker, task_text(context.request), self._parts.sources)
            why = worded.reason
            if worded.value is not None:
                if why:
                    fallbacks.append(f"plan: {why}")
                reason = f"{self.name}, by {asker.name}"
                planned = self._parts.planned(worded.value.queries(), reason)
                return Planned(Plan(sub_queries=planned), f"planned by {reason}", tuple(fallbacks))
        return plan_by_rules(self._parts, context, why, fallbacks)


@planner(
    "spo", label="Trained on preferred plans", about="The prompt of `prompting`, to a model trained on preferred plans."
)
@planner(
    "trainable-planning",
    label="Trained on the reader's gain",
    about="The prompt of `prompting`, to a model trained on the reader's gain.",
)
@planner(
    "rafe",
    label="Trained on the reranker",
    about="The prompt of `prompting`, to a model trained on the reranker's scores.",
)
def trained_planner(parts: PlannerParts) -> PromptingPlanner:
    """The prompt of `prompting`, asked of weights that were trained for it."""
    return PromptingPlanner(parts, parts.trained_for == parts.name)
