"""What engines are made by: the forms of the setting LEAPNOTE_GENERATOR, addresses and keys, limits of time and number."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Protocol, Self
from urllib.parse import urlsplit

from pydantic import SecretStr

from backend.errors import InputError
from backend.interfaces import Engine
from backend.schemas.access import is_loopback

NO_KEY = SecretStr("")
VLLM_URL = "http://127.0.0.1:8000/v1"
INSIDE = "stays in this program"


@dataclass(frozen=True)
class EngineLimits:
    """Times in seconds.

    first_token_s counts from sending a request to its first word, waiting at the server included; between_s from any
    word to the next. Only what may pass is tried again, and only before the first word: `tries` in all, after
    backoff_s, twice that and so on, up to backoff_most_s, each time between half and the whole of it; where the server says
    how long to wait, that long, or not at all when it is more than retry_after_most_s.
    After `failures` requests failed one after the other, none is sent for rest_s; then one, and the others if it succeeds.
    At most `concurrent` requests are answered and `waiting` wait; more are refused at once.
    """

    connect_s: float = 5.0
    first_token_s: float = 120.0
    between_s: float = 30.0
    tries: int = 3
    backoff_s: float = 0.5
    backoff_most_s: float = 8.0
    retry_after_most_s: float = 20.0
    failures: int = 5
    rest_s: float = 15.0
    concurrent: int = 16
    waiting: int = 64

    def __post_init__(self) -> None:
        """Check every limit.

        Raises:
            ValueError: a time is not above 0, or a number below 1 (waiting: below 0).
        """
        for name in ("connect_s", "first_token_s", "between_s", "backoff_s", "backoff_most_s", "rest_s"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be more than 0 seconds")
        for name in ("tries", "failures", "concurrent"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be at least 1")
        if self.waiting < 0 or self.retry_after_most_s < 0:
            raise ValueError("waiting and retry_after_most_s must not be below 0")


DEFAULT_LIMITS = EngineLimits()


@dataclass(frozen=True)
class EngineSetup:
    """What the settings say beside the generator itself.

    llm_url: the server of LEAPNOTE_LLM_URL, empty when none is set. key: empty when the server wants none. context:
    tokens of prompt and reply together; 0 asks the server or the model. device: as PyTorch names it; empty chooses.
    """

    llm_url: str = ""
    key: SecretStr = NO_KEY
    context: int = 0
    limits: EngineLimits = DEFAULT_LIMITS
    device: str = ""

    @property
    def vllm_url(self) -> str:
        """Where the server of `vllm:<model>` is."""
        return self.llm_url or VLLM_URL


DEFAULT_SETUP = EngineSetup()


class Choice(NamedTuple):
    """What a setting means now.

    setting: `composer` or one that names an engine. reason: why that one, for the draft's record and the page.
    """

    setting: str
    reason: str


class EngineSetting(Protocol):
    """One form of the setting LEAPNOTE_GENERATOR, registered under its prefix: `@engine("vllm", form="vllm:<model>")`.

    An instance is one setting, taken apart; a setting ends with the model's name, which is what people read. The facts of a registration are `form`, as messages list it, and `order`.
    own_server: `up` may start and watch its server, whose status file then says how it is.
    """

    own_server: ClassVar[bool] = False

    @classmethod
    def read(cls, rest: str | None) -> Self | None:
        """Take a setting apart.

        Args:
            rest: what follows the colon; None where the setting has no colon.

        Returns:
            The setting, or None for one that has not this form.

        Raises:
            InputError: it has the form, but a part of it cannot be used; the message says which and what to write.
        """
        ...

    def where(self, setup: EngineSetup) -> str:
        """Where a note goes that this engine reads, in words for the page."""
        ...

    def now(self, setup: EngineSetup) -> Choice | None:
        """What the setting means at this moment, for one that depends on what answers; None for one that is fixed.

        Raises InputError for an address of the settings that cannot be used.
        """
        return None

    def asks_model(self, setup: EngineSetup) -> bool:
        """Whether a language model may be asked under this setting."""
        return True

    def make(self, setup: EngineSetup) -> Engine | None:
        """The engine; None for a setting that names none. Nothing is connected to or loaded before its first use."""
        ...


def checked_url(url: str) -> str:
    """The base url without a slash at its end.

    Raises:
        InputError: it is none, or holds a password or a query.
    """
    try:
        parts = urlsplit(url)
        found = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        found = False
    if not found:
        raise InputError(
            "The base url of a language model server must be as http://127.0.0.1:8000/v1: http or https, a host, a path."
        )
    if parts.username or parts.password:
        raise InputError(
            "The base url of a language model server must hold no user or password. Set the key by LEAPNOTE_LLM_KEY."
        )
    if parts.query:
        raise InputError("The base url of a language model server must end with its path, as http://127.0.0.1:8000/v1.")
    return url.rstrip("/")


def where_url_leads(url: str) -> str:
    """Where a note goes that is sent to a server, in words for the page."""
    parts = urlsplit(url)
    if is_loopback(parts.hostname or ""):
        return f"stays on this machine ({parts.netloc})"
    guarded = "" if parts.scheme == "https" else ", not encrypted"
    return f"goes to {parts.netloc}{guarded}"
