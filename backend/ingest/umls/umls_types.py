"""MRSTY.RRF: the semantic group and the category of each concept, by assets/rules/umls_semantic_groups.tsv.

A concept with several semantic types takes the type that stands first in that file.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from backend.errors import KnowledgeError
from backend.ingest.documents.import_report import ImportReport
from backend.ingest.umls.umls_checkpoints import Arrays
from backend.ingest.umls.umls_files import Progress, needed_file, rows
from backend.ingest.umls.umls_terms import cui_number
from backend.schemas.vocabulary import Category, SemanticGroup

NO_TYPE = 255


class SemanticType(NamedTuple):
    """One semantic type by its code (`T047`), and what it means here."""

    tui: str
    group: SemanticGroup
    category: Category


def read_semantic_types(path: Path) -> tuple[SemanticType, ...]:
    """The rule file, in its order of precedence.

    Raises:
        KnowledgeError: for a row of the wrong shape or a code twice.
    """
    found: dict[str, SemanticType] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        cells = line.split("\t")
        if not line.strip() or line.startswith("#") or cells[0] == "tui":
            continue
        try:
            tui, group, category = cells
            row = SemanticType(tui, SemanticGroup(group), Category(category))
        except ValueError:
            raise KnowledgeError(
                f"{path.name}:{number} is no semantic type: {line[:60]!r}. Write code, semantic group and category, "
                "separated by tabs."
            ) from None
        if row.tui in found:
            raise KnowledgeError(f"{path.name}:{number} names {row.tui} a second time. Keep one line for each code.")
        found[row.tui] = row
    return tuple(found.values())


def read_types(
    folder: Path,
    cuis: np.ndarray,
    types: tuple[SemanticType, ...],
    report: ImportReport,
    progress: Progress | None,
) -> Arrays:
    """`types`: (n,) uint8, for each CUI the place of its type in the rule file; 255 where MRSTY names none."""
    place = {row.tui.encode(): number for number, row in enumerate(types)}
    index = {cui: number for number, cui in enumerate(cuis.tolist())}
    found = np.full(len(cuis), NO_TYPE, dtype=np.uint8)
    for number, (cui, tui) in rows(needed_file(folder, "MRSTY"), ("CUI", "TUI"), report, progress=progress):
        concept = index.get(cui_number(cui))
        kind = place.get(tui)
        if concept is None:
            report.skip("a concept outside the subset", number)
        elif kind is None:
            report.skip("a semantic type that the rule file lacks", number)
        elif found[concept] == NO_TYPE:
            found[concept] = kind
            report.keep()
        else:
            # Kept or not, one of the two types goes: a concept counts once.
            found[concept] = min(int(found[concept]), kind)
            report.skip("a further type of the same concept", number)
    return {"types": found}
