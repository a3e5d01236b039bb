"""By which way a text says that something is given, under one name each: "by mouth" for p.o. and orally."""

from functools import lru_cache

from backend.nlp.document.tokens import tokens
from backend.nlp.rules.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.rules.trigger_rows import trigger_rows

FAMILY = "measures/route"


def routes_in(text: str) -> frozenset[str]:
    """The names of the routes in any text, of rows that tell one without a dose beside them."""
    found = _automaton().find(plain_marks(tokens(text).words))[FAMILY]
    return frozenset(one.row.cells["name"] for one in found if one.row.cells["alone"] == "yes")


@lru_cache(maxsize=1)
def _automaton() -> TriggerAutomaton:
    return TriggerAutomaton(trigger_rows(FAMILY))
