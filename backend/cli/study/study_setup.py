"""study: from a setup to a frozen study."""

import argparse
import sys
from pathlib import Path
from typing import Any

from backend.cli.study import study_shared as shared
from backend.schemas.studies.study import AnalysisPlan, Correction, EvidenceShown, Factor, PrimaryTest, StudySetup
from backend.schemas.studies.study_instrument import Design
from backend.schemas.studies.study_views import FreezeRequest, SetupChange
from backend.schemas.vocabulary import Document
from backend.study.design.setups import COUNTS, checked, field_value, setup_of_options

PLAN = ("primary_outcome", "test", "exclusions", "sample_size_reason", "correction", "correction_reason")


def add_to(actions: Any) -> None:
    """The parsers of these actions."""
    _add_new(actions)
    _add_change(actions)
    listed = actions.add_parser("instruments", help="the instruments that ship")
    listed.set_defaults(run=run_instruments)


def _add_new(actions: Any) -> None:
    new = actions.add_parser("new", help="a new study; prints its id")
    new.add_argument("name")
    new.add_argument("--template", help="reinrag or omnirag: the design of a published study")
    new.add_argument("--setup", type=Path, metavar="FILE", help="the whole setup as JSON; see docs/studies.md")
    new.add_argument(
        "--cases",
        action="append",
        default=[],
        metavar="FROM",
        help="a JSONL file, a folder of .txt, demonstration, or demonstration:NAME",
    )
    new.add_argument("--arm", action="append", default=[], metavar="ID=SYSTEM[@GENERATOR]", help="ID= alone: uploaded")
    new.add_argument(
        "--guess-label", action="append", default=[], metavar="ID=WORDS", help="what raters guess at the end"
    )
    new.add_argument(
        "--instrument", action="append", default=[], metavar="NAME", help="one that ships, or a .json file"
    )
    new.add_argument("--drafts", type=Path, metavar="FILE", help="drafts made elsewhere: JSONL with case, arm, text")
    new.add_argument("--factor", choices=[f.value for f in Factor])
    new.add_argument("--design", choices=[d.value for d in Design])
    new.add_argument("--document", choices=[d.value for d in Document])
    new.add_argument("--evidence", choices=[e.value for e in EvidenceShown])
    new.add_argument("--title", dest="public_title", help="what raters see instead of the name")
    new.add_argument("--instructions", help="what raters read first")
    for name in COUNTS:
        new.add_argument(f"--{name.replace('_', '-')}", type=int)
    new.set_defaults(run=run_new)


def _add_change(actions: Any) -> None:
    change = actions.add_parser("change", help="fields of the setup, before it is frozen")
    change.add_argument("study")
    change.add_argument("field", nargs="+", metavar="FIELD=VALUE", help="the value as JSON, or as plain words")
    change.set_defaults(run=run_change)
    make = actions.add_parser("generate", help="write all drafts; stop it and run it again as you like")
    make.add_argument("study")
    make.add_argument("--retry-failed", action="store_true")
    make.set_defaults(run=run_generate)
    upload = actions.add_parser("upload", help="drafts made elsewhere")
    upload.add_argument("study")
    upload.add_argument("drafts", type=Path)
    upload.set_defaults(run=run_upload)
    leaks = actions.add_parser("leaks", help="what could tell raters which arm is which")
    leaks.add_argument("study")
    leaks.set_defaults(run=run_leaks)
    freeze = actions.add_parser("freeze", help="freeze it for good, with its analysis plan")
    freeze.add_argument("study")
    freeze.add_argument("--primary-outcome", metavar="INSTRUMENT/QUESTION")
    freeze.add_argument("--test", choices=[t.value for t in PrimaryTest])
    freeze.add_argument("--exclusions")
    freeze.add_argument("--sample-size-reason")
    freeze.add_argument("--correction", choices=[c.value for c in Correction])
    freeze.add_argument("--correction-reason")
    freeze.add_argument("--accept-warnings", action="store_true", help="freeze although raters may guess the arms")
    freeze.set_defaults(run=run_freeze)


def run_new(args: argparse.Namespace) -> None:
    from backend.study.design.study_cases import demonstration, read_cases, read_uploads
    from backend.study.design.study_drafts import Drafts

    setup, studies = setup_of_options(args), shared.studies_here()
    cases: list[Any] = []
    for source in args.cases:
        kind, _, name = source.partition(":")
        shipped = kind == "demonstration" and not Path(source).exists()
        cases += demonstration([name] if name else []) if shipped else read_cases(Path(source))
    uploads = read_uploads(args.drafts) if args.drafts else ()
    made = studies.create(setup, args.author, cases)
    if uploads:
        made = Drafts(studies).upload(made.id, uploads, args.author)
    print(made.model_dump_json() if args.json else made.id)


def run_instruments(args: argparse.Namespace) -> None:
    from backend.study.design.instruments import shipped

    for entry in shipped():
        print(entry.model_dump_json() if args.json else f"{entry.id}  {entry.title}, {len(entry.questions)} questions")


def run_change(args: argparse.Namespace) -> None:
    studies = shared.studies_here()
    view = studies.view(args.study)
    fields = view.setup.model_dump() | dict(field_value(entry) for entry in args.field)
    request = SetupChange(setup=checked(StudySetup, fields), version=view.version, author=args.author)
    shared.tell_study(args, studies.change(args.study, request))


def run_generate(args: argparse.Namespace) -> None:
    from backend.study.design.draft_sources import pipeline_source
    from backend.study.design.study_drafts import Drafts, generate

    studies = shared.studies_here()
    if not Drafts(studies).jobs(args.study, args.retry_failed):
        shared.tell_study(args, Drafts(studies).end(args.study, args.author))
        return
    shared.tell_study(
        args,
        generate(
            studies,
            args.study,
            pipeline_source(shared.container_here()),
            args.author,
            _tell,
            retry_failed=args.retry_failed,
        ),
    )


def run_upload(args: argparse.Namespace) -> None:
    from backend.study.design.study_cases import read_uploads
    from backend.study.design.study_drafts import Drafts

    shared.tell_study(args, Drafts(shared.studies_here()).upload(args.study, read_uploads(args.drafts), args.author))


def run_leaks(args: argparse.Namespace) -> None:
    from backend.study.design.study_drafts import Drafts

    report = Drafts(shared.studies_here()).leaks(args.study)
    if args.json:
        print(report.model_dump_json())
        return
    for leak in report.leaks:
        print(f"{'must be mended' if leak.blocking else 'warning'}: {leak.kind}, {leak.where}: {leak.what}")
    for arm, removed in report.removed.items():
        print(f"taken out of {arm}: {', '.join(f'{kind} {count}' for kind, count in removed.items()) or 'nothing'}")


def run_freeze(args: argparse.Namespace) -> None:
    studies = shared.studies_here()
    given = {name: getattr(args, name) for name in PLAN if getattr(args, name) is not None}
    plan = None
    if given:
        old = studies.view(args.study).setup.plan
        known = old.model_dump() if old else {"unit_of_analysis": "case"}
        plan = checked(AnalysisPlan, known | given)
    request = FreezeRequest(author=args.author, plan=plan, accept_warnings=args.accept_warnings)
    shared.tell_study(args, studies.freeze(args.study, request))


def _tell(done: int, total: int, what: str) -> None:
    print(f"drafts: {done} of {total}, {what}", file=sys.stderr, flush=True)
