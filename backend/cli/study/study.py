"""study: human-evaluation studies from setup to export, without a server."""

import os
from typing import Any

from backend.cli.study import study_results, study_running, study_setup


def add_to(commands: Any) -> None:
    """The parsers of this family."""
    parser = commands.add_parser("study", help="rate drafts blind: set up, generate, freeze, invite, export")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for family in (study_setup, study_running, study_results):
        family.add_to(actions)
    for action in actions.choices.values():
        action.add_argument("--author", default=_me(), help="who does it, for the trail")
        action.add_argument("--json", action="store_true", help="print JSON")


def _me() -> str:
    return os.environ.get("USER") or "not given"
