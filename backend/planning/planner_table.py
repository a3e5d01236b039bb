"""The planners by name."""

from backend.errors import NotFoundError
from backend.planning.planner_parts import PlannerTools, SourcePlanner
from backend.planning.prompting import PromptingPlanner
from backend.planning.reflexion import ReflexionPlanner
from backend.planning.serts import SertsPlanner
from backend.planning.source_rules import SourceRules
from backend.planning.whole_question import OriginalQuestionPlanner, Query2DocPlanner

TRAINED = ("spo", "trainable-planning", "rafe")
PLANNERS = ("rules", "model", "original-question", "query2doc", "prompting", "reflexion", "serts", *TRAINED)


def source_planner(name: str, tools: PlannerTools, trained: bool = False) -> SourcePlanner:
    """The planner of a name. trained: the desk's model was trained for it. Raises NotFoundError that lists the names."""
    match name:
        case "rules":
            return SourceRules(tools)
        case "original-question":
            return OriginalQuestionPlanner(tools)
        case "query2doc":
            return Query2DocPlanner(tools)
        case "model" | "prompting":
            return PromptingPlanner(tools, name)
        case "reflexion":
            return ReflexionPlanner(tools)
        case "serts":
            return SertsPlanner(tools)
        case "spo" | "trainable-planning" | "rafe":
            return PromptingPlanner(tools, name, trained)
    raise NotFoundError(f"There is no planner {name!r}. Choose one of: {', '.join(PLANNERS)}")
