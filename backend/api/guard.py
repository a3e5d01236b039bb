"""Who may ask what: programs by LEAPNOTE_API_TOKEN, people by their login, raters by their link and for ratings alone.

Every router declares who may use it by a dependency, `Allowed`; a route may declare it anew, and then its own counts. A
route without a declaration is closed to everybody. The guard reads the declaration of the route that a request goes to
before the body is read.

On this machine's loopback address, without a token and without LEAPNOTE_LOGIN, programs and the page ask freely; a rater's
token opens nothing but ratings even there.
"""

import contextlib
import hmac
from collections.abc import Awaitable, Callable, Iterable
from enum import StrEnum
from typing import Annotated, NamedTuple, TypeVar

from fastapi import Depends, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.params import Depends as Dependency
from fastapi.routing import RouteContext, iter_route_contexts
from starlette.routing import Match

from backend.errors import InputError
from backend.schemas.access import LoggedIn, PersonRole, login_needed
from backend.schemas.base import Frozen
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.request import DraftRequest, LinkRequest
from backend.schemas.patients.case_text import Person
from backend.settings import Settings

Next = Callable[[Request], Awaitable[Response]]
Who = Callable[[str], LoggedIn | None]
Body = TypeVar("Body", bound=Frozen)
Corrected = TypeVar("Corrected", LinkRequest, DraftRequest)
NOT_GIVEN = "not given"
RATER = "rater-token"
ASK = "Ask whoever manages the accounts of this server."


class Caller(StrEnum):
    """Who asks. open: anybody, whatever they send. program: has the API's token, or asks where no token is set."""

    OPEN = "open"
    PROGRAM = "program"
    CLINICIAN = PersonRole.CLINICIAN.value
    COORDINATOR = PersonRole.COORDINATOR.value
    ADMINISTRATOR = PersonRole.ADMINISTRATOR.value
    RATER = "rater"


class Refusal(NamedTuple):
    """What the API answers instead. kind: token, login, role or rater."""

    status: int
    kind: str
    message: str


NO_TOKEN = Refusal(401, "token", "Send the header 'Authorization: Bearer <LEAPNOTE_API_TOKEN>'.")
ENDED = Refusal(401, "login", "Your login has ended. Log in again.")
NO_RATER = Refusal(403, "rater", "A rater's link opens ratings and nothing else.")


class Allowed:
    """The dependency that declares who may use a router or a route.

    Args:
        callers: who may.
        reason: what everybody else who is logged in is answered.
    """

    def __init__(self, *callers: Caller, reason: str = f"This is not for your role. {ASK}") -> None:
        """Keep what is declared."""
        self.callers = frozenset(callers)
        self.refusal = Refusal(403, "role", reason)

    async def __call__(self) -> None:
        """Nothing is left to check: the guard has read the declaration before the request came to the route."""


NOBODY = Allowed(reason="This address declares nobody who may use it, so it is closed.")
ADMINISTRATORS = (Caller.PROGRAM, Caller.ADMINISTRATOR)
COORDINATORS = (*ADMINISTRATORS, Caller.COORDINATOR)
PEOPLE = (*COORDINATORS, Caller.CLINICIAN)


def open_to_all() -> Dependency:
    """Declare that anybody may ask, without a token."""
    return Dependency(Allowed(*Caller))


def for_people() -> Dependency:
    """Declare that programs and everybody who is logged in may ask."""
    return Dependency(Allowed(*PEOPLE))


def for_coordinators(reason: str) -> Dependency:
    """Declare that programs, coordinators and administrators may ask. reason: the sentence that clinicians are answered."""
    return Dependency(Allowed(*COORDINATORS, reason=f"{reason} {ASK}"))


def for_administrators(reason: str) -> Dependency:
    """Declare that programs and administrators may ask. reason: the sentence that everybody else is answered."""
    return Dependency(Allowed(*ADMINISTRATORS, reason=f"{reason} {ASK}"))


def for_raters() -> Dependency:
    """Declare that a rater's link is taken; the route itself asks for it."""
    return Dependency(Allowed(*PEOPLE, Caller.RATER))


def declared(route: RouteContext) -> Allowed:
    """Who may use a route: its own declaration before its router's, and nobody where there is none."""
    found = [entry.dependency for entry in getattr(route, "dependencies", ())]
    return next((one for one in reversed(found) if isinstance(one, Allowed)), NOBODY)


def allowed(request: Request) -> Allowed | None:
    """Who may use the route that a request goes to; None where no route has its address."""
    partial: Allowed | None = None
    for route in iter_route_contexts(request.app.routes):
        match, _ = route.matches(dict(request.scope))
        if match == Match.FULL:
            return declared(route)
        if match == Match.PARTIAL and partial is None:  # another method of the same address
            partial = declared(route)
    return partial


class NotYouError(InputError):
    """An act is to be recorded under another name than that of the person who is logged in."""

    http_status = 403

    def __init__(self, name: str) -> None:
        super().__init__(f"You are logged in as {name!r}; what you do is recorded under that name.")


class NotAProgramError(InputError):
    """A program acts under the name of a person who logs in for themselves."""

    http_status = 403

    def __init__(self, name: str) -> None:
        """name: the person's."""
        super().__init__(
            f"{name!r} logs in here, so a program's token cannot act under that name. Send the token of their login, or the "
            "program's own name."
        )


def wants_login(settings: Settings) -> bool:
    """Whether people must log in.

    Raises:
        InputError: where programs could then ask without a token.
    """
    needed = login_needed(settings.host, settings.login)
    if needed and not settings.api_token:
        raise InputError(
            f"People log in here (LEAPNOTE_HOST={settings.host}), so LEAPNOTE_API_TOKEN must be set as well: "
            "without it programs could ask for everything."
        )
    return needed


async def refusal(
    request: Request, settings: Settings, login: bool, who: Who, has_account: Callable[[str], bool]
) -> Refusal | None:
    """Why a request is not taken; None when it is.

    Leaves the person who is logged in at request.state.person, and where people log in, has_account beside it.
    """
    request.state.person = None
    request.state.has_account = has_account if login else None
    wanted = allowed(request)
    callers = wanted.callers if wanted is not None else frozenset(PEOPLE)  # an unknown address is answered as unknown
    if Caller.OPEN in callers:
        return None
    if RATER in request.headers and Caller.RATER not in callers:
        return NO_RATER
    found = await _caller(request, settings, login, who)
    if isinstance(found, Refusal):
        return found
    return wanted.refusal if wanted is not None and found not in callers else None


async def _caller(request: Request, settings: Settings, login: bool, who: Who) -> Caller | Refusal:
    """Who asks by the token, or why that is not known."""
    if not settings.api_token:
        return Caller.PROGRAM
    kind, _, given = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not given:
        return NO_TOKEN
    if hmac.compare_digest(given.encode(), settings.api_token.encode()):
        return Caller.PROGRAM
    if not login:
        return NO_TOKEN
    person = await run_in_threadpool(who, given)
    if person is None:
        return ENDED
    request.state.person = person
    return Caller(person.role.value)


def named(request: Request, names: Iterable[str]) -> str | None:
    """Who an act is recorded under.

    Args:
        request: one that the guard has let through.
        names: the names it gives for whoever acts.

    Returns:
        The name of the person who is logged in; None where nobody is, and the name that was given counts.

    Raises:
        NotYouError: another name than that of the person who is logged in.
        NotAProgramError: a program gives the name of a person who logs in here.
    """
    person: LoggedIn | None = getattr(request.state, "person", None)
    has_account: Callable[[str], bool] | None = getattr(request.state, "has_account", None)
    for name in names:
        if person is not None and " ".join(name.split()) != person.name:
            raise NotYouError(person.name)
        if person is None and has_account is not None and has_account(name):
            raise NotAProgramError(name)
    return person.name if person is not None else None


def by_who_acts(request: Request, body: Body, field: str = "author") -> Body:
    """The body with the name of whoever acts in that field. Raises as `named` does."""
    given = [getattr(body, field)] if field in body.model_fields_set else []
    name = named(request, given)
    return body if name is None else body.model_copy(update={field: name})


def corrected_by_who_acts(request: Request, body: Corrected) -> Corrected:
    """The body with the name of whoever acts on every correction of a reading. Raises as `named` does."""
    name = named(request, [one.author for one in body.corrections if one.author])
    if name is None or not body.corrections:
        return body
    return body.model_copy(
        update={"corrections": tuple(one.model_copy(update={"author": name}) for one in body.corrections)}
    )


def check_correctors(request: Request, drafts: Iterable[Draft]) -> None:
    """Refuse drafts whose records name another as the clinician who corrected them. Raises as `named` does."""
    named(request, {author for draft in drafts if draft.record is not None for author in draft.record.correctors})


def acting(
    request: Request, author: Annotated[Person, Query(description="Who does it, for the trail")] = NOT_GIVEN
) -> str:
    """A dependency: the name that an act without a body is recorded under. Raises as `named` does."""
    return named(request, () if author == NOT_GIVEN else (author,)) or author


Actor = Annotated[str, Depends(acting)]


async def signed(request: Request) -> None:
    """A dependency of every route: nobody who is logged in acts under another name. Raises NotYouError.

    It looks at what every body and address may hold; the routes say through `by_who_acts` and `acting` whose act it is.
    """
    person: LoggedIn | None = getattr(request.state, "person", None)
    if person is None:
        return
    names = request.query_params.getlist("author")
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json":
        body: object = None
        with contextlib.suppress(ValueError):  # what the route refuses
            body = await request.json()
        if isinstance(body, dict):
            fields = ("author", "name") if request.url.path.endswith("/signature") else ("author",)
            names = [*names, *(body[field] for field in fields if isinstance(body.get(field), str))]
    named(request, names)
