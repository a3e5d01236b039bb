"""Whether what a sentence tells of the patient is the patient's own and of today, by the statements of the pieces that it cites.

Support says whether the words stand there; here it counts whose they are, and whether the note denies them or tells them as past.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from backend.schemas.drafts.draft import FitVerdict
from backend.schemas.drafts.evidence import NotePiece
from backend.schemas.drafts.note import LinkedNote, Mention
from backend.schemas.record import (
    ClinicalStatus,
    Experiencer,
    MedicationStatement,
    ProblemStatement,
    VerificationStatus,
)
from backend.schemas.vocabulary import Assertion, Category, Fit
from backend.verification.fit.presuppositions import SentenceReader

_CLAIMED = frozenset({Category.DISEASE, Category.SYMPTOM, Category.FINDING, Category.DRUG, Category.DRUG_CLASS})
_NUMBER = re.compile(r"\d+(?:[.,/]\d+)*")
_NOT = Fit.NOT_FOR_THIS_PATIENT


def claims_verdict(text: str, reader: SentenceReader, linked: LinkedNote, pieces: Sequence[NotePiece]) -> FitVerdict:
    """The verdict on a sentence of basis patient.

    Args:
        text: the sentence.
        reader: reads it.
        linked: the note with its record.
        pieces: the pieces that the sentence cites.

    Returns:
        fits where every claim is the patient's own in a cited piece; not where one is somebody else's, denied or past there.
    """
    held, past = False, reader.read(text).past
    for mention in reader.mentions(text):
        if mention.category not in _CLAIMED or mention.allergen or mention.assertion is not Assertion.PRESENT:
            continue
        if _is_measured(mention, pieces):
            held = True
            continue
        statements = list(_statements(mention, linked, pieces))
        if not statements:
            continue
        if _is_purpose(mention, linked):
            continue  # "lorazepam as needed for agitation" tells of no agitation
        reasons = [why for one in statements if (why := against(one, past=past))]
        if len(reasons) == len(statements):
            return FitVerdict(fit=_NOT, reason=f"tells of {mention.name}, which {reasons[0]}")
        held = True
    return FitVerdict(fit=Fit.FITS if held else Fit.UNKNOWN)


def _is_purpose(mention: Mention, linked: LinkedNote) -> bool:
    """Whether a claim is what the note gives a medicine for when it is needed."""
    medicines = linked.record.medications if linked.record is not None else ()
    return any(mention.text.lower() in one.dosage.as_needed_for.lower() for one in medicines)


def _is_measured(mention: Mention, pieces: Iterable[NotePiece]) -> bool:
    """Whether a claim is a value that a cited piece states: 101.6 was measured, though the story denies a fever."""
    numbers = _NUMBER.findall(mention.text)
    said = {number for piece in pieces for number in _NUMBER.findall(piece.text)} if numbers else set()
    return bool(numbers) and said.issuperset(numbers)


def _statements(
    mention: Mention, linked: LinkedNote, pieces: Iterable[NotePiece]
) -> Iterator[ProblemStatement | MedicationStatement]:
    """Yield the record's statements of a concept in the pieces, of the record where the pieces have none."""
    if linked.record is None:
        return
    record: tuple[ProblemStatement | MedicationStatement, ...] = (
        *linked.record.stated_problems,
        *linked.record.medications,
    )
    same = [one for one in record if one.concept_id == mention.concept_id and one.spans]
    spans = [(piece.start_char, piece.end_char) for piece in pieces]
    here = [one for one in same if any(a <= one.spans[0].start_char < b for a, b in spans)]
    yield from here or same


def against(statement: ProblemStatement | MedicationStatement, *, past: bool) -> str:
    """Why a statement does not carry a claim of the patient's own, in words behind "which"; empty where it does.

    Args:
        statement: of the record.
        past: the claim is of what was.
    """
    if statement.experiencer is not Experiencer.PATIENT:
        kinship = getattr(statement, "kinship", "")
        return f"the note tells of somebody else ({kinship})" if kinship else "the note tells of somebody else"
    if isinstance(statement, MedicationStatement):
        return ""
    if statement.verification_status is VerificationStatus.REFUTED:
        return "the note denies"
    if statement.hypothetical:
        return "the note only warns of"
    if statement.clinical_status is not ClinicalStatus.ACTIVE and not past:
        return "the note tells as past"
    return ""
