"""Language models by the setting LEAPNOTE_GENERATOR and its like: the form is looked up by its prefix among the engines."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from backend.errors import InputError
from backend.interfaces import Engine, LanguageModel
from backend.registry import ENGINES
from models.llm.engine_setup import DEFAULT_SETUP, Choice, EngineSetting, EngineSetup


class Role(StrEnum):
    """What a model is asked for. Each may have a model of its own."""

    WRITER = "writer"
    PLANNER = "planner"
    JUDGE = "judge"
    EXTRACTOR = "extractor"


class RoleModels(NamedTuple):
    """The model of each role; None where no model is set. One engine serves all roles with the same setting."""

    writer: LanguageModel | None = None
    planner: LanguageModel | None = None
    judge: LanguageModel | None = None
    extractor: LanguageModel | None = None

    def of(self, role: Role) -> LanguageModel | None:
        """The model of a role."""
        models: Mapping[str, LanguageModel | None] = self._asdict()
        return models[role]


def read_setting(setting: str) -> EngineSetting:
    """A setting, taken apart.

    Raises:
        InputError: it has none of the forms; the message lists them.
    """
    prefix, colon, rest = setting.strip().partition(":")
    if prefix in ENGINES.names():
        found: EngineSetting | None = ENGINES.get(prefix).value.read(rest if colon else None)
        if found is not None:
            return found
    raise InputError(f"{setting!r} names no language model. Write one of: {forms()}.")


def forms() -> str:
    """The forms of the setting, for a message."""
    return ", ".join(entry.facts["form"] for entry in ENGINES.entries())


def where_text_goes(setting: str, setup: EngineSetup = DEFAULT_SETUP) -> str:
    """Where a note goes that this generator reads, in words for the page. Raises InputError as `read_setting`."""
    return read_setting(setting).where(setup)


def choose(setting: str, setup: EngineSetup = DEFAULT_SETUP) -> Choice:
    """What a setting means now: `auto` becomes the server that answers, or the composer; any other stays as it is.

    Raises InputError for a setting or a url that is none.
    """
    return read_setting(setting).now(setup) or Choice(setting.strip(), "set by LEAPNOTE_GENERATOR")


def make_engine(setting: str, setup: EngineSetup = DEFAULT_SETUP) -> Engine:
    """The engine of a setting. Nothing is connected to or loaded before its first use.

    Raises:
        InputError: the setting has no known form, or names no engine.
    """
    made = read_setting(setting).make(setup)
    if made is None:
        raise InputError(f"{setting!r} is no language model by itself. Write one of: {forms()}.")
    return made
