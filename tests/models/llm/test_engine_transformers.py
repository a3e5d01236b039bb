"""The engine in process, with a tiny model of random weights made here."""

import json
import shutil
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from backend.errors import BusyError, EngineError
from backend.schemas.chat import Abilities, Finish, Message, Piece, SamplingParams
from models.llm.engine_setup import EngineLimits
from models.llm.engine_transformers import TransformersEngine
from tests.models.llm.test_engine_queue import until
from tests.services.llm_servers import CONTEXT, tiny_llama

TALK = (Message("system", "You help."), Message("user", "shortness of breath"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_llama(tmp_path_factory.mktemp("engine") / "tiny")


@pytest.fixture(scope="module")
def engine(folder: Path) -> TransformersEngine:
    return TransformersEngine(str(folder), device="cpu")


def test_it_says_what_it_is_and_can(engine: TransformersEngine) -> None:
    assert (engine.name, engine.context) == ("tiny", CONTEXT)
    assert engine.abilities == Abilities(schema=False, scores=True, counts_tokens=True)


def test_tokens_are_those_of_the_template(engine: TransformersEngine, folder: Path) -> None:
    from transformers import AutoTokenizer

    # the template by hand, so that its words count too
    text = (
        "<|im_start|>system\nYou help.<|im_end|>\n<|im_start|>user\nshortness of breath<|im_end|>\n"
        "<|im_start|>assistant\n"
    )
    wanted = len(AutoTokenizer.from_pretrained(folder)(text)["input_ids"])
    assert engine.count_tokens(TALK) == wanted
    assert engine.chat(TALK, sampling=SamplingParams(max_tokens=1))[0].usage == (wanted, 1, 0)


def test_greedy_decoding_is_that_of_transformers(engine: TransformersEngine, folder: Path) -> None:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder)
    said = [{"role": message.role, "content": message.content} for message in TALK]
    prompt = tokenizer.apply_chat_template(said, add_generation_prompt=True, return_tensors="pt", return_dict=True)
    tokens = model.generate(**prompt, max_new_tokens=12, do_sample=False)[0, prompt["input_ids"].shape[1] :]
    reply = engine.chat(TALK, sampling=SamplingParams(max_tokens=12))[0]
    assert reply.text == tokenizer.decode(tokens, skip_special_tokens=True)
    assert reply.finish is Finish.LENGTH


def test_log_probabilities_are_those_of_the_models_own_scores(engine: TransformersEngine, folder: Path) -> None:
    """Parity with generate's own logits; sampled at another temperature, which must not change them."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder)
    said = [{"role": message.role, "content": message.content} for message in TALK]
    prompt = tokenizer.apply_chat_template(said, add_generation_prompt=True, return_tensors="pt", return_dict=True)
    out = model.generate(**prompt, max_new_tokens=6, do_sample=False, output_logits=True, return_dict_in_generate=True)
    tokens = out.sequences[0, prompt["input_ids"].shape[1] :]
    wanted = [float(row[0].log_softmax(-1)[token]) for row, token in zip(out.logits, tokens, strict=True)]
    greedy = engine.chat(TALK, sampling=SamplingParams(max_tokens=6), scored=True)[0].scores
    assert [score.log_probability for score in greedy] == pytest.approx(wanted, abs=1e-5)
    sampled = engine.chat(TALK, sampling=SamplingParams(max_tokens=6, temperature=5.0, seed=1), scored=True)[0]
    first = out.logits[0][0].log_softmax(-1)
    assert torch.isclose(first, torch.tensor(sampled.scores[0].log_probability), atol=1e-5).any()


def test_samples_differ_by_seed_and_are_equal_for_the_same(engine: TransformersEngine) -> None:
    three = [
        reply.text for reply in engine.chat(TALK, sampling=SamplingParams(n=3, temperature=1.0, seed=7, max_tokens=12))
    ]
    assert len(set(three)) == 3
    assert three[1] == engine.chat(TALK, sampling=SamplingParams(temperature=1.0, seed=8, max_tokens=12))[0].text


def test_sampling_leaves_the_programs_own_randomness_alone(engine: TransformersEngine) -> None:
    import torch

    torch.manual_seed(1)
    wanted = torch.rand(1)
    torch.manual_seed(1)
    engine.chat(TALK, sampling=SamplingParams(temperature=1.0, max_tokens=2))
    assert torch.rand(1) == wanted


def test_draws_follow_the_probabilities() -> None:
    """4,000 draws of p = (0.7, 0.2, 0.1): each share lies within 4 standard errors, at most 4 * sqrt(0.25 / 4000) = 0.032."""
    import torch

    from models.llm.engine_transformers import GumbelNoise

    noise, scores = GumbelNoise(3, torch.device("cpu")), torch.log(torch.tensor([[0.7, 0.2, 0.1]]))
    seen = Counter(int(noise(torch.zeros(1, 1), scores).argmax()) for _ in range(4000))
    assert [seen[i] / 4000 for i in range(3)] == pytest.approx([0.7, 0.2, 0.1], abs=0.032)


def test_a_narrow_nucleus_is_greedy(engine: TransformersEngine) -> None:
    greedy = engine.chat(TALK, sampling=SamplingParams(max_tokens=8))[0].text
    assert (
        engine.chat(TALK, sampling=SamplingParams(max_tokens=8, temperature=1.0, top_p=1e-6, seed=5))[0].text == greedy
    )


def test_a_stream_is_the_same_reply_in_pieces(engine: TransformersEngine) -> None:
    whole = engine.chat(TALK, sampling=SamplingParams(temperature=1.0, seed=2, max_tokens=24))[0]
    pieces = list(engine.stream(TALK, sampling=SamplingParams(temperature=1.0, seed=2, max_tokens=24)))
    assert len(pieces) > 2
    assert pieces[-1].text == ""
    assert pieces[-1].ended is not None
    assert pieces[-1].ended == whole
    assert "".join(piece.text for piece in pieces) == whole.text


def test_closing_a_stream_stops_the_model_at_once(engine: TransformersEngine) -> None:
    stream = engine.stream(TALK, sampling=SamplingParams(temperature=1.0, max_tokens=4000))
    next(stream)
    began = time.monotonic()
    stream.close()  # type: ignore[attr-defined]
    assert time.monotonic() - began < 2
    assert engine.queue.busy == 0
    assert "language-model" not in [thread.name for thread in threading.enumerate()]


def test_cancelling_keeps_what_was_read(engine: TransformersEngine) -> None:
    got: list[Piece] = []
    for piece in engine.stream(
        TALK, sampling=SamplingParams(temperature=1.0, max_tokens=4000), cancelled=lambda: len(got) >= 2
    ):
        got.append(piece)
    ended = got[-1].ended
    assert ended is not None
    assert (ended.finish, ended.text) == (Finish.CANCELLED, "".join(piece.text for piece in got))
    assert ended.usage is not None
    assert ended.usage.written < 4000


def test_a_model_that_fails_while_it_writes_is_an_engine_error_with_what_was_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = TransformersEngine(str(folder), device="cpu")
    forward, steps = engine._loaded().model.forward, iter(range(100))

    def failing(*given: object, **more: object) -> object:
        if next(steps) == 10:
            raise RuntimeError("CUDA error near 'breath'")
        return forward(*given, **more)

    monkeypatch.setattr(engine._loaded().model, "forward", failing)
    got: list[str] = []
    with pytest.raises(EngineError, match=r"failed while it wrote \(RuntimeError\)") as failed:
        got += [piece.text for piece in engine.stream(TALK, sampling=SamplingParams(temperature=1.0, max_tokens=50))]
    assert failed.value.written != ""
    assert "breath" not in str(failed.value)
    assert failed.value.__context__ is None
    assert engine.queue.busy == 0


def test_a_cancelled_chat_says_so_for_each_reply(engine: TransformersEngine) -> None:
    calls = iter(range(1000))
    replies = engine.chat(
        TALK, sampling=SamplingParams(n=2, max_tokens=4000, temperature=1.0), cancelled=lambda: next(calls) > 3
    )
    assert [reply.finish for reply in replies] == [Finish.CANCELLED] * 2
    assert replies[0].usage is not None
    assert 1 <= replies[0].usage.written <= 5
    assert replies[1].text == ""


def test_a_prompt_that_is_too_long_is_told_with_the_limit(engine: TransformersEngine, folder: Path) -> None:
    small = TransformersEngine(str(folder), device="cpu", context=16)
    with pytest.raises(
        EngineError, match=r"too long for the language model tiny: \d+ tokens, and its limit is 16"
    ) as refused:
        list(small.stream(TALK))
    assert "breath" not in str(refused.value)
    room = engine.count_tokens(TALK) + 5
    fits = TransformersEngine(str(folder), device="cpu", context=room)
    assert fits.chat(TALK, sampling=SamplingParams(max_tokens=100))[0].usage == (room - 5, 5, 0)  # cut to what is left


def test_one_writes_at_a_time_and_a_full_line_refuses(folder: Path) -> None:
    engine = TransformersEngine(str(folder), EngineLimits(waiting=0), device="cpu")
    stream = engine.stream(TALK, sampling=SamplingParams(temperature=1.0, max_tokens=4000))
    next(stream)
    with pytest.raises(BusyError):
        engine.chat(TALK)
    stream.close()  # type: ignore[attr-defined]
    assert engine.chat(TALK, sampling=SamplingParams(max_tokens=1))[0].usage is not None


def test_a_request_that_is_cancelled_in_line_never_runs(folder: Path) -> None:
    engine = TransformersEngine(str(folder), device="cpu")
    stream = engine.stream(TALK, sampling=SamplingParams(temperature=1.0, max_tokens=4000))
    next(stream)
    assert engine.chat(TALK, sampling=SamplingParams(n=2), cancelled=lambda: True)[1].finish is Finish.CANCELLED
    stream.close()  # type: ignore[attr-defined]
    until(lambda: engine.queue.busy == 0, "the place was not given back")


def test_a_model_without_a_chat_template_is_refused(folder: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    shutil.copytree(folder, bare)
    (bare / "chat_template.jinja").unlink()
    with pytest.raises(EngineError, match="has no chat template"):
        TransformersEngine(str(bare), device="cpu").chat(TALK)


def test_a_template_that_refuses_a_conversation_is_told(folder: Path, tmp_path: Path) -> None:
    strict = tmp_path / "strict"
    shutil.copytree(folder, strict)
    (strict / "chat_template.jinja").write_text("{{ raise_exception('no system role: ' + messages[0]['content']) }}")
    with pytest.raises(EngineError, match="refuses a conversation of: system, user") as refused:
        TransformersEngine(str(strict), device="cpu").chat(TALK)
    assert "You help" not in str(refused.value)


def test_what_its_makers_recommend_does_not_change_how_it_draws(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "recommended"
    shutil.copytree(folder, other)
    recommended = json.loads((other / "generation_config.json").read_text())
    recommended |= {"repetition_penalty": 3.0, "do_sample": True, "top_k": 1, "temperature": 0.1}
    (other / "generation_config.json").write_text(json.dumps(recommended))
    engines = [TransformersEngine(str(one), device="cpu") for one in (folder, other)]
    replies = [
        engine.chat(TALK, sampling=SamplingParams(temperature=1.0, seed=4, max_tokens=16))[0].text for engine in engines
    ]
    assert replies[0] == replies[1]


def test_a_model_that_is_not_there_says_what_may_be_set(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(EngineError, match=r"'.*empty' cannot be loaded.*transformers:FOLDER"):
        TransformersEngine(str(tmp_path / "empty")).chat(TALK)


def test_it_can_be_closed_and_used_again(folder: Path) -> None:
    engine = TransformersEngine(str(folder), device="cpu")
    first = engine.chat(TALK, sampling=SamplingParams(max_tokens=4))
    engine.close()
    assert engine.chat(TALK, sampling=SamplingParams(max_tokens=4)) == first
