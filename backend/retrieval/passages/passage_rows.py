"""Passages as they are indexed, and as evidence carries them, numbered and with their references. What ranks them is learned_ranker.py."""

from collections.abc import Sequence

from backend.retrieval.passages.fusion import BM25_SHARE, COSINE_SHARE
from backend.schemas.drafts.evidence import Passage, Reference
from backend.schemas.vocabulary import Source
from backend.stores.passages.passage_index import PassageRow

__all__ = [
    "BM25_SHARE",
    "CANDIDATES",
    "COSINE_SHARE",
    "as_passage",
    "numbered",
    "passage_key",
    "passage_text",
    "references",
]

CANDIDATES = 48  # of each of BM25 and cosine, for the hybrid ranking; 32 found up to a point less, 64 hardly more (docs/retrieval.md)


def passage_text(row: PassageRow) -> str:
    """What is indexed and encoded: titles inside the text help BM25 (docs/retrieval.md)."""
    return f"{row.title}. {row.text}"


def as_passage(number: str, row: PassageRow, scores: dict[str, float]) -> Passage:
    """A stored row as a passage of evidence, with its id and the scores of its search."""
    return Passage(
        id=number,
        source=row.source,
        document_id=row.document_id,
        title=row.title,
        url=row.url,
        licence=row.licence,
        text=row.text,
        start_char=row.start_char,
        end_char=row.end_char,
        scores=scores,
        section=row.section,
        concept_id=row.concept_id,
    )


def passage_key(passage: Passage) -> tuple[Source, str, int, int]:
    """What makes two finds one passage."""
    return (passage.source, passage.document_id, passage.start_char, passage.end_char)


def numbered(passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """The passages once each, in order, as P1, P2…; of one found twice, the first find's scores stay."""
    distinct: dict[tuple[Source, str, int, int], Passage] = {}
    for passage in passages:
        distinct.setdefault(passage_key(passage), passage)
    return tuple(p.model_copy(update={"id": f"P{i}"}) for i, p in enumerate(distinct.values(), start=1))


def references(passages: Sequence[Passage]) -> tuple[Reference, ...]:
    """One entry a source document, in the order of its best passage, with the passages taken from it."""
    documents: dict[tuple[Source, str], list[Passage]] = {}
    for passage in passages:
        documents.setdefault((passage.source, passage.document_id), []).append(passage)
    return tuple(
        Reference(
            number=number,
            title=found[0].title,
            source=source,
            url=found[0].url,
            licence=found[0].licence,
            evidence=tuple(passage.id for passage in found),
        )
        for number, ((source, _), found) in enumerate(documents.items(), start=1)
    )
