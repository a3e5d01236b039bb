"""study: figures, a judge's scores, files to take away and to bring in, and how many cases a study needs."""

import json
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from backend.cli.cli_options import Json, Seed
from backend.cli.program import CommandLine
from backend.cli.study import study_shared as shared
from backend.cli.study.study_shared import ME, Author, Study
from backend.errors import InputError
from backend.schemas.studies.study_views import ReportFormat, StudyFormat

app = CommandLine()


@app.add("export", "take a study away")
def export_study(
    study: Study,
    file_format: Annotated[Literal["csv", "jsonl", "design"], typer.Option("--format")] = "jsonl",
    to: Annotated[Path | None, typer.Option("--to", metavar="FILE", help="default: standard output")] = None,
    author: Author = ME,
    as_json: Json = False,
) -> None:
    """Write the export, which is on record."""
    from backend.study.reporting.study_export import export, write_private

    text = export(shared.studies_here(), study, StudyFormat(file_format), author)
    if to is None:
        sys.stdout.write(text)
        return
    write_private(to, text.encode())


@app.add("analyse", "figures of the ratings; arms under codes until the study is unlocked")
def analyse(
    study: Study,
    report: Annotated[
        Literal["html", "pdf"] | None,
        typer.Option("--report", help="the report of an unlocked study, with --to"),
    ] = None,
    to: Annotated[Path | None, typer.Option("--to", metavar="FILE", help="where the report goes")] = None,
    author: Author = ME,
    as_json: Json = False,
) -> None:
    """Print the analysis, or write the report.

    Raises:
        InputError: for a report without a file.
    """
    from backend.study.reporting.report import analysed
    from backend.study.reporting.report_tables import result_tables
    from backend.study.reporting.study_export import report_file, write_private
    from backend.study.reporting.terminal_text import analysis_text

    if report:
        if to is None:
            raise InputError(f"Say where the report goes: --to study.{report}")
        made = report_file(shared.studies_here(), study, ReportFormat(report), author, _progress)
        write_private(to, made)
        return
    found = analysed(shared.studies_here(), study, _progress).analysis
    print(found.model_dump_json() if as_json else analysis_text(found, result_tables(found)))


@app.add("import", "a JSONL export, under the same hash")
def bring_in(
    file: Annotated[Path, typer.Argument(show_default=False)], author: Author = ME, as_json: Json = False
) -> None:
    """Take in an exported study.

    Raises:
        InputError: for a file that is no export.
    """
    from backend.study.reporting.study_import import import_study

    try:
        text = file.read_bytes().decode("utf-8")
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise InputError(f"{file} is not UTF-8 text.") from None
    shared.print_study(import_study(shared.studies_here(), text, author), as_json)


@app.add("judge", "a judge model's scores, to be set beside the raters'")
def judge(
    study: Study,
    name: Annotated[str, typer.Argument(help="the judge, such as its model's name", show_default=False)],
    file: Annotated[
        Path,
        typer.Argument(help="JSONL: question, case, arm, value, and place if it is known", show_default=False),
    ],
    author: Author = ME,
    as_json: Json = False,
) -> None:
    """Keep the scores and print what is kept of every judge."""
    from backend.schemas.studies.study_judge import JudgeRequest, JudgeScore
    from backend.study.design.setups import checked
    from backend.study.design.study_cases import read_jsonl
    from backend.study.judges import add_judge

    scores = read_jsonl(file, JudgeScore, "a score: question, case, arm, value, and place if it is known")
    request = checked(JudgeRequest, {"judge": name, "scores": scores, "author": author})
    for view in add_judge(shared.studies_here(), study, request):
        counts = "counts" if view.counts else "replaced by a newer one"
        print(
            view.model_dump_json()
            if as_json
            else f"{view.at:%Y-%m-%d %H:%M} {view.judge}: {view.scores} scores, {counts}"
        )


@app.add("power", "how many cases a study needs, for a power of 0.8 at 0.05")
def power(
    difference: Annotated[float, typer.Option("--difference", help="the least that matters, in points")],
    sd: Annotated[
        float | None, typer.Option("--sd", help="standard deviation of a case's difference of two arms, in points")
    ] = None,
    draft_sd: Annotated[
        float | None,
        typer.Option("--draft-sd", help="instead of --sd: how drafts of one arm differ beyond their cases"),
    ] = None,
    rating_sd: Annotated[float | None, typer.Option("--rating-sd", help="and what a single rating adds")] = None,
    raters: Annotated[int, typer.Option("--raters", help="and the raters of each draft")] = 1,
    seed: Seed = 0,
    author: Author = ME,
    as_json: Json = False,
) -> None:
    """Print the numbers of cases of both tests.

    Raises:
        InputError: unless one kind of standard deviation is given.
    """
    from backend.study.statistics.comparison.power import cases_needed, difference_sd

    of_parts = None if draft_sd is None or rating_sd is None else difference_sd(draft_sd, rating_sd, raters)
    given = [value for value in (sd, of_parts) if value is not None]
    if len(given) != 1:
        raise InputError("Give either --sd, or --draft-sd and --rating-sd.")
    found = cases_needed(difference, given[0], seed)
    if as_json:
        print(json.dumps(found.model_dump()))
        return
    print(f"paired t-test: {found.t_cases} cases (power {found.t_power:.2f})")
    print(f"Wilcoxon:      {found.wilcoxon_cases} cases (power {found.wilcoxon_power:.2f}, simulated)")


def _progress(done: int, total: int, what: str) -> None:
    print(f"analysis: {done} of {total}, {what}", file=sys.stderr, flush=True)
