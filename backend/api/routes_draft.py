"""Links, evidence and drafts: server-sent events, or one JSON answer with `Accept: application/json`."""

import json
import logging
from collections.abc import Iterator
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

from backend.assembly import House
from backend.errors import InputError, LeapnoteError
from backend.schemas.event import StageEvent
from backend.schemas.note import LinkedNote
from backend.schemas.request import DraftRequest, LinkRequest, checked_text

router = APIRouter()
log = logging.getLogger("leapnote")


@router.post("/links")
def links(body: LinkRequest, request: Request) -> LinkedNote:
    """Sections, mentions and allergies of a note."""
    house: House = request.app.state.house
    return house.linker.link(checked_text(body.text, house.settings.max_note_chars))


@router.post("/uploads")
async def uploads(request: Request) -> dict[str, str | int]:
    """The text of an uploaded plain-text file, sent as the raw body. Nothing is kept."""
    house: House = request.app.state.house
    body = await request.body()
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"The file is not UTF-8 text (byte {error.start}). Save it as plain text in UTF-8.") from None
    checked_text(text, house.settings.max_note_chars)
    return {"text": text, "characters": len(text)}


@router.post("/evidence")
def evidence(body: DraftRequest, request: Request) -> Response:
    """Everything retrieved for a note, without a text."""
    house: House = request.app.state.house
    check_request(body, house.settings.max_note_chars)
    pipeline = house.pipeline(body.system, body.generator)
    return _answer(request, pipeline.evidence_events(body))


@router.post("/drafts")
def drafts(body: DraftRequest, request: Request) -> Response:
    """A draft with its evidence. The last event, `draft`, carries the whole of it."""
    house: House = request.app.state.house
    check_request(body, house.settings.max_note_chars)
    pipeline = house.pipeline(body.system, body.generator)
    return _answer(request, pipeline.draft_events(body))


def check_request(body: DraftRequest, limit: int) -> None:
    """Refuse what cannot be taken. Raises InputError with the limit named."""
    for text in (body.text, body.question, body.hospital_course, *body.discharge_medicines):
        if text.strip():
            checked_text(text, limit)
    for note in body.patient_notes:
        checked_text(note.text, limit)


def _answer(request: Request, events: Iterator[StageEvent]) -> Response:
    if "application/json" in request.headers.get("accept", ""):
        *_, last = events
        return JSONResponse(last.data)
    return StreamingResponse(_stream(events), media_type="text/event-stream", headers={"Cache-Control": "no-store"})


def _stream(events: Iterator[StageEvent]) -> Iterator[str]:
    try:
        for event in events:
            yield _sse(event.stage, event.model_dump(mode="json"))
    except LeapnoteError as error:
        yield _sse("error", {"stage": "error", "reason": str(error), "ms": 0.0, "data": {"kind": type(error).__name__}})
    except Exception as error:
        log.error("defect while streaming: %s", type(error).__name__)
        reason = f"Leapnote failed ({type(error).__name__}). What was found so far stays; try again."
        yield _sse("error", {"stage": "error", "reason": reason, "ms": 0.0, "data": {"kind": "Defect"}})


def _sse(event: str, data: dict[str, Any]) -> str:
    return f"event: {event}\ndata: {json.dumps(data, ensure_ascii=True)}\n\n"
