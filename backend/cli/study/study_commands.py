"""study: human-evaluation studies from setup to export, without a server."""

from backend.cli.program import CommandLine
from backend.cli.study.study_results import app as results
from backend.cli.study.study_running import app as running
from backend.cli.study.study_setup import app as setup

app = CommandLine("rate drafts blind: set up, generate, freeze, invite, export")
for part in (setup, running, results):
    app.add_typer(part)
