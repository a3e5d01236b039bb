"""Whom a condition can concern: sex, age and pregnancy, from assets/rules/condition_limits.tsv.

What the note does not state limits nothing.
"""

from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.lexicon.plain_names import ids_by_name
from backend.schemas.drafts.note import Patient
from backend.stores.graph.graph import Graph


class DemographicLimit(NamedTuple):
    """sex: female, male or empty for either; least_age and most_age in years, both inclusive."""

    sex: str
    least_age: int
    most_age: int

    def allows(self, patient: Patient) -> bool:
        """Whether the condition can concern this patient; what the note does not state excludes nothing."""
        if self.sex and patient.sex and patient.sex != self.sex:
            return False
        return patient.age is None or self.least_age <= patient.age <= self.most_age


def read_limits(path: Path, graph: Graph) -> dict[str, DemographicLimit]:
    """Limits by concept id, from lines of name, sex, least age and most age.

    Names that the graph does not know are passed over.

    Raises:
        KnowledgeError: a line has another shape.
    """
    by_name = ids_by_name(graph)
    limits = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != 4 or cells[1] not in ("female", "male", "") or not (cells[2] + cells[3]).isdigit():
            raise KnowledgeError(
                f"{path.name}, line {number}: write name, female or male or nothing, least age, most age."
            )
        if cells[0] in by_name:
            limits[by_name[cells[0]]] = DemographicLimit(cells[1], int(cells[2]), int(cells[3]))
    return limits
