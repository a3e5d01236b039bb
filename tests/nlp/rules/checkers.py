"""How the examples of each family of triggers are checked: a table from the family to a function.

A checker takes a row, the triggers to read by, and one example as it is written; it says whether the row gives its event there. A family is
registered by the line of its group in _BY_GROUP, or its own in CHECKERS.
"""

import re
from collections.abc import Callable
from unittest.mock import patch

from backend.nlp.attributes.engine import Attributes, read_attributes
from backend.nlp.attributes.triggers import Event, trigger_of
from backend.nlp.document import parsed_note
from backend.nlp.document.parsed_note import FAMILIES
from backend.nlp.document.trigger_automaton import TriggerAutomaton
from backend.nlp.medications.medicine_events import CONDITIONAL
from backend.nlp.medications.medicine_names import named_medicines
from backend.nlp.medications.transitions import transitions
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows
from tests.nlp.fresh import linker
from tests.nlp.medications.attributes import statements
from tests.nlp.statement_reading import read_record

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


def is_found(row: TriggerRow, example: str) -> bool:
    """Whether the row's words are found in the example, which may mark a phrase."""
    text = example.replace("[", "").replace("]", "")
    return any(found.row.rule_id == row.rule_id for found in parsed_note.parse_note(text).triggers[row.family])


def says_it_of_the_medicine(row: TriggerRow, example: str) -> bool:
    """Whether a statement of the marked medicine comes by the row; of a row that is told of a sentence or a list, whether it is found."""
    if row.event in _OF_SENTENCES:
        return is_found(row, example)
    text, (start, _) = unmarked(example)
    of_it = [one for one in statements(text) if one.spans[0].start_char <= start < one.spans[0].end_char]
    return any(row.rule_id in one.rule_ids for one in of_it)


def tells_the_end(row: TriggerRow, example: str) -> bool:
    """Whether the row ends the marked medicine: a statement of it has the words of the row; of a row that tells of no end, whether it is found."""
    if row.event == "none":
        return is_found(row, example)
    text, (start, _) = unmarked(example)
    note = parsed_note.parse_note(text)
    named = named_medicines(note, linker().link(text).note.mentions)
    return any(
        one.trigger.row.rule_id == row.rule_id and one.ending.start_char <= start < one.ending.end_char
        for one in transitions(note, named)
    )


def gives_a_statement(row: TriggerRow, example: str) -> bool:
    """Whether a statement comes by the row; of a row that takes something away or only opens a list, whether it is found."""
    if row.event in _VETOES.get(row.family, ()) or row.cells.get("where") in _VETO_PLACES:
        return is_found(row, example)
    return any(row.rule_id in one.rule_ids for one in read_record(example).statements)


_OF_SENTENCES = frozenset(
    {
        "HOSPITAL",
        "TO_TAKE",
        "HOME",
        "PAST_TIME",
        "PAST_DATE",
        "STAY",
        "AHEAD",
        "NONE",
        "NO_MEDICINES",
        "REQUEST",
        "LIST_HOME",
        "LIST_INPATIENT",
        "LIST_DISCHARGE",
    }
)
_VETOES = {"people/age": {"then"}, "people/pregnancy": {"then"}, "plan/plan": {"none"}, "procedures/list": {"list"}}
_VETO_PLACES = {"over", "time"}
_BY_GROUP: dict[str, Checker] = {
    "allergies": is_found,
    "attributes": says_it_of_the_phrase,
    "findings": is_found,
    "measures": is_found,
    "people": gives_a_statement,
    "plan": gives_a_statement,
    "procedures": gives_a_statement,
}


def is_left_open(row: TriggerRow, example: str) -> bool:
    """Whether the row is found, and the marked medicine is only thought of or comes later; of a row that leaves nothing open, whether it is not."""
    text, (start, _) = unmarked(f"PLAN: {example}")
    met = any(one.row.id == row.id for one in parsed_note.parse_note(text).triggers[row.family])
    of_it = [one for one in statements(text) if one.spans[0].start_char <= start < one.spans[0].end_char]
    return met and all((CONDITIONAL in one.rule_ids) is (row.event != "NONE") for one in of_it)


def tells_a_course(row: TriggerRow, example: str) -> bool:
    """Whether the row is found, and makes the marked medicine one of a short course."""
    text, (start, _) = unmarked(f"PLAN: {example}")
    met = any(one.row.id == row.id for one in parsed_note.parse_note(text).triggers[row.family])
    return met and any(one.course for one in statements(text) if one.spans[0].start_char <= start)


CHECKERS: dict[str, Checker] = {
    family: _BY_GROUP[family.partition("/")[0]] for family in FAMILIES if family.partition("/")[0] in _BY_GROUP
} | {
    "medications/course": tells_a_course,
    "medications/medication": says_it_of_the_medicine,
    "medications/medicine_name": is_found,
    "medications/open_plan": is_left_open,
    "medications/transition": tells_the_end,
}
