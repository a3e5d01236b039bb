"""Rating studies, for the coordinator: set up, generate, freeze, invite, watch, close, unlock, take away."""

import threading
from typing import Any
from uuid import UUID

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse, Response
from pydantic import Field

from backend.api.guard import Actor, by_who_acts, for_coordinators
from backend.api.routers.routes_cases import cases as saved_cases
from backend.container import Container
from backend.schemas.patients.case_text import Because
from backend.schemas.studies.study_views import (
    AuthoredRequest,
    CasesRequest,
    FreezeRequest,
    GenerateRequest,
    GivenLink,
    InstrumentList,
    InviteRequest,
    LeakReport,
    LinkView,
    NewStudy,
    SetupChange,
    StudyProgress,
    StudySummary,
    StudyView,
    UploadRequest,
)
from backend.stores.database.database import Database
from backend.study.design.draft_sources import pipeline_source
from backend.study.design.freezing import LeakError
from backend.study.design.instruments import shipped
from backend.study.design.setups import StudyTemplate, all_templates
from backend.study.design.study_cases import demonstration, saved
from backend.study.design.study_drafts import Drafts
from backend.study.rating import personal_links as links
from backend.study.rating.study_progress import progress
from backend.study.reporting.study_import import import_study
from backend.study.study_context import StudyContext
from backend.systems import all_systems

STUDIES = for_coordinators("Rating studies are for coordinators.")
router = APIRouter(dependencies=[STUDIES])
opening = threading.Lock()


class UnlockRequest(AuthoredRequest):
    """reason: why now, for the trail."""

    reason: Because | None = Field(default=None)


@router.get("/instruments")
def instruments() -> InstrumentList:
    """The instruments that ship."""
    return InstrumentList(instruments=shipped())


@router.get("/study-templates")
def study_templates() -> tuple[StudyTemplate, ...]:
    """Designs of published studies, and where ours departs from them."""
    return all_templates()


@router.get("/studies")
def page(request: Request) -> tuple[StudySummary, ...]:
    """All studies, the most lately changed first."""
    return study_context(request).studies.page()


@router.post("/studies", status_code=201)
def create(body: NewStudy, request: Request) -> StudyView:
    """A new study, state draft."""
    return study_context(request).studies.create(body.setup, by_who_acts(request, body).author)


@router.post("/study-imports", status_code=201)
async def bring_in(request: Request, author: Actor) -> StudyView:
    """A JSONL export, as the body: the same study under the same hash."""
    text = (await request.body()).decode("utf-8", "replace")
    return await run_in_threadpool(import_study, study_context(request).studies, text, author)


@router.get("/studies/{study_id}")
def view(study_id: UUID, request: Request) -> StudyView:
    """One study with its setup."""
    return study_context(request).studies.view(str(study_id))


@router.put("/studies/{study_id}/setup")
def change(study_id: UUID, body: SetupChange, request: Request) -> StudyView:
    """Another setup, before it is frozen. 409 when it changed meanwhile."""
    return study_context(request).studies.change(str(study_id), by_who_acts(request, body))


@router.post("/studies/{study_id}/cases")
def add_cases(study_id: UUID, body: CasesRequest, request: Request) -> StudyView:
    """Cases in full, demonstration cases by name, saved cases by id."""
    found = list(body.cases)
    if body.demonstration:
        found += demonstration(body.demonstration)
    if body.saved:
        found += saved(body.saved, saved_cases(request).view)
    return study_context(request).studies.add_cases(str(study_id), found, by_who_acts(request, body).author)


@router.post("/studies/{study_id}/drafts")
def upload(study_id: UUID, body: UploadRequest, request: Request) -> StudyView:
    """Drafts made elsewhere, for arms without a system."""
    return Drafts(study_context(request).studies).upload(str(study_id), body.drafts, by_who_acts(request, body).author)


@router.post("/studies/{study_id}/generation", status_code=202)
def begin(study_id: UUID, body: GenerateRequest, request: Request) -> StudyProgress:
    """Begin, or take up again, the writing of all drafts. Its progress is at …/progress."""
    found = study_context(request)
    found.start(str(study_id), by_who_acts(request, body))
    return progress(found.studies, str(study_id), found.at_work(str(study_id)))


@router.delete("/studies/{study_id}/generation", status_code=202)
def stop(study_id: UUID, request: Request) -> StudyProgress:
    """Stop after the draft at work; nothing written is lost."""
    found = study_context(request)
    found.stop(str(study_id))
    return progress(found.studies, str(study_id), found.at_work(str(study_id)))


@router.get("/studies/{study_id}/leaks")
def leaks(study_id: UUID, request: Request) -> LeakReport:
    """What could tell raters which arm is which."""
    return Drafts(study_context(request).studies).leaks(str(study_id))


@router.post("/studies/{study_id}/freeze", response_model=StudyView)
def freeze(study_id: UUID, body: FreezeRequest, request: Request) -> StudyView | Response:
    """Freeze it for good. 409 with the leaks while raters could tell the arms apart."""
    try:
        return study_context(request).studies.freeze(str(study_id), by_who_acts(request, body))
    except LeakError as error:
        found = [leak.model_dump(mode="json") for leak in error.leaks]
        payload: dict[str, Any] = {"kind": "LeakError", "message": str(error), "leaks": found}
        return JSONResponse({"error": payload}, status_code=error.http_status)


@router.get("/studies/{study_id}/links")
def all_links(study_id: UUID, request: Request) -> tuple[LinkView, ...]:
    """The links given so far, without their tokens."""
    return links.links(study_context(request).studies, str(study_id))


@router.post("/studies/{study_id}/links", status_code=201)
def invite(study_id: UUID, body: InviteRequest, request: Request, response: Response) -> GivenLink:
    """A personal link for one place. Its token is shown this once."""
    response.headers["Cache-Control"] = "no-store"
    return links.invite(study_context(request).studies, str(study_id), by_who_acts(request, body))


@router.delete("/studies/{study_id}/links/{link_id}")
def withdraw(study_id: UUID, link_id: UUID, request: Request, author: Actor) -> LinkView:
    """From now on that link opens nothing; what was rated stays."""
    return links.withdraw(study_context(request).studies, str(study_id), str(link_id), author)


@router.get("/studies/{study_id}/progress")
def live(study_id: UUID, request: Request) -> StudyProgress:
    """How far it is. No answer, no arm."""
    found = study_context(request)
    return progress(found.studies, str(study_id), found.at_work(str(study_id)))


@router.post("/studies/{study_id}/close")
def close(study_id: UUID, body: AuthoredRequest, request: Request) -> StudyView:
    """No more ratings."""
    return study_context(request).studies.close(str(study_id), by_who_acts(request, body).author)


@router.post("/studies/{study_id}/unlock")
def unlock(study_id: UUID, body: UnlockRequest, request: Request) -> StudyView:
    """Show which arm is which. Needs it closed; it is recorded, with the reason where one is given."""
    return study_context(request).studies.unlock(str(study_id), by_who_acts(request, body).author, body.reason or "")


def study_context(request: Request) -> StudyContext:
    """The studies of this application, opened at the first request that needs it."""
    state = request.app.state
    with opening:
        if getattr(state, "study_context", None) is None:
            container: Container = state.container
            state.study_context = StudyContext(
                Database.of(container.settings), pipeline_source(container), [entry.name for entry in all_systems()]
            )
        found: StudyContext = state.study_context
    return found
