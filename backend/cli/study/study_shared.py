"""What the commands of studies share: their options, the studies of this machine, and how a study is printed."""

import os
from typing import Annotated, Any

import typer

from backend.schemas.studies.study_views import StudyView
from backend.settings import settings
from backend.study.reporting.terminal_text import study_text

ME = os.environ.get("USER") or "not given"
Author = Annotated[str, typer.Option("--author", help="who does it, for the trail")]
Study = Annotated[str, typer.Argument(show_default=False)]


def print_study(view: StudyView, as_json: bool) -> None:
    """A study as it stands: as JSON, or in lines for a reader."""
    print(view.model_dump_json() if as_json else study_text(view))


def studies_here() -> Any:
    """The studies of the database that the settings name."""
    from backend.stores.database.database import Database
    from backend.study.clock import system_stamper
    from backend.study.design.studies import Studies
    from backend.systems import all_systems

    return Studies(Database.of(settings()), system_stamper(), lambda: [entry.name for entry in all_systems()])


def container_here() -> Any:
    """Everything that writes drafts, by the settings."""
    from backend.container import Container

    return Container(settings())
