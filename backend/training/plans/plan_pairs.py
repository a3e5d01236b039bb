"""Plans to learn from (Omni-RAG section 4.2.3): a positive plan of queries that served, a negative one of those that did not.

Of a source at most three queries are taken, at random; a source without one stays empty; a question where no source has
one gives no plan. A pair needs both plans. The prompt is the one the running planner asks, so the plan learned is the plan
it will word.
"""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from backend.planning.model_plan import MOST_CHARACTERS
from backend.planning.source_plan import MOST_QUERIES, QUERY_WORDS
from backend.prompts.evidence_prompts import PLAN, graph_query, plan_values
from backend.prompts.task import task_text
from backend.schemas.chat import Message
from backend.schemas.vocabulary import Source
from backend.training.questions import Question
from backend.training.rendered import Pair, SampleKind, Wanted
from backend.training.synthetic.seeded_draws import draw

Plan = Mapping[Source, tuple[str, ...]]


class ValuedQuery(NamedTuple):
    """value: of the signal's scale; None where it could not be told. found: documents that the query brought."""

    source: Source
    text: str
    found: int
    value: float | None
    positive: bool


def plan_of(queries: Sequence[ValuedQuery], positive: bool, question: str, seed: int) -> Plan | None:
    """At most three random queries a source of the wanted kind, in their order; None where no source has one."""
    drawn = draw(seed, question, SampleKind.PLAN, positive)
    plan: dict[Source, tuple[str, ...]] = {}
    for source in Source:
        fit = [
            query.text
            for query in queries
            if query.source == source and query.value is not None and query.positive == positive
        ]
        kept = sorted(drawn.sample(range(len(fit)), min(MOST_QUERIES, len(fit))))
        if kept:
            plan[source] = tuple(fit[i] for i in kept)
    return plan or None


def plan_prompt(question: Question, sources: Sequence[Source]) -> tuple[Message, ...]:
    """What planning.model_plan asks where these sources can be searched, with the question's own fence."""
    values = plan_values(sources, MOST_QUERIES, QUERY_WORDS)
    return PLAN.messages(question.fence(), {"task": task_text(question.request(0))}, **values)


def plan_reply(plan: Plan, sources: Sequence[Source]) -> str:
    """The plan in the strict form, a list for each of the sources; those that are left out are not named."""
    lists: dict[str, object] = {}
    for source in sources:
        queries = [text[:MOST_CHARACTERS] for text in plan.get(source, ())]
        lists[source.value] = [graph_query(text)._asdict() for text in queries] if source == Source.GRAPH else queries
    return json.dumps(lists, ensure_ascii=False)


def wanted_plan(question: Question, plan: Plan, sources: Sequence[Source]) -> Wanted:
    """A plan to imitate, as a sample for fine-tuning."""
    return Wanted(question.id, SampleKind.PLAN, plan_prompt(question, sources), plan_reply(plan, sources))


def plan_pair(question: Question, positive: Plan, negative: Plan, sources: Sequence[Source]) -> Pair:
    """A plan to prefer over another, as a sample for preference training."""
    replies = (plan_reply(plan, sources) for plan in (positive, negative))
    return Pair(question.id, SampleKind.PLAN, plan_prompt(question, sources), *replies)
