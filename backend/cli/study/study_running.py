"""study: links and progress while people rate, and the end of it."""

import argparse
from typing import Any

from backend.cli.study import study_shared as shared
from backend.errors import InputError
from backend.schemas.studies.study_views import InviteRequest
from backend.settings import settings
from backend.study.design.setups import checked
from backend.study.reporting.terminal_text import progress_text


def add_to(actions: Any) -> None:
    """The parsers of these actions."""
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


def run_invite(args: argparse.Namespace) -> None:
    from backend.study.rating import personal_links as links

    studies = shared.studies_here()
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
    from backend.study.rating import personal_links as links

    studies = shared.studies_here()
    given = links.links(studies, args.study)
    found = [link for link in given if link.rater_id == args.rater and link.withdrawn_at is None]
    if not found:
        raise InputError(f"{args.rater} has no open link. See: python -m backend study status {args.study}")
    gone = links.withdraw(studies, args.study, found[0].id, args.author)
    print(gone.model_dump_json() if args.json else f"the link of {gone.rater_id} opens nothing any more")


def run_status(args: argparse.Namespace) -> None:
    from backend.study.rating.study_progress import progress

    studies = shared.studies_here()
    if args.study is None:
        for row in studies.page():
            print(row.model_dump_json() if args.json else f"{row.id}  {row.state.value:10}  {row.name}")
        return
    found = progress(studies, args.study)
    print(found.model_dump_json() if args.json else progress_text(found))


def run_close(args: argparse.Namespace) -> None:
    shared.tell_study(args, shared.studies_here().close(args.study, args.author))


def run_unlock(args: argparse.Namespace) -> None:
    shared.tell_study(args, shared.studies_here().unlock(args.study, args.author, args.reason))


def run_trail(args: argparse.Namespace) -> None:
    for event in shared.studies_here().trail(args.study):
        told = (
            f"{event.stamp.at:%Y-%m-%d %H:%M:%S} {event.actor} {event.kind.value} {event.item_id} {event.details or ''}"
        )
        print(event.model_dump_json() if args.json else told.rstrip())


def run_adjudicate(args: argparse.Namespace) -> None:
    from backend.study.rating.adjudication import adjudicate

    plan = adjudicate(shared.studies_here(), args.study, args.items, args.author)
    print(
        plan.model_dump_json() if args.json else f"{plan.rater_id}: {len(plan.slots)} items; invite them like a rater"
    )
