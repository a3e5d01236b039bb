"""Which language model serves which role now, and why; the engines are made once and shared.

`auto` asks the server that is set, and nothing else, at most every few seconds. A vLLM server that `up` watches is asked
nothing while it starts: its status file says how it is.
"""

import logging
import threading
import time
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from backend.errors import InputError, LeapnoteError
from backend.generation.writers.writer_parts import is_writer
from backend.interfaces import Engine
from backend.schemas.drafts.draft import Generator
from backend.serving.status import ServerState, read_status
from backend.settings import Settings
from models.llm.engine_choice import AUTO, COMPOSER
from models.llm.engine_meter import MeteredEngine, Spent
from models.llm.engine_setup import Choice, EngineLimits, EngineSetup
from models.llm.engines import Role, RoleModels, choose, make_engine, read_setting, where_text_goes

log = logging.getLogger("leapnote")
KNOWN_S = 5.0
"""How long what a setting was found to mean holds, in seconds."""
HERE = "stays in this program"


class Chosen(NamedTuple):
    """What serves a request.

    Attributes:
        setting: what writes, `composer` or one that names an engine.
        generator: the same for the draft's record, with the reason.
        roles: the models that write, plan, judge and extract; None where there is none.
    """

    setting: str
    generator: Generator
    roles: RoleModels


class LanguageModels:
    """The models of this process.

    Args:
        settings: which models serve, and their limits.
        serving: it takes requests of others, who may name only what the settings name.
    """

    def __init__(self, settings: Settings, serving: bool = False) -> None:
        self._settings = settings
        self._serving = serving
        self._engines: dict[str, MeteredEngine] = {}
        self._known: dict[str, tuple[float, Choice]] = {}
        self._making = threading.Lock()
        self._asking = threading.Lock()
        self._setup = EngineSetup(
            settings.llm_url,
            settings.llm_key,
            settings.llm_context,
            EngineLimits(
                first_token_s=settings.llm_first_token_s,
                between_s=settings.llm_between_s,
                concurrent=settings.llm_concurrent,
                waiting=settings.llm_waiting,
            ),
        )

    def chosen(self, asked: str = "") -> Chosen:
        """The models that serve now.

        A generator that is none, or that whoever asks may not name, is an InputError.

        Args:
            asked: a generator's setting, or empty for the one that is set.
        """
        if asked and self._serving:
            self._check_named(asked)
        choice = self._now(asked or self._settings.generator)
        where = HERE if is_writer(choice.setting) else where_text_goes(choice.setting, self._setup)
        generator = Generator(name=choice.setting, reason=choice.reason, where=where)
        return Chosen(choice.setting, generator, self._roles(choice.setting))

    def warm(self) -> None:
        """Find out in the background what the models in use can do: the first draft would wait for it."""

        def examine() -> None:
            for engine in list(self._engines.values()):
                try:
                    if found := engine.warm():
                        log.info("%s", found)
                except LeapnoteError as error:
                    log.warning("the language model: %s", error)

        self.chosen()
        if self._engines:
            threading.Thread(target=examine, name="examine", daemon=True).start()

    @property
    def setup(self) -> EngineSetup:
        """What the settings say of language models beside the generator."""
        return self._setup

    @property
    def spent(self) -> Spent:
        """What all models of this process were asked so far."""
        total = Spent()
        for engine in list(self._engines.values()):
            total = total.plus(engine.spent)
        return total

    def close(self) -> None:
        """Close what is connected or loaded."""
        for engine in self._engines.values():
            engine.close()

    def check_queue(self, asked: str = "") -> None:
        """Refuse, with FullError, where the queue before the model that writes is full: a draft would be after its evidence."""
        writer = self._engine(self.chosen(asked).setting)
        if writer is not None:
            writer.check_queue()

    def _check_named(self, asked: str) -> None:
        """A note goes to no address but those of the settings, whoever asks for it."""
        if not is_writer(asked):
            read_setting(asked)
        chosen = self._settings
        own = (COMPOSER, AUTO, chosen.generator, self._now(chosen.generator).setting)
        if asked not in own and not any(fnmatchcase(asked, one) for one in chosen.more_generators.split()):
            raise InputError(
                "This generator is not set up here, and no note goes to an address that the settings do not name. Choose composer or "
                "auto, or have it listed in LEAPNOTE_MORE_GENERATORS."
            )

    def _now(self, setting: str) -> Choice:
        """What a setting means now. While one request asks a server that is slow, the others take what was known before."""
        held = self._known.get(setting)
        if held is not None and (time.monotonic() - held[0] <= KNOWN_S or self._asking.locked()):
            return held[1]
        with self._asking:
            held = self._known.get(setting)
            if held is None or time.monotonic() - held[0] > KNOWN_S:
                found = self._choice(setting)  # it counts from its end: a slow answer is not old at once
                held = self._known[setting] = (time.monotonic(), found)
            return held[1]

    def _choice(self, setting: str) -> Choice:
        chosen = self._settings
        if is_writer(setting):
            return Choice(setting, "chosen" if setting != chosen.generator else "set by LEAPNOTE_GENERATOR")
        if read_setting(setting).own_server and chosen.llm_status:
            status = read_status(Path(chosen.llm_status))
            if status is not None and status.state != ServerState.READY:
                return Choice(COMPOSER, f"the composer writes meanwhile: {status.message(time.time())}")
        choice = choose(setting, self._setup)
        named = choice.setting == setting.strip()  # `auto` has a reason of its own, whoever chose it
        return choice._replace(reason="chosen") if named and setting != chosen.generator else choice

    def _roles(self, writer: str) -> RoleModels:
        own = {Role.PLANNER: "planner_model", Role.JUDGE: "judge_model", Role.EXTRACTOR: "extractor_model"}
        named = {role: str(getattr(self._settings, field)) or writer for role, field in own.items()}
        return RoleModels(self._engine(writer), **{role.value: self._engine(name) for role, name in named.items()})

    def _engine(self, setting: str) -> Engine | None:
        if is_writer(setting):
            return None
        with self._making:
            if setting not in self._engines:
                self._engines[setting] = MeteredEngine(make_engine(setting, self._setup))
            return self._engines[setting]
