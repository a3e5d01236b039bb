"""`evaluate judges` from files: reads the judged finds, asks the signals, and keeps the result."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from backend.container import Container
from backend.evaluation.plans.judge_evaluation import (
    MEASURES,
    JudgesSettings,
    SupportSignal,
    read_finds,
    run_judges,
)
from backend.evaluation.reports.evaluation_run import Run, RunOptions, caveats_of
from backend.evaluation.reports.journal import file_sha256
from backend.evaluation.reports.run_identity import identity
from backend.schemas.evaluation_results import DataCard, Result, ResultKind


class JudgesOptions(NamedTuple):
    """What an evaluation of judges reads.

    Attributes:
        data: the file of judged finds.
        run: where the result goes, seed, limit.
        judges: settings of the models that judge, for the run's identity; empty for the one that is set.
        asked: what was asked for, for the run's identity.
        baseline: a signal; empty for none.
    """

    data: Path
    run: RunOptions
    judges: tuple[str, ...] = ("",)
    asked: tuple[str, ...] = ()
    baseline: str = ""


def evaluate_judges(
    container: Container, options: JudgesOptions, signals: Sequence[SupportSignal]
) -> tuple[Result, Path]:
    """The result and its folder. Raises InputError for a file that holds no judged find."""
    finds = options.run.chosen(read_finds(options.data))
    sha256 = file_sha256(options.data)
    run = Run(
        ResultKind.JUDGES,
        options.run,
        {"signals": [signal.name for signal in signals], "asked": list(options.asked), "baseline": options.baseline},
        {"data": sha256},
        container.versions,
        identity(container, options.judges),
    )
    settings = JudgesSettings(options.baseline, options.run.resamples, options.run.seed)
    found = run_judges(finds, signals, settings, run.journal, run.key, options.run.progress)
    card = DataCard(name=options.data.name, sha256=sha256, items=len(finds))
    result = run.keep(
        data=card,
        systems={signal.name: "a signal of whether documents support the known answer" for signal in signals},
        measures=MEASURES,
        figures=found.figures,
        differences=found.differences,
        not_available=found.not_available,
        caveats=(*caveats_of(card), f"Agreement is with {signals[0].name}.", *found.captions),
    )
    return result, run.folder
