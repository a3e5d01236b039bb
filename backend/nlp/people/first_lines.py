"""The lines above a note that say what it is."""

from collections.abc import Iterator

_MOST_LINES, _LONGEST_LINE = 5, 110
"""How many lines, none of them longer, may stand above the running text and say what a note is."""


def first_lines(text: str) -> Iterator[tuple[int, int]]:
    """The short lines that a note may begin with and that are no sentences."""
    end = lines = 0
    for line in text.splitlines(keepends=True):
        if len(line) > _LONGEST_LINE or lines == _MOST_LINES:
            return
        lines += bool(line.strip())
        if not line.rstrip().endswith("."):
            yield end, end + len(line)
        end += len(line)
