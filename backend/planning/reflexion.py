"""Reflexion: one chain of tries, all sources refined together, until the judge is content (Omni-RAG D.3).

At most 8 rounds of plan, search and judgement; the loop ends early at score 5. The plan that scored best is kept, the
later one of equals.
"""

from collections.abc import Sequence

from backend.planning.model_plan import ask_plan
from backend.planning.plan_judge import FULL_SCORE, Try, judge, tries_told
from backend.planning.planner_parts import NO_MODEL, NO_SOURCE, Look, PlannerTools, Planning
from backend.planning.source_plan import source_plan
from backend.planning.source_rules import SourceRules
from backend.prompts.asking import Asker
from backend.prompts.task import task_text
from backend.schemas.drafts.evidence import Condition, Plan, ReasoningPath, SubQuery
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest

MOST_ROUNDS = 8


class ReflexionPlanner:
    name = "reflexion"

    def __init__(self, tools: PlannerTools, rounds: int = MOST_ROUNDS) -> None:
        self._tools = tools
        self._rounds = rounds

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
        asker = self._tools.asker(request)
        tries, why = self._tries(asker, task_text(request), look) if asker else ((), NO_MODEL)
        if asker is None or not tries:
            plan, reason, _ = SourceRules(self._tools).plan(linked, conditions, paths, request, look)
            return plan, reason, (f"plan: {why}, so reflexion runs as rules",)
        best = max(range(len(tries)), key=lambda place: (tries[place].score, place))
        scored = f"round {best + 1} of {len(tries)}, score {tries[best].score} of {FULL_SCORE}"
        if tries[best].score == UNSCORED:
            scored = "not scored"
        plan = Plan(sub_queries=tries[best].sub_queries)
        return plan, f"reflexion, by {asker.name}: {scored}", (f"plan: {why}",) if why else ()

    def _tries(self, asker: Asker, task: str, look: Look) -> tuple[tuple[Try, ...], str]:
        """The tries in order, and why they ended before their time or were mended; none when not one plan was made."""
        tries: list[Try] = []
        notes: list[str] = []
        for number in range(1, self._rounds + 1):
            worded = ask_plan(asker, task, self._tools.sources, tries_told(tries))
            notes.append(worded.reason)
            if worded.value is None:
                break
            reason = f"reflexion, round {number}, by {asker.name}"
            planned = source_plan(worded.value.queries(), self._tools.filled, self._tools.choice, reason)
            asked: tuple[SubQuery, ...] = tuple(query for query in planned if not query.skipped)
            judged = judge(asker, task, asked, look(asked) if asked else ())
            if judged.value is None:
                notes.append(f"{judged.reason}, so round {number} is not scored")
                # an unscored plan is kept only where there is no scored one
                tries.append(Try(planned, UNSCORED, ""))
                break
            tries.append(Try(planned, judged.value.score, judged.value.advice))
            if judged.value.score == FULL_SCORE:
                break
        return tuple(tries), "; ".join(dict.fromkeys(note for note in notes if note))


UNSCORED = -1
