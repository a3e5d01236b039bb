"""The planners that do not plan: the question itself (original-question), or a passage that would answer it (query2doc).

Both ask the graph for fewer than four terms of the question. original-question gives every text source the same query;
query2doc writes a passage of at most 200 words in the style of each.
"""

from collections.abc import Sequence

from backend.planning.planned import NO_MODEL, Desk, Look, Planning
from backend.planning.source_plan import PASSAGE_WORDS, QUESTION_WORDS, not_searched, source_plan
from backend.planning.source_rules import SourceRules
from backend.planning.terms import terms_of
from backend.prompts.asking import Asker
from backend.prompts.planning import PASSAGE
from backend.prompts.source_words import STYLE
from backend.prompts.task import query_text, task_text
from backend.schemas.evidence import Condition, Plan, ReasoningPath
from backend.schemas.note import LinkedNote
from backend.schemas.request import DraftRequest
from backend.schemas.vocabulary import Source


class OriginalQuestionPlanner:
    """The question, or the note where there is no question, to every text source."""

    name = "original-question"

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def plan(
        self,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        paths: Sequence[ReasoningPath],
        request: DraftRequest,
        look: Look,
    ) -> Planning:
        terms, fell = terms_of(self._desk.asker(request), linked, request)
        queries: dict[Source, tuple[str, ...]] = dict.fromkeys(STYLE, (query_text(request),))
        queries[Source.GRAPH] = terms
        planned = source_plan(queries, self._desk.filled, self._desk.choice, "the question as it is", QUESTION_WORDS)
        return Plan(sub_queries=planned), "the question as query", (fell,) if fell else ()


class Query2DocPlanner:
    """A passage a source, written to resemble what is sought. It is a query and never evidence."""

    name = "query2doc"

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def plan(
        self,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        paths: Sequence[ReasoningPath],
        request: DraftRequest,
        look: Look,
    ) -> Planning:
        asker = self._desk.asker(request)
        queries, why = self._passages(asker, request) if asker else ({}, NO_MODEL)
        if asker is None or not queries:
            plan, reason, _ = SourceRules(self._desk).plan(linked, conditions, paths, request, look)
            return plan, reason, (f"plan: {why}, so query2doc runs as rules",)
        terms, fell = terms_of(asker, linked, request)
        queries[Source.GRAPH] = terms
        reason = f"a passage in the style of the source, by {asker.name}"
        planned = source_plan(queries, self._desk.filled, self._desk.choice, reason, PASSAGE_WORDS)
        fallbacks = tuple(f"plan: {text}" for text in (why, fell) if text)
        return Plan(sub_queries=planned), f"query2doc, by {asker.name}", fallbacks

    def _passages(self, asker: Asker, request: DraftRequest) -> tuple[dict[Source, tuple[str, ...]], str]:
        """A passage for each source that can be searched, and why some have none."""
        queries: dict[Source, tuple[str, ...]] = {}
        why = ""
        for source, style in STYLE.items():
            if not not_searched(source, self._desk.filled, self._desk.choice):
                data = {"task": task_text(request)}
                written = asker.texts(PASSAGE, data, style=style, words=PASSAGE_WORDS)
                if written.texts:
                    queries[source] = written.texts[:1]
                why = why or written.reason
        return queries, why if queries or why else "no text source can be searched"
