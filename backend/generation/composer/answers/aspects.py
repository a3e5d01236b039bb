"""The rules of answers: aspects of a thing that may be asked, and the phrases that ask for them, answer them or advise against something.

Rows of assets/rules/answers. A question is read by its own automaton: notes are not searched for these phrases.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import ANY, TriggerAutomaton, plain_marks
from backend.nlp.rules import RULES, rule_rows
from backend.nlp.rules.trigger_rows import trigger_rows
from backend.schemas.record import PlanKind

ASKED, CUE, GIVE, AGAINST = FAMILIES = ("answers/asked", "answers/cue", "answers/give", "answers/against")
OUTSIDE, MAY, WHAT_IS, TESTS, CONDITIONS = "outside", "may_i", "what_is", "tests", "conditions"
VALUE, WHEN_TO_CALL, SIDE_EFFECT = "value", "when_to_call", "side_effect"
"""What no handbook or graph holds; whether something may be done; what counts where nothing more is asked; tests; what a patient may have;
what a test gives; when to get help; what something does besides."""
BEFORE, AFTER, HARMS, AMOUNT = "before", "after", "harms", "amount"
"""How something is advised against: "avoid it", "it is not safe", "it can make asthma worse", "too much of it"."""


class Aspect(NamedTuple):
    """What may be asked of a thing, and where its answer stands.

    Attributes:
        name: as rows name it.
        parts: titles of a handbook chapter's parts, the likeliest first.
        kinds: headings of imported answers, in lower case.
        relations: of graph facts.
        own: whether a sentence answers by standing in such a part; else it needs a cue.
        plan: kinds of plan statements of a note that answer for its patient.
    """

    name: str
    parts: tuple[str, ...]
    kinds: frozenset[str]
    relations: frozenset[str]
    own: bool
    plan: frozenset[PlanKind]


class Phrase(NamedTuple):
    """A found phrase: its half-open code points, its event, and of a cue the side on which the thing asked about stands.

    words: those that the row itself names; any other within is the question's own, as stress in "can stress cause".
    """

    start_char: int
    end_char: int
    event: str
    side: str = ""
    words: frozenset[str] = frozenset()


@lru_cache(maxsize=1)
def aspects() -> Mapping[str, Aspect]:
    """Every aspect by its name, the foremost first.

    Raises:
        KnowledgeError: a phrase has an event that is no aspect, or no direction.
    """
    found = {}
    for name, parts, kinds, relations, own, plan in rule_rows(RULES / "answers" / "aspects.tsv", 6):
        of_plan = frozenset(PlanKind(kind) for kind in _cell(plan))
        relation_names = frozenset(_cell(relations))
        found[name] = Aspect(name, _cell(parts), frozenset(_cell(kinds)), relation_names, own == "yes", of_plan)
    known = {ASKED: set(found), CUE: set(found), GIVE: {"give"}, AGAINST: {BEFORE, AFTER, HARMS, AMOUNT}}
    for family in FAMILIES:
        for row in trigger_rows(family):
            if row.event not in known[family]:
                raise KnowledgeError(
                    f"{family}_triggers.tsv: '{row.id}' has the event '{row.event}'; use one of {', '.join(sorted(known[family]))}."
                )
    return found


def phrases(text: str) -> Mapping[str, Sequence[Phrase]]:
    """The phrases of every family in a sentence or question, row by row, then in the order of the text."""
    found = tokens(text)
    spotted = _automaton().find(plain_marks(found.words))
    out: dict[str, list[Phrase]] = {family: [] for family in FAMILIES}
    for one in (one for triggers in spotted.values() for one in triggers):
        family = one.row.family.partition("#")[0]
        side, words = one.row.cells.get("thing", ""), _words(one.row.phrase)
        out[family].append(Phrase(found.starts[one.first], found.ends[one.last - 1], one.row.event, side, words))
    return out


@lru_cache(maxsize=1)
def _automaton() -> TriggerAutomaton:
    """One automaton for all, each row found for itself: a word may answer two aspects."""
    rows = (row for family in FAMILIES for row in trigger_rows(family))
    return TriggerAutomaton(replace(row, family=f"{row.family}#{row.id}") for row in rows)


@cache
def _words(phrase: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z0-9]+", phrase.replace(ANY, " ")))


def _cell(text: str) -> tuple[str, ...]:
    return () if text == "-" else tuple(one.strip() for one in text.split(","))
