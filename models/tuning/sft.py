"""Supervised fine-tuning of a language model, thin over TRL: the first stage of SPO (Omni-RAG Eq. 2).

Reads rendered JSONL of `prompt` and `completion`; only the completion is learned. Gives a folder with the whole model.
"""

from pathlib import Path

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


def train_sft(
    data: Path,
    base: str,
    settings: TuningSettings,
    folder: Path,
    progress: Progress = lambda done, total, what: None,
    stop: Stop = lambda: False,
) -> Trained:
    """Train, or go on where the folder's run stopped. base: the folder of a model.

    Raises InputError for data that cannot be read or a batch that does not divide, MissingError for what is not there.
    """
    need_libraries()
    quiet()
    from datasets import Dataset
    from trl import SFTConfig, SFTTrainer

    rows = read_samples(data, ("prompt", "completion"))
    model, tokenizer = load(base, settings)
    samples = within_length(rows, tokenizer, settings.longest)
    trainer = SFTTrainer(
        model=model,
        args=SFTConfig(**training_arguments(settings, folder), completion_only_loss=True),
        train_dataset=Dataset.from_list(samples.rows),
        processing_class=tokenizer,
        peft_config=lora_config(settings),
        callbacks=[watching(progress, stop)],
    )
    run(trainer, folder)
    return finished(trainer, settings, base, folder, samples)
