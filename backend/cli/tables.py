"""Rows for a reader: a table in a terminal, plain lines anywhere else."""

import sys
from collections.abc import Callable, Sequence


def print_table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], line: Callable[[Sequence[str]], str] = "  ".join
) -> None:
    """Print rows of text.

    Args:
        heads: of the columns; shown in a terminal alone.
        rows: a cell for each head.
        line: the plain line of a row's cells.
    """
    if not sys.stdout.isatty():
        for row in rows:
            print(line(row))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*heads, box=None, header_style="bold", pad_edge=False)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))  # Text: nothing in a cell is markup
    Console().print(table)
