"""How the examples of each family of triggers are checked: a table from the family to a function.

A checker takes a row, the triggers to read by, and one example as it is written; it says whether the row gives its event there. A family is
registered by its line in CHECKERS.
"""

import re
from collections.abc import Callable
from unittest.mock import patch

from backend.nlp.attributes.engine import Attributes, read_attributes
from backend.nlp.attributes.triggers import Event, trigger_of
from backend.nlp.document import parsed_note
from backend.nlp.rules.trigger_automaton import TriggerAutomaton
from backend.nlp.rules.trigger_families import FAMILIES
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows

_MARKED = re.compile(r"\[([^\[\]*]{2,})\]")
Checker = Callable[[TriggerRow, str], bool]


def unmarked(example: str) -> tuple[str, tuple[int, int]]:
    """The example without its square brackets, and where the bracketed phrase stands in it."""
    found = _MARKED.search(example)
    assert found is not None, f"{example!r} marks no phrase with square brackets"
    return example[: found.start()] + found[1] + example[found.end() :], (found.start(), found.end() - 2)


def _attributes(example: str) -> Attributes:
    text, span = unmarked(example)
    return read_attributes(parsed_note.parse_note(text), [span])[0]


def says_it_of_the_phrase(row: TriggerRow, example: str) -> bool:
    """Whether the attributes of the marked phrase come by the row; of a row that asserts nothing, whether they would differ without it."""
    found = _attributes(example)
    if trigger_of(row).asserts:
        return row.rule_id in found.rule_ids and Event(row.event.partition("+")[0]).value in found.holds
    without = TriggerAutomaton(one for family in FAMILIES for one in trigger_rows(family) if one is not row)
    with patch.object(parsed_note, "all_triggers", lambda: without):
        return _attributes(example).holds != found.holds


CHECKERS: dict[str, Checker] = {"attributes/attribute": says_it_of_the_phrase}
