"""What both trainings share, without training: data, arguments, checkpoints, cards, curves, configurations, flags."""

import json
from pathlib import Path
from typing import Any

import pytest

from backend.cli.train.train_models import TuningOptions, tuning_settings
from backend.errors import InputError
from backend.settings import ROOT
from backend.training.cards import checkpoint_card, data_card, figures, weights_hash, write_card
from backend.training.curves import write_tuning_curves
from models.tuning.tuning import (
    RAR2_DPO,
    SPO_DPO,
    SPO_SFT,
    Lora,
    TuningSettings,
    read_samples,
    training_arguments,
)
from models.tuning.tuning_run import claim, last_whole
from tests.cli.parsing import parsed

HISTORY = [
    {"loss": 0.69, "rewards/margins": 0.0, "step": 1.0},
    {"loss": 0.50, "rewards/margins": 0.9, "step": 2.0},
]


def test_the_recipes_are_those_of_the_papers() -> None:
    assert (RAR2_DPO.learning_rate, RAR2_DPO.epochs, RAR2_DPO.batch, RAR2_DPO.beta) == (1e-6, 4, 64, 0.2)
    assert RAR2_DPO.lora is None
    assert (SPO_SFT.learning_rate, SPO_SFT.epochs, SPO_SFT.batch) == (2.5e-4, 5, 64)
    assert (SPO_DPO.learning_rate, SPO_DPO.epochs, SPO_DPO.batch) == (5e-6, 3, 64)
    assert SPO_SFT.lora == SPO_DPO.lora == Lora()


def test_the_global_batch_is_kept_over_any_number_of_devices(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    from dataclasses import replace

    for processes, micro, accumulated in ((1, 1, 64), (8, 1, 8), (8, 4, 2)):
        monkeypatch.setenv("WORLD_SIZE", str(processes))
        arguments = training_arguments(replace(RAR2_DPO, micro=micro), tmp_path)
        assert arguments["per_device_train_batch_size"] * arguments["gradient_accumulation_steps"] * processes == 64
        assert arguments["gradient_accumulation_steps"] == accumulated
    monkeypatch.setenv("WORLD_SIZE", "3")
    with pytest.raises(InputError, match="does not divide into 3 processes"):
        training_arguments(RAR2_DPO, tmp_path)


def test_a_bad_sample_is_named_by_its_line_and_not_repeated(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"prompt": "p", "chosen": "c", "rejected": "r", "kind": "x"}\n{"prompt": "secret"}\n')
    with pytest.raises(InputError, match=r"pairs\.jsonl, line 2") as refused:
        read_samples(path, ("prompt", "chosen", "rejected"))
    assert "secret" not in str(refused.value)
    path.write_text(path.read_text().splitlines()[0])
    assert read_samples(path, ("prompt", "chosen", "rejected")) == [{"prompt": "p", "chosen": "c", "rejected": "r"}]
    for missing in (tmp_path / "none.jsonl", tmp_path / "empty.jsonl"):
        (tmp_path / "empty.jsonl").touch()
        with pytest.raises(InputError):
            read_samples(missing, ("prompt",))


def test_a_checkpoint_that_was_cut_short_is_passed_over(tmp_path: Path) -> None:
    assert last_whole(tmp_path) is None
    for step in (2, 10):
        (tmp_path / "steps" / f"checkpoint-{step}").mkdir(parents=True)
    (tmp_path / "steps" / "checkpoint-2" / "whole").touch()
    assert last_whole(tmp_path) == str(tmp_path / "steps" / "checkpoint-2")
    assert not (tmp_path / "steps" / "checkpoint-10").exists()
    (tmp_path / "steps" / "checkpoint-10").mkdir()
    (tmp_path / "steps" / "checkpoint-10" / "whole").touch()
    assert last_whole(tmp_path) == str(tmp_path / "steps" / "checkpoint-10")  # the tenth step, not the second


def test_a_folder_of_another_run_is_refused(tmp_path: Path) -> None:
    description = {"stage": "dpo", "settings": RAR2_DPO.as_json()}
    claim(tmp_path / "run", description)
    claim(tmp_path / "run", description)
    with pytest.raises(InputError, match="settings differ"):
        claim(tmp_path / "run", {**description, "settings": SPO_DPO.as_json()})


def test_a_card_says_what_a_checkpoint_was_made_of(tmp_path: Path) -> None:
    data = tmp_path / "pairs.jsonl"
    write_card(tmp_path / "data.json", data_card({"kind": "pairs"}, {"samples": 3}))
    card = checkpoint_card({"recipe": "rar2"}, {"trl": "1"}, data, HISTORY)
    assert card["recipe"] == "rar2" and card["versions"] == {"trl": "1"}
    assert card["data_card"]["made"] == {"samples": 3}
    assert {"thought", "clinical-choice", "direct", "supports"} <= set(card["data_card"]["prompts"])
    assert card["figures"] == {
        "steps": 2,
        "loss": {"first": 0.69, "last": 0.5},
        "rewards/margins": {"first": 0.0, "last": 0.9},
    }
    assert checkpoint_card({}, {}, tmp_path / "elsewhere" / "x.jsonl", [])["data_card"] is None
    assert figures([]) == {"steps": 0}


def test_the_hash_of_a_model_follows_its_weights(tmp_path: Path) -> None:
    assert weights_hash(tmp_path) == ""
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(b"one")
    before = weights_hash(tmp_path)
    (tmp_path / "notes.txt").write_text("anything")
    assert weights_hash(tmp_path) == before
    (tmp_path / "model.safetensors").write_bytes(b"two")
    assert weights_hash(tmp_path) != before


def test_the_curves_show_what_was_logged_and_load_nothing(tmp_path: Path) -> None:
    write_tuning_curves(tmp_path, HISTORY, "spo-dpo")
    page = (tmp_path / "curves.html").read_text(encoding="utf-8")
    assert "reward margin, nats" in page and "tokens foretold" not in page
    assert "<script src=" not in page
    write_tuning_curves(tmp_path / "none", [], "spo-dpo")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(("name", "kind"), [("zero3", "DEEPSPEED"), ("fsdp", "FSDP")])
def test_accelerate_reads_the_configurations(name: str, kind: str) -> None:
    pytest.importorskip("accelerate")
    from accelerate.commands.config.config_args import load_config_from_file

    read = load_config_from_file(str(ROOT / "assets" / "training" / "accelerate" / f"{name}.yaml"))
    assert read.distributed_type == kind and read.num_processes == 8 and read.mixed_precision == "bf16"
    if name == "zero3":
        assert read.deepspeed_config["zero_stage"] == 3
    else:
        assert read.fsdp_config["fsdp_version"] == 2


def changed(stage: str, recipe: str, **given: Any) -> TuningSettings:
    return tuning_settings(stage, recipe, TuningOptions(data=Path("d.jsonl"), base="b", **given))


def test_options_change_a_recipe() -> None:
    assert changed("dpo", "rar2") == RAR2_DPO
    assert changed("sft", "spo") == SPO_SFT
    other = changed("dpo", "spo", beta=0.3, lora_rank=4, batch=8)
    assert (other.beta, other.batch, other.learning_rate) == (0.3, 8, 5e-6)
    assert other.lora is not None and other.lora.rank == 4
    assert changed("sft", "spo", lora_rank=0).lora is None
    with pytest.raises(InputError, match="below 0"):
        changed("sft", "spo", lora_rank=-1)


def test_the_defaults_of_pairs_and_plans_are_those_of_the_papers() -> None:
    pairs = parsed("train", "pairs", "--questions", "q.jsonl")
    found = [pairs[name] for name in ("thoughts", "answers", "document_sets", "temperature", "top_p", "documents")]
    assert found == [15, 5, 15, 0.2, 0.9, 32]
    plans = parsed("train", "plans", "--questions", "q.jsonl")
    assert (plans["signal"], plans["explored"], plans["threshold"]) == ("judge", 6, 2.3)


def test_the_requirements_pin_what_training_asks_for() -> None:
    from models.tuning.tuning import NEEDED

    text = (ROOT / "requirements-train.txt").read_text() + (ROOT / "requirements.txt").read_text()
    assert [name for name in NEEDED if f"\n{name}==" not in text] == []
    assert json.loads(json.dumps(SPO_SFT.as_json()))["lora"]["rank"] == 16
