"""Who may ask what: programs by LEAPNOTE_API_TOKEN, people by their login, raters by their link and for ratings alone.

On this machine's loopback address, without a token and without LEAPNOTE_LOGIN, programs and the page ask freely; a rater's
token opens nothing but ratings even there.
"""

import contextlib
import hmac
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool

from backend.errors import InputError
from backend.schemas.access import LoggedIn, PersonRole, login_needed
from backend.settings import Settings

Next = Callable[[Request], Awaitable[Response]]
Who = Callable[[str], LoggedIn | None]
RATER = "rater-token"
RATINGS = "/v1/ratings/"
HEALTH = "/v1/health"
STUDIES = ("/v1/studies", "/v1/study-", "/v1/instruments")
COLLECTIONS = "/v1/knowledge/collections"  # an import reads files of the machine that serves
COORDINATORS = (PersonRole.COORDINATOR,)


class Refusal(NamedTuple):
    """What the API answers instead. kind: token, login, role or rater."""

    status: int
    kind: str
    message: str


NO_TOKEN = Refusal(401, "token", "Send the header 'Authorization: Bearer <LEAPNOTE_API_TOKEN>'.")
ENDED = Refusal(401, "login", "Your login has ended. Log in again.")
NO_ROLE = Refusal(403, "role", "Rating studies are for coordinators. Ask whoever manages the accounts of this server.")
NO_CHANGE = Refusal(
    403, "role", "Sources are changed by coordinators. Ask whoever manages the accounts of this server."
)
NO_RATER = Refusal(403, "rater", "A rater's link opens ratings and nothing else.")


class NotYouError(InputError):
    """An act is to be recorded under another name than that of the person who is logged in."""

    http_status = 403

    def __init__(self, name: str) -> None:
        super().__init__(f"You are logged in as {name!r}; what you do is recorded under that name.")


def wants_login(settings: Settings) -> bool:
    """Whether people must log in. Raises InputError where programs could then ask without a token."""
    needed = login_needed(settings.host, settings.login)
    if needed and not settings.api_token:
        raise InputError(
            f"People log in here (LEAPNOTE_HOST={settings.host}), so LEAPNOTE_API_TOKEN must be set as well: "
            "without it programs could ask for everything."
        )
    return needed


async def refusal(request: Request, settings: Settings, login: bool, who: Who) -> Refusal | None:
    """Why a request is not taken; None when it is. Leaves the person who is logged in at request.state.person."""
    path = request.url.path
    request.state.person = None
    if path == HEALTH:
        return None
    if RATER in request.headers and not path.startswith(RATINGS):
        return NO_RATER
    if not settings.api_token:
        return None
    kind, _, given = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not given:
        return NO_TOKEN
    if hmac.compare_digest(given.encode(), settings.api_token.encode()):
        return None
    if not login:
        return NO_TOKEN
    person = await run_in_threadpool(who, given)
    if person is None:
        return ENDED
    if path.startswith(STUDIES) and person.role not in COORDINATORS:
        return NO_ROLE
    if path.startswith(COLLECTIONS) and person.role not in COORDINATORS:
        return NO_CHANGE
    request.state.person = person
    return None


async def signed(request: Request) -> None:
    """A dependency of every route: nobody who is logged in acts under another name. Raises NotYouError."""
    person: LoggedIn | None = getattr(request.state, "person", None)
    if person is None:
        return
    named = request.query_params.getlist("author")
    body: object = None
    if not request.headers.get("content-type", "").startswith("multipart/"):  # a form's body is read only once
        with contextlib.suppress(ValueError):  # nothing, or a file, or what the route refuses
            body = await request.json()
    signature = request.url.path.endswith("/signature")
    if isinstance(body, dict):
        told = [body.get(field) for field in ("author", *(("name",) if signature else ()))]
        named = [*named, *(name for name in told if isinstance(name, str))]
    if any(" ".join(name.split()) != person.name for name in named):
        raise NotYouError(person.name)
