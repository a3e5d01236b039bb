"""The documents that passages were cut from, for whoever looks at a cited passage in its place."""

from collections.abc import Sequence

from fastapi import APIRouter, Query, Request

from backend.api.guard import for_people
from backend.container import Container
from backend.schemas.drafts.evidence import DocumentPassage, SourceDocument
from backend.schemas.vocabulary import Source
from backend.stores.passages.passage_index import PassageRow

router = APIRouter(dependencies=[for_people()])


@router.get("/documents")
def documents(
    request: Request, source: Source, document_id: str = Query(min_length=1, max_length=1000)
) -> list[SourceDocument]:
    """The documents of that id, one of each collection that has it; none where the source holds none (any more)."""
    container: Container = request.app.state.container
    held = container.sources.get(source)
    return [as_document(rows) for rows in held.documents_named(document_id)] if held is not None else []


def as_document(rows: Sequence[PassageRow]) -> SourceDocument:
    """A document of its passages, of which there is one at least."""
    first = rows[0]
    return SourceDocument(
        document_id=first.document_id,
        title=first.title.removesuffix(f": {first.section}"),
        url=first.url,
        licence=first.licence,
        date=first.date,
        passages=tuple(
            DocumentPassage(section=r.section, text=r.text, start_char=r.start_char, end_char=r.end_char) for r in rows
        ),
    )
