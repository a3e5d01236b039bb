"""Every row of the families of people, procedures and plan: its examples reach it, and reach a statement by it."""

import pytest

from backend.errors import KnowledgeError
from backend.nlp.document.parsed_note import parse_note
from backend.nlp.rules.trigger_automaton import TriggerAutomaton
from backend.nlp.rules.trigger_families import FAMILIES
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows
from tests.nlp.statement_reading import read_record, statements_of

OWN = [family for family in FAMILIES if family.split("/")[0] in ("people", "procedures", "plan")]
ROWS = [row for family in OWN for row in trigger_rows(family)]
VETOES = {"people/age": {"then"}, "people/pregnancy": {"then"}, "plan/plan": {"none"}, "procedures/list": {"list"}}
"""Events that take something away or only open a list: no statement names their rule."""
VETO_PLACES = {"over", "time"}


def told(row: TriggerRow, text: str) -> bool:
    """Whether a text gives a statement by a row; for a row that takes something away, whether its words are found."""
    if row.event in VETOES.get(row.family, ()) or row.cells.get("where") in VETO_PLACES:
        return any(t.row.id == row.id for t in parse_note(text).triggers[row.family])
    return any(row.rule_id in one.rule_ids for one in statements_of(read_record(text)))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.rule_id)
def test_a_rows_examples_give_a_statement_by_it_and_its_counterexamples_none(row: TriggerRow) -> None:
    assert [text for text in row.yes if not told(row, text)] == []
    assert [text for text in row.no if told(row, text)] == []


@pytest.mark.parametrize("family", FAMILIES)
def test_no_two_rows_of_a_family_match_the_same_words(family: str) -> None:
    automaton = TriggerAutomaton(trigger_rows(family))
    seen, waiting = {automaton._start.nodes}, [automaton._start]
    while waiting:
        state = waiting.pop()
        for word in {word for node in state.nodes for word in automaton._words[node]}:
            try:
                following = automaton._follow(state, {"#": "7", "%": "2019"}.get(word, word))
            except KnowledgeError as error:
                pytest.fail(str(error))
            if following is not None and following.nodes not in seen:
                seen.add(following.nodes)
                waiting.append(following)
