"""The planners that do not plan: the question itself (original-question), or a passage that would answer it (query2doc).

Both ask the graph for fewer than four terms of the question. original-question gives every text source the same query;
query2doc writes a passage of at most 200 words in the style of each.
"""

from backend.interfaces import FindTexts, NoteContext, Planned
from backend.planning.note_planner import present
from backend.planning.source_plan import (
    MOST_QUERIES,
    NO_MODEL,
    PASSAGE_WORDS,
    QUERY_WORDS,
    QUESTION_WORDS,
    PlannerParts,
)
from backend.planning.source_rules import plan_by_rules
from backend.prompts.asking import Asker
from backend.prompts.evidence_prompts import PASSAGE, STYLE, TERMS
from backend.prompts.task import first_words, query_text, task_text
from backend.registry import planner
from backend.schemas.base import Frozen
from backend.schemas.drafts.evidence import Plan
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Source


@planner("original-question", label="The question itself to every source")
class OriginalQuestionPlanner:
    """The question, or the note where there is no question, to every text source."""

    def __init__(self, parts: PlannerParts) -> None:
        self.name = parts.name
        self._parts = parts

    def plan(self, context: NoteContext, find_texts: FindTexts) -> Planned:
        """The question for each text source, and its terms for the graph."""
        terms, fallback = terms_of(self._parts.asker(context.request), context.linked, context.request)
        queries: dict[Source, tuple[str, ...]] = dict.fromkeys(STYLE, (query_text(context.request),))
        queries[Source.GRAPH] = terms
        planned = self._parts.planned(queries, "the question as it is", QUESTION_WORDS)
        return Planned(Plan(sub_queries=planned), "the question as query", (fallback,) if fallback else ())


@planner("query2doc", label="A passage that would answer the question")
class Query2DocPlanner:
    """A passage a source, written to resemble what is sought. It is a query and never evidence."""

    def __init__(self, parts: PlannerParts) -> None:
        self.name = parts.name
        self._parts = parts

    def plan(self, context: NoteContext, find_texts: FindTexts) -> Planned:
        """A passage for each text source, and terms for the graph; the rules' plan where no passage could be written."""
        asker = self._parts.asker(context.request)
        queries, why = self._passages(asker, context.request) if asker else ({}, NO_MODEL)
        if asker is None or not queries:
            return plan_by_rules(self._parts, context, why)
        terms, fallback = terms_of(asker, context.linked, context.request)
        queries[Source.GRAPH] = terms
        planned = self._parts.planned(queries, f"a passage in the style of the source, by {asker.name}", PASSAGE_WORDS)
        fallbacks = tuple(f"plan: {text}" for text in (why, fallback) if text)
        return Planned(Plan(sub_queries=planned), f"{self.name}, by {asker.name}", fallbacks)

    def _passages(self, asker: Asker, request: DraftRequest) -> tuple[dict[Source, tuple[str, ...]], str]:
        """A passage for each source that can be searched, and why some have none."""
        queries: dict[Source, tuple[str, ...]] = {}
        why = ""
        for source, style in STYLE.items():
            if source in self._parts.sources:
                data = {"task": task_text(request)}
                written = asker.texts(PASSAGE, data, style=style, words=PASSAGE_WORDS)
                if written.texts:
                    queries[source] = written.texts[:1]
                why = why or written.reason
        return queries, why if queries or why else "no text source can be searched"


class WordedTerms(Frozen):
    """What a model says the question is about."""

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
