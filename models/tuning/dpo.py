"""Direct preference optimisation of a language model, thin over TRL: RAR2 (Eq. 3) and the second stage of SPO (Eq. 3, 4).

The loss is -log sigmoid(beta * (log pi(y+|q)/ref(y+|q) - log pi(y-|q)/ref(y-|q))). RAR2's Eq. 3 as printed takes the first
ratio without logarithm and beta, and so has beta on the rejected side alone; we take that for a misprint. The reference is
the model as it was before: with adapters the same weights without them, else a copy.

The log-probabilities are sums over a reply, so a rejected plan that is longer than the chosen one can be lowered by asking less
of everything. A `sft_weight` above 0 adds the fine-tuning loss of the chosen reply (TRL's "sft"; Pang et al. 2024, Eq. 1, without
the iteration), which keeps what it names likely. Neither paper has it.
"""

from pathlib import Path

from backend.errors import InputError
from models.tuning.tuning import (
    TuningSettings,
    load,
    lora_config,
    need_libraries,
    quiet,
    read_samples,
    training_arguments,
    within_length,
)
from models.tuning.tuning_run import Progress, Stop, Trained, finished, run, watching


def train_dpo(
    data: Path,
    base: str,
    settings: TuningSettings,
    folder: Path,
    progress: Progress = lambda done, total, what: None,
    stop: Stop = lambda: False,
) -> Trained:
    """Train, or go on where the folder's run stopped. data: rendered JSONL of `prompt`, `chosen` and `rejected`.

    Raises:
        InputError: the data cannot be read, the batch does not divide, or a weight is below 0. What is not there raises
            MissingError.
    """
    if settings.sft_weight < 0:
        raise InputError(f"The weight {settings.sft_weight} is below 0. Give 0 for DPO alone, or for example 1.")
    need_libraries()
    quiet()
    from datasets import Dataset
    from trl import DPOConfig, DPOTrainer

    rows = read_samples(data, ("prompt", "chosen", "rejected"))
    model, tokenizer = load(base, settings)
    samples = within_length(rows, tokenizer, settings.longest)
    trainer = DPOTrainer(
        model=model,
        ref_model=None if settings.lora else load(base, settings)[0],
        args=DPOConfig(
            **training_arguments(settings, folder),
            beta=settings.beta,
            loss_type=["sigmoid", "sft"] if settings.sft_weight else ["sigmoid"],
            loss_weights=[1.0, settings.sft_weight] if settings.sft_weight else None,
        ),
        train_dataset=Dataset.from_list(samples.rows),
        processing_class=tokenizer,
        peft_config=lora_config(settings),
        callbacks=[watching(progress, stop)],
    )
    run(trainer, folder)
    return finished(trainer, settings, base, folder, samples)
