"""The script that trains what ships: every command has the flags that it gives, and its scenarios exist; slow, the whole on miniatures."""

import os
import shlex
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from backend.settings import ROOT
from backend.training.synthetic.scenarios import read_library
from models.policy.checkpoint import load_checkpoint
from tests.cli.parsing import parsed

SCRIPT = ROOT / "assets" / "training" / "shipped_policies.sh"
RECORDED = """#!/usr/bin/env bash
printf '%q ' "${@:3}" >> {log}; echo >> {log}
for ((i = 1; i <= $#; i++)); do [ "${!i}" = --out ] && j=$((i + 1)) && case "$3" in
pairs) echo '{"notices": ["held_out_scenario"]}' > "${!j}";;
train) mkdir -p "${!j}/checkpoint"; touch "${!j}/checkpoint/weights.npz" "${!j}/checkpoint/card.json";;
esac; done; true
"""


def run(tmp_path: Path, python: str, *names: str, **more: str) -> None:
    given = {"PYTHON": python, "OUT": str(tmp_path / "runs"), "CHECKPOINTS": str(tmp_path / "shipped"), **more}
    done = subprocess.run(
        ["bash", str(SCRIPT), *names], check=False, cwd=ROOT, env=os.environ | given, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-3000:]


def test_every_command_of_the_script_has_the_flags_that_it_gives_and_every_scenario_held_out_exists(
    tmp_path: Path,
) -> None:
    log, stub = tmp_path / "log", tmp_path / "python"
    stub.write_text(RECORDED.replace("{log}", str(log)), encoding="utf-8")
    stub.chmod(0o755)
    run(tmp_path, str(stub))
    said = [shlex.split(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [words[:2] for words in said[:2]] == [["pairs", "synthetic"]] * 2
    assert len(said) == 2 + 2 * 3  # two files of pairs; of each policy itself, its twin and the figures
    for words in said:
        assert parsed(*words) is not None, words
    held = {words for one in said for flag, words in pairwise(one) if flag == "--hold-out"}
    known = {one.id for one in read_library(ROOT / "assets" / "training" / "scenarios").scenarios}
    assert len(held) == 13 and held <= known
    assert (tmp_path / "shipped" / "reinrag" / "card.json").is_file()


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_the_script_trains_a_policy_and_writes_its_twins_figures_on_the_card(tmp_path: Path) -> None:
    small = {"PAIRS": "40", "LIMIT": "2", "MORE": "--epochs 1 --rollouts 2 --steps 2"}
    run(tmp_path, sys.executable, "leapnote", **small)
    card = load_checkpoint(tmp_path / "shipped" / "leapnote").card
    assert card["figures"][0]["measured"]["name"] == "leapnote-heldout"
    assert "twin leapnote-heldout" in card["figures"][0]["note"]
