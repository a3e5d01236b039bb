"""Exploration of plans (Omni-RAG section 4.2.1): an expert model words six queries for every source."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field, create_model

from backend.planning.model_plan import WordedTerm, Words
from backend.planning.source_plan import QUERY_WORDS
from backend.prompts.evidence_prompts import GraphQuery, sources_text
from backend.prompts.task import first_words, task_text
from backend.prompts.training_prompts import EXPLORE
from backend.schemas import source_rows
from backend.schemas.base import Frozen
from backend.schemas.vocabulary import Source
from backend.training.thoughts.thought_pairs import AskedQuestion

EXPLORED = 6
MOST_EXPLORED = 24
Listed = Annotated[tuple[Words, ...], Field(max_length=MOST_EXPLORED)]


class WordedExploration(Frozen):
    """Queries by source. More than were asked for are cut, fewer are taken as they are."""

    book: Listed = ()
    guideline: Listed = ()
    research: Listed = ()
    wiki: Listed = ()
    graph: tuple[WordedTerm, ...] = Field(default=(), max_length=MOST_EXPLORED)


def _form() -> type[WordedExploration]:
    """The form with a list for each added source."""
    added: dict[str, Any] = {row.name: (Listed, ()) for row in source_rows.ADDED}
    return create_model("WordedExploration", __base__=WordedExploration, **added) if added else WordedExploration


def explore(asked: AskedQuestion, sources: Sequence[Source], most: int = EXPLORED) -> dict[Source, tuple[str, ...]]:
    """At most so many different queries for each of the sources; none where the reply was twice out of form.

    Raises EngineError where the model fails: that is no finding.
    """
    reply = asked.asker.shaped(
        EXPLORE,
        _form(),
        {"task": task_text(asked.question.request(0))},
        most=most,
        sources=sources_text(tuple(sources)),
        keys=", ".join(sources),
        words=QUERY_WORDS,
    )
    asked.model.check()
    if reply.value is None:
        return {}
    worded = reply.value
    found: dict[Source, Sequence[str]] = {source: getattr(worded, source.value, ()) for source in Source}
    found[Source.GRAPH] = [GraphQuery(item.term.strip(), item.query.strip()).text for item in worded.graph]
    return {source: kept for source in sources if (kept := _different(found[source])[:most])}


def _different(queries: Sequence[str]) -> tuple[str, ...]:
    """Without blank ones and repetitions, cut as the running planner's are."""
    cut = (first_words(" ".join(text.split()), QUERY_WORDS) for text in queries)
    return tuple(dict.fromkeys(text for text in cut if text))
