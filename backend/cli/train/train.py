"""train gro: the path policy, from pairs of note and document. Its flags are the settings of models/.

train pairs, plans, sft and dpo are in train_models.py.
"""

import argparse
import json
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.cli.progress import ProgressLine
from backend.cli.train import train_models
from backend.errors import InputError
from backend.settings import settings

if TYPE_CHECKING:
    from backend.training.gro.gro_settings import RunSettings

PRESETS = ("leapnote", "reinrag")


def add_to(commands: Any) -> None:
    """The parsers of this family."""
    parser = commands.add_parser("train", help="train what retrieves")
    actions = parser.add_subparsers(dest="action", required=True, metavar="WHAT")
    gro = actions.add_parser(
        "gro",
        help="the path policy, by group-based retriever optimisation (GRO)",
        description="Trains a path policy; run again with the same folder, it goes on where it stopped. "
        "Over several processes: torchrun --nproc-per-node=N -m backend train gro …",
    )
    gro.add_argument("--pairs", type=Path, required=True, help="JSONL with note, text, split (docs/training.md)")
    gro.add_argument("--graph", type=Path, help="folder of a graph (docs/graphs.md); default: the graph that is set")
    gro.add_argument("--preset", choices=PRESETS, default="leapnote", help="where the settings below start from")
    gro.add_argument("--name", help="the checkpoint's name; default: the preset's")
    gro.add_argument("--out", type=Path, help="folder of the run; default: <LEAPNOTE_DATA>/runs/<name>")
    gro.add_argument("--restart", action="store_true", help="forget the run that lies in the folder")
    gro.add_argument("--install", action="store_true", help="put the checkpoint where the program looks for it")
    gro.add_argument("--device", default="auto", help="auto, cpu, cuda, cuda:1 …")
    gro.add_argument("--memory-mb", type=float, help="memory for cached walks")
    gro.add_argument("--json", action="store_true", help="print the card as JSON")
    for name, kind, what in _FLAGS:
        gro.add_argument(f"--{name.replace('_', '-')}", type=kind, help=what)
    gro.set_defaults(run=run_gro_command)
    train_models.add_to(actions)


def _flag(text: str) -> bool:
    if text not in ("yes", "no"):
        raise argparse.ArgumentTypeError("say yes or no")
    return text == "yes"


_FLAGS: tuple[tuple[str, Any, str], ...] = (
    ("state", str, "concepts (the paper) or outlook"),
    ("policy_notes", int, "notes the policy trains on, 0 for all"),
    ("epochs", int, "passes over the training notes"),
    ("batch", int, "notes a step"),
    ("rollouts", int, "walks a note and step (G)"),
    ("discount", float, "gamma of Eq. 9"),
    ("entropy_start", float, "beta of Eq. 10 at the first epoch"),
    ("entropy_end", float, "beta at the last"),
    ("learning_rate", float, "of Adam"),
    ("patience", int, "epochs without a better validation reward before it ends"),
    ("seed", int, "of every draw"),
    ("steps", int, "steps of a walk (T)"),
    ("candidates", str, "explored (the paper) or frontier"),
    ("connect_score", str, "path (the paper) or mean"),
    ("connect_when", str, "changed (the paper) or outside"),
    ("connect_cap", int, "candidates of a connection, 0 for all"),
    ("retrieve_cap", int, "candidates of a retrieval, 0 for all"),
    ("spread", _flag, "prefer concepts no path holds yet: yes or no"),
    ("leaps", _flag, "yes or no"),
    ("relation_labels", _flag, "name the relation of a leap where there is one: yes or no"),
    ("stop", _flag, "an action that ends the walk: yes or no"),
    ("keywords", int, "at most so many start paths, 0 for all"),
    ("reward", str, "eq7, binary or novel"),
    ("reward_weight", float, "lambda of Eq. 7"),
    ("step_cost", float, "what a step costs"),
    ("learn_step", _flag, "the learned concept step: yes or no"),
    ("refit_every", int, "epochs between fits of the concept step, 0 for once"),
    ("sampled", _flag, "draw actions when the policy is used (the paper): yes or no"),
)


def run_gro_command(args: argparse.Namespace) -> int:
    """0 when the run came to its end, 130 when it was interrupted (its state is kept)."""
    from backend.container import Container
    from backend.training.gro.gro_run import processes, run_gro
    from backend.training.gro.gro_settings import Loaded

    run = run_settings(args)
    chosen = settings().model_copy(update={"graph": str(args.graph)} if args.graph else {})
    folder = args.out or chosen.data / "runs" / run.name
    if args.restart and folder.is_dir():
        shutil.rmtree(folder)
    container = Container(chosen)
    line = ProgressLine(quiet=processes()[0] > 0)
    vectors = container.encoded_concepts(line)
    loaded = Loaded(container.graph, vectors, container.encoder, container.linker, container.open_concepts)
    try:
        finished = run_gro(args.pairs, loaded, run, folder, line)
    except KeyboardInterrupt:
        line.end()
        print(f"Stopped. The same command goes on after the last epoch saved in {folder}.", file=sys.stderr)
        return 130
    line.end()
    if finished is None or processes()[0] > 0:
        return 0
    if args.install:
        target = chosen.policies / run.name
        shutil.copytree(folder / "checkpoint", target, dirs_exist_ok=True)
    card = finished.checkpoint.card
    if args.json:
        print(json.dumps(card))
    else:
        told = card["validation"]
        print(f"{run.name}: best epoch {card['best_epoch']} of {card['epochs']}, validation reward {told['reward']}")
        print(f"new-concept recall {told['new_concept_recall']}. Checkpoint: {folder / 'checkpoint'}")
    return 0


def run_settings(args: argparse.Namespace) -> "RunSettings":
    """The preset with the flags that were given. Raises InputError for a value no setting takes."""
    from backend.training.gro.presets import preset

    given = {name: getattr(args, name) for name, _, _ in _FLAGS if getattr(args, name) is not None}
    try:
        return preset(args.preset, args.name, given, args.device, args.memory_mb)
    except ValueError as error:
        raise InputError(f"{error}. See: python -m backend train gro --help") from None
