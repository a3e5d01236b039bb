"""No two rows of a family match the same words: else reading the first note that holds them would fail."""

import pytest

from backend.nlp.document.parsed_note import FAMILIES
from backend.nlp.document.trigger_automaton import NUMBER, YEAR, TriggerAutomaton
from backend.nlp.rules.trigger_rows import trigger_rows

WRITTEN = {NUMBER: "5", YEAR: "2019"}


@pytest.mark.parametrize("family", FAMILIES)
def test_every_state_of_a_family_has_one_row(family: str) -> None:
    automaton = TriggerAutomaton(trigger_rows(family))
    waiting, seen = [automaton._start], set()
    while waiting:
        state = waiting.pop()
        if state.nodes in seen:
            continue
        seen.add(state.nodes)
        for word in {word for node in state.nodes for word in automaton._words[node]}:
            following = automaton._follow(state, WRITTEN.get(word, word))  # raises where two rows meet
            waiting += [following] if following is not None else []
    assert len(seen) > 1
