"""The study commands on a small study, in this process."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import typer

from backend.cli.program import run as run_command
from backend.cli.study import study_shared
from backend.errors import LeapnoteError
from backend.study.design import draft_sources as sources
from backend.study.design.studies import Studies
from tests.study.sample import StudyWorld, Ticking, write


class Done(NamedTuple):
    status: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def study_world(tmp_path: Path) -> Iterator[StudyWorld]:
    made = StudyWorld(tmp_path)
    yield made
    made.database.close()


@pytest.fixture
def run(study_world: StudyWorld, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """An action in this process, on a small database, with a writer that needs no model."""
    monkeypatch.setattr(study_shared, "studies_here", lambda: Studies(study_world.database, Ticking()))
    monkeypatch.setattr(study_shared, "container_here", lambda: None)
    monkeypatch.setattr(sources, "pipeline_source", lambda container: write)

    def command(*arguments: str) -> Done:
        try:
            status = run_command(["study", *arguments])
        except typer.TyperException as wrong:
            return Done(wrong.exit_code, capsys.readouterr().out, wrong.format_message())
        except LeapnoteError as error:
            status = error.exit_status
            said = capsys.readouterr()
            return Done(status, said.out, str(error))
        said = capsys.readouterr()
        return Done(status, said.out, said.err)

    return command


@pytest.fixture
def material(tmp_path: Path) -> Path:
    path = tmp_path / "cases.jsonl"
    rows = [{"id": f"c{n}", "text": f"Patient {n} coughs.", "reference": "Rest."} for n in range(23)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path
