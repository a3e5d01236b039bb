"""train gro: the path policy, from pairs of note and document. Its options are the settings of models/.

train pairs, plans, sft and dpo are in train_models.py.
"""

import json
import shutil
import sys
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from backend.cli.cli_options import with_options
from backend.cli.program import INTERRUPTED, CommandLine
from backend.cli.progress import ProgressLine
from backend.cli.train.train_data import app as data
from backend.cli.train.train_models import app as models
from backend.cli.train.train_ranking import app as ranking
from backend.errors import InputError
from backend.settings import settings
from backend.training.gro import Preset

if TYPE_CHECKING:
    from backend.training.gro.gro_settings import RunSettings

app = CommandLine("train what retrieves")
YesNo = Literal["yes", "no"]
OF_GRO = (
    "Trains a path policy; run again with the same folder, it goes on where it stopped. "
    "Over several processes: torchrun --nproc-per-node=N -m backend train gro …"
)


@dataclass(frozen=True, kw_only=True)
class PolicySettings:
    """The settings of a path policy and its training; one that is not given is the preset's."""

    state: Annotated[str | None, typer.Option("--state", help="concepts (the paper) or outlook")] = None
    policy_notes: Annotated[
        int | None, typer.Option("--policy-notes", help="notes the policy trains on, 0 for all")
    ] = None
    epochs: Annotated[int | None, typer.Option("--epochs", help="passes over the training notes")] = None
    batch: Annotated[int | None, typer.Option("--batch", help="notes a step")] = None
    rollouts: Annotated[int | None, typer.Option("--rollouts", help="walks a note and step (G)")] = None
    discount: Annotated[float | None, typer.Option("--discount", help="gamma of Eq. 9")] = None
    entropy_start: Annotated[
        float | None, typer.Option("--entropy-start", help="beta of Eq. 10 at the first epoch")
    ] = None
    entropy_end: Annotated[float | None, typer.Option("--entropy-end", help="beta at the last")] = None
    learning_rate: Annotated[float | None, typer.Option("--learning-rate", help="of Adam")] = None
    patience: Annotated[
        int | None, typer.Option("--patience", help="epochs without a better validation reward before it ends")
    ] = None
    seed: Annotated[int | None, typer.Option("--seed", help="of every draw")] = None
    steps: Annotated[int | None, typer.Option("--steps", help="steps of a walk (T)")] = None
    candidates: Annotated[str | None, typer.Option("--candidates", help="explored (the paper) or frontier")] = None
    connect_score: Annotated[str | None, typer.Option("--connect-score", help="path (the paper) or mean")] = None
    connect_when: Annotated[str | None, typer.Option("--connect-when", help="changed (the paper) or outside")] = None
    connect_cap: Annotated[int | None, typer.Option("--connect-cap", help="candidates of a connection, 0 for all")] = (
        None
    )
    retrieve_cap: Annotated[int | None, typer.Option("--retrieve-cap", help="candidates of a retrieval, 0 for all")] = (
        None
    )
    spread: Annotated[YesNo | None, typer.Option("--spread", help="prefer concepts no path holds yet")] = None
    leaps: Annotated[YesNo | None, typer.Option("--leaps", help="steps from one semantic group to another")] = None
    relation_labels: Annotated[
        YesNo | None, typer.Option("--relation-labels", help="name the relation of a leap where there is one")
    ] = None
    stop: Annotated[YesNo | None, typer.Option("--stop", help="an action that ends the walk")] = None
    keywords: Annotated[int | None, typer.Option("--keywords", help="at most so many start paths, 0 for all")] = None
    reward: Annotated[
        str | None, typer.Option("--reward", help="eq7, binary, novel or residual (what the proposals lack)")
    ] = None
    reward_weight: Annotated[float | None, typer.Option("--reward-weight", help="lambda of Eq. 7")] = None
    step_cost: Annotated[float | None, typer.Option("--step-cost", help="what a step costs")] = None
    beyond: Annotated[
        int | None, typer.Option("--beyond", help="residual leaves out so many of a note's best proposals")
    ] = None
    advantage: Annotated[
        str | None, typer.Option("--advantage", help="group (the paper) or value, a learned value of each state")
    ] = None
    learn_from: Annotated[
        str | None, typer.Option("--learn-from", help="rollouts (the paper), or ranks of the proposals, offline")
    ] = None
    refit_below: Annotated[
        int | None,
        typer.Option("--refit-below", help="below so many pairs the concept step is fitted anew on all, 0 for never"),
    ] = None
    learn_step: Annotated[YesNo | None, typer.Option("--learn-step", help="the learned concept step")] = None
    scorer: Annotated[
        str | None, typer.Option("--scorer", help="of the concept step: logistic, or two-tower of note and concept")
    ] = None
    refit_every: Annotated[
        int | None, typer.Option("--refit-every", help="epochs between fits of the concept step, 0 for once")
    ] = None
    sampled: Annotated[
        YesNo | None, typer.Option("--sampled", help="draw actions when the policy is used (the paper)")
    ] = None

    def given(self) -> dict[str, Any]:
        """Those that were given; yes and no as booleans."""
        values = {field.name: getattr(self, field.name) for field in fields(PolicySettings)}
        words = {"yes": True, "no": False}
        return {name: words.get(value, value) for name, value in values.items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class GroOptions(PolicySettings):
    """What `train gro` takes."""

    pairs: Annotated[Path, typer.Option("--pairs", help="JSONL with note, text, split (docs/training.md)")]
    graph: Annotated[
        Path | None, typer.Option("--graph", help="folder of a graph (docs/graphs.md); default: the graph that is set")
    ] = None
    preset: Annotated[Preset, typer.Option("--preset", help="where the settings start from")] = Preset.LEAPNOTE
    name: Annotated[str | None, typer.Option("--name", help="the checkpoint's name; default: the preset's")] = None
    out: Annotated[
        Path | None, typer.Option("--out", help="folder of the run; default: <LEAPNOTE_DATA>/runs/<name>")
    ] = None
    restart: Annotated[bool, typer.Option("--restart", help="forget the run that lies in the folder")] = False
    install: Annotated[bool, typer.Option("--install", help="put the checkpoint where the program looks for it")] = (
        False
    )
    device: Annotated[str, typer.Option("--device", help="auto, cpu, cuda, cuda:1 …")] = "auto"
    memory_mb: Annotated[float | None, typer.Option("--memory-mb", help="memory for cached walks")] = None
    as_json: Annotated[bool, typer.Option("--json", help="print the card as JSON")] = False


@app.add("gro", "the path policy, by group-based retriever optimisation (GRO)", help=OF_GRO)
@with_options(GroOptions)
def gro(options: GroOptions) -> int:
    """0 when the run came to its end, 130 when it was interrupted (its state is kept)."""
    from backend.container import Container
    from backend.training.gro.gro_run import processes, run_gro
    from backend.training.gro.gro_settings import loaded_from

    run = run_settings(options)
    chosen = settings().model_copy(update={"graph": str(options.graph)} if options.graph else {})
    folder = options.out or chosen.data / "runs" / run.name
    if options.restart and folder.is_dir():
        shutil.rmtree(folder)
    container = Container(chosen)
    line = ProgressLine(quiet=processes()[0] > 0)
    loaded = loaded_from(container, container.encoded_concepts(line))
    try:
        finished = run_gro(options.pairs, loaded, run, folder, line)
    except KeyboardInterrupt:
        line.end()
        print(f"Stopped. The same command goes on after the last epoch saved in {folder}.", file=sys.stderr)
        return INTERRUPTED
    line.end()
    if finished is None or processes()[0] > 0:
        return 0
    if options.install:
        target = chosen.policies / run.name
        shutil.copytree(folder / "checkpoint", target, dirs_exist_ok=True)
    card = finished.checkpoint.card
    if options.as_json:
        print(json.dumps(card))
    else:
        reached = card["validation"]
        print(f"{run.name}: best epoch {card['best_epoch']} of {card['epochs']}, validation reward {reached['reward']}")
        print(f"new-concept recall {reached['new_concept_recall']}. Checkpoint: {folder / 'checkpoint'}")
    return 0


def run_settings(options: GroOptions) -> "RunSettings":
    """The preset with the settings that were given.

    Raises:
        InputError: for a value no setting takes.
    """
    from backend.training.gro.presets import preset

    try:
        return preset(options.preset, options.name, options.given(), options.device, options.memory_mb)
    except ValueError as error:
        raise InputError(f"{error}. See: python -m backend train gro --help") from None


for part in (data, models, ranking):
    app.add_typer(part)
