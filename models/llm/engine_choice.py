"""The generators that are no engine: `composer` writes without a model, `auto` is the server that answers, else the composer."""

from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

from backend.errors import EngineError
from backend.registry import engine
from models.llm.engine_client import Address
from models.llm.engine_setup import INSIDE, Choice, EngineSetting, EngineSetup, checked_url
from models.llm.server_check import models_at

COMPOSER, AUTO = "composer", "auto"


@engine(AUTO, label="The server that is set, else the composer", form=AUTO, order=0)
@dataclass(frozen=True)
class AutoSetting(EngineSetting):
    """The first model of the server at LEAPNOTE_LLM_URL where one is set and answers, else the composer."""

    @classmethod
    def read(cls, rest: str | None) -> Self | None:
        """`auto`, without a colon."""
        return cls() if rest is None else None

    def where(self, setup: EngineSetup) -> str:
        """In words that hold whether the server answers or not."""
        return "goes to the server that LEAPNOTE_LLM_URL names, if it answers; else it stays in this program"

    def now(self, setup: EngineSetup) -> Choice:
        """Ask the server that is set, and nothing else. Raises InputError for an address that is none."""
        if not setup.llm_url:
            return Choice(COMPOSER, "no language model server is set")
        url = checked_url(setup.llm_url)
        try:
            served = models_at(Address(url, "", setup.key), setup.limits)
        except EngineError as error:
            return Choice(COMPOSER, str(error))
        if not served:
            reason = f"the language model server at {urlsplit(url).netloc} lists no model: see that its address ends in /v1, or name one by LEAPNOTE_GENERATOR"
            return Choice(COMPOSER, reason)
        more = f"; it serves {len(served)} models, and this is the first" if len(served) > 1 else ""
        return Choice(f"openai:{url}#{served[0]}", f"the server that LEAPNOTE_LLM_URL names answers{more}")

    def asks_model(self, setup: EngineSetup) -> bool:
        """Where a server is set."""
        return bool(setup.llm_url)

    def make(self, setup: EngineSetup) -> None:
        """None: what it means is found out first."""


@engine(COMPOSER, label="The composer, without a language model", form=COMPOSER, order=1)
@dataclass(frozen=True)
class ComposerSetting(EngineSetting):
    """No language model: the composer writes."""

    @classmethod
    def read(cls, rest: str | None) -> Self | None:
        """`composer`, without a colon."""
        return cls() if rest is None else None

    def where(self, setup: EngineSetup) -> str:
        """Nowhere."""
        return INSIDE

    def asks_model(self, setup: EngineSetup) -> bool:
        """Never."""
        return False

    def make(self, setup: EngineSetup) -> None:
        """None: it needs no engine."""
