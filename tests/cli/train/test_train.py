"""train gro: the settings it trains with, and what an interrupted run leaves."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from backend.cli.program import INTERRUPTED
from backend.cli.program import run as run_command
from backend.cli.train.train import GroOptions, run_settings
from backend.errors import InputError
from backend.training.gro import Preset
from backend.training.gro.presets import LEAPNOTE, REINRAG
from models.policy.rewards import RewardKind
from models.policy.walking.walk_settings import CandidateKind

OPTIONS = GroOptions(pairs=Path("pairs.jsonl"), device="cpu")


def test_without_options_a_run_is_its_preset() -> None:
    assert OPTIONS.given() == {}
    assert run_settings(OPTIONS)._replace(device=LEAPNOTE.device) == LEAPNOTE
    assert run_settings(replace(OPTIONS, preset=Preset.REINRAG))._replace(device=REINRAG.device) == REINRAG


def test_an_option_changes_its_setting_alone_and_no_is_an_answer() -> None:
    given = replace(OPTIONS, name="mine", epochs=1, learn_step="no", steps=0, reward="binary", candidates="frontier")
    run = run_settings(given)
    assert (run.name, run.training.epochs, run.learn_step, run.walk.steps) == ("mine", 1, False, 0)
    assert (run.rewards.kind, run.walk.candidates) == (RewardKind.BINARY, CandidateKind.FRONTIER)
    assert run.training._replace(epochs=LEAPNOTE.training.epochs) == LEAPNOTE.training


@pytest.mark.parametrize(
    "changed", [{"reward": "eq8"}, {"candidates": "all"}, {"state": "zebra"}, {"connect_when": "x"}]
)
def test_a_word_that_no_setting_knows_is_refused_with_where_to_look(changed: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="train gro --help"):
        run_settings(replace(OPTIONS, **changed))


@pytest.fixture
def stopped(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Training that is interrupted at once; the folders it was to train in."""
    folders: list[Path] = []

    def interrupted(pairs: Path, loaded: Any, run: Any, folder: Path, line: Any) -> None:
        folders.append(folder)
        raise KeyboardInterrupt

    parts = SimpleNamespace(graph=None, encoder=None, linker=None, open_concepts=None)
    parts.encoded_concepts = lambda line: None
    parts.loaded = SimpleNamespace(note_side=None, path_encoder="")
    monkeypatch.setattr("backend.container.Container", lambda chosen: parts)
    monkeypatch.setattr("backend.training.gro.gro_run.run_gro", interrupted)
    return folders


@pytest.mark.parametrize("restart", [True, False])
def test_an_interrupted_run_is_kept_until_it_is_to_be_forgotten(
    stopped: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], restart: bool
) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "state").write_text("epoch 3")
    words = ["train", "gro", "--pairs", "pairs.jsonl", "--out", str(folder), *(["--restart"] if restart else [])]
    assert run_command(words) == INTERRUPTED
    assert stopped == [folder]
    assert "The same command goes on" in capsys.readouterr().err
    assert (folder / "state").exists() is not restart
