"""train sft and train dpo: the two trainings of language models, thin over TRL; and, from train_data, pairs and plans.

A run is taken up by the same command. Over several devices: accelerate launch --config_file … -m backend train dpo …
"""

import dataclasses
import json
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from backend.cli.cli_options import with_options
from backend.cli.program import INTERRUPTED, CommandLine
from backend.cli.progress import ProgressLine
from backend.errors import InputError
from backend.settings import settings

if TYPE_CHECKING:
    from models.tuning.tuning import TuningSettings
    from models.tuning.tuning_run import Trained

app = CommandLine()


@dataclasses.dataclass(frozen=True, kw_only=True)
class TuningOptions:
    """What both trainings take; a setting that is not given is the recipe's."""

    data: Annotated[Path, typer.Option("--data", help="rendered JSONL, as `train pairs` and `plans` write it")]
    base: Annotated[str, typer.Option("--base", help="folder of the model to begin with")]
    out: Annotated[
        Path | None, typer.Option("--out", help="folder of the run; default: <LEAPNOTE_DATA>/runs/<recipe>-<what>")
    ] = None
    lora_rank: Annotated[int | None, typer.Option("--lora-rank", help="of the adapters; 0 trains every weight")] = None
    restart: Annotated[bool, typer.Option("--restart", help="forget the run that lies in the folder")] = False
    as_json: Annotated[bool, typer.Option("--json", help="print the card as JSON")] = False
    learning_rate: Annotated[float | None, typer.Option("--learning-rate", help="the peak")] = None
    epochs: Annotated[float | None, typer.Option("--epochs", help="passes over the samples")] = None
    batch: Annotated[int | None, typer.Option("--batch", help="samples an optimiser step takes, over all devices")] = (
        None
    )
    micro: Annotated[int | None, typer.Option("--micro", help="samples one device holds at a time")] = None
    warmup: Annotated[
        float | None, typer.Option("--warmup", help="share of the steps in which the learning rate rises")
    ] = None
    longest: Annotated[
        int | None, typer.Option("--longest", help="tokens of prompt and reply; longer samples are left out")
    ] = None
    beta: Annotated[float | None, typer.Option("--beta", help="of DPO")] = None
    sft_weight: Annotated[
        float | None,
        typer.Option(
            "--sft-weight",
            help="of dpo: what fine-tuning on the chosen replies counts beside it; 0, the papers' way, by default",
        ),
    ] = None
    save_every: Annotated[int | None, typer.Option("--save-every", help="steps between checkpoints")] = None
    seed: Annotated[int | None, typer.Option("--seed", help="of every draw")] = None
    device: Annotated[str | None, typer.Option("--device", help="auto or cpu")] = None


RECIPE_SETTINGS = tuple(
    name
    for name in TuningOptions.__dataclass_fields__
    if name not in ("data", "base", "out", "lora_rank", "restart", "as_json")
)


@app.add(
    "sft",
    "supervised fine-tuning of a language model",
    help="Supervised fine-tuning of a language model, thin over TRL.",
)
@with_options(TuningOptions)
def sft(
    options: TuningOptions,
    recipe: Annotated[Literal["spo"], typer.Option("--recipe", help="where the settings start from")] = "spo",
) -> int:
    """0 when the model is there, 130 when the run was interrupted."""
    return tune("sft", recipe, options)


@app.add(
    "dpo",
    "preference training of a language model (DPO)",
    help="Preference training of a language model (DPO), thin over TRL.",
)
@with_options(TuningOptions)
def dpo(
    options: TuningOptions,
    recipe: Annotated[Literal["rar2", "spo"], typer.Option("--recipe", help="where the settings start from")] = "rar2",
) -> int:
    """0 when the model is there, 130 when the run was interrupted."""
    return tune("dpo", recipe, options)


def tune(stage: str, recipe: str, options: TuningOptions) -> int:
    """Train. The first interruption ends the run after its step, state saved; a second one at once.

    Args:
        stage: sft or dpo.
        recipe: where the settings start from.
        options: what was given.

    Returns:
        0 when the model is there, 130 when the run was interrupted.

    Raises:
        InputError: no file of samples, or a rank below 0.
    """
    from backend.evaluation.reports.journal import file_sha256
    from backend.training.cards import CARD, checkpoint_card, weights_hash, write_card
    from backend.training.curves import write_tuning_curves
    from models.tuning.tuning import need_libraries, versions
    from models.tuning.tuning_run import claim

    need_libraries()
    chosen = tuning_settings(stage, recipe, options)
    folder = options.out or settings().data / "runs" / f"{recipe}-{stage}"
    first = int(os.environ.get("RANK", "0")) == 0
    data = options.data
    if not data.is_file():
        raise InputError(f"There is no file {data.name!r}. Make one with: python -m backend train pairs --help")
    made_of = {
        "stage": stage,
        "recipe": recipe,
        "base": {"name": Path(options.base).name, "hash": weights_hash(Path(options.base))},
        "data": {"file": data.name, "hash": file_sha256(data)},
        "settings": chosen.as_json(),
    }
    if first:
        if options.restart:
            shutil.rmtree(folder, ignore_errors=True)
        claim(folder, made_of)
    if (folder / "model" / CARD).is_file():
        print(f"This run is done: {folder / 'model'}. Train it anew with --restart.", file=sys.stderr)
        return 0
    line = ProgressLine(quiet=not first)
    trained = _tuned(stage, options, chosen, folder, line)
    line.end()
    if not trained.through:
        print(f"Stopped. The same command goes on after the last step saved in {folder}.", file=sys.stderr)
        return INTERRUPTED
    if first:
        card = checkpoint_card(made_of, versions(), data, trained.history)
        card |= {"samples": trained.samples, "too_long": trained.too_long}
        write_card(trained.model / CARD, card)
        write_tuning_curves(folder, trained.history, folder.name)
        if options.as_json:
            print(json.dumps(card))
        else:
            print(f"{trained.samples} samples, {trained.too_long} left out as too long. Model: {trained.model}")
            print(f"Curves: {folder / 'curves.html'}")
    return 0


def tuning_settings(stage: str, recipe: str, options: TuningOptions) -> "TuningSettings":
    """The recipe with the settings that were given.

    Raises:
        InputError: for a rank below 0.
    """
    from models.tuning.tuning import RAR2_DPO, SPO_DPO, SPO_SFT, Lora

    base = {("sft", "spo"): SPO_SFT, ("dpo", "spo"): SPO_DPO, ("dpo", "rar2"): RAR2_DPO}[(stage, recipe)]
    given = {name: value for name in RECIPE_SETTINGS if (value := getattr(options, name)) is not None}
    changed = dataclasses.replace(base, **given)
    if options.lora_rank is None:
        return changed
    if options.lora_rank < 0:
        raise InputError(f"The rank {options.lora_rank} is below 0. Give 0 for no adapters, or for example 16.")
    lora = dataclasses.replace(changed.lora or Lora(), rank=options.lora_rank) if options.lora_rank else None
    return dataclasses.replace(changed, lora=lora)


def _tuned(stage: str, options: TuningOptions, chosen: "TuningSettings", folder: Path, line: ProgressLine) -> "Trained":
    asked = False

    def ask(number: int, frame: object) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True

    before = signal.signal(signal.SIGINT, ask)
    try:
        if stage == "sft":
            from models.tuning.sft import train_sft

            return train_sft(options.data, options.base, chosen, folder, line, lambda: asked)
        from models.tuning.dpo import train_dpo

        return train_dpo(options.data, options.base, chosen, folder, line, lambda: asked)
    finally:
        signal.signal(signal.SIGINT, before)
