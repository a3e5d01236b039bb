"""Red flags: the warning signs of every chapter as rows, each with one level of urgency, and the sentences that are made of them.

Takes the folder assets/knowledge/red_flags: a file of rows for each body system, `whom.tsv` (whom a chapter's reader calls) and
`level_triggers.tsv` (classes of signs, `backend/knowledge/advice/sign_classes.py`). A chapter's section "Warning signs" is made from its rows.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.knowledge.advice.applicability import ApplicabilityRow
from backend.knowledge.advice.needs import Need, Needs, parse_needs
from backend.knowledge.advice.sign_classes import Level, SignClasses, sign_classes

FOLDER = "red_flags"
WHOM_FILE = "whom.tsv"
TRIGGERS = "_triggers.tsv"
"""How the names of the files end that hold words of signs and no sign."""
CELLS = ("concept", "sign", "level", "needs", "excludes")
WHOM_CELLS = ("concept", "whom")
WARNING_SIGNS = "Warning signs"
YOUR_DOCTOR = "your doctor"
COMFORT_GOAL = Need("comfort goal")


OPENINGS: dict[Level, str] = {
    Level.CALL_AMBULANCE: "Call an ambulance (911 in the US) if ",
    Level.EMERGENCY_DEPARTMENT: "Go to an emergency department now if ",
    Level.CALL_TODAY: "Call {whom} today if ",
    Level.NEXT_VISIT: "Tell {whom} at your next visit if ",
}
"""How a sentence opens at each level."""
_HEADS = {
    level: re.compile(re.escape(opening.split(" (")[0].removesuffix(" if ")).replace(r"\{whom\}", r"[^.,;]{1,40}?"))
    for level, opening in OPENINGS.items()
}
_IF, AS_NEW = " if ", ", and this is new or gets worse"
"""AS_NEW stands behind a sign that the patient has already."""
EMERGENCIES = frozenset({Level.CALL_AMBULANCE, Level.EMERGENCY_DEPARTMENT})
"""Levels that send to emergency treatment; they hold for nobody whose goal of care is comfort."""


class RedFlag(NamedTuple):
    """One sign of a chapter.

    Attributes:
        concept: whose chapter it stands in: a condition, symptom or situation.
        sign: the words behind "if", without a full stop.
        level: how urgent it is.
        needs: for whom it holds, as in assets/knowledge/applicability.
        whom: whom to call where it is no emergency.
        opening: how its class opens the sentence; empty for the opening of its level.
        file, line: where its row stands.
    """

    concept: str
    sign: str
    level: Level
    needs: Needs = Needs()
    whom: str = YOUR_DOCTOR
    opening: str = ""
    file: str = ""
    line: int = 0

    @property
    def sentence(self) -> str:
        """The sign as a chapter and a letter tell it."""
        return f"{self.opening or OPENINGS[self.level].format(whom=self.whom)}{self.sign}."

    @property
    def applicability(self) -> ApplicabilityRow:
        """For whom the sentence holds; one that sends to emergency treatment does not where comfort is the goal."""
        urgent = self.level in EMERGENCIES and COMFORT_GOAL not in self.needs.none_of
        needs = self.needs._replace(none_of=(*self.needs.none_of, COMFORT_GOAL)) if urgent else self.needs
        return ApplicabilityRow(self.concept, WARNING_SIGNS, self.sentence, needs, self.file, self.line, folder=FOLDER)


class WhomRow(NamedTuple):
    """Whom the reader of a chapter calls where it is no emergency."""

    concept: str
    whom: str
    line: int


def read_whom(folder: Path) -> tuple[WhomRow, ...]:
    """The table of a knowledge folder, none where it has none; a row of another shape is a KnowledgeError with its line."""
    table = folder / FOLDER / WHOM_FILE
    return (
        tuple(WhomRow(cells[0], cells[1], number) for number, cells in _rows(table, WHOM_CELLS))
        if table.is_file()
        else ()
    )


def read_red_flags(folder: Path) -> list[RedFlag]:
    """The rows of all files of a knowledge folder, in order; none where it has no folder of them.

    Raises:
        KnowledgeError: with file and line, where a row has another number of cells, an empty one, an unknown level or need, or a
            sign that its chapter has already.
    """
    place = folder / FOLDER
    whom = {row.concept: row.whom for row in read_whom(folder)}
    classes = sign_classes(place)
    flags: list[RedFlag] = []
    seen: dict[tuple[str, str], str] = {}
    for path in sorted(place.glob("*.tsv")):
        if path.name == WHOM_FILE or path.name.endswith(TRIGGERS):
            continue
        for number, cells in _rows(path, CELLS):
            flag = _flag(cells, path, number, whom, classes)
            key = (flag.concept.lower(), flag.sign.lower())
            if key in seen:
                raise KnowledgeError(f"{_at(path, number)} repeats '{flag.sign}' of {seen[key]}. Remove one.")
            seen[key] = f"{_at(path, number)}"
            flags.append(flag)
    return flags


def level_of(sentence: str) -> Level | None:
    """The level that a sentence tells, by how it opens; None where it opens as none does."""
    return next((level for level, head in _HEADS.items() if head.match(sentence)), None)


def sign_of(sentence: str) -> str:
    """The sign that a sentence tells behind its level, as its row has it; empty where it opens as no level does."""
    sign = sentence.partition(_IF)[2] if level_of(sentence) is not None else ""
    return sign.rstrip(".").removesuffix(AS_NEW)


def opening_of(sentence: str) -> str:
    """How a sentence opens before its sign: "Call your doctor today"; empty where it opens as no level does."""
    return sentence.partition(_IF)[0] if level_of(sentence) is not None else ""


def as_new(sentence: str) -> str:
    """The sentence for a patient who has its sign already: it warns of what is new or gets worse."""
    return f"{sentence.rstrip('.')}{AS_NEW}."


def warning_signs(flags: Iterable[RedFlag]) -> dict[str, list[RedFlag]]:
    """The rows by chapter, the chapters and their rows in the order of the files."""
    chapters: dict[str, list[RedFlag]] = {}
    for flag in flags:
        chapters.setdefault(flag.concept, []).append(flag)
    return chapters


def _flag(cells: tuple[str, ...], path: Path, number: int, whom: dict[str, str], classes: SignClasses) -> RedFlag:
    concept, sign, level, needed, excluded = cells
    if level not in set(Level):
        raise KnowledgeError(f"{_at(path, number)}: the level {level!r} is none of {', '.join(Level)}.")
    try:
        needs = parse_needs(needed, excluded)
    except KnowledgeError as error:
        raise KnowledgeError(f"{_at(path, number)}: {error}") from None
    sign, called = sign.rstrip("."), whom.get(concept, YOUR_DOCTOR)
    opening = classes.opening(concept, sign, needs, Level(level))
    return RedFlag(concept, sign, Level(level), needs, called, opening, path.stem, number)


def _rows(path: Path, header: tuple[str, ...]) -> Iterator[tuple[int, tuple[str, ...]]]:
    headed = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = tuple(cell.strip() for cell in line.split("\t"))
        if not headed:
            if cells != header:
                raise KnowledgeError(
                    f"{_at(path, number)}: the first row must be the header {' '.join(header)}, set apart by tabs."
                )
            headed = True
            continue
        if len(cells) != len(header) or not all(cells):
            raise KnowledgeError(
                f"{_at(path, number)} needs {len(header)} filled cells, set apart by tabs; write - for none."
            )
        yield number, cells


def _at(path: Path, number: int) -> str:
    return f"{FOLDER}/{path.name}:{number}"
