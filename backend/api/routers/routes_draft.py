"""Links, evidence and drafts: server-sent events, or one JSON answer with `Accept: application/json`."""

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from backend.api.guard import corrected_by_who_acts, for_people
from backend.api.streaming import answered
from backend.container import Container
from backend.errors import InputError
from backend.ingest.documents.text_files import file_text
from backend.nlp.extraction.head_lines import details_of
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest, LinkRequest, checked_text
from backend.schemas.patients.taken import Taken, UploadedText

router = APIRouter(dependencies=[for_people()])


@router.post("/links")
def links(body: LinkRequest, request: Request) -> LinkedNote:
    """Sections, mentions and allergies of a note, and its patient record."""
    container: Container = request.app.state.container
    corrections = corrected_by_who_acts(request, body).corrections
    return container.linker.read(checked_text(body.text, container.settings.max_note_chars), corrections)


@router.post("/uploads")
async def uploads(request: Request, name: str = "the file") -> UploadedText:
    """The text of an uploaded file, sent as the raw body: plain text, PDF or Word. Nothing is kept."""
    container: Container = request.app.state.container
    held = await run_in_threadpool(file_text, await request.body(), name[:200])
    checked_text(held.text, container.settings.max_note_chars)
    taken, details = Taken(items=held.items), details_of(held.text)
    return UploadedText(text=held.text, characters=len(held.text), kind=held.kind, taken=taken, details=details)


@router.post("/evidence")
def evidence(body: DraftRequest, request: Request) -> Response:
    """Everything retrieved for a note, without a text."""
    container: Container = request.app.state.container
    body = corrected_by_who_acts(request, body)
    check_request(body, container.settings.max_note_chars)
    container.check_conditions(body)
    pipeline = container.pipeline(body.system, body.generator, body.sources)
    return answered(request, lambda cancelled: pipeline.evidence_events(body, cancelled))


@router.post("/drafts")
def drafts(body: DraftRequest, request: Request) -> Response:
    """A draft with its evidence. The last event, `draft`, carries the whole of it."""
    container: Container = request.app.state.container
    body = corrected_by_who_acts(request, body)
    check_request(body, container.settings.max_note_chars)
    container.check_conditions(body)
    pipeline = container.pipeline(body.system, body.generator, body.sources)
    container.models.check_queue(body.generator or "")
    return answered(request, lambda cancelled: pipeline.draft_events(body, cancelled))


def check_request(body: DraftRequest, limit: int) -> None:
    """Refuse what cannot be taken.

    Raises:
        InputError: with the limit named.
    """
    if len(body.options) == 1:
        raise InputError("One option is no choice. Give two to ten, or none.")
    texts = (
        (body.text, "note"),
        (body.question, "question"),
        (body.hospital_course, "hospital course"),
        *((text, f"discharge medicine {i}") for i, text in enumerate(body.discharge_medicines, 1)),
    )
    for text, what in texts:
        if text.strip():
            checked_text(text, limit, what)
    for i, note in enumerate(body.patient_notes, 1):
        checked_text(note.text, limit, f"earlier note {i}")
