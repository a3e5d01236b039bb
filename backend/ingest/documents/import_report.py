"""What an import read, kept and left out, and why. Every importer fills one.

It holds counts, reasons and places, never text of the data: a reason is a phrase of the program, and an example is a line
number of the file, or the name of a file where a folder is read. It judges nothing.
"""

import json
from collections.abc import Mapping
from typing import Any

EXAMPLES = 5


class ImportReport:
    """Counts of one import. read = kept + everything skipped, once the import is through.

    skipped: reason to count, in the order in which the reasons came up. examples: reason to the first five places: line
    numbers, counted from 1, or names of files. notes: whole sentences that a reader should see, as that a file looks cut short.
    """

    def __init__(self) -> None:
        self.read = 0
        self.kept = 0
        self.skipped: dict[str, int] = {}
        self.examples: dict[str, list[int | str]] = {}
        self.notes: list[str] = []

    def seen(self, count: int = 1) -> None:
        """Rows were read."""
        self.read += count

    def keep(self, count: int = 1) -> None:
        """Rows were taken."""
        self.kept += count

    def skip(self, reason: str, place: int | str | None = None, count: int = 1) -> None:
        """Rows were left out for a reason; place is the line of one of them, or its file's name, where it is known."""
        self.skipped[reason] = self.skipped.get(reason, 0) + count
        if place is not None:
            places = self.examples.setdefault(reason, [])
            if len(places) < EXAMPLES:
                places.append(place)

    def note(self, sentence: str) -> None:
        """Something to be seen that is no row; the same sentence is kept once."""
        if sentence not in self.notes:
            self.notes.append(sentence)

    def add(self, other: "ImportReport", prefix: str = "") -> None:
        """Take in the counts of a part, as one file of several; the prefix tells the parts apart in the reasons."""
        self.read += other.read
        self.kept += other.kept
        for reason, count in other.skipped.items():
            self.skipped[prefix + reason] = self.skipped.get(prefix + reason, 0) + count
        for reason, lines in other.examples.items():
            places = self.examples.setdefault(prefix + reason, [])
            places.extend(lines[: EXAMPLES - len(places)])
        for sentence in other.notes:
            self.note(sentence)

    @property
    def skipped_count(self) -> int:
        """All rows left out."""
        return sum(self.skipped.values())

    def as_json(self) -> dict[str, Any]:
        """The whole report as plain values; `from_json` reads it back."""
        return {
            "read": self.read,
            "kept": self.kept,
            "skipped": dict(self.skipped),
            "examples": {reason: list(lines) for reason, lines in self.examples.items()},
            "notes": list(self.notes),
        }

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> "ImportReport":
        """The report that `as_json` wrote."""
        report = cls()
        report.read, report.kept = int(row["read"]), int(row["kept"])
        report.skipped = {str(reason): int(count) for reason, count in row["skipped"].items()}
        report.examples = {
            str(reason): [place if isinstance(place, int) else str(place) for place in places]
            for reason, places in row["examples"].items()
        }
        report.notes = [str(sentence) for sentence in row["notes"]]
        return report

    def as_text(self) -> str:
        """A few lines for a terminal: the sums, then one line a reason, the commonest first."""
        lines = [f"read {self.read:,}, kept {self.kept:,}, skipped {self.skipped_count:,}"]
        for reason, count in sorted(self.skipped.items(), key=lambda item: (-item[1], item[0])):
            places = self.examples.get(reason, ())
            listed = f"{'line ' if places and isinstance(places[0], int) else ''}{', '.join(map(str, places))}"
            where = f" ({listed}{', …' if count > len(places) else ''})" if places else ""
            lines.append(f"  {count:,}  {reason}{where}")
        lines.extend(self.notes)
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"ImportReport({json.dumps(self.as_json(), ensure_ascii=False)})"
