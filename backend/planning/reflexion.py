"""Reflexion: one chain of tries, all sources refined together, until the judge is content (Omni-RAG D.3).

At most 8 rounds of plan, search and judgement; the loop ends early at score 5. The plan that scored best is kept, the
later one of equals.
"""

from backend.interfaces import FindTexts, NoteContext, Planned
from backend.planning.model_plan import FULL_SCORE, UNSCORED, Try, ask_plan, found_by, judge, tries_text
from backend.planning.source_plan import NO_MODEL, NO_SOURCE, PlannerParts
from backend.planning.source_rules import plan_by_rules
from backend.prompts.asking import Asker
from backend.prompts.task import task_text
from backend.registry import planner
from backend.schemas.drafts.evidence import Plan

MOST_ROUNDS = 8


@planner("reflexion", label="A plan that is judged by what it finds and bettered")
class ReflexionPlanner:
    """One chain of tries for all sources.

    Args:
        parts: sources and model; the model plans and judges.
        rounds: tries at most.
    """

    def __init__(self, parts: PlannerParts, rounds: int = MOST_ROUNDS) -> None:
        self.name = parts.name
        self._parts = parts
        self._rounds = rounds

    def plan(self, context: NoteContext, find_texts: FindTexts) -> Planned:
        """The try that scored best, the later one of equals; the rules' plan where the model gives none."""
        if not self._parts.sources:
            return Planned(self._parts.nothing_planned(), NO_SOURCE)
        asker = self._parts.asker(context.request)
        tries, why = self._tries(asker, task_text(context.request), find_texts) if asker else ((), NO_MODEL)
        if asker is None or not tries:
            return plan_by_rules(self._parts, context, why)
        best = max(range(len(tries)), key=lambda place: (tries[place].score, place))
        scored = f"round {best + 1} of {len(tries)}, score {tries[best].score} of {FULL_SCORE}"
        if tries[best].score == UNSCORED:
            scored = "not scored"
        plan = Plan(sub_queries=tries[best].sub_queries)
        return Planned(plan, f"{self.name}, by {asker.name}: {scored}", (f"plan: {why}",) if why else ())

    def _tries(self, asker: Asker, task: str, find_texts: FindTexts) -> tuple[tuple[Try, ...], str]:
        """The tries in order, and why they ended before their time or were mended; none when not one plan was made."""
        tries: list[Try] = []
        notes: list[str] = []
        for number in range(1, self._rounds + 1):
            worded = ask_plan(asker, task, self._parts.sources, tries_text(tries))
            notes.append(worded.reason)
            if worded.value is None:
                break
            planned = self._parts.planned(worded.value.queries(), f"{self.name}, round {number}, by {asker.name}")
            asked = tuple(query for query in planned if not query.skipped)
            judged = judge(asker, task, asked, found_by(asked, find_texts), self._parts.sources)
            if judged.value is None:
                notes.append(f"{judged.reason}, so round {number} is not scored")
                # an unscored plan is kept only where there is no scored one
                tries.append(Try(planned, UNSCORED, ""))
                break
            tries.append(Try(planned, judged.value.score, judged.value.advice))
            if judged.value.score == FULL_SCORE:
                break
        return tuple(tries), "; ".join(dict.fromkeys(note for note in notes if note))
