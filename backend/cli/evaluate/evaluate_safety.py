"""evaluate safety: what the checks find and cry wolf about, and how urgent the letters' warning signs are."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from backend.cli.cli_options import with_options
from backend.cli.evaluate.evaluate_parts import EvaluationOptions, evaluation_container, print_result
from backend.cli.program import CommandLine
from backend.systems import DEFAULT_SYSTEM

app = CommandLine()


@dataclass(frozen=True, kw_only=True)
class SafetyRunOptions(EvaluationOptions):
    """What `evaluate safety` takes besides the folder."""

    half: Annotated[
        Literal["even", "odd"] | None,
        typer.Option("--half", help="even may be read by who mends the checks; of odd only figures are kept"),
    ] = None
    system: Annotated[str, typer.Option("--system", metavar="NAME", help="whose drafts")] = DEFAULT_SYSTEM
    generator: Annotated[str, typer.Option("--generator", help="who writes; default: LEAPNOTE_GENERATOR")] = ""


@app.add("safety", "dangers flagged and false alarms, dose errors, and the urgency of warning signs")
@with_options(SafetyRunOptions)
def safety(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="of the benchmark: tests/benchmarks")],
    options: SafetyRunOptions,
) -> None:
    """Draft every row, measure and print the table; the errors of the even half stand in errors.jsonl of the result's folder."""
    from backend.evaluation.safety.safety_run import SafetyOptions, evaluate_safety

    chosen = SafetyOptions(folder, options.run(), options.half, options.system, options.generator)
    with evaluation_container() as container:
        print_result(evaluate_safety(container, chosen), options)
