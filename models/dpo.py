"""Direct preference optimisation of a language model, thin over TRL: RAR2 (Eq. 3) and the second stage of SPO (Eq. 3, 4).

The loss is -log sigmoid(beta * (log pi(y+|q)/ref(y+|q) - log pi(y-|q)/ref(y-|q))). RAR2's Eq. 3 as printed takes the first
ratio without logarithm and beta, and so has beta on the rejected side alone; we take that for a misprint. The reference is
the model as it was before: with adapters the same weights without them, else a copy.
"""

from pathlib import Path

from models.tuning import (
    TuningSettings,
    fitting,
    load,
    lora_config,
    need_libraries,
    quiet,
    read_samples,
    training_arguments,
)
from models.tuning_run import Progress, Stop, Trained, finished, run, watching


def train_dpo(
    data: Path,
    base: str,
    settings: TuningSettings,
    folder: Path,
    progress: Progress = lambda done, total, what: None,
    stop: Stop = lambda: False,
) -> Trained:
    """Train, or go on where the folder's run stopped. data: rendered JSONL of `prompt`, `chosen` and `rejected`.

    Raises InputError for data that cannot be read or a batch that does not divide, MissingError for what is not there.
    """
    need_libraries()
    quiet()
    from datasets import Dataset
    from trl import DPOConfig, DPOTrainer

    rows = read_samples(data, ("prompt", "chosen", "rejected"))
    model, tokenizer = load(base, settings)
    samples = fitting(rows, tokenizer, settings.longest)
    trainer = DPOTrainer(
        model=model,
        ref_model=None if settings.lora else load(base, settings)[0],
        args=DPOConfig(**training_arguments(settings, folder), beta=settings.beta, loss_type=["sigmoid"]),
        train_dataset=Dataset.from_list(samples.rows),
        processing_class=tokenizer,
        peft_config=lora_config(settings),
        callbacks=[watching(progress, stop)],
    )
    run(trainer, folder)
    return finished(trainer, settings, base, folder, samples)
