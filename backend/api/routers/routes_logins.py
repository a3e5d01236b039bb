"""Logging in and out. The page asks with its own token; a person's login comes as `Authorization: Bearer` from then on."""

import threading

from fastapi import APIRouter, Request, Response

from backend.access.people import People
from backend.api.guard import for_people
from backend.errors import NotFoundError
from backend.schemas.access import GivenLogin, LoggedIn, LoginRequest
from backend.settings import Settings
from backend.stores.database.database import Database

router = APIRouter(dependencies=[for_people()])
opening = threading.Lock()


@router.post("/logins", status_code=201)
def log_in(body: LoginRequest, request: Request, response: Response) -> GivenLogin:
    """A login by name and password. 401 for a wrong one, 429 after too many. Its token is given this once."""
    response.headers["Cache-Control"] = "no-store"
    return people(request.app.state).log_in(body)


@router.get("/logins")
def who(request: Request) -> LoggedIn:
    """Who asks, by the login in the header. 404 for a program's token: it is nobody's.

    Raises:
        NotFoundError: a program asks.
    """
    person: LoggedIn | None = request.state.person
    if person is None:
        raise NotFoundError("Nobody is logged in here: a program's token stands for no person.")
    return person


@router.delete("/logins", status_code=204)
def log_out(request: Request) -> Response:
    """End the login in the header."""
    if request.state.person is not None:
        people(request.app.state).log_out(request.headers["authorization"].partition(" ")[2])
    return Response(status_code=204)


def people(state: object) -> People:
    """The accounts of this application, opened at the first request that needs them. state: of the application."""
    with opening:
        found: People | None = getattr(state, "people", None)
        if found is None:
            settings: Settings = state.container.settings  # type: ignore[attr-defined]
            found = People(Database.of(settings))
            state.people = found  # type: ignore[attr-defined]
    return found
