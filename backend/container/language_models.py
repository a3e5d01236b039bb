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
from backend.interfaces import LanguageModel
from backend.schemas.drafts.draft import Generator
from backend.serving.status import ServerState, read_status
from backend.settings import Settings
from models.llm.engine_limits import EngineLimits
from models.llm.engine_openai import OpenAIEngine
from models.llm.engine_transformers import TransformersEngine
from models.llm.engines import (
    VLLM_URL,
    EngineKind,
    Role,
    RoleModels,
    Settled,
    make_engine,
    parse_generator,
    settle,
    where_text_goes,
)

log = logging.getLogger("leapnote")
SETTLED_S = 5.0
COMPOSER = str(EngineKind.COMPOSER)
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
        self._engines: dict[str, LanguageModel] = {}
        self._settled: dict[str, tuple[float, Settled]] = {}
        self._making = threading.Lock()
        self._asking = threading.Lock()
        self._limits = EngineLimits(
            first_token_s=settings.llm_first_token_s,
            between_s=settings.llm_between_s,
            concurrent=settings.llm_concurrent,
            waiting=settings.llm_waiting,
        )

    def chosen(self, asked: str = "") -> Chosen:
        """The models that serve now.

        A generator that is none, or that whoever asks may not name, is an InputError.

        Args:
            asked: a generator's setting, or empty for the one that is set.
        """
        if asked and self._serving:
            self._check_named(asked)
        settled = self._now(asked or self._settings.generator)
        where = HERE if is_writer(settled.setting) else where_text_goes(settled.setting, self._vllm_url)
        generator = Generator(name=settled.setting, reason=settled.reason, where=where)
        return Chosen(settled.setting, generator, self._roles(settled.setting))

    def warm(self) -> None:
        """Find out in the background what the models in use can do: the first draft would wait for it."""

        def examine() -> None:
            for engine in list(self._engines.values()):
                if isinstance(engine, OpenAIEngine):
                    try:
                        log.info("%s", engine.examine().told)
                    except LeapnoteError as error:
                        log.warning("the language model: %s", error)

        self.chosen()
        if self._engines:
            threading.Thread(target=examine, name="examine", daemon=True).start()

    def close(self) -> None:
        """Close what is connected or loaded."""
        for engine in self._engines.values():
            if isinstance(engine, OpenAIEngine | TransformersEngine):
                engine.close()

    def check_queue(self, asked: str = "") -> None:
        """Refuse, with FullError, where the queue before the model that writes is full: a draft would be after its evidence."""
        writer = self.chosen(asked).roles.writer
        if isinstance(writer, OpenAIEngine | TransformersEngine):
            writer.queue.check()

    def _check_named(self, asked: str) -> None:
        """A note goes to no address but those of the settings, whoever asks for it."""
        if not is_writer(asked):
            parse_generator(asked)
        chosen = self._settings
        own = (COMPOSER, str(EngineKind.AUTO), chosen.generator, self._now(chosen.generator).setting)
        if asked not in own and not any(fnmatchcase(asked, one) for one in chosen.more_generators.split()):
            raise InputError(
                "This generator is not set up here, and no note goes to an address that the settings do not name. Choose composer or "
                "auto, or have it listed in LEAPNOTE_MORE_GENERATORS."
            )

    def _now(self, setting: str) -> Settled:
        """What a setting means now. While one request asks a server that is slow, the others take what was known before."""
        held = self._settled.get(setting)
        if held is not None and (time.monotonic() - held[0] <= SETTLED_S or self._asking.locked()):
            return held[1]
        with self._asking:
            held = self._settled.get(setting)
            if held is None or time.monotonic() - held[0] > SETTLED_S:
                found = self._settle(setting)  # it counts from its end: a slow answer is not old at once
                held = self._settled[setting] = (time.monotonic(), found)
            return held[1]

    def _settle(self, setting: str) -> Settled:
        chosen = self._settings
        if is_writer(setting):
            return Settled(setting, "chosen" if setting != chosen.generator else "set by LEAPNOTE_GENERATOR")
        if parse_generator(setting).kind == EngineKind.VLLM and chosen.llm_status:
            status = read_status(Path(chosen.llm_status))
            if status is not None and status.state != ServerState.READY:
                return Settled(COMPOSER, f"the composer writes meanwhile: {status.told(time.time())}")
        settled = settle(setting, chosen.llm_url, chosen.llm_key, self._limits)
        named = parse_generator(setting).kind != EngineKind.AUTO  # `auto` has a reason of its own, whoever chose it
        return settled._replace(reason="chosen") if named and setting != chosen.generator else settled

    @property
    def _vllm_url(self) -> str:
        return self._settings.llm_url or VLLM_URL

    def _roles(self, writer: str) -> RoleModels:
        own = {Role.PLANNER: "planner_model", Role.JUDGE: "judge_model", Role.EXTRACTOR: "extractor_model"}
        named = {role: str(getattr(self._settings, field)) or writer for role, field in own.items()}
        return RoleModels(self._engine(writer), **{role.value: self._engine(name) for role, name in named.items()})

    def _engine(self, setting: str) -> LanguageModel | None:
        if is_writer(setting):
            return None
        with self._making:
            if setting not in self._engines:
                self._engines[setting] = make_engine(
                    setting,
                    key=self._settings.llm_key,
                    vllm_url=self._vllm_url,
                    context=self._settings.llm_context,
                    limits=self._limits,
                )
            return self._engines[setting]
