"""What the commands of studies share: the studies of this machine, and how they are told."""

import argparse
from typing import Any

from backend.schemas.studies.study_views import StudyView
from backend.settings import settings
from backend.study.reporting.terminal_text import study_text


def tell_study(args: argparse.Namespace, view: StudyView) -> None:
    print(view.model_dump_json() if args.json else study_text(view))


def studies_here() -> Any:
    from backend.stores.database.database import Database
    from backend.study.clock import system_stamper
    from backend.study.design.studies import Studies
    from backend.systems import all_systems

    return Studies(Database.of(settings()), system_stamper(), lambda: [entry.name for entry in all_systems()])


def container_here() -> Any:
    from backend.container import Container

    return Container(settings())
