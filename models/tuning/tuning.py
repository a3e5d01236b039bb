"""What fine-tuning and preference training begin with: settings, the samples they read, the model they train.

Both are thin over TRL (requirements-train.txt). They read rendered JSONL: `prompt` with `completion`, or with `chosen` and
`rejected`, each text or a list of messages.
"""

import importlib.util
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from backend.errors import InputError, MissingError

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

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
    of prompt and reply; longer samples are left out and counted, never cut. beta: of DPO. sft_weight: what the negative mean
    log-probability of the chosen reply's tokens counts beside DPO's loss; the papers have 0. lora None trains every weight.
    save_every: optimiser steps between checkpoints.
    """

    learning_rate: float
    epochs: float
    batch: int = 64
    micro: int = 1
    warmup: float = 0.03
    longest: int = 16_384
    beta: float = 0.1
    sft_weight: float = 0.0
    lora: Lora | None = None
    save_every: int = 50
    seed: int = 0
    device: str = "auto"
    checkpointing: bool = True

    def as_json(self) -> dict[str, Any]:
        """The settings by name."""
        return asdict(self)


RAR2_DPO = TuningSettings(learning_rate=1e-6, epochs=4, batch=64, beta=0.2)
"""RAR2 section 5.3. It names neither warm-up nor schedule."""
SPO_SFT = TuningSettings(learning_rate=2.5e-4, epochs=5, batch=64, lora=Lora(), longest=4_096)
SPO_DPO = TuningSettings(learning_rate=5e-6, epochs=3, batch=64, lora=Lora(), longest=4_096)
"""Omni-RAG D.4. It names no beta; 0.1 is TRL's own."""


class ReadSamples(NamedTuple):
    """Samples that fit, and how many were too long."""

    rows: list[dict[str, Any]]
    too_long: int


def need_libraries() -> None:
    """Check that the libraries of training are installed.

    Raises:
        MissingError: one is not; the message names it.
    """
    if missing := [name for name in NEEDED if importlib.util.find_spec(name) is None]:
        raise MissingError(
            f"Training a language model needs {', '.join(missing)}. Install it with: pip install torch==2.13.0 -r requirements-train.txt"
        )


def versions() -> dict[str, str]:
    """The versions of those libraries."""
    return {name: version(name) for name in NEEDED}


def read_samples(path: Path, fields: tuple[str, ...]) -> list[dict[str, Any]]:
    """The named fields of every line.

    Raises:
        InputError: a line cannot be read; the message names it without repeating it.
    """
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


def within_length(rows: list[dict[str, Any]], tokenizer: "PreTrainedTokenizerBase", longest: int) -> ReadSamples:
    """The samples whose prompt with its longest reply fits.

    Raises:
        InputError: none fits.
    """
    kept = [row for row in rows if _tokens(row, tokenizer) <= longest]
    if not kept:
        raise InputError(
            f"Every sample is longer than {longest:,} tokens. Raise --longest, or retrieve fewer documents."
        )
    return ReadSamples(kept, len(rows) - len(kept))


def training_arguments(settings: TuningSettings, folder: Path) -> dict[str, Any]:
    """What SFTConfig and DPOConfig both take.

    Raises:
        InputError: the batch does not divide.
    """
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
        "max_length": None,  # nothing is cut: `within_length` leaves out what is too long
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
    """Model and tokenizer of a folder or a name; a name is only looked for on this machine.

    Raises:
        MissingError: it cannot be loaded.
    """
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
