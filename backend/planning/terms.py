"""The medical terms of a request, fewer than four: what original-question and query2doc ask the graph (Omni-RAG D.3)."""

from backend.planning.planned import NO_MODEL
from backend.planning.rules import present
from backend.planning.source_plan import MOST_QUERIES, QUERY_WORDS
from backend.prompts.asking import Asker
from backend.prompts.planning import TERMS
from backend.prompts.task import first_words, task_text
from backend.schemas.base import Frozen
from backend.schemas.note import LinkedNote
from backend.schemas.request import DraftRequest


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
