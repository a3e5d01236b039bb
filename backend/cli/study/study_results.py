"""study: figures, a judge's scores, files to take away and to bring in, and how many cases a study needs."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from backend.cli.study import study_shared as shared
from backend.errors import InputError
from backend.schemas.studies.study_views import ReportFormat, StudyFormat


def add_to(actions: Any) -> None:
    """The parsers of these actions."""
    export = actions.add_parser("export", help="take a study away")
    export.add_argument("study")
    export.add_argument("--format", default="jsonl", choices=[form.value for form in StudyFormat])
    export.add_argument("--to", type=Path, metavar="FILE", help="default: standard output")
    export.set_defaults(run=run_export)
    analyse = actions.add_parser("analyse", help="figures of the ratings; arms under codes until the study is unlocked")
    analyse.add_argument("study")
    analyse.add_argument(
        "--report", choices=[form.value for form in ReportFormat], help="the report of an unlocked study, with --to"
    )
    analyse.add_argument("--to", type=Path, metavar="FILE", help="where the report goes")
    analyse.set_defaults(run=run_analyse)
    bring = actions.add_parser("import", help="a JSONL export, under the same hash")
    bring.add_argument("file", type=Path)
    bring.set_defaults(run=run_import)
    judge = actions.add_parser("judge", help="a judge model's scores, to be set beside the raters'")
    judge.add_argument("study")
    judge.add_argument("name", help="the judge, such as its model's name")
    judge.add_argument("file", type=Path, help="JSONL: question, case, arm, value, and place if it is known")
    judge.set_defaults(run=run_judge)
    power = actions.add_parser("power", help="how many cases a study needs, for a power of 0.8 at 0.05")
    power.add_argument("--difference", type=float, required=True, help="the least that matters, in points")
    power.add_argument("--sd", type=float, help="standard deviation of a case's difference of two arms, in points")
    power.add_argument(
        "--draft-sd", type=float, help="instead of --sd: how drafts of one arm differ beyond their cases"
    )
    power.add_argument("--rating-sd", type=float, help="and what a single rating adds")
    power.add_argument("--raters", type=int, default=1, help="and the raters of each draft")
    power.add_argument("--seed", type=int, default=0)
    power.set_defaults(run=run_power)


def run_export(args: argparse.Namespace) -> None:
    from backend.study.reporting.study_export import export, write_private

    text = export(shared.studies_here(), args.study, StudyFormat(args.format), args.author)
    if args.to is None:
        sys.stdout.write(text)
        return
    write_private(args.to, text.encode())


def run_analyse(args: argparse.Namespace) -> None:
    from backend.study.reporting.report import analysed
    from backend.study.reporting.report_tables import result_tables
    from backend.study.reporting.study_export import report_file, write_private
    from backend.study.reporting.terminal_text import analysis_text

    if args.report:
        if args.to is None:
            raise InputError(f"Say where the report goes: --to study.{args.report}")
        made = report_file(shared.studies_here(), args.study, ReportFormat(args.report), args.author, _tell_analysis)
        write_private(args.to, made)
        return
    found = analysed(shared.studies_here(), args.study, _tell_analysis).analysis
    print(found.model_dump_json() if args.json else analysis_text(found, result_tables(found)))


def run_import(args: argparse.Namespace) -> None:
    from backend.study.reporting.study_import import import_study

    try:
        text = args.file.read_bytes().decode("utf-8")
    except OSError as error:
        raise InputError(f"{args.file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise InputError(f"{args.file} is not UTF-8 text.") from None
    shared.tell_study(args, import_study(shared.studies_here(), text, args.author))


def run_judge(args: argparse.Namespace) -> None:
    from backend.schemas.studies.study_judge import JudgeRequest, JudgeScore
    from backend.study.design.setups import checked
    from backend.study.design.study_cases import read_jsonl
    from backend.study.rating.judges import add_judge

    scores = read_jsonl(args.file, JudgeScore, "a score: question, case, arm, value, and place if it is known")
    request = checked(JudgeRequest, {"judge": args.name, "scores": scores, "author": args.author})
    for view in add_judge(shared.studies_here(), args.study, request):
        counts = "counts" if view.counts else "replaced by a newer one"
        print(
            view.model_dump_json()
            if args.json
            else f"{view.at:%Y-%m-%d %H:%M} {view.judge}: {view.scores} scores, {counts}"
        )


def run_power(args: argparse.Namespace) -> None:
    from backend.study.statistics.comparison.power import cases_needed, difference_sd

    if (args.sd is None) == (args.draft_sd is None or args.rating_sd is None):
        raise InputError("Give either --sd, or --draft-sd and --rating-sd.")
    sd = args.sd if args.sd is not None else difference_sd(args.draft_sd, args.rating_sd, args.raters)
    found = cases_needed(args.difference, sd, args.seed)
    if args.json:
        print(json.dumps(found.model_dump()))
        return
    print(f"paired t-test: {found.t_cases} cases (power {found.t_power:.2f})")
    print(f"Wilcoxon:      {found.wilcoxon_cases} cases (power {found.wilcoxon_power:.2f}, simulated)")


def _tell_analysis(done: int, total: int, what: str) -> None:
    print(f"analysis: {done} of {total}, {what}", file=sys.stderr, flush=True)
