"""Language models by setting: which one is meant, where text goes, and the engine itself.

A setting is `vllm:<model>`, `openai:<base url>#<model>` or `transformers:<model or folder>`; `composer` is no language model, and
`auto` becomes one of them by `settle`.
"""

from collections.abc import Mapping
from enum import StrEnum
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

from pydantic import SecretStr

from backend.errors import EngineError, InputError
from backend.interfaces import LanguageModel
from models.llm.engine_client import NO_KEY, Address
from models.llm.engine_limits import DEFAULT_LIMITS, EngineLimits
from models.llm.engine_openai import OpenAIEngine
from models.llm.engine_transformers import TransformersEngine
from models.llm.server_check import models_at

VLLM_URL = "http://127.0.0.1:8000/v1"
FORMS = "auto, composer, vllm:<model>, openai:<base url>#<model>, transformers:<model or folder>"


class EngineKind(StrEnum):
    AUTO = "auto"
    COMPOSER = "composer"
    OPENAI = "openai"
    VLLM = "vllm"
    TRANSFORMERS = "transformers"


class Role(StrEnum):
    """What a model is asked for. Each may have a model of its own."""

    WRITER = "writer"
    PLANNER = "planner"
    JUDGE = "judge"
    EXTRACTOR = "extractor"


class Generator(NamedTuple):
    """A setting, taken apart. url: of `openai` alone. model: empty for `auto` and `composer`."""

    kind: EngineKind
    model: str = ""
    url: str = ""


class Settled(NamedTuple):
    """setting: `composer` or one that names an engine. reason: why that one, for the draft's record and the page."""

    setting: str
    reason: str


class RoleModels(NamedTuple):
    """The model of each role; None where no model is set. One engine serves all roles with the same setting."""

    writer: LanguageModel | None = None
    planner: LanguageModel | None = None
    judge: LanguageModel | None = None
    extractor: LanguageModel | None = None

    def of(self, role: Role) -> LanguageModel | None:
        models: Mapping[str, LanguageModel | None] = self._asdict()
        return models[role]


def parse_generator(setting: str) -> Generator:
    """Raises InputError, with the forms there are, for a setting in none of them."""
    kind, colon, rest = setting.strip().partition(":")
    if kind in (EngineKind.AUTO, EngineKind.COMPOSER) and not colon:
        return Generator(EngineKind(kind))
    if kind in (EngineKind.VLLM, EngineKind.TRANSFORMERS) and rest:
        return Generator(EngineKind(kind), rest)
    if kind == EngineKind.OPENAI:
        url, _, model = rest.partition("#")
        if not model:
            raise InputError(
                f"The language model {setting!r} names no model after '#'. Write it as openai:<base url>#<model>."
            )
        return Generator(EngineKind.OPENAI, model, checked_url(url))
    raise InputError(f"{setting!r} names no language model. Write one of: {FORMS}.")


def checked_url(url: str) -> str:
    """The base url without a slash at its end. Raises InputError when it is none or holds a password."""
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


def where_text_goes(setting: str, vllm_url: str = VLLM_URL) -> str:
    """Where a note goes that this generator reads, in words for the page. Raises InputError as `parse_generator`."""
    generator = parse_generator(setting)
    if generator.kind in (EngineKind.COMPOSER, EngineKind.TRANSFORMERS):
        return "stays in this program"
    if generator.kind is EngineKind.AUTO:
        return "goes to the server that LEAPNOTE_LLM_URL names, if it answers; else it stays in this program"
    parts = urlsplit(generator.url or vllm_url)
    host = parts.hostname or ""
    if is_loopback(host):
        return f"stays on this machine ({parts.netloc})"
    guarded = "" if parts.scheme == "https" else ", not encrypted"
    return f"goes to {parts.netloc}{guarded}"


def is_loopback(host: str) -> bool:
    """The host is this machine, by its name or its number."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def settle(setting: str, llm_url: str = "", key: SecretStr = NO_KEY, limits: EngineLimits = DEFAULT_LIMITS) -> Settled:
    """`auto` becomes the server at llm_url if one is set and answers, else the composer. Any other setting stays as it is.

    Nothing is asked unless llm_url is set. Raises InputError for a setting or a url that is none.
    """
    generator = parse_generator(setting)
    if generator.kind is not EngineKind.AUTO:
        return Settled(setting.strip(), "set by LEAPNOTE_GENERATOR")
    if not llm_url:
        return Settled(str(EngineKind.COMPOSER), "no language model server is set")
    url = checked_url(llm_url)
    try:
        served = models_at(Address(url, "", key), limits)
    except EngineError as error:
        return Settled(str(EngineKind.COMPOSER), str(error))
    if not served:
        reason = f"the language model server at {urlsplit(url).netloc} lists no model: see that its address ends in /v1, or name one by LEAPNOTE_GENERATOR"
        return Settled(str(EngineKind.COMPOSER), reason)
    more = f"; it serves {len(served)} models, and this is the first" if len(served) > 1 else ""
    return Settled(f"openai:{url}#{served[0]}", f"the server that LEAPNOTE_LLM_URL names answers{more}")


def make_engine(
    setting: str,
    *,
    key: SecretStr = NO_KEY,
    vllm_url: str = VLLM_URL,
    context: int = 0,
    limits: EngineLimits = DEFAULT_LIMITS,
    device: str = "",
) -> OpenAIEngine | TransformersEngine:
    """The engine of a setting. Nothing is connected to or loaded before its first use.

    context: tokens, when a setting says so; 0 asks the server or the model. Raises InputError for a setting that names no engine.
    """
    generator = parse_generator(setting)
    if generator.kind is EngineKind.TRANSFORMERS:
        return TransformersEngine(generator.model, limits, device=device, context=context)
    if generator.kind in (EngineKind.OPENAI, EngineKind.VLLM):
        address = Address(generator.url or checked_url(vllm_url), generator.model, key)
        return OpenAIEngine(address, limits, context=context)
    raise InputError(f"{setting!r} is no language model by itself. Write one of: {FORMS}.")


def make_role_models(
    generator: str,
    roles: Mapping[Role, str] | None = None,
    *,
    key: SecretStr = NO_KEY,
    vllm_url: str = VLLM_URL,
    context: int = 0,
    limits: EngineLimits = DEFAULT_LIMITS,
    device: str = "",
) -> RoleModels:
    """generator: settled, so not `auto`. roles: the setting of each role; a role that is absent or empty takes the generator.

    `composer` gives None. Raises InputError as `make_engine`.
    """
    made: dict[str, LanguageModel | None] = {EngineKind.COMPOSER: None}
    chosen: dict[str, LanguageModel | None] = {}
    for role in Role:
        setting = ((roles or {}).get(role) or generator).strip()
        if setting not in made:
            made[setting] = make_engine(
                setting, key=key, vllm_url=vllm_url, context=context, limits=limits, device=device
            )
        chosen[role] = made[setting]
    return RoleModels(**chosen)
