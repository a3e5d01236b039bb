"""Trigger phrases as rows, each with its proof: what it must match and what it must not.

A family of triggers is one file of assets/rules with the columns id, phrase, event, yes and no, and any further columns
that its family reads. Examples are divided by " | "; square brackets in one mark the words that the event is about.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from backend.errors import KnowledgeError
from backend.nlp.rules.rule_files import RULES

REQUIRED = ("id", "phrase", "event", "yes", "no")
DIVIDER = " | "


@dataclass(frozen=True, slots=True)
class TriggerRow:
    """One trigger phrase.

    Attributes:
        family: the family whose file holds it.
        id: unique within the family, "negated.denies".
        phrase: (a|b) is a choice, {a} may be missing, # is a number in digits or words, % is a year.
        event: what it says; the family knows its events.
        cells: the further columns, by name.
        yes, no: sentences that must and must not give the event by this row.
    """

    family: str
    id: str
    phrase: str
    event: str
    cells: Mapping[str, str]
    yes: tuple[str, ...]
    no: tuple[str, ...]

    @property
    def rule_id(self) -> str:
        """The id that statements name: "attributes/negated.denies"."""
        return f"{self.family}/{self.id}"


@lru_cache(maxsize=256)
def trigger_rows(family: str, folder: Path = RULES) -> tuple[TriggerRow, ...]:
    """The rows of a family's file, `<folder>/<family>_triggers.tsv`, where a family may be "attributes/scope".

    Raises:
        KnowledgeError: the file is missing, lacks a column, or a row lacks a cell or an example, or repeats an id or a phrase.
    """
    path = folder / f"{family}_triggers.tsv"
    if not path.is_file():
        raise KnowledgeError(f"The rule file {path.name} is missing from {path.parent}. Restore it from the release.")
    rows: list[TriggerRow] = []
    seen: dict[str, int] = {}
    header: list[str] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("# "):
            continue
        cells = line.split("\t")
        if not header:
            header = cells
            if missing := [name for name in REQUIRED if name not in header]:
                raise KnowledgeError(f"{path.name}: the columns {', '.join(missing)} are missing from its header row.")
            continue
        if len(cells) != len(header):
            raise KnowledgeError(f"{path.name}, line {number} has {len(cells)} cells; its header has {len(header)}.")
        row = _row(family, dict(zip(header, cells, strict=True)), f"{path.name}, line {number}")
        for key in (f"id {row.id}", f"phrase {row.phrase.lower()}"):
            if key in seen:
                raise KnowledgeError(f"{path.name}, line {number} repeats the {key} of line {seen[key]}. Remove one.")
            seen[key] = number
        rows.append(row)
    return tuple(rows)


def _row(family: str, named: dict[str, str], place: str) -> TriggerRow:
    examples = {side: tuple(one for one in named[side].split(DIVIDER) if one.strip()) for side in ("yes", "no")}
    for side, found in examples.items():
        if not found:
            raise KnowledgeError(
                f"{place}: '{named['phrase']}' has no '{side}' example. Give a sentence that shows it."
            )
    for name in ("id", "phrase", "event"):
        if not named[name].strip():
            raise KnowledgeError(f"{place}: the cell '{name}' is empty.")
    further = {name: value for name, value in named.items() if name not in REQUIRED}
    return TriggerRow(
        family, named["id"], named["phrase"], named["event"], MappingProxyType(further), examples["yes"], examples["no"]
    )
