"""The two trainings on a model of a few thousand weights: the loss, resuming, adapters, what is too long, the command."""

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("trl", reason="trl is not installed: pip install torch==2.13.0 -r requirements-train.txt")
pytestmark = pytest.mark.slow  # importing trl alone takes seconds

from backend.bench.learning.toy_model import make_model  # noqa: E402
from backend.cli.program import run as run_command  # noqa: E402
from backend.errors import InputError, MissingError  # noqa: E402
from models.tuning.dpo import train_dpo  # noqa: E402
from models.tuning.sft import train_sft  # noqa: E402
from models.tuning.tuning import Lora, TuningSettings  # noqa: E402

SMALL = TuningSettings(
    learning_rate=1e-2,
    epochs=6,
    batch=2,
    micro=2,
    warmup=0.0,
    beta=0.2,
    device="cpu",
    checkpointing=False,
    save_every=2,
)
PAIRS = [{"prompt": f"w{i} =>", "chosen": "yes indeed", "rejected": "no"} for i in range(4)]
WANTED = [{"prompt": f"w{i} =>", "completion": "yes indeed"} for i in range(4)]


@pytest.fixture
def base(tmp_path: Path) -> Path:
    make_model(["w0 w1 w2 w3 => yes indeed no"], tmp_path / "base", seed=0, width=16, layers=1)
    return tmp_path / "base"


def lines(path: Path, rows: list[dict[str, str]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def log_probability(folder: Path, prompt: str, reply: str) -> float:
    """Of a reply with its end, by hand: the sum of each token's log-softmax."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder)
    before, after = tokenizer(prompt)["input_ids"], [*tokenizer(reply)["input_ids"], tokenizer.eos_token_id]
    with torch.no_grad():
        logits = model(torch.tensor([before + after])).logits[0].log_softmax(-1)
    return sum(float(logits[len(before) - 1 + i, token]) for i, token in enumerate(after))


def test_the_loss_is_that_of_dpo_with_beta_on_both_sides(base: Path, tmp_path: Path) -> None:
    one = lines(tmp_path / "one.jsonl", PAIRS[:1])
    settings = replace(SMALL, epochs=2, batch=1, micro=1)
    trained = train_dpo(one, str(base), settings, tmp_path / "run")
    # before the first step the model is its own reference: both log-ratios are 0, and -log sigmoid(0) = log 2
    assert trained.history[0]["loss"] == pytest.approx(math.log(2), abs=1e-4)
    first = train_dpo(one, str(base), replace(settings, epochs=1), tmp_path / "first")
    assert len(first.history) == 1
    trained_again = train_dpo(one, str(trained.model), replace(settings, epochs=1), tmp_path / "again")
    assert trained_again.history[0]["loss"] == pytest.approx(math.log(2), abs=1e-4)  # a new reference
    # the margin logged at step 2 is beta * (log-ratio of chosen - log-ratio of rejected) after step 1, and the loss
    # -log sigmoid of it; with a cosine that falls to 0 after one step the run `first` took another first step, so the
    # weights after step 1 are taken from a run of two epochs that was stopped
    stopped = train_dpo(one, str(base), settings, tmp_path / "stopped", stop=lambda: True)
    assert not stopped.through
    ratio = {
        name: log_probability(tmp_path / "stopped" / "steps" / "checkpoint-1", PAIRS[0]["prompt"], PAIRS[0][name])
        - log_probability(base, PAIRS[0]["prompt"], PAIRS[0][name])
        for name in ("chosen", "rejected")
    }
    margin = 0.2 * (ratio["chosen"] - ratio["rejected"])
    assert margin > 0
    assert trained.history[1]["rewards/margins"] == pytest.approx(margin, abs=2e-3)
    assert trained.history[1]["loss"] == pytest.approx(math.log1p(math.exp(-margin)), abs=2e-3)


def test_fine_tuning_beside_dpo_adds_the_chosen_reply_s_mean_loss(base: Path, tmp_path: Path) -> None:
    one = lines(tmp_path / "one.jsonl", PAIRS[:1])
    settings = replace(SMALL, epochs=1, batch=1, micro=1, sft_weight=0.5)
    trained = train_dpo(one, str(base), settings, tmp_path / "run")
    # before the first step DPO's part is log 2; "yes indeed" and its end are three tokens
    chosen = log_probability(base, PAIRS[0]["prompt"], PAIRS[0]["chosen"])
    assert trained.history[0]["loss"] == pytest.approx(math.log(2) - 0.5 * chosen / 3, abs=1e-3)
    with pytest.raises(InputError, match="below 0"):
        train_dpo(one, str(base), replace(settings, sft_weight=-1.0), tmp_path / "other")


def test_dpo_moves_the_chosen_reply_above_the_rejected_one(base: Path, tmp_path: Path) -> None:
    trained = train_dpo(lines(tmp_path / "p.jsonl", PAIRS), str(base), SMALL, tmp_path / "run")
    assert trained.through and trained.samples == 4
    assert trained.history[-1]["rewards/margins"] > trained.history[0]["rewards/margins"] + 0.1
    gain = [
        log_probability(trained.model, "w1 =>", reply) - log_probability(base, "w1 =>", reply)
        for reply in ("yes indeed", "no")
    ]
    assert gain[0] > gain[1]


def test_fine_tuning_learns_the_completion(base: Path, tmp_path: Path) -> None:
    trained = train_sft(lines(tmp_path / "s.jsonl", WANTED), str(base), SMALL, tmp_path / "run")
    assert log_probability(trained.model, "w2 =>", "yes indeed") > log_probability(base, "w2 =>", "yes indeed") + 1


@pytest.mark.parametrize("stage", ["sft", "dpo"])
def test_a_run_that_was_stopped_ends_as_one_that_was_not(base: Path, tmp_path: Path, stage: str) -> None:
    train, rows = (train_sft, WANTED) if stage == "sft" else (train_dpo, PAIRS)
    data = lines(tmp_path / "d.jsonl", rows)
    whole = train(data, str(base), SMALL, tmp_path / "whole")
    steps: list[int] = []
    broken = train(
        data,
        str(base),
        SMALL,
        tmp_path / "broken",
        lambda done, total, what: steps.append(done),
        lambda: len(steps) >= 4,
    )
    assert not broken.through and not broken.model.exists()
    resumed = train(data, str(base), SMALL, tmp_path / "broken")
    assert resumed.through and len(resumed.history) == len(whole.history) == 12
    assert log_probability(resumed.model, "w0 =>", "no") == pytest.approx(
        log_probability(whole.model, "w0 =>", "no"), abs=1e-4
    )
    assert not (tmp_path / "broken" / "steps").exists()


def test_adapters_are_merged_into_a_whole_model(base: Path, tmp_path: Path) -> None:
    settings = replace(SMALL, lora=Lora(rank=4, alpha=8, dropout=0.0))
    trained = train_sft(lines(tmp_path / "s.jsonl", WANTED), str(base), settings, tmp_path / "sft")
    assert (trained.model / "model.safetensors").is_file() and not (trained.model / "adapter_config.json").exists()
    assert log_probability(trained.model, "w2 =>", "yes indeed") > log_probability(base, "w2 =>", "yes indeed")
    second = train_dpo(lines(tmp_path / "p.jsonl", PAIRS), str(trained.model), settings, tmp_path / "dpo")
    assert second.history[0]["loss"] == pytest.approx(math.log(2), abs=1e-3)  # the reference is the fine-tuned model


def test_what_is_too_long_is_left_out_and_never_cut(base: Path, tmp_path: Path) -> None:
    long = {**WANTED[0], "completion": " ".join(["yes"] * 50)}
    trained = train_sft(
        lines(tmp_path / "s.jsonl", [*WANTED, long]), str(base), replace(SMALL, longest=20), tmp_path / "run"
    )
    assert (trained.samples, trained.too_long) == (4, 1)
    with pytest.raises(InputError, match="longer than 3 tokens"):
        train_sft(tmp_path / "s.jsonl", str(base), replace(SMALL, longest=3), tmp_path / "none")


def test_a_base_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="'nowhere' cannot be loaded"):
        train_sft(lines(tmp_path / "s.jsonl", WANTED), str(tmp_path / "nowhere"), SMALL, tmp_path / "run")


def test_the_command_writes_model_card_and_curves(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"train dpo --data {lines(tmp_path / 'p.jsonl', PAIRS)} --base {base} --out {tmp_path / 'run'} --recipe spo --lora-rank 0 "
    small = ["--batch", "2", "--micro", "2", "--device", "cpu", "--learning-rate", "0.01", "--json"]
    assert run_command([*words.split(), *small]) == 0
    card = json.loads(capsys.readouterr().out)
    assert card == json.loads((tmp_path / "run" / "model" / "card.json").read_text())
    assert card["settings"]["epochs"] == 3 and card["samples"] == 4 and card["versions"]["trl"]
    assert card["base"]["hash"] and card["data"]["hash"] and card["figures"]["rewards/margins"]["last"] > 0
    assert (tmp_path / "run" / "curves.html").is_file() and (tmp_path / "run" / "history.jsonl").is_file()
    assert run_command([*words.split(), *small]) == 0
    assert "This run is done" in capsys.readouterr().err
    with pytest.raises(InputError, match="settings differ"):
        run_command([*words.split(), "--batch", "4"])
