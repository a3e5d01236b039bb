"""The triggers of attributes as the rows of assets/rules/attributes/attribute_triggers.tsv give them, and the values of their reading.

Head and columns of that file explain what a trigger says; where it says it in a note, scopes decides.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.document.trigger_automaton import FoundTrigger
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows
from backend.schemas.vocabulary import Assertion

FAMILY = "attributes/attribute"
FAR = 10_000
"""The reach of a trigger that goes to the end of its clause."""


class Event(StrEnum):
    """What a trigger says: an assertion of what it reaches, or something of the triggers around it."""

    NEGATED = "negated"
    HISTORICAL = "historical"
    UNCERTAIN = "uncertain"
    HYPOTHETICAL = "hypothetical"
    FAMILY = "family"
    PSEUDO = "pseudo"
    STOP = "stop"
    CIRCUMSTANCE = "circumstance"
    OUTCOME = "outcome"
    RECENT = "recent"
    RETURNED = "returned"
    PRESENT = "present"


ASSERTED = frozenset(Assertion) - {Assertion.PRESENT}


class Direction(StrEnum):
    """Where a trigger reaches. opening: forward, and only where it opens a clause."""

    FORWARD = "forward"
    BACKWARD = "backward"
    BOTH = "both"
    OPENING = "opening"


class Trigger(NamedTuple):
    """One row: its event, what it says besides, where and how many words it reaches, and whose reach it ends."""

    event: Event
    besides: Assertion | None
    direction: Direction
    reach: int
    ends: frozenset[Assertion]
    rule_id: str

    @property
    def forward(self) -> bool:
        """Whether it says something of what follows it."""
        return self.direction is not Direction.BACKWARD

    @property
    def backward(self) -> bool:
        """Whether it says something of what stands before it."""
        return self.direction in (Direction.BACKWARD, Direction.BOTH)

    @property
    def brings(self) -> bool:
        """Whether it tells what brings the patient, and so ends what is past alone."""
        return self.event is Event.RECENT or self.ends == {Assertion.HISTORICAL}

    @property
    def asserts(self) -> bool:
        """Whether it says something of what it reaches, rather than of other triggers."""
        return self.event.value in ASSERTED


class Cue(NamedTuple):
    """A trigger in a note, over tokens first to last, last left out."""

    first: int
    last: int
    trigger: Trigger


class Scope(NamedTuple):
    """Words first to last, last left out, and what is said of them; cue_first to cue_last are the words that say it.

    past: the same words say it of the past too ("no history of").
    """

    assertion: Assertion
    first: int
    last: int
    cue_first: int
    cue_last: int
    rule_id: str
    past: bool = False

    def within(self, marks: Sequence[int]) -> "Scope":
        """The scope cut to the entry of a numbered list that its cue stands in; one said before the list reaches all of it.

        marks: where the entries begin, at least one, in order.
        """
        own = max((mark for mark in marks if mark <= self.cue_first), default=None)
        if own is None:
            return self
        following = min((mark for mark in marks if mark > self.cue_first), default=self.last)
        return self._replace(first=max(self.first, own), last=min(self.last, following))


def cues(found: Sequence[FoundTrigger]) -> list[Cue]:
    """Found rows of this family with what they say."""
    known = triggers()
    return [Cue(one.first, one.last, known[one.row.id]) for one in found]


@lru_cache(maxsize=1)
def triggers() -> Mapping[str, Trigger]:
    """The triggers by the ids of their rows, read once."""
    return {row.id: trigger_of(row) for row in trigger_rows(FAMILY)}


def trigger_of(row: TriggerRow) -> Trigger:
    """What a row says.

    Raises:
        KnowledgeError: a cell holds a word that is none of its column's.
    """
    event, _, besides = row.event.partition("+")
    ends = row.cells["ends"]
    try:
        return Trigger(
            Event(event),
            Assertion(besides) if besides else None,
            Direction(row.cells["direction"] or Direction.FORWARD),
            int(row.cells["reach"] or FAR),
            ASSERTED if ends == "all" else frozenset(Assertion(one) for one in ends.split("+") if one),
            row.rule_id,
        )
    except ValueError as error:
        raise KnowledgeError(f"{row.rule_id}: {error}. The head of its file explains the columns.") from error
