"""Drafts by a language model, from the API's door to the model's server and back, in real processes."""

import json
import re
import socket
import threading
import time
from contextlib import closing
from typing import Any

import httpx
import pytest

from backend.schemas.drafts.draft import Draft
from backend.schemas.vocabulary import DraftStatus
from tests.models.engine_server import Answer
from tests.services.chat_server import MODELS, QUERY, SENTENCES, asked_for, chat_process, chat_server
from tests.services.model_world import FIRST_S, LEAVES_S, SPARE_S, World, kept_safe, spoilt, stages, writes
from tests.services.served import Event, wait_until

pytestmark = [pytest.mark.services, pytest.mark.timeout(300)]


def test_a_draft_streams_and_ends_verified_with_model_and_prompt(world: World, model: str) -> None:
    events = list(world.api.events(world.straight(model)))
    names = [event.stage for event in events]
    assert stages(events)[:7] == ["link", "conditions", "paths", "thought", "plan", "notes", "passages"]
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
        # nothing comes before the end, so the line is closed as soon as the model is asked
        words = json.dumps(body)
        head = f"POST /v1/drafts HTTP/1.1\r\nHost: 127.0.0.1:{world.api.port}\r\nAccept: {accept}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(words)}\r\n\r\n"
        with socket.create_connection(("127.0.0.1", world.api.port)) as line:
            line.sendall((head + words).encode())
            wait_until(lambda: world.server.writing and world.server.asked[-1] == where, SPARE_S)
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
    # a busy machine may need others before
    assert "heartbeat" in names[names.index("passages") : names.index("piece")]
    assert Draft.model_validate(events[-1].data).generator.name == world.straight(model)


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
    error = refused.json()["error"]
    assert "The language model is busy: 2 requests are being answered and 1 wait" in error["message"]
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


def _first_only(answer: Answer) -> Any:
    left = [answer]
    return lambda body: left.pop() if left and writes(body) else None


def _not_by(world: World, name: str) -> Draft | None:
    draft = world.api.draft("auto", system="no-retrieval")
    return draft if draft.generator.name != name else None
