"""What a patient's values, procedures and habits mean: potassium from 5.5 is hyperkalemia, dialysis is kidney failure and no acute injury.

Reads assets/knowledge/safety/implied.tsv. It does not decide whether a row holds: `patient_state` does.
"""

from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.knowledge.safety.rows.clauses import NONE, Clause, ConceptNames, parse_clauses
from backend.knowledge.safety.rows.safety_rows import FOLDER, table_rows
from backend.knowledge.safety.rows.value_table import value_table

_FILE = "implied.tsv"
_HEADER = ("when", "means", "ends", "value")


class ImpliedRow(NamedTuple):
    """What follows where all clauses hold.

    Attributes:
        when: the clauses.
        means: concepts that are present then.
        ends: concepts that are not.
        value: the name of a value that is taken where the record holds none, and its number; empty and 0 for none.
        said: why the value is taken, in words.
    """

    when: tuple[Clause, ...]
    means: tuple[str, ...]
    ends: tuple[str, ...]
    value: str = ""
    number: float = 0.0


def read_implied(folder: Path, names: ConceptNames) -> tuple[ImpliedRow, ...]:
    """The rows of a knowledge folder in their order; none where it has no file of them.

    Raises:
        KnowledgeError: with file and line, where a row has the wrong shape or names what there is not.
    """
    path = folder / FOLDER / _FILE
    rows: list[ImpliedRow] = []
    for number, (when, means, ends, value) in table_rows(path, _HEADER) if path.is_file() else ():
        try:
            taken, amount = _value(value)
            rows.append(ImpliedRow(parse_clauses(when, names), _ids(means, names), _ids(ends, names), taken, amount))
        except KnowledgeError as error:
            raise KnowledgeError(f"{FOLDER}/{_FILE}:{number}: {error}") from None
    return tuple(rows)


def _ids(cell: str, names: ConceptNames) -> tuple[str, ...]:
    return () if cell == NONE else tuple(names.concept_id(name.strip()) for name in cell.split("|"))


def _value(cell: str) -> tuple[str, float]:
    if cell == NONE:
        return "", 0.0
    name, _, number = cell.partition("=")
    if name not in value_table() or not number.replace(".", "", 1).isdigit():
        raise KnowledgeError(f"{cell!r} is no value. Write eGFR=10.")
    return name, float(number)
