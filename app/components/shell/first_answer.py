"""What the page's first answer carries, before a line of the page has run: its own base address, title, language, style, attributes.

Without the base address the browser would look for the server under the address of the page that was opened first, and find
nothing there; without the style everything would be laid out twice.
"""

from collections.abc import Callable
from pathlib import Path

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.words import words

STYLE = Path(__file__).parent / "shell.css"
ATTRIBUTES = Path(__file__).parent / "attributes.js"
# a page has one part in its address: what stands before the last slash is where the server is
BASE = 'window.__streamlit = { BACKEND_BASE_URL: new URL("./", window.location.href).href };'
RATING = ("/rate", "/session")
"""The ends of addresses whose first answer does not name the product: raters open them."""


class FirstAnswer:
    """Adds to every HTML answer of the page's server. A middleware.

    Args:
        app: what answers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._style = STYLE.read_text(encoding="utf-8")
        self._attributes = ATTRIBUTES.read_text(encoding="utf-8")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; an answer of HTML is held until it is whole, and goes out with its additions."""
        if scope["type"] != "http" or "text/html" not in _header(scope, b"accept"):
            await self._app(scope, receive, send)
            return
        plain = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
        answer = _Answer(
            send, lambda body: self._added(body, scope["path"], words.asked(_header(scope, b"accept-language")))
        )
        await self._app({**scope, "headers": plain}, receive, answer.send)

    def _added(self, body: bytes, path: str, language: str) -> bytes:
        title = "" if path.rstrip("/").endswith(RATING) else "Leapnote"
        text = body.decode("utf-8").replace("<title>Streamlit</title>", f"<title>{title}</title>", 1)
        text = text.replace('<html lang="en">', f'<html lang="{language}">', 1)
        text = text.replace("<head>", f"<head><script>{BASE}</script>", 1)
        # in the body: it comes after what the page's framework puts into the head, and before the style of a single page
        own = f"<style>{self._style}</style><script>{self._attributes}</script>"
        return text.replace("<body>", f"<body>{own}", 1).encode()


class _Answer:
    """Holds an answer of HTML back until its last piece."""

    def __init__(self, send: Send, added: Callable[[bytes], bytes]) -> None:
        self._send, self._add = send, added
        self._start: Message | None = None
        self._body = b""

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            kind = next((value for name, value in message["headers"] if name.lower() == b"content-type"), b"")
            if message["status"] == 200 and kind.startswith(b"text/html"):
                self._start = message
                return
        if self._start is None:
            await self._send(message)
            return
        self._body += message.get("body", b"")
        if message.get("more_body"):
            return
        body = self._add(self._body) if self._body else b""  # a HEAD has none
        headers = [(name, value) for name, value in self._start["headers"] if name.lower() not in _OF_BODY]
        headers += [(b"content-length", str(len(body)).encode())] if body else []
        await self._send({**self._start, "headers": headers})
        await self._send({"type": "http.response.body", "body": body})


# what stands in these is of the file as it lies on the disk
_OF_BODY = frozenset({b"content-length", b"etag", b"last-modified", b"accept-ranges"})


def _header(scope: Scope, name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")
