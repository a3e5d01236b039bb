"""A plan as a model words it: the strict form it must keep, and what can be mended of a reply that does not."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from backend.planning.source_plan import MOST_QUERIES, QUERY_WORDS
from backend.prompts.asking import Asker, Reply
from backend.prompts.evidence_prompts import PLAN, PLAN_AGAIN, GraphQuery, plan_values
from backend.schemas.base import Frozen
from backend.schemas.vocabulary import Source

MOST_CHARACTERS = 400
Words = Annotated[str, Field(min_length=1, max_length=MOST_CHARACTERS)]


class WordedTerm(Frozen):
    term: Words
    query: str = Field(default="", max_length=MOST_CHARACTERS)


class WordedPlan(Frozen):
    """Queries by source, at most 3 each; an empty list asks a source nothing."""

    book: tuple[Words, ...] = Field(default=(), max_length=MOST_QUERIES)
    guideline: tuple[Words, ...] = Field(default=(), max_length=MOST_QUERIES)
    research: tuple[Words, ...] = Field(default=(), max_length=MOST_QUERIES)
    wiki: tuple[Words, ...] = Field(default=(), max_length=MOST_QUERIES)
    graph: tuple[WordedTerm, ...] = Field(default=(), max_length=MOST_QUERIES)

    def queries(self) -> dict[Source, tuple[str, ...]]:
        """By source; the graph's as `term , query`."""
        return {
            Source.BOOK: self.book,
            Source.GUIDELINE: self.guideline,
            Source.RESEARCH: self.research,
            Source.WIKI: self.wiki,
            Source.GRAPH: tuple(GraphQuery(item.term.strip(), item.query.strip()).text for item in self.graph),
        }


def ask_plan(asker: Asker, task: str, sources: Sequence[Source], tries: str = "") -> Reply[WordedPlan]:
    """A model's plan for a task. sources: those it is told of, which should be those that can be searched. tries: what
    earlier queries found, for a better plan. What is planned for another source is taken, and not searched."""
    data = {"task": task, "tries": tries} if tries else {"task": task}
    values = plan_values(sources, MOST_QUERIES, QUERY_WORDS)
    return asker.shaped(PLAN_AGAIN if tries else PLAN, _asked_for(tuple(sources)), data, mended, **values)


@lru_cache
def _asked_for(sources: tuple[Source, ...]) -> type[WordedPlan]:
    """The form with the lists of these sources alone, so that a server that holds replies to a form can give no other."""

    def narrow(schema: dict[str, Any]) -> None:
        schema["properties"] = {name: held for name, held in schema["properties"].items() if name in sources}

    class Asked(WordedPlan):
        model_config = ConfigDict(title="WordedPlan", json_schema_extra=narrow)

    return Asked


def mended(found: object) -> object:
    """What is usable of a reply out of form: the five lists, cut to their limits; everything else is dropped."""
    if not isinstance(found, Mapping):
        return found
    lists = {source: found.get(source.value) for source in Source}
    plan: dict[str, object] = {
        source.value: [text[:MOST_CHARACTERS] for text in listed if isinstance(text, str) and text.strip()][
            :MOST_QUERIES
        ]
        for source, listed in lists.items()
        if source != Source.GRAPH and isinstance(listed, list)
    }
    graph = lists[Source.GRAPH]
    if isinstance(graph, list):
        plan["graph"] = [term for term in map(_mended_term, graph) if term is not None][:MOST_QUERIES]
    return plan


def _mended_term(item: object) -> dict[str, str] | None:
    if isinstance(item, str) and item.strip():
        term, _, query = item.partition(",")
        return (
            {"term": term.strip()[:MOST_CHARACTERS], "query": query.strip()[:MOST_CHARACTERS]} if term.strip() else None
        )
    if isinstance(item, Mapping):
        named, wanted = item.get("term"), item.get("query")
        if isinstance(named, str) and named.strip():
            return {
                "term": named[:MOST_CHARACTERS],
                "query": wanted[:MOST_CHARACTERS] if isinstance(wanted, str) else "",
            }
    return None
