"""What needs no suggestion, since the record has it: done now, planned, measured, taken, or decided against by the note.

Compared by concept, and by the words of the names: whether "chest x-ray" is done is the same question for "x-ray of the chest".
"""

from collections.abc import Iterable

from backend.generation.composer.wording import content_words
from backend.schemas.drafts.evidence import GraphItem
from backend.schemas.drafts.note import Mention
from backend.schemas.record import DeviceStatement, Experiencer, PatientRecord, ProcedureStatement, ProcedureStatus
from backend.schemas.vocabulary import Assertion, Category

_ORDERS = frozenset({Category.TEST, Category.PROCEDURE, Category.DRUG, Category.DRUG_CLASS})
_MENTIONED = frozenset({Assertion.PRESENT, Assertion.UNCERTAIN})
_DONE = frozenset({ProcedureStatus.DONE_NOW, ProcedureStatus.PLANNED})


class AlreadyDone:
    """What a note's record has of tests and treatments.

    Args:
        record: of the note.
        mentions: what the lexicon found in the note; a test or medicine that it names as the patient's is not suggested either.
    """

    def __init__(self, record: PatientRecord, mentions: Iterable[Mention]) -> None:
        medicines = [one for one in record.medications if one.experiencer is Experiencer.PATIENT]
        stated: tuple[ProcedureStatement | DeviceStatement, ...] = (*record.procedures, *record.devices)
        done = [one for one in stated if one.status in _DONE]
        named = [m for m in mentions if m.category in _ORDERS and m.assertion in _MENTIONED and not m.allergen]
        self._concepts = {
            *(one.concept_id for one in medicines),
            *(one.concept_id for one in done),
            *(ingredient for one in medicines for ingredient in one.ingredients),
            *(m.concept_id for m in named),
        }
        names = (*(one.name for one in medicines), *(one.name for one in done), *(m.name for m in named))
        self._words = _worded(names)
        self._measures = _worded(one.measure for one in record.observations if not one.formula)
        self._planned = {one.concept_id for one in record.procedures if one.status is ProcedureStatus.PLANNED}
        self._plans = [content_words(one.text) for one in record.plan]

    def has(self, fact: GraphItem) -> bool:
        """Whether the record has the test or treatment that a fact names; what is to be watched may be watched again."""
        wanted = content_words(fact.tail_name)
        planned = fact.tail_id in self._planned or any(wanted <= plan for plan in self._plans)
        if not wanted or fact.relation not in _ONCE:
            return planned and bool(wanted)
        known = self._words | self._measures if fact.relation == "diagnosed_by" else self._words
        return planned or fact.tail_id in self._concepts or any(one <= wanted or wanted <= one for one in known)


def _worded(names: Iterable[str]) -> frozenset[frozenset[str]]:
    return frozenset(words for words in map(content_words, names) if words)


_ONCE = frozenset({"diagnosed_by", "treated_by"})
"""The relations to what is done once and for all, as far as a suggestion goes."""
