"""A patient's own notes without a note of today: the newest visit stands in for it, so that its medicines are held against its patient."""

from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.patient_notes import PREVIOUS_VISIT


def latest_as_note(request: DraftRequest) -> DraftRequest:
    """The request with the notes of its newest day as its note; as it is where it has a note, or no earlier one.

    Notes without a date count as older than any; of those alone the last one is the newest. What is handed on from earlier visits is
    of no day.
    """
    notes = [one for one in request.patient_notes if one.note_type != PREVIOUS_VISIT]
    if request.text.strip() or not notes:
        return request
    newest = max(one.date or "" for one in notes)
    texts = [one.text for one in notes if (one.date or "") == newest]
    return request.model_copy(update={"text": "\n\n".join(texts if newest else texts[-1:])})
