"""knowledge check names one planted fault of every kind that it promises to find, and finds none in what ships."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from backend.cli.program import main
from backend.settings import settings as current
from tests.cli.knowledge.planted_faults import PLANTED, UNREADABLE, Fault, planted

Check = Callable[[Path], tuple[int, str]]


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Check:
    """Runs `knowledge check` on a folder: its exit status, and all that it says."""

    def run(folder: Path) -> tuple[int, str]:
        chosen = current().model_copy(update={"knowledge": folder, "data": tmp_path / "data"})
        monkeypatch.setattr("backend.cli.knowledge.knowledge.settings", lambda: chosen)
        status = main(["knowledge", "check"])
        said = capsys.readouterr()
        return status, said.out + said.err

    return run


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of what ships, without its vectors."""
    folder = tmp_path / "knowledge"
    shutil.copytree(current().knowledge, folder, ignore=shutil.ignore_patterns("vectors"))
    return folder


def test_every_planted_fault_is_named(check: Check, copy: Path) -> None:
    planted(copy, PLANTED)
    status, said = check(copy)
    lines = said.splitlines()
    missed = [one.kind for one in PLANTED if not any(all(word in line for word in one.named) for line in lines)]
    assert (status, missed) == (2, []), f"{len(PLANTED) - len(missed)} of {len(PLANTED)} found"


@pytest.mark.parametrize("fault", UNREADABLE, ids=lambda fault: fault.kind)
def test_a_fault_that_stops_the_reading_is_named_with_its_place(check: Check, copy: Path, fault: Fault) -> None:
    planted(copy, [fault])
    status, said = check(copy)
    line = said.strip().splitlines()[-1]
    assert status == 2
    assert all(word in line for word in fault.named), line
    assert Path(fault.file).name in line, "the file is named"


def test_a_plant_whose_place_is_gone_plants_nothing_silently(copy: Path) -> None:
    with pytest.raises(ValueError, match="has no 'no such words'"):
        planted(copy, [Fault("gone", "standing.tsv", (), old="no such words", new="x")])
