"""What a judge model says of a try: a score of 0 to 5 and advice. Without a judge nothing is scored."""

from collections.abc import Sequence
from typing import NamedTuple

from pydantic import Field

from backend.prompts.asking import Asker, Reply
from backend.prompts.evidence_prompts import JUDGE, sources_text
from backend.prompts.task import first_words
from backend.prompts.verdicts import numbered_documents
from backend.schemas.base import Frozen
from backend.schemas.drafts.evidence import SubQuery
from backend.schemas.vocabulary import Source

FULL_SCORE = 5
ADVICE_WORDS = 100
DOCUMENT_WORDS = 120  # of each document that the judge reads
MOST_DOCUMENTS = 30


class Judgement(Frozen):
    score: int = Field(ge=0, le=FULL_SCORE)
    advice: str


class Try(NamedTuple):
    """One plan that was tried. score: 0 to 5 by the judge, comparable within one request."""

    sub_queries: tuple[SubQuery, ...]
    score: int
    advice: str


def judge(asker: Asker, task: str, sub_queries: Sequence[SubQuery], documents: Sequence[str]) -> Reply[Judgement]:
    """Score and advice for what the sub-queries found; a search that found nothing is judged as such by the model too."""
    data = {
        "task": task,
        "queries": queries_told(sub_queries) or "none",
        "documents": numbered_documents(documents[:MOST_DOCUMENTS], DOCUMENT_WORDS) or "nothing was found",
    }
    return asker.shaped(JUDGE, Judgement, data, sources=sources_text(tuple(Source)), words=ADVICE_WORDS)


def tries_told(tries: Sequence[Try]) -> str:
    """Earlier tries as the next plan reads them."""
    return "\n\n".join(
        f"Try {i}, score {one.score} of {FULL_SCORE}\n{queries_told(one.sub_queries) or 'no query'}\n"
        f"Advice: {first_words(one.advice, ADVICE_WORDS)}"
        for i, one in enumerate(tries, start=1)
    )


def queries_told(sub_queries: Sequence[SubQuery]) -> str:
    return "\n".join(f"{query.source.value}: {query.text}" for query in sub_queries if not query.skipped)
