"""The table of red flags: by symptom or condition the signs that ask for help, each with one level.

A letter and the check of triage take the level from here, so that no sign is told with two. Takes assets/knowledge/red_flags.tsv.
"""

from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError

FILE = "red_flags.tsv"
CELLS = ("concept", "sign", "level")


class Level(StrEnum):
    """How soon a sign asks for help, the most urgent first."""

    CALL_AMBULANCE = "call_ambulance"
    SAME_DAY = "same_day"
    CALL_DOCTOR = "call_doctor"


OPENINGS: dict[Level, str] = {
    Level.CALL_AMBULANCE: "Call an ambulance (911 in the US) if ",
    Level.SAME_DAY: "Call your doctor the same day if ",
    Level.CALL_DOCTOR: "Call your doctor if ",
}
"""How a letter tells each level."""


class RedFlag(NamedTuple):
    """One sign of a symptom or condition, as the words behind "Call your doctor if"; line: where its row stands."""

    concept: str
    sign: str
    level: Level
    line: int

    @property
    def sentence(self) -> str:
        """The sign as a letter tells it."""
        return f"{OPENINGS[self.level]}{self.sign}."


def read_red_flags(folder: Path) -> list[RedFlag]:
    """The rows of a knowledge folder, in order; none where it has no table.

    Raises:
        KnowledgeError: with the line, where a row has another number of cells, an unknown level, or a level that differs from
            that of the same sign above.
    """
    path = folder / FILE
    if not path.is_file():
        return []
    flags: list[RedFlag] = []
    levels: dict[str, RedFlag] = {}
    header = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = tuple(cell.strip() for cell in line.split("\t"))
        if not header:
            if cells != CELLS:
                raise KnowledgeError(
                    f"{FILE}:{number}: the first row must be the header {' '.join(CELLS)}, set apart by tabs."
                )
            header = True
            continue
        if len(cells) != len(CELLS) or not all(cells):
            raise KnowledgeError(f"{FILE}:{number} needs {len(CELLS)} filled cells, set apart by tabs.")
        concept, sign, level = cells
        if level not in set(Level):
            raise KnowledgeError(f"{FILE}:{number}: the level {level!r} is none of {', '.join(Level)}.")
        flag = RedFlag(concept, sign.rstrip("."), Level(level), number)
        first = levels.setdefault(flag.sign.lower(), flag)
        if first.level is not flag.level:
            raise KnowledgeError(
                f"{FILE}:{number}: '{flag.sign}' is {flag.level} here and {first.level} in line {first.line}. Give a sign one level."
            )
        if any(known.concept == concept and known.sign.lower() == flag.sign.lower() for known in flags):
            raise KnowledgeError(f"{FILE}:{number} repeats '{flag.sign}' of {concept}. Remove one.")
        flags.append(flag)
    return flags
