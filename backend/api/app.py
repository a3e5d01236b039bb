"""The HTTP service: lifespan, host names, token, error mapping. The routes are in their own modules."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from fastapi import Depends, FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from backend import __version__
from backend.api.guard import for_people, refusal, signed, wants_login
from backend.api.routers.routes_cases import open_cases
from backend.api.routers.routes_cases import router as cases_router
from backend.api.routers.routes_documents import router as documents_router
from backend.api.routers.routes_draft import router as draft_router
from backend.api.routers.routes_graph import router as graph_router
from backend.api.routers.routes_hospital import router as hospital_router
from backend.api.routers.routes_info import router as info_router
from backend.api.routers.routes_knowledge import router as knowledge_router
from backend.api.routers.routes_logins import people
from backend.api.routers.routes_logins import router as logins_router
from backend.api.routers.routes_people import router as people_router
from backend.api.routers.routes_results import router as results_router
from backend.api.routers.routes_review import router as review_router
from backend.api.routers.routes_status import router as status_router
from backend.api.routers.routes_visits import router as visits_router
from backend.api.routers.studies.routes_ratings import router as ratings_router
from backend.api.routers.studies.routes_studies import router as studies_router
from backend.api.routers.studies.routes_study_results import router as study_results_router
from backend.container import Container
from backend.errors import LeapnoteError
from backend.settings import Settings
from backend.settings.hosts import OwnHosts

log = logging.getLogger("leapnote")
DAY_S = 86_400.0
LARGEST_BODY = 8_000_000  # bytes; 200 earlier notes of ordinary length fit
REFUSED = {
    400: "The body cannot be read. Send JSON in UTF-8.",
    404: "There is no such address. GET /openapi.json lists them all; most begin with /v1/.",
    405: "This address does not take {method}. GET /openapi.json says what each takes.",
}


def create_app(settings: Settings, container: Container | None = None) -> FastAPI:
    """The application. Raises InputError when people would have to log in, but programs would need no token."""
    login = wants_login(settings)
    shared = container or Container(settings, keeper="the API")

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        shared.warm()
        keeper = asyncio.create_task(_expiring(app))
        yield
        keeper.cancel()
        shared.close()

    app = FastAPI(
        title="Leapnote",
        version=__version__,
        lifespan=lifespan,
        openapi_url=None,  # the route below, which declares who may read it
        docs_url=None,
        redoc_url=None,
        dependencies=[Depends(signed)],
    )
    app.state.container = shared
    app.include_router(info_router, prefix="/v1")
    app.include_router(logins_router, prefix="/v1")
    app.include_router(people_router, prefix="/v1")
    app.include_router(status_router, prefix="/v1")
    app.include_router(draft_router, prefix="/v1")
    app.include_router(visits_router, prefix="/v1")
    app.include_router(knowledge_router, prefix="/v1")
    app.include_router(review_router, prefix="/v1")
    app.include_router(hospital_router, prefix="/v1")
    app.include_router(results_router, prefix="/v1")
    app.include_router(studies_router, prefix="/v1")
    app.include_router(study_results_router, prefix="/v1")
    app.include_router(ratings_router, prefix="/v1")
    app.include_router(graph_router, prefix="/v1")
    app.include_router(documents_router, prefix="/v1")
    app.include_router(cases_router, prefix="/v1")  # after info: /cases/demonstration comes before /cases/{case_id}

    @app.api_route("/openapi.json", methods=["GET", "HEAD"], include_in_schema=False, dependencies=[for_people()])
    def contract() -> dict[str, Any]:
        return app.openapi()

    _guard(app, settings, login)
    app.add_middleware(OwnHosts, settings=settings)  # the last one added is asked first
    _map_errors(app)
    return app


async def _expiring(app: FastAPI) -> None:
    """Delete the letters whose time is over: now, and once a day."""
    if not app.state.container.settings.retention_days:
        return
    while True:
        try:
            gone = await run_in_threadpool(lambda: open_cases(app).expire())
            if gone:
                log.info("%d letters that were never signed are deleted: nobody changed them for long enough", gone)
        except LeapnoteError as error:
            log.warning("letters whose time is over could not be deleted: %s", error)
        except Exception as error:  # a defect of one day does not end the days
            log.error("defect while deleting letters whose time is over: %s", type(error).__name__)
        await asyncio.sleep(DAY_S)


def _guard(app: FastAPI, settings: Settings, login: bool) -> None:
    @app.middleware("http")
    async def guard(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
        length = request.headers.get("content-length", "0")
        if length.isdigit() and int(length) > LARGEST_BODY:
            return _error(
                413, "too_long", f"The request has {int(length):,} bytes; at most {LARGEST_BODY:,} are taken."
            )
        try:
            refused = await refusal(
                request,
                settings,
                login,
                lambda token: people(app.state).who(token),
                lambda name: people(app.state).has(name),
            )
        except LeapnoteError as error:  # the accounts cannot be read
            return _error(error.http_status, type(error).__name__, str(error))
        if refused is not None:
            return _error(*refused)
        return await call_next(request)


def _map_errors(app: FastAPI) -> None:
    @app.exception_handler(LeapnoteError)
    async def known(request: Request, error: LeapnoteError) -> JSONResponse:
        return _error(error.http_status, type(error).__name__, str(error))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        # the values themselves are left out: they may be note text
        found = _innermost(error)[:5]
        parts = [f"{'.'.join(str(p) for p in place)}: {words}" for place, words in found]
        fields = [
            {"path": [part for part in place[1:] if isinstance(part, str)], "message": words} for place, words in found
        ]
        return _error(422, "InvalidRequest", "; ".join(parts), fields=fields)

    @app.exception_handler(HTTPException)
    async def plain(request: Request, error: HTTPException) -> JSONResponse:
        # what the framework refuses by itself: it never reaches a route
        said = REFUSED.get(error.status_code, str(error.detail))
        return _error(error.status_code, "HttpError", said.format(method=request.method), error.headers)

    @app.exception_handler(Exception)
    async def unknown(request: Request, error: Exception) -> JSONResponse:
        log.error("defect in %s: %s", request.url.path, type(error).__name__)
        return _error(500, "Defect", f"Leapnote failed ({type(error).__name__}). Your text is unchanged; try again.")


def _innermost(error: RequestValidationError) -> list[tuple[tuple[str | int, ...], str]]:
    """Each place that is refused with its reason, without the places that hold another one and are refused for it."""
    found = [(tuple(item["loc"]), str(item["msg"]).removeprefix("Value error, ")) for item in error.errors()]
    return [
        (place, words)
        for place, words in found
        if not any(place == other[: len(place)] and len(other) > len(place) for other, _ in found)
    ]


def _error(
    status: int, kind: str, message: str, headers: Mapping[str, str] | None = None, **more: object
) -> JSONResponse:
    return JSONResponse({"error": {"kind": kind, "message": message, **more}}, status_code=status, headers=headers)
