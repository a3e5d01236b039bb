"""What conditions are known by, and how well a text's sentences fit each of them.

Reads assets/knowledge/hallmarks.tsv, which is apart from the graph: whole phrases of findings ("jaw claudication", "free air under the
diaphragm") that name no concept by themselves. A fit is a sum of clues, in no unit: it orders conditions within one text and is no
probability. It knows no prevalence, no age and no course.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.rules import rule_rows
from backend.settings import ROOT

HALLMARKS = ROOT / "assets" / "knowledge" / "hallmarks.tsv"
CELLS = 5
NONE = "-"
ENOUGH = 0.6  # share of a clue's weight that one sentence must hold
MOST = 2.5  # weight of a clue at most: a rare phrase is no proof
_CLAUSE = re.compile(r"[,;:.]|\bbut\b|\band has\b")
_DENIED = re.compile(r"\b(?:no|not|denies|denied|without|never|negative for|nor)\b")
_WORD = re.compile(r"[a-z0-9]+(?:[.,][0-9]+)*")
_FILLING = frozenset({"a", "an", "and", "any", "has", "have", "in", "is", "of", "or", "the", "to", "with", "was"})
_ENDS = ("ness", "ing", "ies", "ed", "es", "al", "ic", "ly", "s", "y", "e")

Slot = tuple[str, ...]
"""Stems of which any will do; "no_" before a stem: denied."""
Clue = tuple[Slot, ...]


class Hallmark(NamedTuple):
    """A condition with what points to it. treated_by, caused_by and not_given are phrases in lower case."""

    names: tuple[str, ...]
    clues: tuple[Clue, ...]
    treated_by: frozenset[str]
    caused_by: frozenset[str]
    not_given: frozenset[str]


class Hallmarks:
    """Build one a file. Rows are known by their number."""

    def __init__(self, rows: Sequence[Hallmark]) -> None:
        self.rows = tuple(rows)
        counts = Counter(stem for row in rows for stem in {s for clue in row.clues for slot in clue for s in slot})
        self._weights = {stem: 1.0 - math.log(n) / math.log(len(rows) + 1) for stem, n in counts.items()}
        self._clues: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for i, row in enumerate(rows):
            for j, clue in enumerate(row.clues):
                for stem in {stem for slot in clue for stem in slot}:
                    self._clues[stem].append((i, j))
        self.named = _by_phrase((name.lower(), i) for i, row in enumerate(rows) for name in row.names)
        self.treats = _by_phrase((phrase, i) for i, row in enumerate(rows) for phrase in row.treated_by)
        self.causes = _by_phrase((phrase, i) for i, row in enumerate(rows) for phrase in row.caused_by)
        self.harms = _by_phrase((phrase, i) for i, row in enumerate(rows) for phrase in row.not_given)

    def clues_of(self, stems: frozenset[str], whole: bool = False) -> dict[tuple[int, int], float]:
        """The clues that a sentence holds, by row and number, with what each weighs, 0 to MOST.

        Args:
            stems: of the sentence's words.
            whole: only clues all of whose words it has.
        """
        found: dict[tuple[int, int], float] = {}
        for place in {place for stem in stems for place in self._clues.get(stem, ())}:
            clue = self.rows[place[0]].clues[place[1]]
            weights = [max(self._weights[stem] for stem in slot) for slot in clue]
            held = sum(w for w, slot in zip(weights, clue, strict=True) if not stems.isdisjoint(slot))
            share = held / sum(weights)
            if share >= (1.0 if whole else ENOUGH):
                found[place] = min(MOST, sum(weights)) * share**2
        return found

    def holds(self, place: tuple[int, int], stems: frozenset[str]) -> bool:
        """Whether all words of a clue are there."""
        return all(not stems.isdisjoint(slot) for slot in self.rows[place[0]].clues[place[1]])


def read_hallmarks(path: Path = HALLMARKS) -> Hallmarks:
    """Read a table of hallmarks.

    Raises:
        KnowledgeError: a row without a name or a clue, with the condition, or a line with another number of cells.
    """
    rows = []
    for names, *cells in rule_rows(path, CELLS):
        clues, *phrases = ([part.strip() for part in cell.split(";") if part.strip() != NONE] for cell in cells)
        if not names or not clues:
            raise KnowledgeError(f"{path.name}: the row {names!r} needs a name and at least one clue.")
        cells_of = (frozenset(part.lower() for part in part_of) for part_of in phrases)
        rows.append(Hallmark(tuple(names.split("|")), tuple(_clue(clue) for clue in clues), *cells_of))
    return Hallmarks(rows)


@lru_cache(maxsize=1)
def shipped() -> Hallmarks:
    """Those that ship, read once."""
    return read_hallmarks()


def stems_of(text: str, names: Iterable[str] = ()) -> frozenset[str]:
    """The stems of a sentence's words, denied ones with "no_" before them; names: what else it is known to name as present."""
    out: set[str] = set()
    for clause in _CLAUSE.split(text.lower()):
        cue = _DENIED.search(clause)
        end = cue.start() if cue else len(clause)
        out |= {stem(word) for word in _WORD.findall(clause[:end])}
        out |= {f"no_{stem(word)}" for word in _WORD.findall(clause[end:])[1:]} if cue else set()
    return frozenset(out | {stem(word) for name in names for word in _WORD.findall(name.lower())})


@lru_cache(maxsize=32768)
def stem(word: str) -> str:
    """A word without its ending, at least four letters: enough for "gallstones" and "gallstone"."""
    for end in _ENDS:
        if word.endswith(end) and len(word) - len(end) >= 4:
            return word[: -len(end)]
    return word


def _clue(phrase: str) -> Clue:
    slots: list[Slot] = []
    denied = False
    for part in phrase.lower().replace("-", " ").split():
        if part in ("no", "without"):
            denied = True
            continue
        words = [word for one in part.split("/") for word in _WORD.findall(one)]
        if words and not set(words) <= _FILLING:
            slots.append(tuple(f"no_{stem(word)}" if denied else stem(word) for word in words))
            denied = False
    return tuple(slots)


def _by_phrase(pairs: Iterable[tuple[str, int]]) -> Mapping[str, frozenset[int]]:
    found: dict[str, set[int]] = defaultdict(set)
    for phrase, row in pairs:
        found[phrase].add(row)
    return {phrase: frozenset(rows) for phrase, rows in found.items()}
