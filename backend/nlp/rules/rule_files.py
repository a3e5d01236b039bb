"""Reads a rule file: tab-separated rows of a fixed number of cells, `#` comments, one header row. It knows no rules."""

from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from backend.errors import KnowledgeError
from backend.settings import ROOT

RULES = ROOT / "assets" / "rules"
K = TypeVar("K", bound=StrEnum)


def rule_rows(path: Path, cells: int) -> list[tuple[str, ...]]:
    """The rows of a rule file, without comments and header row.

    Raises:
        KnowledgeError: a line has another number of cells.
    """
    rows: list[tuple[str, ...]] = []
    lines = path.read_text(encoding="utf-8").splitlines()
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line and not line.startswith("#")]
    for number, line in numbered[1:]:
        row = tuple(line.split("\t"))
        if len(row) != cells:
            raise KnowledgeError(
                f"{path.name}, line {number} has {len(row)} cells; it needs {cells}, set apart by tabs."
            )
        rows.append(row)
    return rows


def rule_names(path: Path) -> tuple[str, ...]:
    """The names of a rule file, one a line; `#` starts a comment. Raises KnowledgeError when it is absent."""
    if not path.is_file():
        raise KnowledgeError(
            f"The rule file {path.name} is missing from {path.parent.name}/. Restore it from the release."
        )
    lines = path.read_text(encoding="utf-8").splitlines()
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def words_by_kind(path: Path, kinds: type[K]) -> dict[K, frozenset[str]]:
    """The words of a two-column rule file (word, kind), by kind; every kind has an entry.

    Raises:
        KnowledgeError: the kind of a word is not one of `kinds`.
    """
    found: dict[K, set[str]] = {kind: set() for kind in kinds}
    for word, kind in rule_rows(path, 2):
        try:
            found[kinds(kind)].add(word)
        except ValueError as error:
            raise KnowledgeError(
                f"{path.name}: '{word}' is of kind '{kind}'; use one of {', '.join(kinds)}."
            ) from error
    return {kind: frozenset(words) for kind, words in found.items()}
