"""What a model words for a plan: the plan itself in its strict form, and a judge's score of what a plan found."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, NamedTuple

from pydantic import ConfigDict, Field, create_model

from backend.interfaces import FindTexts
from backend.planning.source_plan import MOST_QUERIES, QUERY_WORDS
from backend.prompts.asking import Asker, Reply
from backend.prompts.evidence_prompts import JUDGE, PLAN, PLAN_AGAIN, GraphQuery, plan_values, sources_text
from backend.prompts.task import first_words
from backend.prompts.verdicts import numbered_documents
from backend.schemas import source_rows
from backend.schemas.base import Frozen
from backend.schemas.drafts.evidence import SubQuery
from backend.schemas.vocabulary import Source

MOST_CHARACTERS = 400
FULL_SCORE = 5
UNSCORED = -1  # of a try that no judge has scored
ADVICE_WORDS = 100
DOCUMENT_WORDS = 120  # of each document that the judge reads
MOST_DOCUMENTS = 30
Words = Annotated[str, Field(min_length=1, max_length=MOST_CHARACTERS)]


class WordedTerm(Frozen):
    """A term to look up in the graph, and what is wanted about it."""

    term: Words
    query: str = Field(default="", max_length=MOST_CHARACTERS)


class WordedPlan(Frozen):
    """Queries by source, at most 3 each; an empty list asks a source nothing. `_asked_for` gives it a list for each added source."""

    book: tuple[Words, ...] = Field(default=(), max_length=MOST_QUERIES)
    guideline: tuple[Words, ...] = Field(default=(), max_length=MOST_QUERIES)
    research: tuple[Words, ...] = Field(default=(), max_length=MOST_QUERIES)
    wiki: tuple[Words, ...] = Field(default=(), max_length=MOST_QUERIES)
    graph: tuple[WordedTerm, ...] = Field(default=(), max_length=MOST_QUERIES)

    def queries(self) -> dict[Source, tuple[str, ...]]:
        """By source; the graph's as `term , query`."""
        texts: dict[Source, tuple[str, ...]] = {source: getattr(self, source.value, ()) for source in Source}
        texts[Source.GRAPH] = tuple(GraphQuery(item.term.strip(), item.query.strip()).text for item in self.graph)
        return texts


def ask_plan(asker: Asker, task: str, sources: Sequence[Source], tries: str = "") -> Reply[WordedPlan]:
    """A model's plan for a task.

    Args:
        asker: asks the model.
        task: the document or question, with its note.
        sources: those the model plans for, which should be those that can be searched. What it plans for another source is
            taken, and not searched.
        tries: what earlier queries found, for a better plan.

    Returns:
        The plan, or the reason why the model gave none.
    """
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

    added: dict[str, Any] = {
        row.name: (tuple[Words, ...], Field(default=(), max_length=MOST_QUERIES)) for row in source_rows.ADDED
    }
    return create_model("Asked", __base__=Asked, **added) if added else Asked


def mended(found: object) -> object:
    """What is usable of a reply out of form: the sources' lists, cut to their limits; everything else is dropped."""
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


class Judgement(Frozen):
    """What a judge says of a try."""

    score: int = Field(ge=0, le=FULL_SCORE)
    advice: str


class Try(NamedTuple):
    """One plan that was tried. score: 0 to 5 by the judge, comparable within one request, or UNSCORED."""

    sub_queries: tuple[SubQuery, ...]
    score: int
    advice: str


class Found(NamedTuple):
    """What a search found. about: the source, and the query where there is one."""

    about: str
    texts: Sequence[str]


def found_by(sub_queries: Sequence[SubQuery], find_texts: FindTexts) -> tuple[Found, ...]:
    """What each sub-query that is asked finds."""
    asked = [query for query in sub_queries if not query.skipped]
    texts = find_texts(asked) if asked else ()
    return tuple(Found(f"{one.source.value}, {one.text}", held) for one, held in zip(asked, texts, strict=True))


def judge(
    asker: Asker, task: str, sub_queries: Sequence[SubQuery], found: Sequence[Found], sources: Sequence[Source]
) -> Reply[Judgement]:
    """Score and advice for what the sub-queries found; a search that found nothing is judged as such by the model too.

    Args:
        asker: asks the model.
        task: the document or question, with its note.
        sub_queries: those that were asked.
        found: by source and query; the judge sees MOST_DOCUMENTS texts in all, taken from each in turn.
        sources: those that can be searched.
    """
    data = {
        "task": task,
        "queries": query_lines(sub_queries) or "none",
        "documents": found_text(found) or "nothing was found",
    }
    return asker.shaped(JUDGE, Judgement, data, sources=sources_text(tuple(sources)), words=ADVICE_WORDS)


def found_text(found: Sequence[Found], most: int = MOST_DOCUMENTS, words: int = DOCUMENT_WORDS) -> str:
    """Texts under their source and query, as a judge reads them: at most so many, each find's best first, a text once."""
    shown: list[list[str]] = [[] for _ in found]
    known: set[str] = set()
    for rank in range(max((len(one.texts) for one in found), default=0)):
        for place, one in enumerate(found):
            if rank < len(one.texts) and len(known) < most and one.texts[rank] not in known:
                known.add(one.texts[rank])
                shown[place].append(one.texts[rank])
    blocks = (
        f"{one.about}\n{numbered_documents(texts, words) or 'nothing more was found'}"
        for one, texts in zip(found, shown, strict=True)
    )
    return "\n\n".join(blocks) if known else ""


def tries_text(tries: Sequence[Try]) -> str:
    """Earlier tries as the next plan reads them."""
    return "\n\n".join(
        f"Try {i}, score {one.score} of {FULL_SCORE}\n{query_lines(one.sub_queries) or 'no query'}\n"
        f"Advice: {first_words(one.advice, ADVICE_WORDS)}"
        for i, one in enumerate(tries, start=1)
    )


def query_lines(sub_queries: Sequence[SubQuery]) -> str:
    """The sub-queries that are asked, one a line, with their source."""
    return "\n".join(f"{query.source.value}: {query.text}" for query in sub_queries if not query.skipped)
