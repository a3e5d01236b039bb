"""What a medicine did that is taken no more is of the past: "switched from lisinopril for cough" leaves no cough of today.

Takes the statements of one note: what may have been a reaction, with the place of the effect, and the medicines with their status.
What brings the patient, or is told of today, is none of them: "a rash since she began carbamazepine, which was stopped on Monday".
"""

from collections.abc import Mapping, Sequence

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.findings.course.courses import course
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.record import (
    AllergyStatement,
    ClinicalStatus,
    Experiencer,
    MedicationStatement,
    MedicationStatus,
    ProblemStatement,
    VerificationStatus,
)
from backend.schemas.vocabulary import SectionCategory

_ENDED = frozenset({MedicationStatus.STOPPED, MedicationStatus.COMPLETED, MedicationStatus.NOT_TAKEN})


def with_past_reactions(
    note: ParsedNote,
    problems: Sequence[ProblemStatement],
    medications: Sequence[MedicationStatement],
    allergies: Sequence[AllergyStatement],
) -> tuple[ProblemStatement, ...]:
    """The problems; one whose every place is an effect of medicines that are all over is resolved.

    Args:
        note: the parsed note.
        problems: of the note.
        medications: of the note.
        allergies: of the note; of a possible one the second place is the effect's.
    """
    status: dict[str, set[MedicationStatus]] = {}
    for medicine in medications:
        if medicine.concept_id:
            status.setdefault(medicine.concept_id, set()).add(medicine.status)
    over = [
        (effect.start_char, effect.end_char)
        for one in allergies
        if one.possible and one.concept_id in status and status[one.concept_id] <= _ENDED
        for effect in one.spans[1:]
    ]
    over += _told_beside(note, problems, medications, status)
    ended = {one.id for one in problems if _is_of(one, over)} if over else set()
    today = {one.concept_id for one in problems if one.id not in ended and _is_there(one)}
    return tuple(_ended(one) if one.id in ended and one.concept_id not in today else one for one in problems)


def _told_beside(
    note: ParsedNote,
    problems: Sequence[ProblemStatement],
    medications: Sequence[MedicationStatement],
    status: Mapping[str, set[MedicationStatus]],
) -> list[tuple[int, int]]:
    """Where a list tells, behind a medicine that is over, what it did ("montelukast - stopped, nightmares"), or a note why it was stopped."""
    places = [
        (one.spans[0].start_char, one)
        for one in sorted((m for m in medications if m.spans), key=lambda m: m.spans[0].start_char)
        if one.concept_id and status[one.concept_id] <= _ENDED
    ]
    found = []
    for problem in problems if places else ():
        for span in problem.spans[:1]:
            at = note.sentence_at(span.start_char)
            if at is None or not _is_there(problem):
                continue
            first, last = note.sentences[at].first, note.token_range(span.start_char, span.end_char)[0]
            begin = note.tokens.starts[first]
            before = [one for place, one in places if begin <= place < span.start_char]
            if not before:
                continue
            medicine = before[-1]
            between = note.words[note.token_range(medicine.spans[0].end_char, span.start_char)[0] : last]
            told = span.text.lower() in medicine.why_stopped.lower()
            listed = problem.section is SectionCategory.MEDICATIONS and course(problem.name.lower()) != "chronic"
            if told or (listed and word_lists("findings/words_courses")["reason"].isdisjoint(between)):
                found.append((span.start_char, span.end_char))
    return found


def _is_there(problem: ProblemStatement) -> bool:
    return (
        problem.clinical_status is ClinicalStatus.ACTIVE
        and problem.verification_status is VerificationStatus.CONFIRMED
        and problem.experiencer is Experiencer.PATIENT
    )


def _is_of(problem: ProblemStatement, effects: Sequence[tuple[int, int]]) -> bool:
    own = (
        problem.clinical_status is ClinicalStatus.ACTIVE
        and problem.verification_status is VerificationStatus.CONFIRMED
        and course(problem.name.lower()) != "chronic"
    )
    return own and all(any(a < s.end_char and s.start_char < b for a, b in effects) for s in problem.spans)


def _ended(problem: ProblemStatement) -> ProblemStatement:
    return problem.model_copy(update={"clinical_status": ClinicalStatus.RESOLVED, "chronic": False})
