"""study: links and progress while people rate, and the end of it."""

from typing import Annotated

import typer

from backend.cli.cli_options import Json
from backend.cli.program import CommandLine
from backend.cli.study import study_shared as shared
from backend.cli.study.study_shared import ME, Author, Study
from backend.cli.tables import print_table
from backend.errors import InputError
from backend.schemas.studies.study_views import InviteRequest
from backend.settings import settings
from backend.study.design.setups import checked
from backend.study.reporting.terminal_text import progress_text

app = CommandLine()


@app.add("invite", "personal links; each token is printed this once")
def invite(
    study: Study,
    rater: Annotated[
        list[str] | None,
        typer.Argument(metavar="R01", help="the places; none: all that have no link", show_default=False),
    ] = None,
    label: Annotated[str, typer.Option("--label", help="whom it is for")] = "",
    author: Author = ME,
    as_json: Json = False,
) -> None:
    """Print a link for each place.

    Raises:
        InputError: when every place has one.
    """
    from backend.study.rating import personal_links as links

    studies = shared.studies_here()
    having = {link.rater_id for link in links.links(studies, study) if link.withdrawn_at is None}
    places = rater or [p.rater_id for p in studies.frozen(study).raters if p.rater_id not in having]
    if not places:
        raise InputError("Every place has a link. Withdraw one to give another: python -m backend study withdraw")
    for place in places:
        request = checked(InviteRequest, {"author": author, "rater": place, "label": label})
        given = links.invite(studies, study, request)
        url = f"http://{settings().host}:{settings().page_port}/rate?link={given.token}"
        print(given.model_dump_json() if as_json else f"{given.rater_id}  {url}", flush=True)


@app.add("withdraw", "make a link open nothing; its ratings stay")
def withdraw(
    study: Study,
    rater: Annotated[str, typer.Argument(help="the place whose link it is, such as R01", show_default=False)],
    author: Author = ME,
    as_json: Json = False,
) -> None:
    """Withdraw the open link of a place.

    Raises:
        InputError: where it has none.
    """
    from backend.study.rating import personal_links as links

    studies = shared.studies_here()
    given = links.links(studies, study)
    found = [link for link in given if link.rater_id == rater and link.withdrawn_at is None]
    if not found:
        raise InputError(f"{rater} has no open link. See: python -m backend study status {study}")
    gone = links.withdraw(studies, study, found[0].id, author)
    print(gone.model_dump_json() if as_json else f"the link of {gone.rater_id} opens nothing any more")


@app.add("status", "all studies, or the progress of one")
def status(
    study: Annotated[str | None, typer.Argument(show_default=False)] = None, author: Author = ME, as_json: Json = False
) -> None:
    """Print a line for each study, or the progress of one."""
    from backend.study.rating.study_progress import progress

    studies = shared.studies_here()
    if study is None:
        found = studies.page()
        if as_json:
            for row in found:
                print(row.model_dump_json())
            return
        rows = [(str(row.id), row.state.value, row.name) for row in found]
        print_table(("study", "state", "name"), rows, lambda cells: f"{cells[0]}  {cells[1]:10}  {cells[2]}")
        return
    stand = progress(studies, study)
    print(stand.model_dump_json() if as_json else progress_text(stand))


@app.add("close", "take no more ratings")
def close(study: Study, author: Author = ME, as_json: Json = False) -> None:
    """End the rating."""
    shared.print_study(shared.studies_here().close(study, author), as_json)


@app.add("unlock", "show which arm is which, on record")
def unlock(
    study: Study,
    reason: Annotated[str, typer.Option("--reason", help="why now; it goes on record")] = "",
    author: Author = ME,
    as_json: Json = False,
) -> None:
    """Unblind a closed study."""
    shared.print_study(shared.studies_here().unlock(study, author, reason), as_json)


@app.add("trail", "who did what")
def trail(study: Study, author: Author = ME, as_json: Json = False) -> None:
    """Print the trail, oldest first."""
    for event in shared.studies_here().trail(study):
        line = (
            f"{event.stamp.at:%Y-%m-%d %H:%M:%S} {event.actor} {event.kind.value} {event.item_id} {event.details or ''}"
        )
        print(event.model_dump_json() if as_json else line.rstrip())


@app.add("adjudicate", "give the items that disagree most to a third person")
def give_to_third(
    study: Study,
    items: Annotated[int, typer.Option("--items")] = 10,
    author: Author = ME,
    as_json: Json = False,
) -> None:
    """Make a place for an adjudicator with these items."""
    from backend.study.rating.adjudication import adjudicate

    plan = adjudicate(shared.studies_here(), study, items, author)
    print(plan.model_dump_json() if as_json else f"{plan.rater_id}: {len(plan.slots)} items; invite them like a rater")
