"""Whether a version may be signed: no severe flag left unanswered, no gap left in discharge instructions.

A pure check: it takes what the version holds and what the signer acknowledges, and knows no database.
"""

from backend.errors import ConflictError, InputError
from backend.review.case_content import gaps, live
from backend.schemas.patients.saved_case import Acknowledgement, Gap, ReviewFlag, VersionContent
from backend.schemas.vocabulary import Document, Severity


class SignatureRefusedError(ConflictError):
    """flags: the severe ones that nobody acknowledged. gaps: the places still to be completed."""

    def __init__(self, flags: tuple[ReviewFlag, ...], left: tuple[Gap, ...]) -> None:
        parts = []
        if flags:
            named = ", ".join(f"{flag.id} ({flag.kind.value})" for flag in flags)
            parts.append(f"acknowledge each severe flag by its id with a reason, or mend what it names: {named}")
        if left:
            named = ", ".join(f"{gap.sentence} (under “{gap.section}”)" for gap in left)
            parts.append(f"complete or delete each “[team to complete: …]”: {named}")
        super().__init__(f"This version cannot be signed yet: {'; '.join(parts)}.")
        self.flags = flags
        self.gaps = left


def check_signable(content: VersionContent, document: Document, acknowledgements: tuple[Acknowledgement, ...]) -> None:
    """Raises SignatureRefusedError with all that stands against it, InputError for an acknowledgement of no flag."""
    known = {flag.id for flag in content.flags}
    for acknowledgement in acknowledgements:
        if acknowledgement.flag not in known:
            raise InputError(
                f"This version has no flag {acknowledgement.flag!r} to acknowledge. GET /v1/cases/{{id}} lists its flags."
            )
    if not live(content.sentences):
        raise ConflictError("This version has no sentence left, so there is nothing to sign.")
    answered = {acknowledgement.flag for acknowledgement in acknowledgements}
    severe = tuple(f for f in content.flags if f.severity == Severity.SEVERE and f.id not in answered)
    left = gaps(content) if document == Document.DISCHARGE_INSTRUCTIONS else ()
    if severe or left:
        raise SignatureRefusedError(severe, left)
