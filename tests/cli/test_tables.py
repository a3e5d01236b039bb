"""Rows are plain lines anywhere but in a terminal."""

import pytest

from backend.cli.tables import print_table

ROWS = [("wiki", "[bold]gout[/bold]"), ("book", "atlas")]


def test_rows_are_plain_lines_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("source", "name"), ROWS, lambda cells: f"{cells[0]:6} {cells[1]}")
    assert capsys.readouterr().out == "wiki   [bold]gout[/bold]\nbook   atlas\n"


def test_a_terminal_gets_heads_and_cells_as_they_are(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    print_table(("source", "name"), ROWS)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines == [["source", "name"], ["wiki", "[bold]gout[/bold]"], ["book", "atlas"]]
