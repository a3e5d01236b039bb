"""The table of rows, the command line, and one row run whole on little data."""

import json
import subprocess
import sys

import pytest

from backend.__main__ import main
from backend.bench.measuring import BenchRow
from backend.bench.rows import ROWS, measure, row
from backend.bench.search import lexical
from backend.cli.bench import as_text
from backend.errors import NotFoundError
from backend.settings import ROOT


def test_the_targets_are_those_of_the_design() -> None:
    assert {entry.name: entry.target_ms for entry in ROWS} == {
        "link": 10,
        "link-large": 30,
        "record": 8,
        "record-large": 12,
        "bm25": 2,
        "evidence": 250,
        "draft": 150,
        "paths-large": 10,
        "gro": 480,  # 480 rollouts at the 1,000 a second wanted while exploring
        "start": 6_000,
        "cold": 3_000,
        "edit": 200,
        "redraft": 500,
        "letter": 10_000,
        "load": 3_000,
        "plan-large": 150,
        "plan-large-chroma": 150,
    } | ({"streams": row("streams").target_ms} if "streams" in {entry.name for entry in ROWS} else {})


@pytest.mark.parametrize("name", ["speed", "loads"])
def test_a_row_that_is_not_there_is_refused_with_the_rows_that_are(name: str) -> None:
    with pytest.raises(NotFoundError, match=f"'{name}'.*{', '.join(entry.name for entry in ROWS)}, fusion"):
        row(name)


def test_a_wrong_name_is_told_before_anything_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "bm25", "loads"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "There is no benchmark 'loads'" in captured.err


def test_a_row_run_here_is_one_json_line_with_the_fields_promised(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(lexical, "PASSAGES", 2_000)
    monkeypatch.setattr(lexical, "QUERIES", 30)
    monkeypatch.setattr(lexical, "PEER_QUERIES", 3)
    assert main(["bench", "bm25", "--here", "--json"]) == 0
    line = capsys.readouterr().out.strip()
    assert "\n" not in line
    row = json.loads(line)
    assert {"name", "n", "median_ms", "p95_ms", "rss_mb", "target_ms", "peer", "machine"} <= row.keys()
    assert row["n"] == 30 and 0 < row["median_ms"] <= row["p95_ms"]
    assert row["peer"]["name"].startswith("rank_bm25") and row["peer"]["n"] == 3


def test_an_interpreter_that_is_not_there_is_no_peer_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from backend.bench.peers import run_peer

    peer, reason = run_peer("medspaCy", "no-such-python", "medspacy_link.py", {})
    assert peer is None and reason == "medspaCy: FileNotFoundError"


def test_a_peer_that_is_not_installed_is_named_so() -> None:
    from backend.bench.peers import BENCH

    # -S leaves out installed packages
    done = subprocess.run(
        [sys.executable, "-S", str(BENCH / "notes" / "medspacy_link.py")], cwd=ROOT, input="{}", text=True, check=False
    )
    assert done.returncode == 3


def test_a_line_for_a_reader_says_whether_the_target_was_reached() -> None:
    found = BenchRow(
        name="x", n=3, median_ms=12.0, p95_ms=14.0, rss_mb=None, target_ms=10.0, peer_reason="none like it"
    )
    assert "MISSED" in as_text(found) and "no peer: none like it" in as_text(found)
    assert "reached" in as_text(found.model_copy(update={"median_ms": 10.0}))


@pytest.mark.bench
@pytest.mark.parametrize("entry", [entry.name for entry in ROWS])
def test_every_row_can_be_measured(entry: str) -> None:
    found = measure(entry)
    assert found.n > 0 and found.median_ms > 0
