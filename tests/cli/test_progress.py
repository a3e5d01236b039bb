"""How long is left, by what this run and this kind of work has done."""

import threading

import pytest

from backend.cli import progress


def test_the_time_left_counts_neither_another_kind_of_work_nor_an_earlier_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    line = progress.ProgressLine()
    for at, done, what in (
        (100.0, 0, "encoded"),
        (1000.0, 50, "encoded"),
        (1001.0, 40, "indexed"),
        (1011.0, 60, "indexed"),
    ):
        now[0] = at
        line(done, 100, what)
    # 50 in 900 s leaves 900 s; of the second work, begun at 40, 20 took 10 s, so 40 take 20 s
    assert capsys.readouterr().err.splitlines() == [
        "0/100 encoded",
        "50/100 encoded, 900 s left",
        "40/100 indexed",
        "60/100 indexed, 20 s left",
    ]


def test_a_terminal_gets_a_bar_that_is_left_as_it_stands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    line = progress.ProgressLine()
    line(5, 10, "texts of [a]")
    line.end()
    said = capsys.readouterr().err
    assert "5/10 texts of [a]" in said
    assert said.rstrip().endswith("5/10 texts of [a]\n\x1b[?25h")  # the cursor is shown again


def test_plain_lines_come_now_and_then_and_at_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    line = progress.ProgressLine()
    for done, after in ((1, 0.0), (2, 1.0), (3, progress.PLAIN_EVERY_S), (4, 0.0)):
        now[0] += after
        line(done, 4, "notes")
    assert [text.split(",")[0] for text in capsys.readouterr().err.splitlines()] == [
        "1/4 notes",
        "3/4 notes",
        "4/4 notes",
    ]


def test_a_watched_line_says_in_every_second_what_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "BEAT_S", 0.02)
    beaten = threading.Event()
    show = progress.ProgressLine._show

    def shown(line: progress.ProgressLine, now: float, after: str) -> None:
        show(line, now, after)
        if "at it" in after:
            beaten.set()

    monkeypatch.setattr(progress.ProgressLine, "_show", shown)
    with progress.ProgressLine().watched("files are opened") as line:
        assert beaten.wait(10)
        beaten.clear()
        line(3, 9, "pages read")
        assert beaten.wait(10)
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "files are opened"
    assert "files are opened, at it for 0 s" in said
    assert "3/9 pages read, at it for 0 s" in said
