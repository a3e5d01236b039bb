"""The page's way to the API under the page's own address: what a clinician's page asks is passed on, and nothing else.

Whoever is logged in asks with their own login, out of the HttpOnly cookie; else the page asks with its own token. A request
must carry the page's header, which no other site's form can send. Nothing that passes is logged or kept.
"""

from collections.abc import AsyncIterator
from urllib.parse import quote

import httpx
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from backend.schemas.access import login_needed
from backend.settings import Settings

PATH = "/leapnote/v1/{path:path}"
METHODS = ("GET", "POST", "PUT", "DELETE")
HEADER, FROM_PAGE = "x-leapnote", "page"
WHOLE = frozenset(
    {
        "documents",
        "drafts",
        "links",
        "evidence",
        "uploads",
        "uploads/notes",
        "paths",
        "systems",
        "health",
        "flag-answers",
    }
)
"""Addresses that are passed on as they are; of those in BEGUN also what lies below."""
BEGUN = frozenset({"cases", "concepts", "visits"})
LARGEST_BODY = 8_000_000  # bytes, as the API takes them
CONNECT_S = 3.0
SENT = ("accept", "content-type")
GIVEN = (
    "cache-control",
    "content-disposition",
    "content-type",
    "retry-after",
    "x-accel-buffering",
    "x-content-type-options",
)


class PageProxy:
    """Passes requests on to the API of the settings. One serves all requests of a page's server.

    Args:
        settings: where the API is, its token, and whether people log in.
        cookie: the name of the cookie that holds a person's login.
        transport: how requests travel; None for the network.
    """

    def __init__(self, settings: Settings, cookie: str, transport: httpx.AsyncBaseTransport | None = None) -> None:
        host = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host
        shown = f"[{host}]" if ":" in host else host
        self._address = f"http://{shown}:{settings.api_port}/v1/"
        self._token = "" if login_needed(settings.host, settings.login) else settings.api_token
        self._login = login_needed(settings.host, settings.login)
        self._cookie = cookie
        self._timeout = httpx.Timeout(settings.timeout_s, connect=CONNECT_S)
        self._transport = transport
        self._http: httpx.AsyncClient | None = None

    async def answer(self, request: Request) -> Response:
        """The API's answer, as it comes; 503 with the kind `away` where the API does not answer."""
        if request.headers.get(HEADER) != FROM_PAGE:
            return _error(403, "header", "Only the page itself asks here.")
        path = request.path_params["path"]
        if not _passed_on(path):
            return _error(404, "HttpError", "The page does not ask for this.")
        body = await _body(request)
        if body is None:
            return _error(413, "too_long", f"The request is too large; at most {LARGEST_BODY:,} bytes are taken.")
        headers = {name: request.headers[name] for name in SENT if name in request.headers}
        bearer = request.cookies.get(self._cookie, "") if self._login else self._token
        if bearer:
            headers["authorization"] = f"Bearer {bearer}"
        client = self._client()
        asked = client.build_request(
            request.method,
            self._address + quote(path),
            params=httpx.QueryParams(request.url.query),
            headers=headers,
            content=body or None,
        )
        try:
            found = await client.send(asked, stream=True)
        except httpx.HTTPError:
            return _error(503, "away", "Leapnote's service does not answer. What you typed is kept; it is tried again.")
        given = {name: found.headers[name] for name in GIVEN if name in found.headers}
        return StreamingResponse(
            _pieces(found), status_code=found.status_code, headers=given, background=BackgroundTask(found.aclose)
        )

    def _client(self) -> httpx.AsyncClient:
        if self._http is None:  # in the event loop that serves, and not before
            limits = httpx.Limits(max_connections=200, max_keepalive_connections=20)
            self._http = httpx.AsyncClient(
                timeout=self._timeout, limits=limits, trust_env=False, transport=self._transport
            )
        return self._http


async def _pieces(found: httpx.Response) -> AsyncIterator[bytes]:
    # what breaks off half-way ends here: the page sees a stream without its last event, or a body that is cut
    try:
        async for piece in found.aiter_bytes():
            yield piece
    finally:
        await found.aclose()


async def _body(request: Request) -> bytes | None:
    """The body, in whole; None where it is too large."""
    held = bytearray()
    async for piece in request.stream():
        held += piece
        if len(held) > LARGEST_BODY:
            return None
    return bytes(held)


def _passed_on(path: str) -> bool:
    parts = path.split("/")
    if any(part in ("", ".", "..") or "\\" in part for part in parts):
        return False
    return path in WHOLE or parts[0] in BEGUN


def _error(status: int, kind: str, message: str) -> JSONResponse:
    return JSONResponse({"error": {"kind": kind, "message": message}}, status_code=status)
