"""Every row of every family of triggers proves itself: each of its examples is read, and no two rows share a phrase."""

import pytest

from backend.nlp.document.parsed_note import FAMILIES, all_triggers
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows
from tests.nlp.rules.checkers import CHECKERS

ROWS = [pytest.param(row, id=row.rule_id) for family in FAMILIES for row in trigger_rows(family)]


@pytest.mark.parametrize("row", ROWS)
def test_the_examples_of_a_row_are_read_as_it_says(row: TriggerRow) -> None:
    check = CHECKERS[row.family]
    assert [example for example in row.yes if not check(row, example)] == [], "yes without its event"
    assert [example for example in row.no if check(row, example)] == [], "no with its event"


def test_no_two_rows_of_a_family_match_the_same_words() -> None:
    all_triggers().explore()  # raises where two do
