"""Saved cases: save, list, look at, edit, sign, export, delete, and the audit trail of each."""

import json
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from fastapi import APIRouter, FastAPI, Query, Request
from fastapi.responses import JSONResponse, Response

from backend.api.attachments import attached
from backend.api.guard import Actor, by_who_acts, check_correctors, for_people, named
from backend.api.presence import OpenLetters
from backend.api.routers.routes_draft import check_request
from backend.container import Container
from backend.container.language_models import LanguageModels
from backend.errors import InputError, MissingError
from backend.generation.layout import DocumentLayout
from backend.generation.model.translation import translations
from backend.review.case_records import StaleVersionError
from backend.review.exports.copies import PageStyle, Paper
from backend.review.exports.exporting import exported_file
from backend.review.recheck import Checkers
from backend.review.saved_cases import Cases
from backend.review.signing import SignatureRefusedError, SignedError
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.case_text import Person
from backend.schemas.patients.letter_work import FLAG_ANSWERS, ComparedSentence, FlagAnswerKind, Presence
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
from backend.schemas.patients.translation import LetterTranslation, TranslatedSentence, TranslationRequest
from backend.schemas.vocabulary import Document
from backend.stores.database.database import Database
from backend.verification.readability import TextReadability

router = APIRouter(dependencies=[for_people()])
opening = threading.Lock()
PAPER = Query(None, description="Default: Letter for the US, A4 for the UK")
VERSION = Query(None, ge=1, le=1_000_000_000, description="An earlier version; default: the newest")


UNCHANGED = ("evidence", "note", "record")
"""The parts of a letter's draft that an answer may leave out where an edit did not change them."""


@router.get("/flag-answers")
def flag_answers() -> tuple[FlagAnswerKind, ...]:
    """The answers that solve a severe alert where the letter is not changed."""
    return FLAG_ANSWERS


@router.post("/cases", status_code=201, response_model=CaseView)
def save(body: SaveRequest, request: Request) -> Response:
    """Save a finished draft, with the request it answers: version 1, state draft."""
    check_correctors(request, [body.draft])
    if body.request is not None:
        named(request, [one.author for one in body.request.corrections if one.author])
        check_request(body.request, request.app.state.container.settings.max_note_chars)
    return _viewed(cases(request).save(by_who_acts(request, body)), status=201)


@router.get("/cases")
def page(
    request: Request,
    limit: int = Query(50, ge=1, le=200),
    offset: int = Query(0, ge=0, le=1_000_000_000),
    state: CaseState | None = None,
    q: str = Query("", max_length=200, description="Words that the label must hold"),
) -> CasePage:
    """The saved cases, the most lately changed first."""
    return cases(request).page(limit, offset, state, q.replace("\x00", ""))


@router.get("/cases/{case_id}", response_model=CaseView)
def view(case_id: UUID, request: Request, version: int | None = VERSION) -> Response:
    """A case as it stands: text, who wrote each sentence, flags, gaps, edits, versions, what stands against signing."""
    return _viewed(cases(request).view(str(case_id), version))


@router.post("/cases/{case_id}/edits", response_model=CaseView)
def edit(
    case_id: UUID,
    body: EditsRequest,
    request: Request,
    evidence: bool = Query(
        True, description="no: without evidence, note and record where these edits leave them as they were"
    ),
) -> Response:
    """A new version with these edits, all or none. 409 with what changed when the version is not the newest, or it is signed."""
    own = body.model_copy(update={"edits": tuple(by_who_acts(request, edit) for edit in body.edits)})
    for one in own.edits:
        if one.correction is not None and one.correction.author:
            named(request, [one.correction.author])
    saved, case = cases(request), str(case_id)
    try:
        found = saved.edit(case, own)
    except StaleVersionError as error:
        return _stale(error, None if evidence else _same_draft(saved, case, body.version, error.newest))
    except SignedError as error:
        return JSONResponse({"error": {"kind": error.kind, "message": str(error)}}, status_code=error.http_status)
    same = not evidence and _same_draft(saved, case, body.version, found.version)
    return _viewed(found, UNCHANGED if same else ())


@router.get("/cases/{case_id}/presence")
def presence(
    case_id: UUID,
    request: Request,
    name: Person,
    sentence: str = Query("", pattern=r"^(S[1-9]\d{0,8})?$"),
    window: str = Query("", max_length=64, description="what tells those apart who gave no name"),
    version: int | None = VERSION,
) -> Presence:
    """Say that this person has the letter open, every few seconds; and learn who else has, and which version is the newest."""
    newest = cases(request).newest(str(case_id))
    others = open_letters(request).seen(str(case_id), named(request, [name]) or name, sentence, window)
    return Presence(newest=newest, others=others)


@router.get("/cases/{case_id}/comparison")
def comparison(
    case_id: UUID,
    request: Request,
    before: int = Query(alias="from", ge=1, le=1_000_000_000),
    after: int = Query(alias="to", ge=1, le=1_000_000_000),
) -> tuple[ComparedSentence, ...]:
    """Two versions, sentence by sentence."""
    return cases(request).comparison(str(case_id), before, after)


@router.post("/cases/{case_id}/signature", response_model=CaseView)
def sign(case_id: UUID, body: SignatureRequest, request: Request) -> Response:
    """Sign the newest version. 409 with all that stands against it."""
    try:
        return _viewed(cases(request).sign(str(case_id), by_who_acts(request, body, "name")))
    except StaleVersionError as error:
        return _stale(error)
    except SignatureRefusedError as error:
        return _conflict(
            error,
            blocks=[block.model_dump(mode="json") for block in error.blocks],
            flags=[flag.model_dump(mode="json") for flag in error.flags],
            gaps=[gap.model_dump(mode="json") for gap in error.gaps],
        )


@router.get("/cases/{case_id}/exports/{file_format}")
def export(
    case_id: UUID,
    file_format: str,
    request: Request,
    author: Actor,
    copy: CopyKind = CopyKind.CLINICIAN,
    version: int | None = VERSION,
    paper: Paper | None = PAPER,
    large: bool = Query(False, description="Large type"),
    wrap: bool = Query(True, description="Plain text in lines of at most 75 characters; no: a line a statement"),
) -> Response:
    """A file to take away: the clinician's copy, or of a signed version the patient's (409 otherwise)."""
    saved = cases(request)
    case = saved.view(str(case_id), version)
    template = request.app.state.container.settings.docx_template
    style = PageStyle(paper=paper, large=large, wrapped=wrap, template=Path(template) if template else None)
    made = exported_file(case, file_format, copy, datetime.now(UTC), style)
    action = AuditAction.EXPORT_PATIENT if copy == CopyKind.PATIENT else AuditAction.EXPORT_CLINICIAN
    saved.exported(case.id, case.version, action, author)
    return attached(made.data, made.name, made.media_type)


@router.post("/cases/{case_id}/translation")
def translation(case_id: UUID, body: TranslationRequest, request: Request) -> LetterTranslation:
    """The sentences of discharge instructions in another language, by the language model that is set; nothing is saved.

    Raises:
        InputError: the letter is no discharge instructions.
        MissingError: there is no language model.
    """
    view = cases(request).view(str(case_id), body.version)
    if view.draft.document is not Document.DISCHARGE_INSTRUCTIONS:
        raise InputError("Only discharge instructions are translated: they are written for the patient.")
    models: LanguageModels = request.app.state.container.models
    models.check_queue()
    chosen = models.chosen()
    if chosen.roles.writer is None:
        raise MissingError(
            "A translation needs a language model, and none is set or answers. Set LEAPNOTE_GENERATOR or LEAPNOTE_LLM_URL."
        )
    live = [s for s in view.sentences if not s.deleted]
    found = translations(chosen.roles.writer, [s.text for s in live], body.language)
    sentences = tuple(
        TranslatedSentence(id=s.id, section=s.section, english=s.text, text=text, reason=reason)
        for s, (text, reason) in zip(live, found, strict=True)
    )
    return LetterTranslation(
        language=body.language, version=view.version, sentences=sentences, generator=chosen.generator
    )


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
    """The saved cases of this application."""
    return open_cases(request.app)


def open_cases(app: FastAPI) -> Cases:
    """The saved cases of an application, opened when they are first needed."""
    state = app.state
    with opening:
        if getattr(state, "cases", None) is None:
            state.cases = cases_of(state.container)
        found: Cases = state.cases
    return found


def cases_of(container: Container) -> Cases:
    """The cases of the database the settings name. Raises MissingError when it cannot be opened."""

    def redraft(asked: DraftRequest) -> Draft:
        container.check_conditions(asked)
        container.models.check_queue(asked.generator or "")
        return container.pipeline(asked.system, asked.generator, asked.sources).run(asked)

    checkers = Checkers(
        layout=DocumentLayout(),
        safety=container.safety,
        verifier=container.checks.verifier(None),
        readable=TextReadability(),
        fit=container.checks.fit,
        linker=container.linker,
        redraft=redraft,
    )
    settings = container.settings
    return Cases(Database.of(settings), checkers, lambda: datetime.now(UTC), settings.retention_days)


def open_letters(request: Request) -> OpenLetters:
    """Who has which letter open, of this application."""
    state = request.app.state
    with opening:
        if getattr(state, "open_letters", None) is None:
            state.open_letters = OpenLetters()
        found: OpenLetters = state.open_letters
    return found


def _same_draft(saved: Cases, case_id: str, sent: int, newest: int) -> bool:
    before, after = saved.draft_numbers(case_id, sent, newest)
    return before == after


def _viewed(found: CaseView, without: tuple[str, ...] = (), status: int = 200) -> Response:
    # the value is written once: the framework would check and write it a second time
    return Response(_json(found, without), media_type="application/json", status_code=status)


def _json(found: CaseView, without: tuple[str, ...]) -> str:
    if not without:
        return found.model_dump_json()
    text = found.model_dump_json(exclude={"draft": set(without)})
    # written as the value writes itself, which is several times faster than by its parts; no string of JSON holds these
    # signs, for its own quotation marks are escaped
    nulls = "".join(f'"{part}":null,' for part in without)
    return text.replace('"draft":{', f'"draft":{{{nulls}', 1)


def _stale(error: StaleVersionError, same_draft: bool | None = None) -> Response:
    body = {
        "kind": type(error).__name__,
        "message": str(error),
        "newest": error.newest,
        "changed": [record.model_dump(mode="json") for record in error.changed],
    }
    text = json.dumps(body, ensure_ascii=False)
    if error.view is not None:
        view = _json(error.view, UNCHANGED if same_draft else ())
        text = f'{text[:-1]}, "view": {view}}}'
    return Response(f'{{"error": {text}}}', media_type="application/json", status_code=error.http_status)


def _conflict(error: SignatureRefusedError, **details: Any) -> JSONResponse:
    body = {"kind": type(error).__name__, "message": str(error), **details}
    return JSONResponse({"error": body}, status_code=error.http_status)
