"""Who may log in: accounts listed, made, changed and removed by an administrator. The command line does the same on the server."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from backend.access.people import People
from backend.api.guard import Actor, for_administrators
from backend.api.routers.routes_logins import people
from backend.errors import ConflictError, InputError
from backend.schemas.access import AccessEvent, Account, AccountChange, LoggedIn, NewAccount

router = APIRouter(dependencies=[for_administrators("Accounts are an administrator's.")])
Name = Annotated[str, Path(max_length=120, description="Name of the account")]


@router.get("/people")
def listed(request: Request) -> tuple[Account, ...]:
    """The accounts that open something, by name."""
    return _people(request).accounts()


@router.post("/people", status_code=201)
def add(body: NewAccount, request: Request, response: Response, actor: Actor) -> Account:
    """A new account, or one that was removed, again. 409 for a name that is taken."""
    response.headers["Cache-Control"] = "no-store"
    _people(request).add(body.name, body.role, body.password, actor)
    return _account(request, body.name)


@router.get("/people/trail")
def trail(request: Request, limit: int = Query(100, ge=1, le=1000)) -> tuple[AccessEvent, ...]:
    """Who logged in, failed to, and changed accounts; the newest first."""
    return _people(request).events(limit)


@router.put("/people/{name}")
def change(name: Name, body: AccountChange, request: Request, actor: Actor) -> Account:
    """Another role or password. It ends the person's logins.

    Raises:
        InputError: neither is given.
    """
    if body.role is None and body.password is None:
        raise InputError("Give another role, another password, or both.")
    if body.role is not None:
        _check_other(request, name, "role")
    _people(request).change(name, actor, body.role, body.password)
    return _account(request, name)


@router.delete("/people/{name}", status_code=204)
def remove(name: Name, request: Request, actor: Actor) -> Response:
    """From now on the account opens nothing; its name stays in the trails."""
    _check_other(request, name, "account")
    _people(request).remove(name, actor)
    return Response(status_code=204)


def _people(request: Request) -> People:
    return people(request.app.state)


def _account(request: Request, name: str) -> Account:
    wanted = " ".join(name.split()).casefold()
    return next(one for one in _people(request).accounts() if " ".join(one.name.split()).casefold() == wanted)


def _check_other(request: Request, name: str, what: str) -> None:
    """Nobody takes their own rights away: the last administrator would be locked out."""
    person: LoggedIn | None = request.state.person
    if person is not None and " ".join(name.split()).casefold() == person.name.casefold():
        raise ConflictError(f"This is your own {what}. Another administrator changes it.")
