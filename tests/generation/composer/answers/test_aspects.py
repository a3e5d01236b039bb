"""Every row of the rules of answers proves itself, and every aspect that rows name is one."""

import re

import pytest

from backend.generation.composer.answers.aspects import AGAINST, AMOUNT, BEFORE, FAMILIES, aspects, phrases
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows

_MARKED = re.compile(r"\[([^\]]+)\]")
ROWS = [pytest.param(row, id=row.rule_id) for family in FAMILIES for row in trigger_rows(family)]


def shows(row: TriggerRow, example: str) -> bool:
    """Whether the row's phrase is found with its event; of advice against, on the right side of what the example marks."""
    text = _MARKED.sub(r"\1", example)
    spans = [one for one in phrases(text)[row.family] if one.event == row.event]
    mark = _MARKED.search(example)
    if row.family == AGAINST and mark:
        return any((one.start_char < mark.start()) == (row.event in (BEFORE, AMOUNT)) for one in spans)
    return bool(spans)


@pytest.mark.parametrize("row", ROWS)
def test_the_examples_of_a_row_are_read_as_it_says(row: TriggerRow) -> None:
    assert [example for example in row.yes if not shows(row, example)] == [], "yes without its event"
    assert [example for example in row.no if shows(row, example)] == [], "no with its event"


def test_every_row_names_an_aspect_of_the_table() -> None:
    assert next(iter(aspects())) == "outside"
    assert list(aspects())[-1] == "what_is"
