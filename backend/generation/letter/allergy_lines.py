"""The allergies of a record as lines: what is listed, what was taken back, what disagrees, and what is only suspected.

For the letter and the progress note alike. A suspicion is a question for the team and never told as an allergy.
"""

from collections.abc import Callable, Iterator

from backend.schemas.record import AllergyStatement, PatientRecord, VerificationStatus
from backend.schemas.vocabulary import AllergyKind

Cite = Callable[[int], tuple[str, ...]]


def allergy_lines(record: PatientRecord, cite: Cite) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield a line an allergy, the listed ones first, with the ids of the pieces of the note that say so.

    Nothing for a note that does not speak of allergies: that is a gap, and no line.

    Args:
        record: what the note states.
        cite: the ids of the pieces of the note that hold a code point of it.
    """
    allergies = record.allergies
    listed = [one for one in allergies.items if not one.possible and not _is_refuted(one)]
    if allergies.none_known:
        yield "Allergies: none known.", ()
    for one in listed:
        yield _listed(one), _cited(one, cite)
        yield from _disagreement(one, cite)
    for one in allergies.items:
        if _is_refuted(one):
            yield f"Not an allergy, as the note says: {one.agent}.", _cited(one, cite)
            yield from _disagreement(one, cite)
        elif one.possible:
            reaction = f" ({one.reaction})" if one.reaction else ""
            yield f"To ask: is {one.agent} an allergy{reaction}? The note only lets one suspect it.", _cited(one, cite)


def _listed(one: AllergyStatement) -> str:
    lead = "Intolerance" if one.kind is AllergyKind.INTOLERANCE else "Allergy"
    reaction = f" (reaction: {one.reaction})" if one.reaction else ""
    by = f", as {one.asserter} says" if one.asserter else ""
    unsure = ", not confirmed" if one.verification_status is VerificationStatus.UNCONFIRMED else ""
    unknown = "" if one.concept_id else "; not recognised, not checked"
    return f"{lead}: {one.agent}{reaction}{by}{unsure}{unknown}."


def _disagreement(one: AllergyStatement, cite: Cite) -> Iterator[tuple[str, tuple[str, ...]]]:
    if one.contradicted_by:
        words = "; ".join(f"\u201c{' '.join(span.text.split())}\u201d" for span in one.contradicted_by)
        pieces = tuple(dict.fromkeys(p for span in one.contradicted_by for p in cite(span.start_char)))
        yield f"The note disagrees about {one.agent}: {words}.", pieces


def _is_refuted(one: AllergyStatement) -> bool:
    return one.verification_status is VerificationStatus.REFUTED


def _cited(one: AllergyStatement, cite: Cite) -> tuple[str, ...]:
    return tuple(dict.fromkeys(piece for span in one.spans[:1] for piece in cite(span.start_char)))
