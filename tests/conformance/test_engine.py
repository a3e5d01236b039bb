"""Every registered engine does what the others do, with a server and a model made here.

A new engine is tested by being registered: the placeholders of its form (<base url>, <model>, <model or folder>) are filled
with those.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self

import pytest

from backend.errors import EngineError, InputError
from backend.interfaces import Engine
from backend.registry import ENGINES, engine
from backend.schemas.chat import (
    GREEDY,
    Abilities,
    Cancelled,
    Completion,
    Finish,
    Message,
    Piece,
    SamplingParams,
    TokenScore,
    Usage,
    never,
)
from models.llm.engine_setup import EngineLimits, EngineSetting, EngineSetup
from models.llm.engines import choose, make_engine, read_setting
from tests.conformance.engine_checks import CHECKS, fails_as_an_engine
from tests.models.engine_server import MODEL, FakeServer, fake_server
from tests.services.llm_servers import tiny_llama

LIMITS = EngineLimits(first_token_s=10, between_s=10, tries=1, backoff_s=0.01, backoff_most_s=0.02)


def filled(name: str, url: str, model: str, folder: Path) -> str:
    form: str = ENGINES.get(name).facts["form"]
    for place, value in (("<base url>", url), ("<model or folder>", str(folder)), ("<model>", model)):
        form = form.replace(place, value)
    return form


def setup_of(url: str) -> EngineSetup:
    return EngineSetup(url, limits=LIMITS, device="cpu")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_llama(tmp_path_factory.mktemp("engines") / "tiny")


@pytest.fixture(scope="module")
def server() -> Iterator[FakeServer]:
    with fake_server() as served:
        yield served


# the generators that are no engine need not serve; they are told apart by making none
MAKE_ONE = tuple(
    name
    for name in ENGINES.names()
    if read_setting(filled(name, "http://127.0.0.1:9/v1", MODEL, Path("nowhere"))).make(EngineSetup()) is not None
)


@pytest.fixture(scope="module", params=ENGINES.names())
def setting(request: pytest.FixtureRequest, server: FakeServer, folder: Path) -> str:
    return filled(request.param, server.url, MODEL, folder)


@pytest.fixture(scope="module", params=MAKE_ONE)
def made(request: pytest.FixtureRequest, server: FakeServer, folder: Path) -> Iterator[Engine]:
    found = make_engine(filled(request.param, server.url, MODEL, folder), setup_of(server.url))
    yield found
    found.close()


def test_every_form_is_read_and_says_where_text_goes(setting: str, server: FakeServer) -> None:
    setup = setup_of(server.url)
    assert read_setting(setting) == read_setting(f" {setting} ")
    assert read_setting(setting).where(setup).startswith(("stays ", "goes "))
    choice = choose(setting, setup)
    assert choice.reason and choose(choice.setting, setup).setting == choice.setting  # what is chosen stays
    prefix = setting.partition(":")[0]
    with pytest.raises(InputError):
        read_setting(f"{prefix}:")


@pytest.mark.parametrize("name", sorted(set(ENGINES.names()) - set(MAKE_ONE)))
def test_a_generator_without_an_engine_says_so(name: str) -> None:
    with pytest.raises(InputError, match="no language model by itself"):
        make_engine(name)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_every_engine(made: Engine, check: Callable[[Engine], None]) -> None:
    check(made)


@pytest.mark.parametrize("name", MAKE_ONE)
def test_every_engine_fails_as_an_engine(name: str, server: FakeServer, tmp_path: Path) -> None:
    absent = make_engine(filled(name, server.url, "nowhere", tmp_path / "nowhere"), setup_of(server.url))
    fails_as_an_engine(absent)
    absent.close()


class Sound:
    """Says the seed, for the tests of the checks themselves. Its model is "nowhere" when that is its name."""

    context = 100
    abilities = Abilities(schema=True, scores=True, counts_tokens=True)

    def __init__(self, name: str) -> None:
        self.name = name

    def chat(
        self,
        messages: Sequence[Message],
        *,
        sampling: SamplingParams = GREEDY,
        schema: Mapping[str, object] | None = None,
        scored: bool = False,
        cancelled: Cancelled = never,
    ) -> tuple[Completion, ...]:
        if self.name == "nowhere":
            raise EngineError("There is no such model.")
        if cancelled():
            return (Completion("", Finish.CANCELLED),) * sampling.n
        text = [f"drawn {sampling.seed + i}" if sampling.temperature else "likeliest" for i in range(sampling.n)]
        scores = (TokenScore("word", -0.5),) if scored else ()
        said = ['{"answer": "yes"}'] * sampling.n if schema else text
        return tuple(Completion(one, scores=scores, usage=Usage(9, 2)) for one in said)

    def stream(
        self, messages: Sequence[Message], *, sampling: SamplingParams = GREEDY, cancelled: Cancelled = never
    ) -> Iterator[Piece]:
        text, written = self.chat(messages, sampling=sampling)[0].text, ""
        for letter in text:
            if cancelled():
                yield Piece("", Completion(written, Finish.CANCELLED))
                return
            written += letter
            yield Piece(letter)
        yield Piece("", Completion(text))

    def count_tokens(self, messages: Sequence[Message]) -> int:
        return 5 * len(messages)

    def warm(self) -> str:
        return ""

    def check_queue(self) -> None: ...

    def close(self) -> None: ...


class Single(Sound):
    def chat(
        self, messages: Sequence[Message], *, sampling: SamplingParams = GREEDY, **more: object
    ) -> tuple[Completion, ...]:
        return super().chat(messages, sampling=sampling, **more)[:1]  # type: ignore[arg-type]


class Seedless(Sound):
    drawn = 0

    def chat(
        self, messages: Sequence[Message], *, sampling: SamplingParams = GREEDY, **more: object
    ) -> tuple[Completion, ...]:
        self.drawn += 1
        return super().chat(messages, sampling=sampling._replace(seed=self.drawn), **more)  # type: ignore[arg-type]


class Restless(Sound):
    def chat(
        self, messages: Sequence[Message], *, sampling: SamplingParams = GREEDY, **more: object
    ) -> tuple[Completion, ...]:
        return super().chat(messages, sampling=sampling._replace(temperature=1.0), **more)  # type: ignore[arg-type]


class Shapeless(Sound):
    def chat(self, messages: Sequence[Message], *, schema: object = None, **more: object) -> tuple[Completion, ...]:
        return super().chat(messages, **more)  # type: ignore[arg-type]


class Scoreless(Sound):
    def chat(self, messages: Sequence[Message], *, scored: bool = False, **more: object) -> tuple[Completion, ...]:
        return super().chat(messages, **more)  # type: ignore[arg-type]


class Different(Sound):
    def stream(self, messages: Sequence[Message], **more: object) -> Iterator[Piece]:
        for piece in super().stream(messages, **more):  # type: ignore[arg-type]
            yield piece._replace(text=piece.text.upper())


class Unstoppable(Sound):
    def stream(self, messages: Sequence[Message], *, cancelled: Cancelled = never, **more: object) -> Iterator[Piece]:
        yield from super().stream(messages, **more)  # type: ignore[arg-type]


class Short(Sound):
    def count_tokens(self, messages: Sequence[Message]) -> int:
        return len(messages)


class Held(Sound):
    """Gives its place back only at the end of a stream."""

    busy = 0

    def stream(self, messages: Sequence[Message], **more: object) -> Iterator[Piece]:
        self.busy += 1
        yield from super().stream(messages, **more)  # type: ignore[arg-type]
        self.busy -= 1

    def check_queue(self) -> None:
        assert not self.busy, "full"


class Mixed(Sound):
    """Keeps what it was asked in one place for all threads."""

    def chat(
        self, messages: Sequence[Message], *, sampling: SamplingParams = GREEDY, **more: object
    ) -> tuple[Completion, ...]:
        self.sampling = sampling
        time.sleep(0.005)
        return super().chat(messages, sampling=self.sampling, **more)  # type: ignore[arg-type]


class Gone(Sound):
    def close(self) -> None:
        self.name = "nowhere"


class Unknown(Sound):
    context = 0


class Raw(Sound):
    def chat(self, messages: Sequence[Message], **more: object) -> tuple[Completion, ...]:
        if self.name == "nowhere":
            raise EngineError(f"No such model for: {messages[-1].content}")
        return super().chat(messages, **more)  # type: ignore[arg-type]


def register(made: type[Sound]) -> None:
    @engine("broken", form="broken:<model>")
    class Setting(EngineSetting):
        def __init__(self, model: str) -> None:
            self.model = model

        @classmethod
        def read(cls, rest: str | None) -> Self | None:
            return cls(rest) if rest else None

        def where(self, setup: EngineSetup) -> str:
            return "stays in this program"

        def make(self, setup: EngineSetup) -> Engine:
            return made(self.model)


def failed(made: Engine) -> set[str]:
    found = set()
    for check in CHECKS:
        try:
            check(made)
        except (AssertionError, EngineError, ValueError):
            found.add(check.__name__)
    return found


@pytest.mark.parametrize(
    ("broken", "caught"),
    [
        (Unknown, "says_what_it_is"),
        (Single, "gives_so_many_replies_by_their_seeds"),
        (Seedless, "gives_so_many_replies_by_their_seeds"),
        (Restless, "is_greedy_at_temperature_0"),
        (Different, "streams_what_chat_gives"),
        (Shapeless, "follows_a_schema_or_says_that_it_cannot"),
        (Scoreless, "scores_tokens_or_says_that_it_cannot"),
        (Short, "never_counts_too_few_tokens"),
        (Unstoppable, "ends_when_cancelled"),
        (Held, "frees_its_place_when_a_stream_is_closed"),
        (Mixed, "serves_threads_alike"),
        (Gone, "can_be_closed_and_used_again"),
    ],
)
def test_a_broken_engine_is_caught(broken: type[Sound], caught: str) -> None:
    with ENGINES.scratch():
        register(broken)
        assert caught in failed(make_engine("broken:one"))
    assert "broken" not in ENGINES.names()


def test_a_sound_engine_passes_by_being_registered() -> None:
    with ENGINES.scratch():
        register(Sound)
        assert failed(make_engine("broken:one")) == set()


@pytest.mark.parametrize("broken", [Raw, Sound])
def test_an_error_that_repeats_what_was_asked_is_caught(broken: type[Sound], monkeypatch: pytest.MonkeyPatch) -> None:
    # the sound one has a context without asking its model: that, too, is an answer from nowhere
    with ENGINES.scratch():
        register(broken)
        with pytest.raises(AssertionError):
            fails_as_an_engine(make_engine("broken:nowhere"))
