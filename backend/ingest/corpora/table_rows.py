"""Cells of a table that reach over several rows, told again in each of them.

A row is kept as a line of its own, so that "10,000 units" below a drug's name that stands once, at the left of two rows,
must not lose the drug. It knows rows and columns, and no markup.
"""

MOST_ROWS = 200  # that a cell may reach over; a page may say anything


class RowSpans:
    """Feed it a table's cells in order; it tells which cells of earlier rows belong before the next one."""

    def __init__(self) -> None:
        self._carried: dict[int, tuple[str, int]] = {}  # by column: text, rows left
        self._column = 0

    def begin_row(self) -> None:
        """The cells that follow are a new row's."""
        self._column = 0

    def before_cell(self) -> list[str]:
        """The cells of earlier rows that stand in the row before its next own cell."""
        texts = []
        while self._column in self._carried:
            texts.append(self._again(self._column))
            self._column += 1
        return texts

    def cell(self, text: str, rows: str | None, columns: str | None) -> None:
        """An own cell of the row. rows, columns: as the markup says; what is no number counts as 1."""
        over = min(_count(rows), MOST_ROWS)
        if over > 1 and text:
            self._carried[self._column] = (text, over - 1)
        self._column += min(_count(columns), MOST_ROWS)

    def end_row(self) -> list[str]:
        """The cells of earlier rows that stand behind the row's last own cell."""
        return [self._again(column) for column in sorted(self._carried) if column >= self._column]

    def _again(self, column: int) -> str:
        text, left = self._carried.pop(column)
        if left > 1:
            self._carried[column] = (text, left - 1)
        return text


def _count(told: str | None) -> int:
    digits = (told or "").strip()
    return max(int(digits), 1) if digits.isdecimal() and len(digits) < 6 else 1
