"""What went wrong between an engine and its server, in words: whose fault it is, whether it may pass, what to do.

No message quotes what the server said, since servers quote the prompt; only its numbers and short codes are told.
"""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import Any, NamedTuple

from backend.errors import BusyError, EngineError
from models.llm.engine_setup import EngineLimits

KEY_SETTING = "LEAPNOTE_LLM_KEY"
_TOO_LONG = re.compile(
    r"context[ _](?:length|size|window)|too long|maximum (?:input )?length|max_model_len|exceeds? the (?:available|maximum)",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"(?:context length|context size|context window|maximum (?:input )?length|max_model_len)\D{0,40}?(\d{2,8})",
    re.IGNORECASE,
)
_CODE = re.compile(r"[A-Za-z][A-Za-z0-9_.\-]{0,39}")


class Blame(StrEnum):
    """server: it did not do its work. request: it did, and refused. busy: it may, later."""

    SERVER = "server"
    REQUEST = "request"
    BUSY = "busy"


class Fault(NamedTuple):
    """passes: another try may succeed. after_s: the server's own word on when, None when it said nothing.

    unknown_model: it said 404. form: it refused what the request asks for, so that another form may be taken.
    """

    message: str
    blame: Blame
    passes: bool = False
    after_s: float | None = None
    unknown_model: bool = False
    form: bool = False

    def error(self, written: str = "") -> "EngineFault | BusyFault":
        """The error to raise; written: what had come of the reply."""
        return BusyFault(self, written) if self.blame is Blame.BUSY else EngineFault(self, written)


class EngineFault(EngineError):
    """An EngineError that knows its fault."""

    def __init__(self, fault: Fault, written: str = "") -> None:
        super().__init__(fault.message, written)
        self.fault = fault


class BusyFault(BusyError):
    """The same for a server that has too much to do."""

    def __init__(self, fault: Fault, written: str = "") -> None:
        super().__init__(fault.message, written)
        self.fault = fault


class BrokenOffError(Exception):
    """A stream ended and had not said that the reply was whole. why: a word or two more, or nothing."""


class SilentError(Exception):
    """A question that needs no writing was not answered within so many seconds, its first argument."""


class GarbageError(Exception):
    """What came is no chat reply."""


def fault_of(
    error: Exception, place: str, model: str, started: bool, limits: EngineLimits, context: int
) -> Fault | None:
    """None for an error that is no server's fault but a defect of ours.

    place: host and port, as messages tell it. started: some text had come. context: tokens; 0 when not known.
    """
    import openai

    server = f"The language model server at {place}"
    if isinstance(error, openai.APIStatusError):
        return _refused(error, server, model, context)
    if isinstance(error, openai.APITimeoutError):  # reading waits without end: only connecting and sending time out
        return Fault(
            f"{server} cannot be reached: no connection within {limits.connect_s:g} s. Check that it runs and that the address is right.",
            Blame.SERVER,
            passes=True,
        )
    if isinstance(error, openai.APIConnectionError):
        return _connection(error, server, started)
    if isinstance(error, openai.APIError):
        return _reported(error.body, server, started, context)
    if isinstance(error, TimeoutError):
        silence = (
            f"stopped writing: nothing came for {limits.between_s:g} s"
            if started
            else f"did not begin to write within {limits.first_token_s:g} s"
        )
        return Fault(
            f"{server} {silence}. Try again; if it happens again, look whether it is overloaded.", Blame.SERVER
        )
    if isinstance(error, SilentError):
        return Fault(
            f"{server} did not answer within {error.args[0]:g} s. Look whether it is overloaded.", Blame.SERVER
        )
    if isinstance(error, BrokenOffError):
        return Fault(
            f"{server} broke off{str(error) and f' ({error})'} before the reply was whole. Try again.", Blame.SERVER
        )
    if isinstance(error, GarbageError | ValueError):  # a ValueError: what came is no UTF-8 or no JSON
        return _garbage(server)
    return None


def retry_after(value: str | None, now: datetime | None = None) -> float | None:
    """Seconds that a Retry-After header asks for, by number or by date; None when it says nothing that can be read."""
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        then = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    return max(0.0, (then - (now or datetime.now(UTC))).total_seconds())


def too_long(server: str, context: int, said: str = "") -> Fault:
    """context: the limit in tokens, 0 when not known; then the number that the server gave, if it gave one."""
    found = _LIMIT.search(said)
    limit = context or (int(found[1]) if found else 0)
    room = f"{limit:,} tokens of prompt and reply together" if limit else "not told by the server"
    return Fault(
        f"The prompt is too long for {server[0].lower()}{server[1:]}: its limit is {room}. Shorten the note or the evidence, or serve "
        "the model with a longer context.",
        Blame.REQUEST,
    )


def _refused(error: Any, server: str, model: str, context: int) -> Fault:
    status, said = int(error.status_code), _said(error.body)
    code = _code(error.body)
    if status in (401, 403):
        return Fault(f"{server} refuses the key ({status}). Set {KEY_SETTING} to a key that it takes.", Blame.REQUEST)
    if status == 404:
        return Fault(f"{server} knows no model {model!r}", Blame.REQUEST, unknown_model=True)
    if status == 429:
        after = retry_after(error.response.headers.get("retry-after"))
        when = f"; it says to wait {after:g} s" if after is not None else ""
        return Fault(f"{server} has too much to do (429){when}. Try again later.", Blame.BUSY, True, after)
    if 300 <= status < 400:
        return Fault(
            f"{server} points elsewhere ({status}), and that is not followed: text goes to the address that was set alone. "
            "Set the address that it points to.",
            Blame.REQUEST,
        )
    if status == 413 or (status < 500 and _TOO_LONG.search(f"{code} {said}")):
        return too_long(server, context, said)
    if status >= 500 or status in (408, 425):
        after = retry_after(error.response.headers.get("retry-after"))
        return Fault(
            f"{server} failed ({status}). Look at its log, and try again.", Blame.SERVER, passes=True, after_s=after
        )
    more = f", {code}" if code else ""
    return Fault(f"{server} refused the request ({status}{more}). Its log says why.", Blame.REQUEST, form=True)


def _connection(error: Exception, server: str, started: bool) -> Fault:
    cause = error.__cause__
    kind, said = type(cause).__name__, str(cause)
    if kind == "ConnectError":
        if "CERTIFICATE" in said.upper():
            return Fault(
                f"{server} shows a certificate that this machine does not trust. Add its authority to the system's certificates.",
                Blame.SERVER,
            )
        return Fault(
            f"{server} cannot be reached. Check that it runs and that the address is right.", Blame.SERVER, passes=True
        )
    if started:
        return Fault(f"{server} broke off before the reply was whole. Try again.", Blame.SERVER)
    left = "disconnect" in said.lower() or "peer closed" in said.lower() or "incomplete" in said.lower()
    if kind in ("RemoteProtocolError", "LocalProtocolError", "DecodingError", "UnsupportedProtocol") and not left:
        return _garbage(server)
    return Fault(
        f"{server} closed the connection before it began to write. Look whether it still runs, and try again.",
        Blame.SERVER,
        passes=True,
    )


def _reported(body: object, server: str, started: bool, context: int) -> Fault:
    """An error told within the stream."""
    code, said = _code(body), _said(body)
    if _TOO_LONG.search(f"{code} {said}"):
        return too_long(server, context, said)
    number = body.get("code") if isinstance(body, dict) else None
    more = f" ({code or number})" if code or isinstance(number, int) else ""
    passes = not started and isinstance(number, int) and number >= 500
    return Fault(
        f"{server} reported an error{more} while it wrote. Look at its log, and try again.", Blame.SERVER, passes=passes
    )


def _garbage(server: str) -> Fault:
    return Fault(
        f"{server} sent something that is no chat reply. Check that the address is that of an OpenAI-compatible server; "
        "it usually ends in /v1.",
        Blame.SERVER,
    )


def _said(body: object) -> str:
    """What the server said, to look for known phrases in; never shown."""
    if isinstance(body, dict):
        inner = body.get("error", body)
        if isinstance(inner, dict):
            return str(inner.get("message") or inner.get("detail") or "")
        return str(inner)
    return str(body or "")


def _code(body: object) -> str:
    """The server's short code or type of error, when it is a plain word."""
    if isinstance(body, dict):
        inner = body.get("error", body)
        for name in ("code", "type"):
            word = inner.get(name) if isinstance(inner, dict) else None
            if isinstance(word, str) and _CODE.fullmatch(word):
                return word
    return ""
