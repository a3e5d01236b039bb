"""The reader of assertions on the public NegEx corpus: `python -m tests.nlp.public FILE [odd|even] [-v] [-linked]`.

FILE is `rsAnnotations-1-120-random.txt` of github.com/chapmanbe/negex (Apache licence; 2,376 sentences of six kinds of report,
one phrase each): no part of it is kept here. Rows are told apart by their number: mends may look at odd rows, even ones are
held out. -linked: whole sentences through the linker; only phrases with a mention count. What is negated and past is negated,
as the precedence of assertions has it; so history is counted thrice: without what the corpus denies, and with it, by the assertion
that comes first and by all that applies.
"""

import re
import sys
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple


class Row(NamedTuple):
    """One sentence and the phrase asked about: first character and the one after the last; its labels as written."""

    number: int
    text: str
    span: tuple[int, int]
    negation: str
    time: str
    person: str


def corpus(path: Path, half: str = "") -> list[Row]:
    """Rows whose phrase stands in their sentence, apart from blanks; in capitals where it does, as the corpus marks it."""
    found = []
    for line in path.read_text("utf-8", errors="replace").splitlines()[1:]:
        cells = line.split("\t")
        if len(cells) < 6 or not cells[0].isdigit():
            continue
        phrase, marked = (r"\s+".join(map(re.escape, said.split())) for said in (cells[1], cells[1].upper()))
        match = (re.search(marked, cells[2]) or re.search(phrase, cells[2], re.I)) if phrase else None
        if match is None or (half and (int(cells[0]) % 2 == 1) != (half == "odd")):
            continue
        found.append(Row(int(cells[0]), cells[2], match.span(), *(cell.strip() for cell in cells[3:6])))
    return found


class Said(NamedTuple):
    """The assertion that comes first, and all that applies."""

    first: str
    holds: frozenset[str]


def given(rows: list[Row]) -> list[Said | None]:
    """What is read of each phrase, given its place."""
    from tests.nlp.assessed_spans import assess_spans

    return [
        Said(one.assertion.value, frozenset(held.value for held in (one.assertion, *one.also)))
        for row in rows
        for one in assess_spans(row.text, [row.span])
    ]


def linked(rows: list[Row]) -> list[Said | None]:
    """What the linker reads of the phrase's last mention; None where it finds no concept there."""
    from .fresh import linker

    read: list[Said | None] = []
    for row in rows:
        found = linker().link(row.text)
        inside = [m for m in found.note.mentions if m.start_char < row.span[1] and row.span[0] < m.end_char]
        holds = frozenset(one.value for m in inside[-1:] for one in (m.assertion, *m.also))
        read.append(Said(inside[-1].assertion.value, holds) if inside else None)
    return read


def figures(meant: list[bool], read: list[bool]) -> str:
    """Precision, recall and F1, 0 to 1, with the number that bear the label."""
    right = sum(a and b for a, b in zip(meant, read, strict=True))
    precision, recall = right / max(sum(read), 1), right / max(sum(meant), 1)
    both = 2 * precision * recall / max(precision + recall, 1e-9)
    return f"P {precision:.3f} R {recall:.3f} F1 {both:.3f} ({sum(meant)} of {len(meant)})"


def main(words: list[str]) -> None:
    half = next((word for word in words if word in {"odd", "even"}), "")
    rows = corpus(Path(words[0]), half)
    read = linked if "-linked" in words else given
    read(rows[:20])  # what is made once, at the first text, is not counted
    began = time.process_time()
    said = read(rows)
    spent = 1000 * (time.process_time() - began) / len(rows)
    kept = [(row, one) for row, one in zip(rows, said, strict=True) if one is not None]
    print(f"{len(rows)} sentences with their phrase, {len(kept)} read, {spent:.3f} ms of processor time each")
    print("labels", Counter((row.negation, row.time, row.person) for row, _ in kept).most_common())
    past = [(row.time == "Historical", one) for row, one in kept]
    print(
        "historical, denied or not, by the first",
        figures([m for m, _ in past], [o.first == "historical" for _, o in past]),
    )
    print(
        "historical, denied or not, by all", figures([m for m, _ in past], ["historical" in o.holds for _, o in past])
    )
    for name, meant, label in (
        ("negated", lambda row: row.negation == "Negated", "negated"),
        ("historical", lambda row: row.time == "Historical" and row.negation != "Negated", "historical"),
        ("hypothetical", lambda row: row.time not in {"Recent", "Historical"}, "hypothetical"),
        ("family", lambda row: row.person != "Patient", "family"),
    ):
        print(name, figures([meant(row) for row, _ in kept], [one.first == label for _, one in kept]))
        if "-v" in words:
            for row, one in kept:
                if meant(row) != (one.first == label):
                    a, b = row.span
                    shown = " ".join(
                        f"{row.text[max(a - 200, 0) : a]}>>{row.text[a:b]}<<{row.text[b : b + 80]}".split()
                    )
                    print(f"  {row.number} {'missed' if meant(row) else 'false'} {name} [{one.first}]: {shown}")


if __name__ == "__main__":
    main(sys.argv[1:])
