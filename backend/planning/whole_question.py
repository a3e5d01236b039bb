"""The planners that do not plan: the question itself (original-question), or a passage that would answer it (query2doc).

Both ask the graph for fewer than four terms of the question. original-question gives every text source the same query;
query2doc writes a passage of at most 200 words in the style of each.
"""

from collections.abc import Sequence

from backend.planning.planner_parts import NO_MODEL, Look, PlannerTools, Planning
from backend.planning.rules_planner import present
from backend.planning.source_plan import (
    MOST_QUERIES,
    PASSAGE_WORDS,
    QUERY_WORDS,
    QUESTION_WORDS,
    not_searched,
    source_plan,
)
from backend.planning.source_rules import SourceRules
from backend.prompts.asking import Asker
from backend.prompts.evidence_prompts import PASSAGE, STYLE, TERMS
from backend.prompts.task import first_words, query_text, task_text
from backend.schemas.base import Frozen
from backend.schemas.drafts.evidence import Condition, Plan, ReasoningPath
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Source


class OriginalQuestionPlanner:
    """The question, or the note where there is no question, to every text source."""

    name = "original-question"

    def __init__(self, tools: PlannerTools) -> None:
        self._tools = tools

    def plan(
        self,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        paths: Sequence[ReasoningPath],
        request: DraftRequest,
        look: Look,
    ) -> Planning:
        terms, fell = terms_of(self._tools.asker(request), linked, request)
        queries: dict[Source, tuple[str, ...]] = dict.fromkeys(STYLE, (query_text(request),))
        queries[Source.GRAPH] = terms
        planned = source_plan(queries, self._tools.filled, self._tools.choice, "the question as it is", QUESTION_WORDS)
        return Plan(sub_queries=planned), "the question as query", (fell,) if fell else ()


class Query2DocPlanner:
    """A passage a source, written to resemble what is sought. It is a query and never evidence."""

    name = "query2doc"

    def __init__(self, tools: PlannerTools) -> None:
        self._tools = tools

    def plan(
        self,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        paths: Sequence[ReasoningPath],
        request: DraftRequest,
        look: Look,
    ) -> Planning:
        asker = self._tools.asker(request)
        queries, why = self._passages(asker, request) if asker else ({}, NO_MODEL)
        if asker is None or not queries:
            plan, reason, _ = SourceRules(self._tools).plan(linked, conditions, paths, request, look)
            return plan, reason, (f"plan: {why}, so query2doc runs as rules",)
        terms, fell = terms_of(asker, linked, request)
        queries[Source.GRAPH] = terms
        reason = f"a passage in the style of the source, by {asker.name}"
        planned = source_plan(queries, self._tools.filled, self._tools.choice, reason, PASSAGE_WORDS)
        fallbacks = tuple(f"plan: {text}" for text in (why, fell) if text)
        return Plan(sub_queries=planned), f"query2doc, by {asker.name}", fallbacks

    def _passages(self, asker: Asker, request: DraftRequest) -> tuple[dict[Source, tuple[str, ...]], str]:
        """A passage for each source that can be searched, and why some have none."""
        queries: dict[Source, tuple[str, ...]] = {}
        why = ""
        for source, style in STYLE.items():
            if not not_searched(source, self._tools.filled, self._tools.choice):
                data = {"task": task_text(request)}
                written = asker.texts(PASSAGE, data, style=style, words=PASSAGE_WORDS)
                if written.texts:
                    queries[source] = written.texts[:1]
                why = why or written.reason
        return queries, why if queries or why else "no text source can be searched"


class WordedTerms(Frozen):
    terms: tuple[str, ...]


def terms_of(asker: Asker | None, linked: LinkedNote, request: DraftRequest) -> tuple[tuple[str, ...], str]:
    """At most 3 terms, and what fell back and why: without a model, the first present names that the linker found."""
    why = NO_MODEL
    if asker is not None:
        reply = asker.shaped(TERMS, WordedTerms, {"task": task_text(request)}, most=MOST_QUERIES)
        if reply.value is not None:
            terms = dict.fromkeys(
                first_words(" ".join(term.split()), QUERY_WORDS) for term in reply.value.terms if term.strip()
            )
            return tuple(terms)[:MOST_QUERIES], reply.reason
        why = reply.reason
    named = dict.fromkeys(mention.name for mention in present(linked))
    return tuple(named)[:MOST_QUERIES], f"terms: {why}, so the dictionary linker named them"
