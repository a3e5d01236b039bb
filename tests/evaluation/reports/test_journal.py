"""Rows of a run survive a kill."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from backend.evaluation.reports.journal import Journal
from backend.settings import ROOT

WRITER = """
import sys
from pathlib import Path
from backend.evaluation.reports.journal import Journal
with Journal(Path(sys.argv[1]), "key") as book:
    for number in range(1_000_000):
        book.add(str(number), {"value": number})
        print(number, flush=True)
"""


def killed_after(path: Path, rows: int) -> list[int]:
    """What a writer said it had kept when it was killed."""
    command = [sys.executable, "-c", WRITER, str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        said = [int(child.stdout.readline()) for _ in range(rows)]
        os.kill(child.pid, signal.SIGKILL)
        said += [int(line) for line in child.stdout.read().split("\n")[:-1]]
    return said


def check(path: Path, said: list[int]) -> None:
    with Journal(path, "key") as book:
        kept = {int(item): row["value"] for item, row in book.rows.items()}
        book.add("after", {"value": -1})
    assert {number: number for number in said}.items() <= kept.items()
    with Journal(path, "key") as book:
        assert book.rows["after"] == {"value": -1}


def test_a_kill_loses_no_row_that_was_kept(tmp_path: Path) -> None:
    check(tmp_path / "rows", killed_after(tmp_path / "rows", 50))


@pytest.mark.slow
def test_fifty_kills_lose_no_row_that_was_kept(tmp_path: Path) -> None:
    for number in range(50):
        check(tmp_path / str(number), killed_after(tmp_path / str(number), 1 + number))


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_file_cut_anywhere_keeps_its_whole_lines(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "rows"
    with Journal(path, "key") as book:
        for number in range(3):
            book.add(str(number), {"value": number})
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    left = whole[:-cut].count(b"\n") - 1  # the first line is the key's
    with Journal(path, "key") as book:
        assert list(book.rows) == [str(number) for number in range(max(left, 0))]


def test_a_file_of_another_key_or_of_something_else_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    for content in (b'{"key": "other"}\n{"id": "1", "row": {}}\n', b"\x00\xff", b'["key"]\n', b""):
        path.write_bytes(content)
        with Journal(path, "key") as book:
            assert book.rows == {}
        assert path.read_bytes() == b'{"key": "key"}\n'
