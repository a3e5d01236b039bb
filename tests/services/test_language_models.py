"""One suite over real engines: vLLM on the processor, `transformers serve`, and transformers in this process.

The model has random weights, so that replies mean nothing; but tokens, seeds, schemas, limits and crashes are real.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from backend.errors import EngineError
from backend.schemas.chat import Finish, Message, Piece, SamplingParams
from models.llm.engine_openai import OpenAIEngine
from models.llm.engine_setup import EngineSetup
from models.llm.engines import choose
from tests.conformance.engine_checks import CHECKS
from tests.services.engine_suite import LONG, SHAPE, TALK, Engine, is_stopped, kind
from tests.services.llm_servers import CONTEXT

pytestmark = [pytest.mark.services, pytest.mark.timeout(600)]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_it_does_what_every_engine_does(engine: Engine, check: Callable[[Engine], None]) -> None:
    check(engine)


def test_what_it_can_is_found_out(engine: Engine) -> None:
    wanted = {"vllm": (True, True, True), "transformers serve": (False, False, False)}
    assert engine.abilities == wanted.get(kind(engine), (False, True, True))
    assert engine.context == CONTEXT
    if isinstance(engine, OpenAIEngine):
        summary = engine.examine().summary
        assert ("JSON schemas are followed" in summary) == engine.abilities.schema
        assert ("which is assumed" in summary) != engine.abilities.counts_tokens


def test_a_stream_comes_in_pieces_and_tells_its_tokens(engine: Engine) -> None:
    pieces = list(engine.stream(TALK, sampling=SamplingParams(temperature=1.0, seed=3, max_tokens=16)))
    ended = pieces[-1].ended
    assert len(pieces) > 3
    assert ended is not None
    assert ended.text == "".join(piece.text for piece in pieces)
    assert ended.finish is Finish.LENGTH
    assert ended.usage is not None
    assert ended.usage.written == 16
    assert ended == engine.chat(TALK, sampling=SamplingParams(temperature=1.0, seed=3, max_tokens=16))[0]._replace(
        usage=ended.usage
    )


def test_the_count_of_tokens_is_that_of_the_reply_or_above(engine: Engine) -> None:
    usage = engine.chat(TALK, sampling=SamplingParams(max_tokens=1))[0].usage
    assert usage is not None
    counted = engine.count_tokens(TALK)
    assert counted == usage.prompt if engine.abilities.counts_tokens else counted > usage.prompt


def test_samples_differ_by_seed_and_are_equal_for_the_same(engine: Engine) -> None:
    several = engine.chat(TALK, sampling=SamplingParams(n=3, temperature=1.0, seed=11, max_tokens=12))
    assert len({reply.text for reply in several}) == 3
    assert (
        engine.chat(TALK, sampling=SamplingParams(temperature=1.0, seed=12, max_tokens=12))[0].text == several[1].text
    )


def test_the_greatest_is_taken_without_temperature(engine: Engine) -> None:
    """Parity with transformers' own greedy decoding. Half a character at the end is told in more than one way."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    place = str(engine.address.model if isinstance(engine, OpenAIEngine) else engine._place)
    tokenizer, model = AutoTokenizer.from_pretrained(place), AutoModelForCausalLM.from_pretrained(place)
    said = [{"role": message.role, "content": message.content} for message in TALK]
    prompt = tokenizer.apply_chat_template(said, add_generation_prompt=True, return_tensors="pt", return_dict=True)
    tokens = model.generate(**prompt, max_new_tokens=8, do_sample=False)[0, prompt["input_ids"].shape[1] :]
    wanted = tokenizer.decode(tokens, skip_special_tokens=True)
    assert (
        engine.chat(TALK, sampling=SamplingParams(max_tokens=8))[0].text.rstrip("\ufffd")
        == wanted.rstrip("\ufffd")
        != ""
    )


def test_log_probabilities_come_or_are_said_not_to(engine: Engine) -> None:
    reply = engine.chat(TALK, sampling=SamplingParams(max_tokens=6), scored=True)[0]
    if not engine.abilities.scores:
        assert reply.scores == ()
        return
    assert len(reply.scores) == 6
    assert all(-20 < score.log_probability <= 0 for score in reply.scores)


def test_a_schema_bites_or_is_said_not_to(engine: Engine) -> None:
    most = 200 if engine.abilities.schema else 20
    replies = engine.chat(TALK, sampling=SamplingParams(n=2, temperature=1.0, max_tokens=most), schema=SHAPE)
    if not engine.abilities.schema:
        assert all("guideline" not in reply.text for reply in replies)
        return
    for reply in replies:
        found = json.loads(reply.text)
        assert set(found) == {"source", "number"}
        assert found["source"] in ("book", "guideline")
        assert isinstance(found["number"], int)


def test_a_prompt_that_is_too_long_is_told_with_the_limit(engine: Engine) -> None:
    if kind(engine) == "transformers serve":
        pytest.skip("transformers serve takes prompts of any length, and writes on beyond the model's context")
    with pytest.raises(EngineError, match=r"too long.*4,096 tokens") as refused:
        list(engine.stream((Message("user", "Mr Secret " * 3000),)))
    assert "Secret" not in str(refused.value)
    assert engine.chat(TALK, sampling=SamplingParams(max_tokens=1))  # that was no failure of the engine


@pytest.mark.parametrize("how", ["cancelling", "closing"])
def test_going_away_stops_the_engine(engine: Engine, request: pytest.FixtureRequest, how: str) -> None:
    def cancel() -> None:
        got: list[Piece] = []
        for piece in engine.stream(TALK, sampling=SamplingParams(max_tokens=LONG), cancelled=lambda: len(got) >= 3):
            got.append(piece)
        ended = got[-1].ended
        assert ended is not None
        assert ended.finish is Finish.CANCELLED
        assert ended.text == "".join(piece.text for piece in got)

    def close() -> None:
        stream = engine.stream(TALK, sampling=SamplingParams(max_tokens=LONG))
        next(stream)
        stream.close()  # type: ignore[attr-defined]

    leave = cancel if how == "cancelling" else close
    if kind(engine) == "vllm":
        assert (
            engine.chat(TALK, sampling=SamplingParams(max_tokens=LONG))[0].finish is Finish.LENGTH
        )  # it does not end by itself
        assert is_stopped(leave, LONG, request.getfixturevalue("vllm"))
    else:
        leave()
    assert engine.queue.busy == 0
    assert engine.chat(TALK, sampling=SamplingParams(max_tokens=1))


def test_a_prompt_that_shares_its_beginning_is_read_once(engine: Engine) -> None:
    if kind(engine) != "vllm":
        pytest.skip(f"{kind(engine)} keeps no prompts")
    shared = Message("system", "The team reads the note and asks for what it needs. " * 20)
    engine.chat((shared, Message("user", "First question")), sampling=SamplingParams(max_tokens=1))
    usage = engine.chat((shared, Message("user", "Second question")), sampling=SamplingParams(max_tokens=1))[0].usage
    assert usage is not None
    assert usage.prompt * 0.5 < usage.cached < usage.prompt


def test_auto_finds_the_server(vllm: str, folder: Path) -> None:
    assert choose("auto", EngineSetup(vllm))[0] == f"openai:{vllm}#{folder}"
