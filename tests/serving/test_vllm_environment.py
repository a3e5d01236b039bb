"""The environment that vLLM lives in: built whole or not at all. A script stands in for Python, so nothing is fetched."""

from pathlib import Path

import pytest
from filelock import FileLock

from backend.errors import InputError, MissingError
from backend.serving import vllm_environment as environment
from backend.serving.vllm_environment import LOCK, build, is_built

# makes a folder with a bin/python that is this script again, and a bin/vllm when it is asked to install
PYTHON = """#!/bin/sh
echo "$@" >> {calls}
if [ "$2" = venv ]; then mkdir -p "$3/bin"; touch "$3/pyvenv.cfg"; cp "$0" "$3/bin/python"; exit 0; fi
if [ -e {fails} ]; then echo "some words" >&2; echo "ERROR: No matching distribution" >&2; echo "hint" >&2; exit 1; fi
touch "$(dirname "$0")/vllm"
"""


class Place:
    def __init__(self, folder: Path) -> None:
        self.venv = folder / "venv"
        self.calls = folder / "calls"
        self.fails = folder / "fails"
        self.requirements = folder / "requirements.txt"
        self.requirements.write_text("vllm==1\n")
        self.python = folder / "python"
        self.python.write_text(PYTHON.format(calls=self.calls, fails=self.fails))
        self.python.chmod(0o755)
        self.said: list[str] = []

    def build(self) -> None:
        build(self.venv, self.requirements, self.said.append, str(self.python))

    @property
    def asked(self) -> list[str]:
        return self.calls.read_text().splitlines()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.setattr(environment, "MIN_FREE", 0)
    return Place(tmp_path)


def test_it_is_built_from_the_requirements(place: Place) -> None:
    place.build()
    assert is_built(place.venv, place.requirements)
    assert place.asked[0] == f"-m venv {place.venv}"
    assert place.asked[1].endswith(f"--requirement {place.requirements}")


def test_one_that_is_there_is_left_as_it_is(place: Place) -> None:
    place.build()
    place.build()
    assert len(place.asked) == 2
    assert "up to date" in place.said[-1]


def test_other_requirements_are_installed(place: Place) -> None:
    place.build()
    place.requirements.write_text("vllm==2\n")
    assert not is_built(place.venv, place.requirements)
    place.build()
    assert is_built(place.venv, place.requirements)
    assert len(place.asked) == 4


def test_a_build_that_failed_tells_pips_error_and_is_taken_up_again(place: Place) -> None:
    place.fails.touch()
    with pytest.raises(MissingError, match="No matching distribution"):
        place.build()
    assert not is_built(place.venv, place.requirements)
    place.fails.unlink()
    place.build()
    assert is_built(place.venv, place.requirements)


def test_a_folder_that_holds_something_else_is_refused(place: Place) -> None:
    place.venv.mkdir()
    (place.venv / "thesis.txt").write_text("words")
    with pytest.raises(InputError, match="LEAPNOTE_VLLM_VENV"):
        place.build()
    assert not place.calls.exists()


def test_two_do_not_build_at_once(place: Place) -> None:
    place.venv.mkdir()
    with FileLock(place.venv / LOCK, preserve_lock_file=True), pytest.raises(MissingError, match="Another process"):
        place.build()
    place.build()  # the lock's file alone is no other thing in the folder


def test_too_little_room_is_told_before_anything_is_fetched(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "MIN_FREE", 10**18)
    with pytest.raises(MissingError, match="GB are free"):
        place.build()
    assert not place.calls.exists()


def test_the_requirements_pin_vllm_and_its_torch() -> None:
    from backend.cli.operations.llm import REQUIREMENTS

    lines = [line.split("#")[0].strip() for line in REQUIREMENTS.read_text().splitlines()]
    assert [line for line in lines if line] == ["torch==2.13.0", "vllm==0.30.0"]
