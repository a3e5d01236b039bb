"""Passages as they are indexed, and as evidence carries them. What ranks them is shipped_rankers.py."""

from backend.retrieval.passages.fusion import BM25_SHARE, COSINE_SHARE
from backend.schemas.drafts.evidence import Passage
from backend.stores.passages.passage_index import PassageRow

__all__ = ["BM25_SHARE", "CANDIDATES", "COSINE_SHARE", "as_passage", "passage_text"]

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
