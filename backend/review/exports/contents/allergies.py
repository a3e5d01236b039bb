"""The allergies of a clinician's copy, and what speaks against a note that says that none are known."""

from collections.abc import Iterator

from backend.generation.composer.patient_sentences import REACTED
from backend.review.exports.copies import Line
from backend.schemas.drafts.draft import Draft
from backend.schemas.record import VerificationStatus
from backend.schemas.vocabulary import AllergyStatus
from backend.verification.safety.allergy_conflicts import CONFLICT, DISAGREEMENT, POSSIBLE

CONTRADICTED = "The note says that no allergies are known, but this speaks against it: {names}. Ask the patient."
STATUS_WORDS = {
    AllergyStatus.NONE_KNOWN: "No known allergies, as the note says.",
    AllergyStatus.NOT_STATED: "The note does not say whether there are allergies. Nothing was checked against them.",
    AllergyStatus.UNREADABLE: "The allergies of the note could not be read. Nothing was checked against them.",
    AllergyStatus.LISTED: "",
}


def allergy_lines(draft: Draft) -> tuple[Line, ...]:
    """What the note says as a whole, each allergy that it lists, and what it settles as none."""
    against = contradicted(draft)
    text = against or STATUS_WORDS[draft.allergies.status]
    items = []
    for item in draft.allergies.items:
        reaction = f" ({item.reaction})" if item.reaction else ""
        items.append(
            Line(f"{item.text}{reaction}, {item.kind.value}{'' if item.checked else ': not recognised, not checked'}")
        )
    for one in draft.record.allergies.items if draft.record is not None else ():
        if one.verification_status is VerificationStatus.REFUTED:
            said = f": \u201c{' '.join(one.spans[1].text.split())}\u201d" if len(one.spans) > 1 else ""
            items.append(Line(f"{one.agent}, not an allergy{said}"))
    return (*((Line(text, strong=bool(against)),) if text else ()), *items)


def contradicted(draft: Draft) -> str:
    """The sentence that says what disagrees; empty where nothing does."""
    names = against_none(draft)
    return CONTRADICTED.format(names=", ".join(names)) if names else ""


def against_none(draft: Draft) -> tuple[str, ...]:
    """What speaks against a note that says that no allergies are known, by name and place; empty where the note says anything else.

    The note's own list and record, what it only lets one suspect, a medicine that was stopped for a reaction, and what the
    alerts know of earlier notes.
    """
    if draft.allergies.status is not AllergyStatus.NONE_KNOWN:
        return ()
    found: dict[str, str] = {}
    for name, place in _against(draft):
        found.setdefault(name.casefold(), f"{name} ({place})")
    return tuple(found.values())


def _against(draft: Draft) -> Iterator[tuple[str, str]]:
    yield from ((one.text, "the note") for one in draft.allergies.items)
    for one in draft.record.allergies.items if draft.record is not None else ():
        if one.possible:
            yield one.agent, "possible"
        elif one.contradicted_by or one.verification_status is not VerificationStatus.REFUTED:
            yield one.agent, "the note"
    for medicine in draft.record.medications if draft.record is not None else ():
        if REACTED.search(medicine.why_stopped):
            yield medicine.name, f"stopped: {medicine.why_stopped}"
    yield from ((possible.text, "possible") for possible in draft.allergies.possible)
    for flag in draft.flags:
        if flag.kind == DISAGREEMENT and flag.sentence is None:
            yield from ((name, "earlier notes") for name in flag.evidence)
    for flag in draft.flags:
        if flag.kind in (CONFLICT, POSSIBLE):
            yield from ((name, "an alert") for name in flag.evidence[:1])
