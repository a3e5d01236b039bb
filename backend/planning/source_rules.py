"""The embedded planner in the shape of a source plan: at most 3 queries a source, worded as each source is best found.

It stands in wherever a planner needs a language model and there is none. It plans by the leading conditions, the parts
of the document and the question; it cannot think of a condition that the ranking did not find.
"""

from collections.abc import Iterable, Sequence

from backend.interfaces import FindTexts, NoteContext, Planned
from backend.planning.note_planner import asked_parts, present
from backend.planning.source_plan import MOST_QUERIES, PlannerParts
from backend.prompts.evidence_prompts import GraphQuery
from backend.registry import planner
from backend.schemas.drafts.evidence import Condition, Plan
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.vocabulary import ConditionStatus, Document, Source

FIRST_PARTS: dict[Document, tuple[str, ...]] = {
    Document.DISCHARGE_INSTRUCTIONS: ("Warning signs", "Medicines", "Follow-up"),
    Document.PROGRESS_NOTE: ("Tests", "Treatment", "How it shows"),
    Document.CLINICAL_ANSWER: ("What it is", "Treatment", "Tests"),
}
REASON = "rules from the leading conditions and the document asked for"


@planner("rules", label="Rules over the conditions and the document", needs_model=False)
class SourceRules:
    """Plans by rule, without a model. It never looks at what its queries find."""

    def __init__(self, parts: PlannerParts) -> None:
        self.name = parts.name
        self._parts = parts

    def plan(self, context: NoteContext, find_texts: FindTexts) -> Planned:
        """Queries from the leading conditions and the document asked for."""
        planned = self._parts.planned(rule_queries(context), REASON)
        return Planned(Plan(sub_queries=planned), f"planned by {REASON}")


def plan_by_rules(parts: PlannerParts, context: NoteContext, why: str, fallbacks: Sequence[str] = ()) -> Planned:
    """The rules' plan in place of the planner `parts.name`, which says so.

    Args:
        parts: those of the planner that could not plan.
        context: what is planned for.
        why: the reason why it could not.
        fallbacks: what fell back before.
    """
    ruled = SourceRules(parts).plan(context, lambda _: ())
    return ruled._replace(fallbacks=(*fallbacks, f"plan: {why}, so {parts.name} runs as rules"))


def rule_queries(context: NoteContext) -> dict[Source, tuple[str, ...]]:
    """Queries by source, none where the document needs nothing from a source."""
    linked, conditions, _, request = context
    parts = (asked_parts(request.question) or FIRST_PARTS[request.document])[:MOST_QUERIES]
    names = _subjects(linked, conditions)
    asked = [request.question] if request.question else []
    crossed = [(name, part.lower()) for part in parts for name in names[:1]] + [
        (n, parts[0].lower()) for n in names[1:]
    ]
    # a question that stands alone says itself what is sought: queries of what the ranking guesses from it only dilute what it finds
    about = [] if asked and not request.text.strip() else crossed
    return {
        source: tuple(_worded(source, asked, names, about, crossed))
        for source in Source
        if request.document.value in source.row.documents
    }


def _worded(
    source: Source,
    asked: Sequence[str],
    names: Sequence[str],
    about: Sequence[tuple[str, str]],
    crossed: Sequence[tuple[str, str]],
) -> Iterable[str]:
    """A source's queries: the question first, then its own wording of what the document is about; the graph takes no question."""
    if source is Source.GRAPH:
        return [GraphQuery(name, part).text for name, part in crossed]
    query = source.row.query
    if "{part}" not in query:
        return [*asked, *(query.format(name=name) for name in (names if about else ()))]
    return [*asked, *(query.format(name=name, part=part) for name, part in about)]


def _subjects(linked: LinkedNote, conditions: Sequence[Condition]) -> list[str]:
    """What a plan is about: the conditions in focus, the others by rank, then what the note names as present."""
    ranked = sorted(conditions, key=lambda condition: not condition.focus)
    named = [c.name for c in ranked if c.status != ConditionStatus.RULED_OUT]
    return list(dict.fromkeys([*named[:MOST_QUERIES], *(m.name for m in present(linked))]))[:MOST_QUERIES]
