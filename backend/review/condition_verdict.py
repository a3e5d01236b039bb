"""A clinician's verdict on a condition, and what it does to the sentences that were written for it."""

from backend.schemas.patients.saved_case import ReviewedSentence
from backend.schemas.vocabulary import Basis, ConditionStatus

RULED_OUT = "its condition was ruled out"


def judged(sentence: ReviewedSentence, concept_id: str, status: ConditionStatus) -> ReviewedSentence:
    """The sentence after the verdict; one that was not written for this condition stays as it is."""
    if sentence.rests_on != concept_id:
        return sentence
    if status == ConditionStatus.CONFIRMED:
        return _confirmed(sentence)
    if sentence.deleted:
        return sentence
    return sentence.model_copy(update={"deleted": True, "deleted_reason": RULED_OUT})


def _confirmed(sentence: ReviewedSentence) -> ReviewedSentence:
    """The mark 'possible' goes; a sentence that went when the condition was ruled out comes back."""
    update: dict[str, object] = {"condition_id": None}
    if sentence.basis == Basis.POSSIBLE:
        update["basis"] = Basis.PATIENT if any(c.startswith("N") for c in sentence.citations) else Basis.GENERAL
    if sentence.deleted_reason == RULED_OUT:
        update |= {"deleted": False, "deleted_reason": ""}
    return sentence.model_copy(update=update)
