"""seams: what can be added to Leapnote, and what is registered by name (docs/extending.md)."""

import json
from typing import Annotated

import typer

from backend.cli.cli_options import Json
from backend.cli.program import CommandLine
from backend.cli.tables import print_table
from backend.errors import NotFoundError

app = CommandLine()


@app.add("seams", "what is registered, and can be added to, by name")
def seams(
    name: Annotated[
        str | None, typer.Argument(metavar="SEAM", help="only this one, such as planner", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Print a line for each registered name.

    Raises:
        NotFoundError: for a seam there is not.
    """
    from backend.registry import seam_list

    found = seam_list()
    if name is not None and name not in {seam.name for seam in found}:
        raise NotFoundError(f"There is no seam {name!r}. Choose one of: {', '.join(seam.name for seam in found)}")
    chosen = [seam for seam in found if name is None or seam.name == name]
    if as_json:
        print(json.dumps([seam.model_dump() for seam in chosen], ensure_ascii=False))
        return
    rows = [(seam.name, entry.name, entry.label, entry.about) for seam in chosen for entry in seam.registered]
    print_table(("seam", "name", "label", "about"), rows)
