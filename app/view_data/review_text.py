"""The words of the review screen for a saved case: provenance, gaps, flags, changes. Pure functions."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from app.view_data.draft_export import BASIS_WORDS, SUPPORT_WORDS
from backend.schemas.patients.saved_case import (
    CaseState,
    EditKind,
    EditRecord,
    ReviewedSentence,
    ReviewFlag,
    WriterKind,
)
from backend.schemas.vocabulary import Severity, Support

GAP = re.compile(r"\[\s*team to complete\s*:?\s*(?P<what>[^\]]*)\]", re.IGNORECASE)
STATE_WORDS = {
    CaseState.DRAFT: "draft, as it was written",
    CaseState.IN_REVIEW: "in review",
    CaseState.SIGNED: "signed",
    CaseState.SUPERSEDED: "superseded by a newer version",
}
EDIT_WORDS = {
    EditKind.REPLACE: "rewrote",
    EditKind.INSERT_AFTER: "added",
    EditKind.DELETE: "deleted",
    EditKind.RESTORE: "restored",
    EditKind.CONFIRM_CONDITION: "confirmed",
    EditKind.RULE_OUT_CONDITION: "ruled out",
    EditKind.NOTE_GAP: "left a gap after",
}
SHAPES = {
    Support.SUPPORTED: "●",
    Support.PARTIAL: "◐",
    Support.UNSUPPORTED: "○",
    Support.NOT_SCORED: "–",
}
ORDER = {Severity.SEVERE: 0, Severity.WARNING: 1, Severity.INFO: 2}


def when(at: datetime) -> str:
    """Day and minute in UTC, the zone of the audit trail."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def provenance(sentence: ReviewedSentence) -> str:
    """Who wrote a sentence, in which version, and how often it was written before."""
    by = sentence.written_by
    who = by.name if by.kind == WriterKind.PERSON else f"{by.name} ({by.kind.value})" if by.name != by.kind else by.name
    parts = [f"written by {who}, version {by.version}"]
    if by.at is not None:
        parts.append(when(by.at))
    if sentence.earlier:
        parts.append(f"{len(sentence.earlier)} earlier text{'s' if len(sentence.earlier) > 1 else ''}")
    return ", ".join(parts)


def marks(sentence: ReviewedSentence) -> str:
    """Basis, support and citations in words."""
    unscored = sentence.support == Support.NOT_SCORED and sentence.reason
    support = f"{SHAPES[sentence.support]} {sentence.reason if unscored else SUPPORT_WORDS[sentence.support]}"
    words = (BASIS_WORDS[sentence.basis], support, " ".join(sentence.citations))
    return " · ".join(word for word in words if word)


def missing(text: str) -> str:
    """What a gap asks for; empty when the text has no gap."""
    found = GAP.search(text)
    return (found["what"].strip() or "this place") if found else ""


def completed(text: str, words: str) -> str:
    """The sentence with its first gap filled; the rest of it stays as it is."""
    return GAP.sub(lambda _: words.strip(), text, count=1)


def by_severity(flags: Sequence[ReviewFlag]) -> list[ReviewFlag]:
    """Severe flags first."""
    return sorted(flags, key=lambda flag: ORDER[flag.severity])


def change(record: EditRecord) -> str:
    """One edit in a line: who did what to which sentence, and what it reads now."""
    what = record.sentence or record.concept_id or (f"version {record.to_version}" if record.to_version else "")
    said = f": “{record.text}”" if record.text else f": “{record.earlier_text}”" if record.earlier_text else ""
    return f"Version {record.version}, {when(record.at)}: {record.author} {EDIT_WORDS[record.kind]} {what}{said}"
