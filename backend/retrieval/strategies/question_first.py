"""Passages for a question, best first: found by its own words, and again by the names of the concepts it speaks of.

A question in lay words names its disease otherwise than the page does. The linker knows the page's name, so a second query
holds the names alone and adds a share of its scores. Takes a search and the question's linked text; gives passages of all
sources in one order. The share was chosen on public questions and measured on others (docs/retrieval.md).
"""

from collections.abc import Sequence

from backend.retrieval.passages.fusion import in_turn
from backend.retrieval.passages.source_search import SearchMode, SourceSearch
from backend.retrieval.strategies.strategy import passage_key
from backend.schemas.drafts.evidence import Passage
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Source

NAMES_SHARE = 0.3
FIRST = 10
"""Passages that the question alone decides; behind them it takes turns with the rest of the plan."""


def concept_names(request: DraftRequest, linked: LinkedNote) -> str:
    """Names of the concepts of a question that stands alone, in its order; empty beside a note, whose concepts are its own."""
    if request.text.strip() or not request.question.strip():
        return ""
    return " ".join(dict.fromkeys(mention.name for mention in linked.note.mentions))


def by_question(search: SourceSearch, sources: Sequence[Source], question: str, names: str, most: int) -> list[Passage]:
    """The best `most` passages of the sources together, by the question's score and NAMES_SHARE of the names'.

    What only one of the two queries found counts as the other's last. A source's scores hold for that source alone, so they
    are weighed by its best cosine to the question over the best of all. Scores shown are those of the question's own search.
    """
    queries = [question, names] if names else [question]
    found_in = [search.search(source, queries, SearchMode.HYBRID, most) for source in sources]
    nearest = [max((p.scores["cosine"] for p in own), default=0.0) for own, *_ in found_in]
    best = max(nearest, default=0.0)
    scored: list[tuple[float, Passage]] = []
    for (own, *named), near in zip(found_in, nearest, strict=True):
        weight = near / best if near > 0 else 0.0
        held = {passage_key(passage): passage for passage in (*(p for one in named for p in one), *own)}
        parts = [(1.0, own), *((NAMES_SHARE, one) for one in named)]
        totals = dict.fromkeys(held, 0.0)
        for share, passages in parts:
            found = {passage_key(passage): passage.scores["fused"] for passage in passages}
            last = min(found.values(), default=0.0)
            for key in totals:
                totals[key] += share * found.get(key, last)
        scored += [(totals[key] * weight, passage) for key, passage in held.items()]
    scored.sort(key=lambda one: -one[0])
    return [passage for _, passage in scored[:most]]


def question_first(asked: Sequence[Passage], planned: Sequence[Passage]) -> list[Passage]:
    """The first of what the question found, then the rest in turn with what the plan found, without repeats."""
    held = {passage_key(passage): passage for passage in (*asked, *planned)}
    first = [passage_key(passage) for passage in asked[:FIRST]]
    rest = in_turn([[passage_key(p) for p in asked[FIRST:]], [passage_key(p) for p in planned]])
    return [held[key] for key in dict.fromkeys([*first, *rest])]
