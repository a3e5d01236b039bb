"""What most likely becomes of each medicine of a note, by its own statements and by what the note says of its kind.

A note that lists bendroflumethiazide may say "thiazide withdrawn": the record reads the kind apart. Where one medicine of the kind is
named, what is surely read of the kind is of it; where it contradicts what is read of the medicine otherwise, nothing is sure.
"""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from backend.generation.letter.medicines.medicine_groups import Medicine
from backend.schemas.record import Afterwards, MedicationStatement, StatedBy

_SURE = 0.85
"""How likely a reading of a kind must be to be one of its only member."""
_ASIDE = frozenset({Afterwards.NONE, Afterwards.HERE, Afterwards.OPEN})
"""Readings of a kind that say nothing of a member: "PPI infusion", "an opioid was considered"."""


class Reading(NamedTuple):
    """What most likely becomes of a medicine, and how likely."""

    action: Afterwards
    likelihood: float


class Readings:
    """The readings of one note.

    Args:
        of_note: its medicines.
        classes: the classes above a medicine, by concept id.
    """

    def __init__(self, of_note: Sequence[Medicine], classes: Callable[[str], Collection[str]]) -> None:
        self._classes = classes
        told = [(one.concept_id, reading_of(one.statements)) for one in of_note if one.is_class and one.concept_id]
        self._kinds = {kind: reading for kind, reading in told if kind and reading and reading.action not in _ASIDE}
        named = {one.concept_id for one in of_note if not one.is_class and one.concept_id}
        above = [kind for name in named for kind in set(classes(name)) & self._kinds.keys()] if self._kinds else []
        self._alone = {kind for kind in above if above.count(kind) == 1}

    def of(self, concept_id: str | None, statements: Sequence[MedicationStatement]) -> Reading | None:
        """The reading of a medicine; None where there is none.

        Args:
            concept_id: the medicine's; None where no lexicon knows it.
            statements: those that name it.
        """
        own = reading_of(statements)
        if own is None or concept_id is None or not self._kinds:
            return own
        for kind in sorted(set(self._classes(concept_id)) & self._kinds.keys()):
            told = self._kinds[kind]
            if told.action is own.action or own.action in _ASIDE:
                continue
            sure = kind in self._alone and told.likelihood >= _SURE and own.action is Afterwards.CONTINUED
            return told if sure else Reading(Afterwards.OPEN, own.likelihood)
        return own


def reading_of(statements: Sequence[MedicationStatement]) -> Reading | None:
    """The reading of a medicine's statements, the least likely of them; None where they are read apart, or a clinician made one."""
    if not statements or any(one.stated_by is StatedBy.CLINICIAN for one in statements):
        return None
    actions = {one.afterwards for one in statements}
    if len(actions) != 1:
        return None
    return Reading(actions.pop(), min(one.afterwards_likelihood for one in statements))
