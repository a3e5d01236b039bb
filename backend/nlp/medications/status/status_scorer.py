"""What a medicine's status most likely is: a chain of named features and of what follows what, read from a small file.

The file is assets/rules/medications/status_model.json, with its card; backend.training.status_scorer makes it anew. The triggers'
verdict is one of the features, and stands unless another one is clearly likelier.
"""

from enum import StrEnum
from functools import lru_cache

from backend.nlp.medications.medicine_outcomes import Outcome
from backend.nlp.rules import RULES
from backend.nlp.scoring.status_chain import StatusChain, read_chain
from backend.schemas.record import Experiencer, MedicationCategory, MedicationStatus

MODEL = RULES / "medications" / "status_model.json"


class Told(StrEnum):
    """What a note says of a medicine, in the words of those who annotate notes."""

    HOME = "home"
    GIVEN = "given here"
    STARTED = "started here"
    PLANNED = "planned"
    HELD = "held"
    STOPPED = "stopped"
    PAST = "past"
    NOT_TAKEN = "refused"
    OTHER = "other person"


TOLD = tuple(Told)


def told_of(result: Outcome, experiencer: Experiencer) -> Told:
    """The status of what the triggers say of a medicine, in one word.

    Args:
        result: what they say.
        experiencer: whose medicine it is.
    """
    if experiencer is not Experiencer.PATIENT:
        return Told.OTHER
    inpatient = result.category is MedicationCategory.INPATIENT
    if result.status is MedicationStatus.COMPLETED:
        return Told.GIVEN if inpatient else Told.PAST
    if result.status is MedicationStatus.ACTIVE:
        return Told.GIVEN if inpatient else Told.STARTED if result.change == "started" else Told.HOME
    return _OF_STATUS[result.status]


_OF_STATUS = {
    MedicationStatus.STOPPED: Told.STOPPED,
    MedicationStatus.ON_HOLD: Told.HELD,
    MedicationStatus.NOT_TAKEN: Told.NOT_TAKEN,
    MedicationStatus.INTENDED: Told.PLANNED,
}


@lru_cache(maxsize=1)
def status_scorer() -> StatusChain[Told]:
    """The shipped model. Raises KnowledgeError when the file is missing or malformed."""
    return read_chain(MODEL, TOLD)
