"""Which requests a server of Leapnote takes, by their Host and Origin headers.

A web page of another site can make its own name lead to this machine (DNS rebinding); its requests then carry that name as
their Host. The API and the page both refuse them, for HTTP and websocket alike.
"""

import ipaddress
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from backend.settings.process_settings import Settings

LOOPBACK = frozenset(("127.0.0.1", "localhost", "::1"))
EVERY_ADDRESS = ("0.0.0.0", "::")
DEFAULT_PORTS = {"http": 80, "https": 443}
SCHEMES = {"ws": "http", "wss": "https"}


class Refused(NamedTuple):
    """What a request that is not taken is answered. kind: host or origin."""

    status: int
    kind: str
    message: str


class Hosts:
    """The names a server is reached under: loopback, the address it binds to, and those of LEAPNOTE_ALLOWED_HOSTS."""

    def __init__(self, settings: Settings) -> None:
        """Take the names and the ports from the settings."""
        self.named = frozenset(_unwrapped(name) for name in settings.allowed_hosts.split())
        self._every = settings.host in EVERY_ADDRESS
        bound = frozenset() if self._every else frozenset((_unwrapped(settings.host),))
        self._own = LOOPBACK | bound
        self._ports = (settings.api_port, settings.page_port)

    def refusal(self, scope: Scope) -> Refused | None:
        """Why a request is not taken, by its Host and Origin headers.

        Args:
            scope: an ASGI scope of the type http or websocket.

        Returns:
            421 for another Host, 403 for another Origin, None for a request that is taken.
        """
        headers = Headers(scope=scope)
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        scheme = SCHEMES.get(scope["scheme"], scope["scheme"])
        host = _parts(f"{scheme}://{hosts[0]}") if len(hosts) == 1 else None
        address = self._address(scope)
        if host is None or not self._known(host[0], address):
            return Refused(
                421,
                "host",
                "The Host of this request is none of the names Leapnote is reached under. Whoever runs it adds the name "
                "to LEAPNOTE_ALLOWED_HOSTS.",
            )
        if not origins:
            return None
        origin = _parts(origins[0]) if len(origins) == 1 else None
        if origin is not None and self._known(origin[0], address) and self._ours(origin, host):
            return None
        return Refused(
            403,
            "origin",
            "This request comes from a web page of another address (Origin). Whoever runs Leapnote adds the names it is "
            "reached under to LEAPNOTE_ALLOWED_HOSTS.",
        )

    def _known(self, name: str, address: str | None) -> bool:
        return name in self._own or name in self.named or (self._every and name == address)

    def _ours(self, origin: tuple[str, int | None], host: tuple[str, int | None]) -> bool:
        """A name that was set stands for one site, behind whatever port; loopback is shared with other programs."""
        return origin == host or origin[0] in self.named or origin[1] in self._ports

    def _address(self, scope: Scope) -> str | None:
        """The machine's own address that the connection came to: a number, so no other site's name leads to it."""
        server = scope.get("server")
        try:
            return str(ipaddress.ip_address(server[0])) if server else None
        except ValueError:
            return None


class OwnHosts:
    """ASGI middleware: requests under names that are not Leapnote's own get no further."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        """app: what is guarded."""
        self._app = app
        self._hosts = Hosts(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it; a websocket is refused before it is accepted."""
        refused = self._hosts.refusal(scope) if scope["type"] in ("http", "websocket") else None
        if refused is None:
            await self._app(scope, receive, send)
            return
        answer = JSONResponse({"error": {"kind": refused.kind, "message": refused.message}}, refused.status)
        await answer(scope, receive, send)


def _parts(address: str) -> tuple[str, int | None] | None:
    """Name and port of an address with its scheme; None for what is none, such as the Origin "null"."""
    try:
        parts = urlsplit(address)
        name, port = parts.hostname, parts.port
    except ValueError:
        return None
    if not name or parts.username is not None or parts.path or parts.query or parts.fragment:
        return None
    return _unwrapped(name), port if port is not None else DEFAULT_PORTS.get(parts.scheme)


def _unwrapped(name: str) -> str:
    """A name as it is compared: small letters, no final dot, an IPv6 address in its short form without brackets."""
    plain = name.strip("[]").lower().removesuffix(".")
    try:
        return str(ipaddress.ip_address(plain))
    except ValueError:
        return plain
