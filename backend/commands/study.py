"""study: human-evaluation studies from setup to export, without a server."""

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from backend.errors import InputError
from backend.schemas.study import AnalysisPlan, Correction, EvidenceShown, Factor, PrimaryTest, StudySetup
from backend.schemas.study_instrument import Design
from backend.schemas.study_views import FreezeRequest, InviteRequest, SetupChange, StudyView
from backend.schemas.vocabulary import Document
from backend.settings import settings
from backend.study.options import COUNTS, checked, field_value, setup_of_options
from backend.study.told import progress_text, study_text

PLAN = ("primary_outcome", "test", "exclusions", "sample_size_reason", "correction", "correction_reason")


def add_to(commands: Any) -> None:
    """The parsers of this family."""
    parser = commands.add_parser("study", help="rate drafts blind: set up, generate, freeze, invite, export")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    _add_new(actions)
    _add_change(actions)
    _add_running(actions)
    for action in actions.choices.values():
        action.add_argument("--author", default=_me(), help="who does it, for the trail")
        action.add_argument("--json", action="store_true", help="print JSON")


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


def _add_running(actions: Any) -> None:
    invite = actions.add_parser("invite", help="personal links; each token is printed this once")
    invite.add_argument("study")
    invite.add_argument("rater", nargs="*", metavar="R01", help="the places; none: all that have no link")
    invite.add_argument("--label", default="", help="whom it is for")
    invite.set_defaults(run=run_invite)
    withdraw = actions.add_parser("withdraw", help="make a link open nothing; its ratings stay")
    withdraw.add_argument("study")
    withdraw.add_argument("rater", help="the place whose link it is, such as R01")
    withdraw.set_defaults(run=run_withdraw)
    status = actions.add_parser("status", help="all studies, or the progress of one")
    status.add_argument("study", nargs="?")
    status.set_defaults(run=run_status)
    for name, told in (
        ("close", "take no more ratings"),
        ("unlock", "show which arm is which, on record"),
        ("trail", "who did what"),
    ):
        action = actions.add_parser(name, help=told)
        action.add_argument("study")
        if name == "unlock":
            action.add_argument("--reason", default="", help="why now; it goes on record")
        action.set_defaults(run={"close": run_close, "unlock": run_unlock, "trail": run_trail}[name])
    third = actions.add_parser("adjudicate", help="give the items that disagree most to a third person")
    third.add_argument("study")
    third.add_argument("--items", type=int, default=10)
    third.set_defaults(run=run_adjudicate)
    export = actions.add_parser("export", help="take a study away")
    export.add_argument("study")
    export.add_argument("--format", default="jsonl", choices=["csv", "jsonl", "design"])
    export.add_argument("--to", type=Path, metavar="FILE", help="default: standard output")
    export.set_defaults(run=run_export)
    analyse = actions.add_parser("analyse", help="figures of the ratings; arms under codes until the study is unlocked")
    analyse.add_argument("study")
    analyse.add_argument("--report", choices=["html", "pdf"], help="the report of an unlocked study, with --to")
    analyse.add_argument("--to", type=Path, metavar="FILE", help="where the report goes")
    analyse.set_defaults(run=run_analyse)
    bring = actions.add_parser("import", help="a JSONL export, under the same hash")
    bring.add_argument("file", type=Path)
    bring.set_defaults(run=run_import)


def run_new(args: argparse.Namespace) -> None:
    from backend.study.cases import demonstration, read_cases, read_uploads
    from backend.study.drafting import Drafts

    setup, studies = setup_of_options(args), _studies()
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


def run_change(args: argparse.Namespace) -> None:
    studies = _studies()
    view = studies.view(args.study)
    fields = view.setup.model_dump() | dict(field_value(entry) for entry in args.field)
    request = SetupChange(setup=checked(StudySetup, fields), version=view.version, author=args.author)
    _print(args, studies.change(args.study, request))


def run_generate(args: argparse.Namespace) -> None:
    from backend.study.drafting import Drafts
    from backend.study.generation import generate
    from backend.study.sources import pipeline_source

    studies = _studies()
    if not Drafts(studies).jobs(args.study, args.retry_failed):
        _print(args, Drafts(studies).end(args.study, args.author))
        return
    _print(
        args,
        generate(studies, args.study, pipeline_source(_house()), args.author, _tell, retry_failed=args.retry_failed),
    )


def run_upload(args: argparse.Namespace) -> None:
    from backend.study.cases import read_uploads
    from backend.study.drafting import Drafts

    _print(args, Drafts(_studies()).upload(args.study, read_uploads(args.drafts), args.author))


def run_leaks(args: argparse.Namespace) -> None:
    from backend.study.drafting import Drafts

    report = Drafts(_studies()).leaks(args.study)
    if args.json:
        print(report.model_dump_json())
        return
    for leak in report.leaks:
        print(f"{'must be mended' if leak.blocking else 'warning'}: {leak.kind}, {leak.where}: {leak.what}")
    for arm, removed in report.removed.items():
        print(f"taken out of {arm}: {', '.join(f'{kind} {count}' for kind, count in removed.items()) or 'nothing'}")


def run_freeze(args: argparse.Namespace) -> None:
    studies = _studies()
    given = {name: getattr(args, name) for name in PLAN if getattr(args, name) is not None}
    plan = None
    if given:
        old = studies.view(args.study).setup.plan
        known = old.model_dump() if old else {"unit_of_analysis": "case"}
        plan = checked(AnalysisPlan, known | given)
    request = FreezeRequest(author=args.author, plan=plan, accept_warnings=args.accept_warnings)
    _print(args, studies.freeze(args.study, request))


def run_invite(args: argparse.Namespace) -> None:
    from backend.study import links

    studies = _studies()
    having = {link.rater_id for link in links.links(studies, args.study) if link.withdrawn_at is None}
    places = args.rater or [p.rater_id for p in studies.frozen(args.study).raters if p.rater_id not in having]
    if not places:
        raise InputError("Every place has a link. Withdraw one to give another: python -m backend study withdraw")
    for place in places:
        request = checked(InviteRequest, {"author": args.author, "rater": place, "label": args.label})
        given = links.invite(studies, args.study, request)
        url = f"http://{settings().host}:{settings().page_port}/rate?link={given.token}"
        print(given.model_dump_json() if args.json else f"{given.rater_id}  {url}", flush=True)


def run_withdraw(args: argparse.Namespace) -> None:
    from backend.study import links

    studies = _studies()
    given = links.links(studies, args.study)
    found = [link for link in given if link.rater_id == args.rater and link.withdrawn_at is None]
    if not found:
        raise InputError(f"{args.rater} has no open link. See: python -m backend study status {args.study}")
    gone = links.withdraw(studies, args.study, found[0].id, args.author)
    print(gone.model_dump_json() if args.json else f"the link of {gone.rater_id} opens nothing any more")


def run_status(args: argparse.Namespace) -> None:
    from backend.study.progress import progress

    studies = _studies()
    if args.study is None:
        for row in studies.page():
            print(row.model_dump_json() if args.json else f"{row.id}  {row.state.value:10}  {row.name}")
        return
    found = progress(studies, args.study)
    print(found.model_dump_json() if args.json else progress_text(found))


def run_close(args: argparse.Namespace) -> None:
    _print(args, _studies().close(args.study, args.author))


def run_unlock(args: argparse.Namespace) -> None:
    _print(args, _studies().unlock(args.study, args.author, args.reason))


def run_trail(args: argparse.Namespace) -> None:
    for event in _studies().trail(args.study):
        told = (
            f"{event.stamp.at:%Y-%m-%d %H:%M:%S} {event.actor} {event.kind.value} {event.item_id} {event.details or ''}"
        )
        print(event.model_dump_json() if args.json else told.rstrip())


def run_adjudicate(args: argparse.Namespace) -> None:
    from backend.study.adjudication import adjudicate

    plan = adjudicate(_studies(), args.study, args.items, args.author)
    print(
        plan.model_dump_json() if args.json else f"{plan.rater_id}: {len(plan.slots)} items; invite them like a rater"
    )


def run_export(args: argparse.Namespace) -> None:
    from backend.study.export import StudyFormat, export, write_beside

    text = export(_studies(), args.study, StudyFormat(args.format), args.author)
    if args.to is None:
        sys.stdout.write(text)
        return
    write_beside(args.to, text)


def run_analyse(args: argparse.Namespace) -> None:
    from backend.study.report import ReportFormat, analysed, report
    from backend.study.report_tables import result_tables
    from backend.study.report_told import analysis_text, write_bytes_beside

    if args.report:
        if args.to is None:
            raise InputError(f"Say where the report goes: --to study.{args.report}")
        made = report(_studies(), args.study, ReportFormat(args.report), args.author, _tell_analysis)
        write_bytes_beside(args.to, made)
        return
    found = analysed(_studies(), args.study, _tell_analysis).analysis
    print(found.model_dump_json() if args.json else analysis_text(found, result_tables(found)))


def run_import(args: argparse.Namespace) -> None:
    from backend.study.reimport import import_study

    try:
        text = args.file.read_bytes().decode("utf-8")
    except OSError as error:
        raise InputError(f"{args.file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise InputError(f"{args.file} is not UTF-8 text.") from None
    _print(args, import_study(_studies(), text, args.author))


def _print(args: argparse.Namespace, view: StudyView) -> None:
    print(view.model_dump_json() if args.json else study_text(view))


def _tell(done: int, total: int, what: str) -> None:
    print(f"drafts: {done} of {total}, {what}", file=sys.stderr, flush=True)


def _tell_analysis(done: int, total: int, what: str) -> None:
    print(f"analysis: {done} of {total}, {what}", file=sys.stderr, flush=True)


def _me() -> str:
    return os.environ.get("USER") or "not given"


def _studies() -> Any:
    from backend.stores.database import Database
    from backend.study.clock import system_stamper
    from backend.study.studies import Studies
    from backend.systems import SYSTEMS

    return Studies(Database.of(settings()), system_stamper(), lambda: [entry.name for entry in SYSTEMS])


def _house() -> Any:
    from backend.assembly import House

    return House(settings())
