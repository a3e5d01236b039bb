"""What fine-tuning and preference training share: settings, the data they read, whole checkpoints, the history of a run.

Both are thin over TRL (requirements-train.txt). They read rendered JSONL: `prompt` with `completion`, or with `chosen` and
`rejected`, each text or a list of messages. Checkpoints of a run are marked when they are whole, so that a run killed in
the middle of writing one goes on from the one before.
"""

import importlib.util
import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from backend.errors import InputError, MissingError

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase, TrainerCallback

Progress = Callable[[int, int, str], None]
Stop = Callable[[], bool]
WHOLE = "whole"
NEEDED = ("trl", "peft", "accelerate", "datasets", "transformers", "torch")


@dataclass(frozen=True)
class Lora:
    """Low-rank adaptation (Omni-RAG D.4 uses it and gives no numbers; these are ours)."""

    rank: int = 16
    alpha: int = 32
    dropout: float = 0.05


@dataclass(frozen=True)
class TuningSettings:
    """batch: samples an optimiser step takes over all processes; micro: samples one process holds at a time.

    learning_rate: the peak. warmup: the share of steps in which it rises; then it falls along a cosine. longest: tokens
    of prompt and reply; longer samples are left out and counted, never cut. beta: of DPO. lora None trains every weight.
    save_every: optimiser steps between checkpoints.
    """

    learning_rate: float
    epochs: float
    batch: int = 64
    micro: int = 1
    warmup: float = 0.03
    longest: int = 16_384
    beta: float = 0.1
    lora: Lora | None = None
    save_every: int = 50
    seed: int = 0
    device: str = "auto"
    checkpointing: bool = True

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


RAR2_DPO = TuningSettings(learning_rate=1e-6, epochs=4, batch=64, beta=0.2)
"""RAR2 section 5.2. It names neither warm-up nor schedule."""
SPO_SFT = TuningSettings(learning_rate=2.5e-4, epochs=5, batch=64, lora=Lora(), longest=4_096)
SPO_DPO = TuningSettings(learning_rate=5e-6, epochs=3, batch=64, lora=Lora(), longest=4_096)
"""Omni-RAG D.4. It names no beta; 0.1 is TRL's own."""


class Trained(NamedTuple):
    """model: the folder of the whole model, adapters merged. history: the logged lines, `step`, `loss` and more.

    through: False where a stop was asked for; then the state is kept and there is no model yet.
    """

    model: Path
    history: list[dict[str, float]]
    samples: int
    too_long: int
    through: bool


class ReadSamples(NamedTuple):
    rows: list[dict[str, Any]]
    too_long: int


def need_libraries() -> None:
    """Raises MissingError that names what is not installed."""
    if missing := [name for name in NEEDED if importlib.util.find_spec(name) is None]:
        raise MissingError(
            f"Training a language model needs {', '.join(missing)}. Install it with: pip install torch==2.13.0 -r requirements-train.txt"
        )


def versions() -> dict[str, str]:
    return {name: version(name) for name in NEEDED}


def read_samples(path: Path, fields: tuple[str, ...]) -> list[dict[str, Any]]:
    """The named fields of every line. Raises InputError that names the line without repeating it."""
    if not path.is_file():
        raise InputError(f"There is no file {path.name!r}. Make one with: python -m backend train pairs --help")
    rows = []
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                row = json.loads(line)
                rows.append({name: row[name] for name in fields})
            except (ValueError, KeyError, TypeError) as error:
                raise InputError(
                    f"{path.name}, line {number}: no sample ({type(error).__name__}). A line needs {', '.join(fields)}."
                ) from None
    if not rows:
        raise InputError(f"{path.name} holds no sample.")
    return rows


def fitting(rows: list[dict[str, Any]], tokenizer: "PreTrainedTokenizerBase", longest: int) -> ReadSamples:
    """The samples whose prompt with its longest reply fits. Raises InputError when none does."""
    kept = [row for row in rows if _tokens(row, tokenizer) <= longest]
    if not kept:
        raise InputError(
            f"Every sample is longer than {longest:,} tokens. Raise --longest, or retrieve fewer documents."
        )
    return ReadSamples(kept, len(rows) - len(kept))


def training_arguments(settings: TuningSettings, folder: Path) -> dict[str, Any]:
    """What SFTConfig and DPOConfig both take. Raises InputError where the batch does not divide."""
    processes = int(os.environ.get("WORLD_SIZE", "1"))
    if settings.batch % (settings.micro * processes):
        raise InputError(
            f"A batch of {settings.batch} does not divide into {processes} processes of {settings.micro} samples each. "
            "Choose --batch and --micro so that it does."
        )
    return {
        "output_dir": str(folder / "steps"),
        "learning_rate": settings.learning_rate,
        "num_train_epochs": settings.epochs,
        "per_device_train_batch_size": settings.micro,
        "gradient_accumulation_steps": settings.batch // (settings.micro * processes),
        "lr_scheduler_type": "cosine",
        "warmup_steps": settings.warmup,  # below 1 it is a share of all steps
        "max_length": None,  # nothing is cut: `fitting` leaves out what is too long
        "seed": settings.seed,
        "data_seed": settings.seed,
        "logging_steps": 1,
        "save_strategy": "steps",
        "save_steps": settings.save_every,
        "save_total_limit": 2,
        "report_to": "none",
        "disable_tqdm": True,
        "use_cpu": settings.device == "cpu",
        "activation_checkpointing": settings.checkpointing,
        "bf16": settings.device != "cpu" and _has_bf16(),
        "dataset_num_proc": None,
    }


def claim(folder: Path, told: Mapping[str, Any]) -> None:
    """Write `run.json`, or refuse a folder that holds another run. Raises InputError that names what differs."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "run.json"
    mine = json.loads(json.dumps(told))
    if path.is_file():
        there = json.loads(path.read_text(encoding="utf-8"))
        if there != mine:
            other = ", ".join(sorted(key for key in {*mine, *there} if there.get(key) != mine.get(key)))
            raise InputError(
                f"The folder {folder.name!r} holds another run: {other} differ. Name another folder with --out, or start this "
                "one anew with --restart."
            )
        return
    partial = folder / "run.json.partial"
    partial.write_text(json.dumps(mine, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    partial.replace(path)


def last_whole(folder: Path) -> str | None:
    """The newest checkpoint that was written to its end; those that were not are deleted."""
    found = sorted((folder / "steps").glob("checkpoint-*"), key=lambda path: int(path.name.split("-")[1]))
    for path in found:
        if not (path / WHOLE).is_file():
            shutil.rmtree(path, ignore_errors=True)
    whole = [path for path in found if path.is_dir()]
    return str(whole[-1]) if whole else None


def watching(progress: Progress, stop: Stop) -> "TrainerCallback":
    """Tells progress after each step, marks whole checkpoints, and ends the run when a stop is asked for, state saved."""
    from transformers import TrainerCallback

    class Watching(TrainerCallback):  # type: ignore[misc]
        def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, float] | None = None, **_: Any) -> None:
            if logs and "loss" in logs and state.is_world_process_zero:
                margin = f", margin {logs['rewards/margins']:.3f}" if "rewards/margins" in logs else ""
                progress(state.global_step, state.max_steps, f"steps, loss {logs['loss']:.4f}{margin}")

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            if stop() and state.global_step < state.max_steps:
                control.should_training_stop = control.should_save = True

        def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            if state.is_world_process_zero:
                (Path(args.output_dir) / f"checkpoint-{state.global_step}" / WHOLE).touch()

    return Watching()


def run(trainer: Any, folder: Path) -> None:
    """Train from the last whole checkpoint, or from the start. The library's own printing of every step is left out."""
    from transformers import PrinterCallback

    trainer.remove_callback(PrinterCallback)
    trainer.train(resume_from_checkpoint=last_whole(folder))


def finished(trainer: Any, settings: TuningSettings, base: str, folder: Path, samples: ReadSamples) -> Trained:
    """Save the model whole, history beside it. Adapters are merged from disk, since a sharded model cannot be merged."""
    history = [
        {key: float(value) for key, value in line.items() if isinstance(value, int | float)}
        for line in trainer.state.log_history
        if "loss" in line
    ]
    through = trainer.state.global_step >= trainer.state.max_steps
    target = folder / "model"
    if through:
        partial = folder / "model.partial"
        if settings.lora is None:
            trainer.save_model(str(partial))
        else:
            trainer.save_model(str(folder / "adapter"))
            if trainer.is_world_process_zero():
                _merge(base, folder / "adapter", partial)
        if trainer.is_world_process_zero():
            shutil.rmtree(target, ignore_errors=True)
            partial.replace(target)
            shutil.rmtree(folder / "steps", ignore_errors=True)
    if trainer.is_world_process_zero():
        lines = "".join(json.dumps(line) + "\n" for line in history)
        (folder / "history.partial").write_text(lines, encoding="utf-8")
        (folder / "history.partial").replace(folder / "history.jsonl")
    return Trained(target, history, len(samples.rows), samples.too_long, through)


def lora_config(settings: TuningSettings) -> Any:
    """Adapters on every linear layer; None where all weights are trained."""
    if settings.lora is None:
        return None
    from peft import LoraConfig

    lora = settings.lora
    return LoraConfig(
        r=lora.rank,
        lora_alpha=lora.alpha,
        lora_dropout=lora.dropout,
        target_modules="all-linear",
        task_type="CAUSAL_LM",
    )


def quiet() -> None:
    """Our own progress line tells what the libraries' bars would."""
    import datasets
    from transformers.utils import logging

    logging.disable_progress_bar()
    datasets.disable_progress_bars()


def load(base: str, settings: TuningSettings) -> tuple[Any, "PreTrainedTokenizerBase"]:
    """Model and tokenizer of a folder or a name; a name is only looked for on this machine. Raises MissingError."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(base, local_files_only=True)
        model = AutoModelForCausalLM.from_pretrained(base, local_files_only=True, dtype=_dtype(settings))
    except (OSError, ValueError) as error:
        raise MissingError(
            f"The model {Path(base).name!r} cannot be loaded ({type(error).__name__}). Give a folder with --base that holds "
            "config, tokenizer and weights."
        ) from None
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return model, tokenizer


def _merge(base: str, adapter: Path, target: Path) -> None:
    from peft import PeftModel
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model = AutoModelForCausalLM.from_pretrained(base, local_files_only=True, dtype="auto")
    PeftModel.from_pretrained(model, str(adapter)).merge_and_unload().save_pretrained(str(target))
    AutoTokenizer.from_pretrained(base, local_files_only=True).save_pretrained(str(target))


def _tokens(row: Mapping[str, Any], tokenizer: "PreTrainedTokenizerBase") -> int:
    return max(
        len(_ids(row["prompt"], tokenizer)) + len(_ids(reply, tokenizer))
        for name, reply in row.items()
        if name != "prompt"
    )


def _ids(text: Any, tokenizer: "PreTrainedTokenizerBase") -> Any:
    if isinstance(text, str):
        return tokenizer(text)["input_ids"]
    return tokenizer.apply_chat_template(text, tokenize=True, return_dict=False)


def _has_bf16() -> bool:
    import torch

    return torch.cuda.is_available() and torch.cuda.is_bf16_supported()


def _dtype(settings: TuningSettings) -> Any:
    """Adapters sit on weights of half size where the device has them; weights that are trained stay whole."""
    import torch

    return torch.bfloat16 if settings.lora is not None and settings.device != "cpu" and _has_bf16() else torch.float32
