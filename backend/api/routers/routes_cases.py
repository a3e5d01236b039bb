"""Saved cases: save, list, look at, edit, sign, export, delete, and the audit trail of each."""

import threading
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response

from backend.api.guard import Actor, by_who_acts, check_correctors, for_people
from backend.container import Container
from backend.generation.layout import DocumentLayout
from backend.review.case_records import StaleVersionError
from backend.review.exports.exporting import exported_file
from backend.review.recheck import Checkers
from backend.review.saved_cases import Cases, SignatureRefusedError
from backend.schemas.patients.saved_case import (
    AuditAction,
    AuditEntry,
    CasePage,
    CaseState,
    CaseView,
    CopyKind,
    EditsRequest,
    SaveRequest,
    SignatureRequest,
)
from backend.stores.database.database import Database
from backend.verification.readability import TextReadability

router = APIRouter(dependencies=[for_people()])
opening = threading.Lock()
VERSION = Query(None, ge=1, le=1_000_000_000, description="An earlier version; default: the newest")


@router.post("/cases", status_code=201)
def save(body: SaveRequest, request: Request) -> CaseView:
    """Save a finished draft: version 1, state draft."""
    check_correctors(request, [body.draft])
    return cases(request).save(by_who_acts(request, body))


@router.get("/cases")
def page(
    request: Request,
    limit: int = Query(50, ge=1, le=200),
    offset: int = Query(0, ge=0, le=1_000_000_000),
    state: CaseState | None = None,
) -> CasePage:
    """The saved cases, the most lately changed first."""
    return cases(request).page(limit, offset, state)


@router.get("/cases/{case_id}")
def view(case_id: UUID, request: Request, version: int | None = VERSION) -> CaseView:
    """A case as it stands: text, who wrote each sentence, flags, gaps, edits, versions."""
    return cases(request).view(str(case_id), version)


@router.post("/cases/{case_id}/edits", response_model=CaseView)
def edit(case_id: UUID, body: EditsRequest, request: Request) -> CaseView | Response:
    """A new version with these edits, all or none. 409 with what changed when the version is not the newest."""
    own = body.model_copy(update={"edits": tuple(by_who_acts(request, edit) for edit in body.edits)})
    try:
        return cases(request).edit(str(case_id), own)
    except StaleVersionError as error:
        return _stale(error)


@router.post("/cases/{case_id}/signature", response_model=CaseView)
def sign(case_id: UUID, body: SignatureRequest, request: Request) -> CaseView | Response:
    """Sign the newest version. 409 with the open severe flags and the gaps that stand against it."""
    try:
        return cases(request).sign(str(case_id), by_who_acts(request, body, "name"))
    except StaleVersionError as error:
        return _stale(error)
    except SignatureRefusedError as error:
        flags = [flag.model_dump(mode="json") for flag in error.flags]
        return _conflict(error, flags=flags, gaps=[gap.model_dump(mode="json") for gap in error.gaps])


@router.get("/cases/{case_id}/exports/{file_format}")
def export(
    case_id: UUID,
    file_format: str,
    request: Request,
    author: Actor,
    copy: CopyKind = CopyKind.CLINICIAN,
    version: int | None = VERSION,
) -> Response:
    """A file to take away: the clinician's copy, or of a signed version the patient's (409 otherwise)."""
    saved = cases(request)
    case = saved.view(str(case_id), version)
    made = exported_file(case, file_format, copy, datetime.now(UTC))
    action = AuditAction.EXPORT_PATIENT if copy == CopyKind.PATIENT else AuditAction.EXPORT_CLINICIAN
    saved.exported(case.id, case.version, action, author)
    headers = {
        "Content-Disposition": f'attachment; filename="{made.name}"',
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
    }
    return Response(made.data, media_type=made.media_type, headers=headers)


@router.get("/cases/{case_id}/audit")
def audit(case_id: UUID, request: Request) -> tuple[AuditEntry, ...]:
    """Who did what, and when; also of a deleted case."""
    return cases(request).audit(str(case_id))


@router.delete("/cases/{case_id}", status_code=204)
def delete(case_id: UUID, request: Request, author: Actor) -> Response:
    """Take away the case's text and edits for good. The audit trail keeps ids, times and kinds."""
    cases(request).delete(str(case_id), author)
    return Response(status_code=204)


def cases(request: Request) -> Cases:
    """The saved cases of this application, opened at the first request that needs them."""
    state = request.app.state
    with opening:
        if getattr(state, "cases", None) is None:
            state.cases = cases_of(state.container)
        found: Cases = state.cases
    return found


def cases_of(container: Container) -> Cases:
    """The cases of the database the settings name. Raises MissingError when it cannot be opened."""
    checkers = Checkers(
        layout=DocumentLayout(),
        safety=container.safety,
        readable=TextReadability(),
    )
    return Cases(Database.of(container.settings), checkers, lambda: datetime.now(UTC))


def _stale(error: StaleVersionError) -> JSONResponse:
    changed = [record.model_dump(mode="json") for record in error.changed]
    return _conflict(error, newest=error.newest, changed=changed)


def _conflict(error: StaleVersionError | SignatureRefusedError, **details: Any) -> JSONResponse:
    body = {"kind": type(error).__name__, "message": str(error), **details}
    return JSONResponse({"error": body}, status_code=error.http_status)
