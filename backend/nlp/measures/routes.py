"""By which way a text says that something is given, under one name each: "by mouth" for p.o. and orally."""

from collections.abc import Sequence
from functools import lru_cache

from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import FoundTrigger, TriggerAutomaton, plain_marks
from backend.nlp.rules.trigger_rows import trigger_rows

FAMILY = "measures/route"
BY_MOUTH = "oral"
_UNTOLD = "-"


def routes_in(text: str) -> frozenset[str]:
    """The names of the routes in any text, of rows that tell one without a dose beside them."""
    found = found_routes(tokens(text).words)
    return frozenset(one.row.cells["name"] for one in found if one.row.cells["alone"] == "yes")


def found_routes(words: list[str]) -> Sequence[FoundTrigger]:
    """The routes among the words of a dosage, those too that tell one only beside a dose."""
    return _automaton().find(plain_marks(words))[FAMILY]


def speeds_in(text: str) -> frozenset[str]:
    """How fast a dosage says that what goes into a vein is given: push, infusion; empty where it does not tell."""
    return frozenset(one.row.cells["speed"] for one in found_routes(tokens(text).words)) - {_UNTOLD}


def route_in_words(route: str) -> str:
    """How a person calls a route of a dosage that is not by mouth: "under the skin"; empty for by mouth and for none."""
    return "" if route in ("", BY_MOUTH) else _names().get(route, route)


@lru_cache(maxsize=1)
def _automaton() -> TriggerAutomaton:
    return TriggerAutomaton(trigger_rows(FAMILY))


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    return {row.event: row.cells["name"] for row in reversed(trigger_rows(FAMILY))}
