"""Drafts by a language model, from the API's door to the model's server and back, in real processes.

The server answers as a good model would, or spoils what it is told to; a bad line stands between where the test says so.
"""

import re
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any, NamedTuple

import httpx
import pytest

from backend.schemas.draft import Draft
from backend.schemas.vocabulary import DraftStatus
from tests.models.engine_server import Answer
from tests.services.broken_server import BrokenServer, broken_server
from tests.services.chat_server import (
    MODELS,
    QUERY,
    SENTENCES,
    ChatServer,
    asked_for,
    chat_process,
    chat_server,
)
from tests.services.llm_servers import free_port, serve_vllm, tiny_llama
from tests.services.served import SECRETS, Event, Served, served, wait_until

pytestmark = [pytest.mark.services, pytest.mark.timeout(300)]

FIRST_S, BETWEEN_S = 4.0, 1.5
LEAVES_S = 5.0
"""How soon a server has to see that the reader has left."""
SPARE_S = 15.0
"""Seconds that evidence, verification and a busy machine may take beside the limits."""


class World(NamedTuple):
    api: Served
    server: ChatServer
    line: BrokenServer
    auto_port: int

    def straight(self, model: str) -> str:
        return f"openai:{self.server.url}#{model}"

    def through(self, model: str) -> str:
        return f"openai:{self.line.url}#{model}"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """One API for all, with short limits; every test has a model of its own, so that no breaker remembers another's faults."""
    folder, auto_port = tmp_path_factory.mktemp("api"), free_port()
    limits = {
        "LEAPNOTE_LLM_FIRST_TOKEN_S": str(FIRST_S),
        "LEAPNOTE_LLM_BETWEEN_S": str(BETWEEN_S),
        "LEAPNOTE_LLM_CONCURRENT": "2",
        "LEAPNOTE_LLM_WAITING": "1",
        "LEAPNOTE_LLM_URL": f"http://127.0.0.1:{auto_port}/v1",
    }
    with chat_server() as server, broken_server(server.url) as line, served(folder, **limits) as api:
        yield World(api, server, line, auto_port)
        said = api.said()
        assert not [word for word in SECRETS if word in said]
        assert "Traceback" not in said, said[-3000:]


@pytest.fixture
def model(world: World) -> Iterator[str]:
    """A model nobody has asked before; the server and the line are good."""
    world.server.rule, world.server.pace = None, Answer()
    world.server.requests.clear()
    world.line.do("none")
    yield next(NAMES)
    world.server.rule, world.server.pace = None, Answer()


NAMES = iter(MODELS)


def writes(body: dict[str, Any]) -> bool:
    return asked_for(body) == "discharge-instructions"


def spoilt(answer: Answer) -> Any:
    """A rule: the draft itself is answered so, all before it well."""
    return lambda body: answer if writes(body) else None


def stages(events: list[Event]) -> list[str]:
    """Each once, in order; a busy machine may need heartbeats anywhere."""
    return [name for name in dict.fromkeys(event.stage for event in events) if name != "heartbeat"]


def kept_safe(draft: Draft) -> None:
    """Whatever became of the model: evidence is there, and what is written was checked."""
    assert draft.evidence.passages
    assert draft.evidence.paths
    assert all(sentence.reason or sentence.support_score is not None for sentence in draft.sentences)
    for sentence in draft.sentences:
        assert draft.text[sentence.start_char : sentence.end_char] == sentence.text


def test_a_draft_streams_and_ends_verified_with_model_and_prompt(world: World, model: str) -> None:
    events = list(world.api.events(world.straight(model)))
    names = [event.stage for event in events]
    assert stages(events)[:6] == ["link", "conditions", "paths", "thought", "plan", "passages"]
    assert names[-1] == "draft"
    assert names.count("token") == SENTENCES
    assert "piece" in names
    assert names.index("passages") < names.index("piece") < names.index("token") < names.index("write")
    draft = Draft.model_validate(events[-1].data)
    assert draft.status == DraftStatus.COMPLETE
    assert draft.generator.name == world.straight(model)
    assert "stays on this machine" in draft.generator.where
    assert re.fullmatch(r"discharge-instructions \d+, [0-9a-f]{12}", draft.versions["prompt"])
    assert draft.removed_citations == 1  # P99 does not exist
    assert [event.data["text"] for event in events if event.stage == "token"] == [s.text for s in draft.sentences]
    assert QUERY in [query.text for query in draft.plan.sub_queries]
    assert world.server.asked == ["thought", "plan", "discharge-instructions"]
    kept_safe(draft)


@pytest.mark.parametrize(
    ("where", "accept"),
    [
        ("thought", "text/event-stream"),
        ("plan", "text/event-stream"),
        ("discharge-instructions", "text/event-stream"),
        ("plan", "application/json"),
    ],
)
def test_a_reader_who_leaves_ends_the_models_work(world: World, model: str, where: str, accept: str) -> None:
    silent = Answer(first_s=60)
    world.server.rule = lambda body: silent if asked_for(body) == where else None
    before = world.server.given_up
    body = world.api.body(world.straight(model))
    if accept == "application/json":
        # the client gives up by itself: nothing comes before the end
        with pytest.raises(httpx.ReadTimeout):
            world.api.client.post("/drafts", json=body, headers={"accept": accept}, timeout=2.5)
        began = time.monotonic()
    else:
        with closing(world.api.events(world.straight(model))) as events:
            for _ in events:
                if world.server.writing:
                    break
            wait_until(lambda: world.server.writing, FIRST_S)
        began = time.monotonic()
    wait_until(lambda: world.server.given_up == before + 1, LEAVES_S)
    assert time.monotonic() - began < LEAVES_S
    assert world.server.writing == 0
    assert world.server.asked[-1] == where  # nothing is asked for nobody


def test_a_server_killed_in_mid_stream_leaves_sentences_and_evidence(world: World, model: str) -> None:
    with chat_process(between_s=0.05) as (process, url):
        events: list[Event] = []
        for event in world.api.events(f"openai:{url}#{model}"):
            events.append(event)
            if event.stage == "token":
                process.kill()
    draft = Draft.model_validate(events[-1].data)
    assert draft.status == DraftStatus.PARTIAL
    assert 1 <= len(draft.sentences) < SENTENCES
    assert draft.generator.name == f"openai:{url}#{model}"
    assert any(
        "broke off" in stage.reason or "closed" in stage.reason for stage in draft.stages if stage.name == "write"
    )
    kept_safe(draft)


def test_a_server_that_is_dead_from_the_start_has_the_composer_stand_in(world: World, model: str) -> None:
    began = time.monotonic()
    draft = world.api.draft(f"openai:http://127.0.0.1:{free_port()}/v1#{model}")
    assert time.monotonic() - began < SPARE_S
    assert (draft.status, draft.generator.name) == (DraftStatus.COMPLETE, "composer")
    assert "cannot be reached" in draft.generator.reason or "times in a row" in draft.generator.reason
    told = " ".join(draft.fallbacks)
    assert "thought:" in told and "plan" in told and f"{model} wrote nothing" in told
    assert len(draft.sentences) > SENTENCES
    kept_safe(draft)


ERRORS = {
    "garbage": (Answer(said=b"data: \xff\xfe\x00{{{\n\n"), "no chat reply"),
    "not http": (Answer(raw=b"\x00\x01\x02 what is this\r\n\r\n"), "no chat reply|closed the connection"),
    "401": (Answer(status=401), "refuses the key"),
    "500": (Answer(status=500), "500"),
    "429 for long": (Answer(status=429, headers={"Retry-After": "120"}), "wait 120 s"),
    "silent": (Answer(first_s=60), "did not begin to write within 4 s"),
    "nothing": (Answer(reset=True), "closed the connection"),
    "aborts": (Answer(pieces=("Why",), finish="abort"), "broke off"),
}


@pytest.mark.parametrize("fault", ERRORS)
def test_a_server_that_fails_before_a_sentence_has_the_composer_stand_in(world: World, model: str, fault: str) -> None:
    answer, told = ERRORS[fault]
    world.server.rule = spoilt(answer)
    began = time.monotonic()
    events = list(world.api.events(world.straight(model)))
    assert time.monotonic() - began < FIRST_S + SPARE_S
    draft = Draft.model_validate(events[-1].data)
    assert (draft.status, draft.generator.name) == (DraftStatus.COMPLETE, "composer")
    assert re.search(told, draft.generator.reason), draft.generator.reason
    assert draft.generator.reason in draft.fallbacks
    if fault == "silent":
        assert "heartbeat" in [event.stage for event in events]
    kept_safe(draft)


def test_a_model_that_is_not_there_is_told_with_those_that_are(world: World, model: str) -> None:
    draft = world.api.draft(world.straight("no-such-model"))
    assert draft.generator.name == "composer"
    assert MODELS[0] in draft.generator.reason


def test_a_server_that_asks_for_patience_gets_it(world: World, model: str) -> None:
    world.server.rule = _first_only(Answer(status=429, headers={"Retry-After": "1"}))
    began = time.monotonic()
    draft = world.api.draft(world.straight(model), system="no-retrieval")
    assert time.monotonic() - began >= 1
    assert (draft.status, draft.generator.name) == (DraftStatus.COMPLETE, world.straight(model))


def test_a_silent_model_is_bridged_by_heartbeats(world: World, model: str) -> None:
    world.server.rule = spoilt(Answer(first_s=3.0))
    events = list(world.api.events(world.straight(model)))
    names = [event.stage for event in events]
    assert names.index("passages") < names.index("heartbeat") < names.index("piece")
    assert Draft.model_validate(events[-1].data).generator.name == world.straight(model)


def test_a_thought_that_fails_falls_back_and_the_draft_is_the_models(world: World, model: str) -> None:
    bad = Answer(said=b"data: nonsense\n\n")
    world.server.rule = lambda body: bad if asked_for(body) in ("thought", "plan") else None
    draft = world.api.draft(world.straight(model))
    assert (draft.status, draft.generator.name) == (DraftStatus.COMPLETE, world.straight(model))
    assert sum("did not answer" in text for text in draft.fallbacks) == 2


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("drop", "broke off|closed"),
        ("truncate", "broke off"),
        ("corrupt", "no chat reply|broke off"),
        ("stall", "stopped writing: nothing came for 1.5 s"),
    ],
)
def test_a_bad_line_in_mid_stream_keeps_what_was_written(world: World, model: str, kind: str, told: str) -> None:
    assert world.api.draft(world.through(model), system="no-retrieval").status == DraftStatus.COMPLETE
    world.line.do(kind, after=40)  # the draft's tenth word or so ends its first sentence
    began = time.monotonic()
    draft = world.api.draft(world.through(model), system="no-retrieval")
    assert time.monotonic() - began < BETWEEN_S + SPARE_S
    assert draft.status == DraftStatus.PARTIAL
    assert 1 <= len(draft.sentences) < SENTENCES
    (write,) = (stage.reason for stage in draft.stages if stage.name == "write")
    assert re.search(told, write), write


@pytest.mark.parametrize(
    ("kind", "more", "system"),
    [
        ("refuse", {}, "leapnote"),
        ("status", {"status": 503}, "leapnote"),
        ("delay", {"seconds": 30}, "no-retrieval"),
    ],
)
def test_a_bad_line_from_the_start_has_the_composer_stand_in(
    world: World, model: str, kind: str, more: dict[str, Any], system: str
) -> None:
    world.line.do(kind, **more)
    began = time.monotonic()
    draft = world.api.draft(world.through(model), system=system)
    assert time.monotonic() - began < FIRST_S + SPARE_S
    assert (draft.status, draft.generator.name) == (DraftStatus.COMPLETE, "composer")
    if system == "leapnote":
        kept_safe(draft)


def test_what_does_not_fit_is_left_out_lowest_first_and_said(world: World, model: str) -> None:
    with chat_server(context=1200) as small:
        draft = world.api.draft(f"openai:{small.url}#{model}")
    assert draft.generator.name.endswith(model)
    dropped = [text for text in draft.fallbacks if "did not fit the model's context" in text]
    assert any("passages" in text for text in dropped), draft.fallbacks
    assert len(draft.evidence.passages) > 5  # they stay to be read, and the record says that the model had fewer


def test_a_note_that_alone_does_not_fit_is_told_with_both_figures(world: World, model: str) -> None:
    with chat_server(context=512) as small:
        draft = world.api.draft(f"openai:{small.url}#{model}")
    assert draft.generator.name == "composer"
    assert "The note alone takes" in draft.generator.reason
    assert "512 in all" in draft.generator.reason


def test_too_many_drafts_at_once_are_refused_with_429(world: World, model: str) -> None:
    """Two places and one in line (the settings of this API): the fourth is refused before its first event."""
    world.server.rule = spoilt(Answer(first_s=3.0))
    generator = world.straight(model)
    came: list[list[Event]] = [[], [], []]

    def read(into: list[Event]) -> None:
        for event in world.api.events(generator, system="no-retrieval"):
            into.append(event)

    threads = [threading.Thread(target=read, args=(into,)) for into in came]
    for thread in threads[:2]:
        thread.start()
    wait_until(lambda: world.server.writing == 2, SPARE_S)
    threads[2].start()
    wait_until(lambda: "passages" in stages(came[2]), SPARE_S)  # whoever comes now is behind it
    refused: httpx.Response | None = None

    def is_refused() -> bool:
        nonlocal refused
        with world.api.client.stream(
            "POST", "/drafts", json=world.api.body(generator, system="no-retrieval")
        ) as answer:
            if answer.status_code == 429:
                answer.read()
                refused = answer
        return refused is not None

    wait_until(is_refused, 2.5)
    assert refused is not None
    told = refused.json()["error"]
    assert "The language model is busy: 2 requests are being answered and 1 wait" in told["message"]
    for thread in threads:
        thread.join(60)
    assert [events[-1].data["generator"]["name"] for events in came] == [generator] * 3


def test_auto_takes_up_a_server_that_appears_and_lets_go_of_one_that_ends(world: World, model: str) -> None:
    before = world.api.draft("auto", system="no-retrieval")
    assert before.generator.name == "composer"
    assert "cannot be reached" in before.generator.reason
    with chat_process(world.auto_port):
        during = wait_until(lambda: _not_by(world, "composer"), SPARE_S)
        assert during.generator.name.endswith(MODELS[0])
        assert "answers" in during.generator.reason
    after = world.api.draft("auto", system="no-retrieval")
    assert after.generator.name == "composer"
    assert "cannot be reached" in after.generator.reason or "closed the connection" in after.generator.reason


def test_each_role_has_a_model_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("roles")
    with chat_server() as writer, chat_server() as planner, chat_server() as extractor, chat_server() as judge:
        roles = {"PLANNER": planner, "EXTRACTOR": extractor, "JUDGE": judge}
        variables = {f"LEAPNOTE_{role}_MODEL": f"openai:{server.url}#{MODELS[0]}" for role, server in roles.items()}
        with served(folder, LEAPNOTE_UNCERTAINTY_SAMPLES="2", LEAPNOTE_REPAIR="true", **variables) as api:
            generator = f"openai:{writer.url}#{MODELS[1]}"
            api.draft(generator)
            assert planner.asked == ["thought", "plan"]
            assert {"discharge-instructions"} == set(writer.asked)
            api.draft(generator, system="clinicalrag")
            assert set(extractor.asked) <= {"entities", "knowledge"} and extractor.asked[0] == "entities"
            assert set(judge.asked) == {"carried"}
            assert {request["model"] for request in planner.requests} == {MODELS[0]}
            planner.rule = extractor.rule = judge.rule = lambda body: Answer(status=500)
            without = api.draft(generator)
            assert without.generator.name == generator  # a planner that fails is no writer that fails
            assert any("thought:" in text for text in without.fallbacks)
            assert not [word for word in SECRETS if word in api.said()]


SYSTEMS = (
    "rar2",
    "rar2-parallel",
    "rar2-iterative",
    "i-medrag",
    "spo",
    "query2doc",
    "prompting",
    "reflexion",
    "serts",
    "clinicalrag",
    "leapnote",
)
UNTRAINED = ("spo",)
"""Says rightly that the planner is not the one that was trained for it."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_system_runs_whole_with_a_model(world: World, model: str, system: str) -> None:
    draft = world.api.draft(world.straight(model), system=system)
    assert (draft.status, draft.generator.name) == (DraftStatus.COMPLETE, world.straight(model))
    fell = [text for text in draft.fallbacks if not ("untrained" in text or "not trained" in text)]
    written = [text for text in fell if "proposed one" not in text]
    assert not written, written
    assert (len(draft.fallbacks) > len(fell)) == (system in UNTRAINED)
    asked = [query.text for query in draft.plan.sub_queries if not query.skipped]
    if system != "clinicalrag":
        assert any(QUERY in text for text in asked), asked
    else:
        assert any("short of breath" in text or "dyspnea" in text for text in asked), asked


def test_a_real_server_with_a_random_model_is_survived(world: World, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Replies have the right form and mean nothing: every system ends with a draft that is checked."""
    folder = tiny_llama(tmp_path_factory.mktemp("models") / "tiny")
    with serve_vllm(folder) as url:
        for system in SYSTEMS:
            draft = world.api.draft(f"openai:{url}#{folder}", system=system)
            assert draft.status in (DraftStatus.COMPLETE, DraftStatus.PARTIAL, DraftStatus.NOTHING_FOUND), system
            (why,) = (stage.reason for stage in draft.stages if stage.name == "passages")
            # a random plan may ask nothing of the sources that are filled; then the stage says so
            nothing = why.startswith(("no source was searched", "0 passages, 0 graph"))
            assert nothing != bool(draft.evidence.passages or draft.evidence.graph), (system, why)
            known = {item.id for item in (*draft.evidence.passages, *draft.evidence.graph, *draft.evidence.notes)}
            known |= {path.id for path in draft.evidence.paths}
            assert all(set(sentence.citations) <= known for sentence in draft.sentences)


def _first_only(answer: Answer) -> Any:
    left = [answer]
    return lambda body: left.pop() if left and writes(body) else None


def _not_by(world: World, name: str) -> Draft | None:
    draft = world.api.draft("auto", system="no-retrieval")
    return draft if draft.generator.name != name else None
