"""What the next visit is told of the note generated for this one.

Only what the verifier found in the patient's own notes is carried on, so that an error of one visit does not travel to
the next; what the note itself took over from an earlier summary stays behind.
"""

from backend.schemas.drafts.draft import Draft, Sentence
from backend.schemas.patients.patient_notes import PREVIOUS_VISIT, UNDATED, claimed_date
from backend.schemas.vocabulary import Basis, SoapPart, Support

MOST_CHARS = 1_200
ORDER = (SoapPart.ASSESSMENT, SoapPart.PLAN, SoapPart.SUBJECTIVE, SoapPart.OBJECTIVE)


def visit_summary(draft: Draft, most_chars: int = MOST_CHARS) -> str:
    """Sentences of the draft, one a line, for the writer of the next visit.

    In turn the latest of assessment, plan, subjective and objective are chosen, then given in the draft's own order.
    Sentences are whole; empty where none is supported.
    """
    earlier = {piece.id for piece in draft.evidence.notes if piece.note_type == PREVIOUS_VISIT}
    queues = [
        sorted((s for s in draft.sentences if s.section == part and _supported_and_new(s, earlier)), key=_time)
        for part in ORDER
    ]
    taken: list[Sentence] = []
    length = 0
    while any(queues):
        for queue in queues:
            if not queue:
                continue
            sentence = queue.pop()
            if length + len(sentence.text) + 1 <= most_chars:
                taken.append(sentence)
                length += len(sentence.text) + 1
    return "\n".join(s.text for s in sorted(taken, key=lambda s: s.start_char))


def _supported_and_new(sentence: Sentence, earlier: set[str]) -> bool:
    own = sentence.basis is Basis.PATIENT and sentence.support is Support.SUPPORTED
    return own and not earlier.intersection(sentence.citations)


def _time(sentence: Sentence) -> tuple[str, int]:
    """The day that a sentence bears, undated first; of one day the order of the draft."""
    day, _ = claimed_date(sentence.text)
    return "" if day in (None, UNDATED) else day, sentence.start_char
