"""train sft and train dpo: the two trainings of language models, thin over TRL; and, from train_data, pairs and plans.

A run is taken up by the same command. Over several devices: accelerate launch --config_file … -m backend train dpo …
"""

import argparse
import dataclasses
import json
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.cli.progress import ProgressLine
from backend.cli.train import train_data
from backend.cli.train.train_data import INTERRUPTED
from backend.errors import InputError
from backend.settings import settings

if TYPE_CHECKING:
    from models.tuning.tuning import TuningSettings
    from models.tuning.tuning_run import Trained

_TUNING: tuple[tuple[str, Any, str], ...] = (
    ("learning_rate", float, "the peak"),
    ("epochs", float, "passes over the samples"),
    ("batch", int, "samples an optimiser step takes, over all devices"),
    ("micro", int, "samples one device holds at a time"),
    ("warmup", float, "share of the steps in which the learning rate rises"),
    ("longest", int, "tokens of prompt and reply; longer samples are left out"),
    ("beta", float, "of DPO"),
    (
        "sft_weight",
        float,
        "of dpo: what fine-tuning on the chosen replies counts beside it; 0, the papers' way, by default",
    ),
    ("save_every", int, "steps between checkpoints"),
    ("seed", int, "of every draw"),
    ("device", str, "auto or cpu"),
)


def add_to(actions: Any) -> None:
    """The parsers of this family, under `train`."""
    train_data.add_to(actions)
    for name, recipes, what in (
        ("sft", ("spo",), "supervised fine-tuning of a language model"),
        ("dpo", ("rar2", "spo"), "preference training of a language model (DPO)"),
    ):
        tuning = actions.add_parser(name, help=what, description=f"{what.capitalize()}, thin over TRL.")
        tuning.add_argument(
            "--data", type=Path, required=True, help="rendered JSONL, as `train pairs` and `plans` write it"
        )
        tuning.add_argument("--base", required=True, help="folder of the model to begin with")
        tuning.add_argument("--recipe", choices=recipes, default=recipes[0], help="where the settings start from")
        tuning.add_argument("--out", type=Path, help="folder of the run; default: <LEAPNOTE_DATA>/runs/<recipe>-<what>")
        tuning.add_argument("--lora-rank", type=int, help="of the adapters; 0 trains every weight")
        tuning.add_argument("--restart", action="store_true", help="forget the run that lies in the folder")
        tuning.add_argument("--json", action="store_true", help="print the card as JSON")
        for flag, kind, told in _TUNING:
            tuning.add_argument(f"--{flag.replace('_', '-')}", type=kind, help=told)
        tuning.set_defaults(run=run_tuning, stage=name)


def run_tuning(args: argparse.Namespace) -> int:
    """train sft and train dpo. The first interruption ends the run after its step, state saved; a second one at once."""
    from backend.evaluation.reports.journal import file_sha256
    from backend.training.cards import CARD, checkpoint_card, weights_hash, write_card
    from backend.training.tuning_curves import write_tuning_curves
    from models.tuning.tuning import need_libraries, versions
    from models.tuning.tuning_run import claim

    need_libraries()
    chosen = tuning_settings(args)
    folder = args.out or settings().data / "runs" / f"{args.recipe}-{args.stage}"
    first = int(os.environ.get("RANK", "0")) == 0
    if not args.data.is_file():
        raise InputError(f"There is no file {args.data.name!r}. Make one with: python -m backend train pairs --help")
    told = {
        "stage": args.stage,
        "recipe": args.recipe,
        "base": {"name": Path(args.base).name, "hash": weights_hash(Path(args.base))},
        "data": {"file": args.data.name, "hash": file_sha256(args.data)},
        "settings": chosen.as_json(),
    }
    if first:
        if args.restart:
            shutil.rmtree(folder, ignore_errors=True)
        claim(folder, told)
    if (folder / "model" / CARD).is_file():
        print(f"This run is done: {folder / 'model'}. Train it anew with --restart.", file=sys.stderr)
        return 0
    line = ProgressLine(quiet=not first)
    trained = _tuned(args, chosen, folder, line)
    line.end()
    if not trained.through:
        print(f"Stopped. The same command goes on after the last step saved in {folder}.", file=sys.stderr)
        return INTERRUPTED
    if first:
        card = checkpoint_card(told, versions(), args.data, trained.history)
        card |= {"samples": trained.samples, "too_long": trained.too_long}
        write_card(trained.model / CARD, card)
        write_tuning_curves(folder, trained.history, folder.name)
        if args.json:
            print(json.dumps(card))
        else:
            print(f"{trained.samples} samples, {trained.too_long} left out as too long. Model: {trained.model}")
            print(f"Curves: {folder / 'curves.html'}")
    return 0


def tuning_settings(args: argparse.Namespace) -> "TuningSettings":
    """The recipe with the flags that were given. Raises InputError for a rank below 0."""
    from models.tuning.tuning import RAR2_DPO, SPO_DPO, SPO_SFT, Lora

    base = {("sft", "spo"): SPO_SFT, ("dpo", "spo"): SPO_DPO, ("dpo", "rar2"): RAR2_DPO}[(args.stage, args.recipe)]
    given = {name: getattr(args, name) for name, _, _ in _TUNING if getattr(args, name) is not None}
    changed = dataclasses.replace(base, **given)
    if args.lora_rank is None:
        return changed
    if args.lora_rank < 0:
        raise InputError(f"The rank {args.lora_rank} is below 0. Give 0 for no adapters, or for example 16.")
    lora = dataclasses.replace(changed.lora or Lora(), rank=args.lora_rank) if args.lora_rank else None
    return dataclasses.replace(changed, lora=lora)


def _tuned(args: argparse.Namespace, chosen: "TuningSettings", folder: Path, line: ProgressLine) -> "Trained":
    asked = False

    def ask(number: int, frame: object) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True

    before = signal.signal(signal.SIGINT, ask)
    try:
        if args.stage == "sft":
            from models.tuning.sft import train_sft

            return train_sft(args.data, args.base, chosen, folder, line, lambda: asked)
        from models.tuning.dpo import train_dpo

        return train_dpo(args.data, args.base, chosen, folder, line, lambda: asked)
    finally:
        signal.signal(signal.SIGINT, before)
