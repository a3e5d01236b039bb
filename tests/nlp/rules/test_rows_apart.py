"""No two rows of a family match the same words, in whatever file they stand: of two the later would never be read."""

import pytest

from backend.nlp.document.trigger_automaton import TriggerAutomaton
from backend.nlp.rules import RULES
from backend.nlp.rules.trigger_rows import trigger_rows

_END = "_triggers.tsv"
# each row of a question is found for itself: a word may ask for two things
APART = ("answers/",)
FAMILIES = sorted(path.relative_to(RULES).as_posix().removesuffix(_END) for path in RULES.rglob(f"*{_END}"))


@pytest.mark.parametrize("family", [one for one in FAMILIES if not one.startswith(APART)])
def test_every_state_of_a_family_has_one_row(family: str) -> None:
    assert TriggerAutomaton(trigger_rows(family)).explore() > 1
