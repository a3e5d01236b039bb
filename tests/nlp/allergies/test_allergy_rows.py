"""Each row of the triggers of allergies gives its event where it says so, and not where it says that it must not."""

import pytest

from backend.nlp.allergies.wording import FAMILY, wording
from backend.nlp.document.parsed_note import parse_note
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows


def ids(text: str) -> set[str]:
    return {trigger.row.id for trigger in wording(parse_note(text)).triggers}


@pytest.mark.parametrize("row", trigger_rows(FAMILY), ids=lambda row: row.id)
def test_a_row_is_found_in_its_examples_alone(row: TriggerRow) -> None:
    assert [text for text in row.yes if row.id not in ids(text)] == []
    assert [text for text in row.no if row.id in ids(text)] == []
