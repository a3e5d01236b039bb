"""The cookie of a login, which no script of the page can read.

The page holds the token on the server. It gives the browser a code that is good once, for a minute; the browser sends
the code to `PATH`, and the page's server answers with the cookie: HttpOnly, SameSite=Strict, and Secure where the page
came over https.
"""

import json
import secrets
import threading
import time
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

COOKIE = "leapnote_login"
PATH = "/login-cookie"
CODE_S = 60.0
LONGEST_BODY = 1_000


class Codes:
    """The tokens that wait for the browser, by code; an empty token removes the cookie. Threads share it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._lock = threading.Lock()
        self._waiting: dict[str, tuple[str, float]] = {}

    def put(self, token: str) -> str:
        """A new code for a token; an empty one removes the cookie."""
        code = secrets.token_urlsafe(24)
        with self._lock:
            now = self.clock()
            self._waiting = {known: held for known, held in self._waiting.items() if held[1] > now}
            self._waiting[code] = (token, now + CODE_S)
        return code

    def take(self, code: str) -> str | None:
        """The token of a code, once; None for an unknown, used or old one."""
        with self._lock:
            token, until = self._waiting.pop(code, ("", 0.0))
            return token if until > self.clock() else None


codes = Codes()


async def answer(request: Request) -> Response:
    """Set the cookie of a code: 204; 404 for a code that is not valid. Only JSON is accepted: a form of another site cannot send it."""
    if request.headers.get("content-type") != "application/json":
        return Response(status_code=415)
    body = await request.body()
    try:
        sent = json.loads(body) if len(body) <= LONGEST_BODY else {}
        code, secure = str(sent["code"]), bool(sent["secure"])
    except (ValueError, KeyError, TypeError):
        return Response(status_code=400)
    token = codes.take(code)
    if token is None:
        return Response(status_code=404)
    made = Response(status_code=204, headers={"Cache-Control": "no-store"})
    if token:
        made.set_cookie(COOKIE, token, path="/", secure=secure, httponly=True, samesite="strict")
    else:
        made.delete_cookie(COOKIE, path="/", secure=secure, httponly=True, samesite="strict")
    return made
