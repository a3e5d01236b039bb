"""Each row of the triggers of measures and medicines gives its event in what it must match, and not in what it must not."""

import re

import pytest

from backend.nlp.document.parsed_note import parse_note
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows
from tests.nlp.medications.attributes import statements

OF_SENTENCES = frozenset(
    {"HOSPITAL", "HOME", "PAST_TIME", "PAST_DATE", "STAY", "NONE", "LIST_HOME", "LIST_INPATIENT", "LIST_DISCHARGE"}
)
"""Events that no statement names by their row: they are told of a sentence or a list."""
EXAMPLES = [
    (row, example, side == "yes")
    for family in ("measures/timing", "measures/route", "medications/medicine_name", "medications/medication")
    for row in trigger_rows(family)
    for side in ("yes", "no")
    for example in getattr(row, side)
]


@pytest.mark.parametrize(("row", "example", "wanted"), EXAMPLES, ids=lambda value: getattr(value, "rule_id", None))
def test_an_example_of_a_row(row: TriggerRow, example: str, wanted: bool) -> None:
    marked = re.search(r"\[.+?\]", example)
    text = example.replace("[", "").replace("]", "")
    if row.family == "medications/medication" and row.event not in OF_SENTENCES:
        assert marked is not None
        of_it = [s for s in statements(text) if s.spans[0].start_char <= marked.start() < s.spans[0].end_char]
        found = any(row.rule_id in one.rule_ids for one in of_it)
    else:
        found = any(one.row is row for one in parse_note(text).triggers[row.family])
    assert found is wanted
