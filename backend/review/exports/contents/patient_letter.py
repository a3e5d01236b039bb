"""The patient's copy: the letter alone, of a signed version."""

from backend.errors import ConflictError
from backend.review.exports.contents.letter_body import body, headed, state_words, with_blanks, with_medicines, words_of
from backend.review.exports.copies import TITLES, Copy, Line, Part, PartKind
from backend.schemas.drafts.headings import FOUND, WARNING, WHY
from backend.schemas.patients.saved_case import CaseState, CaseView, CopyKind, ReviewedSentence
from backend.schemas.vocabulary import Basis, Document

STAR = "*"
PLEASE_NOTE = "Please note"


def patient_copy(view: CaseView) -> Copy:
    """The letter alone, for the patient: no source, no mark, nothing about how it was made.

    Raises:
        ConflictError: the version is not signed, or not the newest; with the reason.
    """
    if view.state != CaseState.SIGNED or view.signature is None:
        raise ConflictError(
            f"A patient's copy exists only of a signed version; version {view.version} is {state_words(view.state)}. "
            + (f"The newest is {view.newest}." if view.version != view.newest else "Sign it first.")
        )
    words, signer = words_of(view), view.signature
    heading = TITLES[view.draft.document]
    if view.draft.document == Document.DISCHARGE_INSTRUCTIONS:
        heading = "Your discharge instructions"
    sections = tuple(_for_reading(part, words.emergency) for part in body(view, [_line(s) for s in _now(view)]))
    parts = (*_unconfirmed(view), *with_medicines(sections, view.draft, CopyKind.PATIENT, {}))
    signed = f"Signed by {signer.name}, {signer.role}, on {words.day(signer.at)}."
    return headed(view, Copy(CopyKind.PATIENT, heading, "", "", parts, (signed,), heading))


def _now(view: CaseView) -> list[ReviewedSentence]:
    return [s for s in view.sentences if not s.deleted]


def _for_reading(part: Part, emergency: str) -> Part:
    """Warning signs in a box, with the number to call; what happened as a paragraph."""
    if part.heading == WARNING:
        return part._replace(box=True, lines=(Line(emergency, strong=True), *part.lines))
    return part._replace(prose=part.heading in (WHY, FOUND) and not any(line.strong for line in part.lines))


def _line(s: ReviewedSentence) -> Line:
    """A sentence for the patient; a place left open in it becomes a blank to fill in by hand."""
    text = with_blanks(s.text)
    # a star, since words such as "possible" would weaken "Call an ambulance if …"
    return Line(f"{text} {STAR}" if s.basis == Basis.POSSIBLE else text, strong=text != s.text)


def _unconfirmed(view: CaseView) -> tuple[Part, ...]:
    """What the star means, and for which conditions; nothing when all are confirmed."""
    now = [s for s in _now(view) if s.basis == Basis.POSSIBLE]
    if not now:
        return ()
    names = {c.concept_id: c.name for c in view.draft.conditions}
    about = " and ".join(dict.fromkeys(names[s.rests_on] for s in now if s.rests_on in names))
    text = (
        f"A star ({STAR}) marks what is about {about or 'a condition'}. Your team has not confirmed that you have it."
    )
    return (Part(PartKind.BODY, PLEASE_NOTE, (Line(text),)),)
