"""Values that the stage of a disease tells within bounds: chronic kidney disease stage 4 is an eGFR from 15 to below 30.

Takes the problems of a record; gives values for those that the record does not measure. Rows are assets/rules/safety/staged_values.tsv.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from backend.knowledge.safety.patient.patient_values import PatientValue
from backend.knowledge.safety.rows.value_table import value_table
from backend.knowledge.starter import concept_id
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.record import ProblemStatement

_WORD = re.compile(r"[a-z]?\d[a-z]?|[a-z]+\d?")


class StagedValue(NamedTuple):
    """What words of a disease tell of a value: it is from least on, and below the limit."""

    condition: str
    words: frozenset[str]
    value: str
    least: float
    limit: float


def staged_values(problems: Iterable[ProblemStatement]) -> Iterator[PatientValue]:
    """The values that the stages of some problems tell, in their order."""
    for problem in problems:
        words = {word for span in problem.spans for word in _WORD.findall(span.text.lower())}
        for row in _rows():
            if row.condition == problem.concept_id and not row.words.isdisjoint(words):
                top = row.limit >= value_table()[row.value].most
                said = f"{row.value} {f'from {row.least:g}' if top else f'below {row.limit:g}'} by stage"
                yield PatientValue(row.value, row.limit, said, row.least)


@lru_cache(maxsize=1)
def _rows() -> tuple[StagedValue, ...]:
    return tuple(
        StagedValue(concept_id(name), frozenset(words.split()), value, float(least), float(limit))
        for name, words, value, least, limit in rule_rows(RULES / "safety" / "staged_values.tsv", 5)
    )
