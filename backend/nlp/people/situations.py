"""What asks for care whatever a patient came with: pregnancy, a donated organ, failed kidneys, a blood thinner.

Takes a linked note; gives the situations that it states, by the rows of assets/rules/situations.tsv. A medicine is given as named in
the note; whether it is taken at home is for the reader to judge.
"""

from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from backend.nlp.rules import RULES, rule_rows
from backend.schemas.drafts.note import LinkedNote, Mention
from backend.schemas.vocabulary import Assertion

CELLS = 5
NONE = "-"
PREGNANCY = "pregnancy"


class When(StrEnum):
    """What a mention must be: stated as present, stated as present or past, or a medicine that is taken."""

    PRESENT = "present"
    EVER = "ever"
    TAKEN = "taken"


class SituationRow(NamedTuple):
    """chapter: the name of the concept whose chapter tells more, empty for none. unless: what ends it. sentence: the patient's sentence."""

    chapter: str
    names: frozenset[str]
    when: When
    unless: frozenset[str]
    sentence: str


class Situation(NamedTuple):
    """A row that holds for a patient, with the mentions that say so, in note order; none where who the patient is says it ("29w4d")."""

    row: SituationRow
    mentions: tuple[Mention, ...]


@lru_cache(maxsize=1)
def situation_rows() -> tuple[SituationRow, ...]:
    """The rows as they ship. Raises KnowledgeError for a row of another number of cells, ValueError for an unknown `when`."""
    return tuple(
        SituationRow("" if chapter == NONE else chapter, _names(names), When(when), _names(unless), sentence)
        for chapter, names, when, unless, sentence in rule_rows(RULES / "situations.tsv", CELLS)
    )


def situations_of(linked: LinkedNote, rows: Sequence[SituationRow] | None = None) -> list[Situation]:
    """The situations of a note, in the order of the rows. A pregnancy counts only where it is this patient's and now."""
    stated = [m for m in linked.note.mentions if m.assertion in _STATED and not m.allergen]
    named = {m.name for m in stated}
    found = []
    for row in situation_rows() if rows is None else rows:
        pregnancy = PREGNANCY in row.names
        if pregnancy and not is_pregnant(linked):
            continue
        ever = row.when is When.EVER
        mentions = [m for m in stated if m.name in row.names and (ever or m.assertion is Assertion.PRESENT)]
        if (mentions or pregnancy) and named.isdisjoint(row.unless):
            found.append(Situation(row, tuple(mentions)))
    return found


def is_pregnant(linked: LinkedNote) -> bool | None:
    """Whether the patient is pregnant now, by the record where it says so; None where nothing does."""
    stated = linked.record.person.pregnant if linked.record is not None else None
    return linked.patient.pregnant if stated is None else stated


def _names(cell: str) -> frozenset[str]:
    return frozenset() if cell == NONE else frozenset(cell.split("|"))


_STATED = frozenset({Assertion.PRESENT, Assertion.HISTORICAL})
