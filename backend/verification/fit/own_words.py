"""What a clinician's own sentence, which cites nothing, claims of the patient, held against the record: contradicted, or not in it.

It marks, and never refuses: the clinician may know more than the note says.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from backend.interfaces import Linker
from backend.schemas.drafts.evidence import NotePiece
from backend.schemas.record import (
    Experiencer,
    ObservationStatement,
    PatientRecord,
    ProblemStatement,
    VerificationStatus,
)
from backend.verification.fit.patient_claims import against
from backend.verification.fit.presuppositions import SentenceReader, is_caution

_OF_PATIENT = re.compile(r"\b(?:you|your|we|our)\b", re.IGNORECASE)
_MAY_BE = re.compile(r"\b(?:can|may|might|could|will|would|should|must|if|unless)\b", re.IGNORECASE)
_REFUTED = VerificationStatus.REFUTED


def doubt_of(
    text: str, record: PatientRecord | None, pieces: Sequence[NotePiece], confirmed: Collection[str], linker: Linker
) -> str:
    """Why the record does not carry a sentence; empty where it does, or where the sentence claims nothing of the patient.

    Args:
        text: one sentence.
        record: of the note; None where there is no note, so that nothing can be held against it.
        pieces: the notes, the course of the stay among them; what they name is not lacking.
        confirmed: ids of the conditions that a clinician confirmed.
        linker: reads the sentence.
    """
    if record is None or is_caution(text) or not _OF_PATIENT.search(text):
        return ""
    claimed = linker.read(text).record
    if claimed is None:
        return ""
    past = SentenceReader(linker).read(text).past
    said = " ".join(piece.text.lower() for piece in pieces)
    doubts = (
        _doubt(one, record, said, past=past)
        for one in claimed.problems
        if _is_claim(one, text) and one.concept_id not in confirmed
    )
    return next(filter(None, (*_unmeasured(claimed.observations, record.observations), *doubts)), "")


def _is_claim(one: ProblemStatement, text: str) -> bool:
    own = one.experiencer is Experiencer.PATIENT and not one.hypothetical and not one.is_value_alone
    return own and bool(one.spans) and not _MAY_BE.search(text[: one.spans[0].start_char])


def _doubt(one: ProblemStatement, record: PatientRecord, said: str, *, past: bool) -> str:
    """Why the record does not carry a claim; a claim that the patient has not what the record has is one as well."""
    name = one.spans[0].text.lower()
    same = [held for held in record.stated_problems if held.concept_id and held.concept_id == one.concept_id]
    if one.verification_status is _REFUTED:
        states = any(not against(held, past=True) and held.verification_status is not _REFUTED for held in same)
        return f"denies {name}, which the note states" if states else ""
    reasons = [against(held, past=past) for held in same]
    if reasons and all(reasons):
        return f"tells of {name}, which {reasons[0]}"
    known = reasons or any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", said) for word in {name, one.name.lower()})
    return "" if known else f"tells of {name}, which the note does not"


def _unmeasured(claimed: Sequence[ObservationStatement], held: Sequence[ObservationStatement]) -> Iterator[str]:
    """Yield what is said of each value that the record does not have of its measure."""
    known = {(one.measure.lower(), one.value_text) for one in held}
    for one in claimed:
        if (one.measure.lower(), one.value_text) not in known:
            yield f"tells of {one.measure} {one.value_text}, which the note does not"
