"""The script of the go or no-go: its commands have the flags that it gives, and what it holds out is not what the cards hold out."""

import shlex
from itertools import pairwise
from pathlib import Path

import pytest

from backend.settings import ROOT
from backend.training.synthetic.scenarios import read_library
from tests.cli.parsing import parsed
from tests.cli.train import test_shipped_policies_script as shipped

SCRIPT = ROOT / "assets" / "training" / "go_or_no_go.sh"


def _said(folder: Path, script: Path, monkeypatch: pytest.MonkeyPatch, **more: str) -> list[list[str]]:
    log, stub = folder / "log", folder / "python"
    folder.mkdir()
    recorded = shipped.RECORDED.replace("{log}", str(log))
    stub.write_text(recorded.replace('/card.json";;', '/card.json" "${!j}/examples-train.npz";;'), encoding="utf-8")
    stub.chmod(0o755)
    monkeypatch.setattr(shipped, "SCRIPT", script)
    shipped.run(folder, str(stub), **more)
    return [shlex.split(line) for line in log.read_text(encoding="utf-8").splitlines()]


def _held_out(said: list[list[str]]) -> set[str]:
    return {word for words in said for flag, word in pairwise(words) if flag == "--hold-out"}


def test_five_seeds_are_trained_on_pairs_linked_once_and_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cards = _held_out(_said(tmp_path / "cards", shipped.SCRIPT, monkeypatch))
    said = _said(tmp_path / "go", SCRIPT, monkeypatch)
    assert [words[:2] for words in said] == [["pairs", "synthetic"], *[["train", "gro"]] * 5, ["evaluate", "paths"]]
    for words in said:
        assert parsed(*words) is not None, words
    assert {words[words.index("--seed") + 1] for words in said[1:-1]} == {"1", "2", "3", "4", "5"}
    named = [value.partition("=")[0] for flag, value in pairwise(said[-1]) if flag == "--policy"]
    assert named == [f"leapnote#{seed}" for seed in range(1, 6)]
    known = {one.id for one in read_library(ROOT / "assets" / "training" / "scenarios").scenarios}
    held = _held_out(said)
    assert len(held) == 13 and held <= known and not held & cards
    for seed in range(1, 6):
        assert (tmp_path / "go" / "runs" / f"leapnote-{seed}" / "examples-train.npz").is_file()


def test_pairs_and_a_graph_of_ones_own_take_the_place_of_the_synthetic_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, unmet = str(tmp_path / "mine.jsonl"), str(tmp_path / "unmet.jsonl")
    given = {"TRAIN": mine, "TEST": unmet, "GRAPH": "kg", "SEEDS": "1 2"}
    said = _said(tmp_path / "both", SCRIPT, monkeypatch, **given)
    assert [words[:2] for words in said] == [*[["train", "gro"]] * 2, ["evaluate", "paths"]]
    for words in said:
        assert parsed(*words) is not None and words[words.index("--graph") + 1] == "kg", words
    assert {words[words.index("--pairs") + 1] for words in said[:-1]} == {mine}
    measured = said[-1]
    assert [measured[measured.index(flag) + 1] for flag in ("--pairs", "--training", "--split")] == [unmet, mine, "all"]
    one = _said(tmp_path / "one", SCRIPT, monkeypatch, TRAIN=mine, SEEDS="1")[-1]
    assert [one[one.index(flag) + 1] for flag in ("--pairs", "--training", "--split")] == [mine, mine, "test"]
    assert [name for flag, name in pairwise(one) if flag == "--retrievers"] == ["popularity", "two-hop"]
