"""A run of fine-tuning or preference training on disk: whose folder it is, whole checkpoints, history, the model at the end.

Checkpoints are marked when they are whole, so that a run killed in the middle of writing one goes on from the one before.
"""

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from backend.errors import InputError
from models.tuning.tuning import ReadSamples, TuningSettings

if TYPE_CHECKING:
    from transformers import TrainerCallback

Progress = Callable[[int, int, str], None]
Stop = Callable[[], bool]
WHOLE = "whole"


class Trained(NamedTuple):
    """model: the folder of the whole model, adapters merged. history: the logged lines, `step`, `loss` and more.

    through: False where a stop was asked for; then the state is kept and there is no model yet.
    """

    model: Path
    history: list[dict[str, float]]
    samples: int
    too_long: int
    through: bool


def claim(folder: Path, description: Mapping[str, Any]) -> None:
    """Write `run.json`, or refuse a folder that holds another run.

    Raises:
        InputError: it does; the message names what differs.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "run.json"
    mine = json.loads(json.dumps(description))
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


def run(trainer: Any, folder: Path) -> None:
    """Train from the last whole checkpoint, or from the start. The library's own printing of every step is left out."""
    from transformers import PrinterCallback

    trainer.remove_callback(PrinterCallback)
    trainer.train(resume_from_checkpoint=last_whole(folder))


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


def _merge(base: str, adapter: Path, target: Path) -> None:
    from peft import PeftModel
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model = AutoModelForCausalLM.from_pretrained(base, local_files_only=True, dtype="auto")
    PeftModel.from_pretrained(model, str(adapter)).merge_and_unload().save_pretrained(str(target))
    AutoTokenizer.from_pretrained(base, local_files_only=True).save_pretrained(str(target))
