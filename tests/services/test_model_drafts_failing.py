"""Drafts by a language model whose server dies, fails or sends nonsense, or whose line is bad: evidence and sentences stay."""

import re
import time
from typing import Any

import pytest

from backend.schemas.drafts.draft import Draft
from backend.schemas.vocabulary import DraftStatus
from tests.models.engine_server import Answer
from tests.services.chat_server import MODELS, SENTENCES, asked_for, chat_process
from tests.services.llm_servers import free_port
from tests.services.model_world import BETWEEN_S, FIRST_S, SPARE_S, World, kept_safe, spoilt
from tests.services.served import Event

pytestmark = [pytest.mark.services, pytest.mark.timeout(300)]


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
    fallbacks = " ".join(draft.fallbacks)
    assert "thought:" in fallbacks and "plan" in fallbacks and f"{model} wrote nothing" in fallbacks
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
    answer, reason = ERRORS[fault]
    world.server.rule = spoilt(answer)
    began = time.monotonic()
    events = list(world.api.events(world.straight(model)))
    assert time.monotonic() - began < FIRST_S + SPARE_S
    draft = Draft.model_validate(events[-1].data)
    assert (draft.status, draft.generator.name) == (DraftStatus.COMPLETE, "composer")
    assert re.search(reason, draft.generator.reason), draft.generator.reason
    assert draft.generator.reason in draft.fallbacks
    if fault == "silent":
        assert "heartbeat" in [event.stage for event in events]
    kept_safe(draft)


def test_a_model_that_is_not_there_is_told_with_those_that_are(world: World, model: str) -> None:
    draft = world.api.draft(world.straight("no-such-model"))
    assert draft.generator.name == "composer"
    assert MODELS[0] in draft.generator.reason


def test_a_thought_that_fails_falls_back_and_the_draft_is_the_models(world: World, model: str) -> None:
    bad = Answer(said=b"data: nonsense\n\n")
    world.server.rule = lambda body: bad if asked_for(body) in ("thought", "plan") else None
    draft = world.api.draft(world.straight(model))
    assert (draft.status, draft.generator.name) == (DraftStatus.COMPLETE, world.straight(model))
    assert sum("did not answer" in text for text in draft.fallbacks) == 2


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("drop", "broke off|closed"),
        ("truncate", "broke off"),
        ("corrupt", "no chat reply|broke off"),
        ("stall", "stopped writing: nothing came for 1.5 s"),
    ],
)
def test_a_bad_line_in_mid_stream_keeps_what_was_written(world: World, model: str, kind: str, reason: str) -> None:
    assert world.api.draft(world.through(model), system="no-retrieval").status == DraftStatus.COMPLETE
    world.line.do(kind, after=40)  # the draft's tenth word or so ends its first sentence
    began = time.monotonic()
    draft = world.api.draft(world.through(model), system="no-retrieval")
    assert time.monotonic() - began < BETWEEN_S + SPARE_S
    assert draft.status == DraftStatus.PARTIAL
    assert 1 <= len(draft.sentences) < SENTENCES
    (write,) = (stage.reason for stage in draft.stages if stage.name == "write")
    assert re.search(reason, write), write


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
