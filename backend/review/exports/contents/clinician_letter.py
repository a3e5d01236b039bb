"""The clinician's copy: the letter with its sources, what stands out in it, and what it rests on.

It says DRAFT unless it is signed. A sentence has a mark only where something is to be looked at.
"""

from itertools import groupby

from backend.review.case_content import GAP
from backend.review.editing.letter_edits import NOT_GIVEN
from backend.review.exports.contents.allergies import allergy_lines
from backend.review.exports.contents.letter_body import body, headed, state_words, with_blanks, with_medicines, words_of
from backend.review.exports.contents.letter_words import LetterWords
from backend.review.exports.contents.sources import Numbers, kept_citations, numbered, reference_lines, shown_numbers
from backend.review.exports.copies import REFERENCES, TITLES, Copy, Line, Part, PartKind
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.headings import WARNING
from backend.schemas.patients.letter_work import FLAG_ANSWERS, GivenAnswer
from backend.schemas.patients.saved_case import (
    CaseState,
    CaseView,
    CopyKind,
    ReviewedSentence,
    ReviewFlag,
    VersionRecord,
    WriterKind,
)
from backend.schemas.vocabulary import Basis, DraftStatus, Fit, Severity, Support

UNREVIEWED = "not reviewed by a clinician"
STARTER_NOTICE = (
    f"General advice is from the starter knowledge: written for Leapnote, {UNREVIEWED}, not a guideline, adults only."
)
UNSIGNED = "This is a draft. Signing it is a clinician's act; it has not been signed."
UNCONFIRMED = "unconfirmed diagnosis"
SUPPORT_WORDS = {
    Support.PARTIAL: "partly found in its source",
    Support.UNSUPPORTED: "not found in its source",
    Support.NOT_SCORED: "not compared with a source",
}
NOT_IN_NOTE = "not in the note"
UNTOLD = "In the note, not in the letter"
ANSWER_LABELS = {one.code: one.label for one in FLAG_ANSWERS}
SEVERITY_WORDS = {Severity.SEVERE: "SEVERE", Severity.WARNING: "To look at", Severity.INFO: "For information"}


def clinician_copy(view: CaseView) -> Copy:
    """Everything: allergies, flags, the text with numbered sources and marks, what was checked, what it rests on, versions."""
    words, numbers, draft = words_of(view), numbered(view), view.draft
    signed = view.signature is not None
    lines = [_line(s, numbers, words, signed=signed) for s in view.sentences if not s.deleted]
    parts = (
        Part(PartKind.ALARM, "Allergies", allergy_lines(draft)),
        Part(PartKind.ALARM, "Flags", tuple(_flag_line(flag, view.answers.get(flag.id), words) for flag in view.flags)),
        *with_medicines(_boxed(body(view, lines)), draft, CopyKind.CLINICIAN, numbers),
        Part(PartKind.APPARATUS, UNTOLD, tuple(Line(f"\u201c{one.text}\u201d") for one in draft.untold)),
        Part(PartKind.APPARATUS, REFERENCES, tuple(map(Line, reference_lines(draft, numbers)))),
        Part(PartKind.APPARATUS, "What was checked", _checks(draft)),
        Part(PartKind.APPARATUS, "What this rests on", _rests_on(view)),
        Part(PartKind.APPARATUS, "Versions", _versions(view, words)),
    )
    notice = UNSIGNED
    if view.signature is not None:
        signer = view.signature
        notice = f"Signed by {signer.name}, {signer.role}, on {words.day(signer.at)}."
    heading = TITLES[draft.document]
    shown = tuple(part for part in parts if part.lines or part.table)
    return headed(view, Copy(CopyKind.CLINICIAN, heading, _banner(view), _identity(view), shown, (notice,), heading))


def _boxed(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    return tuple(part._replace(box=part.heading == WARNING) for part in parts)


def _line(s: ReviewedSentence, numbers: Numbers, words: LetterWords, *, signed: bool) -> Line:
    if GAP.search(s.text):
        return Line(with_blanks(s.text) if signed else s.text, strong=True)
    by_person = s.written_by.kind == WriterKind.PERSON
    marks = [UNCONFIRMED] if s.basis == Basis.POSSIBLE else []
    # a person's words that nothing was compared with say whose they are, which is enough
    if s.support != Support.SUPPORTED and not (by_person and s.support == Support.NOT_SCORED):
        found = NOT_IN_NOTE if by_person and not s.citations else SUPPORT_WORDS[s.support]
        marks.append(f"{found}: {s.reason}" if s.reason else found)
    if s.fit is Fit.NOT_FOR_THIS_PATIENT:
        marks.append(f"may not fit this patient: {s.fit_reason}" if s.fit_reason else "may not fit this patient")
    if s.raised is not None:
        marks.append(
            f"raised for this patient because of {s.raised.because}; its source says \u201c{s.raised.source_says}\u201d"
        )
    if by_person:
        who = "by hand" if s.written_by.name == NOT_GIVEN else f"by {s.written_by.name}"
        marks.append(f"written {who}{f' on {words.day(s.written_by.at)}' if s.written_by.at else ''}")
    return Line(s.text, shown_numbers(kept_citations(s), numbers), tuple(marks))


def _flag_line(flag: ReviewFlag, answer: GivenAnswer | None, words: LetterWords) -> Line:
    marks: tuple[str, ...] = ()
    if answer is not None:
        reason = ": ".join(filter(None, (ANSWER_LABELS.get(answer.code, ""), answer.words)))
        marks = (f"answered by {answer.name} on {words.day(answer.at)}: {reason}",)
    text = f"{SEVERITY_WORDS[flag.severity]}: {flag.message}"
    return Line(text, marks=marks, strong=flag.severity == Severity.SEVERE)


def _checks(draft: Draft) -> tuple[Line, ...]:
    compared = [Line(f"{c.kind} {c.text}: {c.found}") for c in draft.checks.compared]
    unknown = [Line(f"{u.kind} {u.text}: not recognised, not checked") for u in draft.checks.unrecognised]
    open_rules = [
        Line(f"{n.medicine}: not checked, no {n.missing}{f' ({n.why})' if n.why else ''}")
        for n in draft.checks.not_checked
    ]
    return (*unknown, *open_rules, *compared)


def _rests_on(view: CaseView) -> tuple[Line, ...]:
    draft = view.draft
    writer = draft.generator.name
    by = {s.written_by.kind for s in view.sentences}
    without = WriterKind.MODEL not in by
    lines = [
        *_starter(draft),
        "Written without a language model" if without else f"Written by a language model: {writer}",
    ]
    lines += [f"{name}: {value}" for name, value in draft.versions.items()]
    if draft.status is not DraftStatus.COMPLETE:
        lines.append(f"The draft was saved as {draft.status.value}.")
    return tuple(Line(line) for line in (*lines, _identity(view)))


def _starter(draft: Draft) -> tuple[str, ...]:
    review = draft.versions.get("knowledge_review", UNREVIEWED)
    held = any("starter" in value.lower() for value in draft.versions.values())
    return (STARTER_NOTICE.replace(UNREVIEWED, review),) if held else ()


def _versions(view: CaseView, words: LetterWords) -> tuple[Line, ...]:
    """Each version that says something of its own; of a row of saved changes by one person, one line."""
    own = {one.version for one in view.versions if one.signature or one.corrects_signed} | {view.version}
    rows = groupby(
        view.versions, lambda one: (one.version if one.version in own else 0, one.author, one.state, words.day(one.at))
    )
    found = []
    for _, group in rows:
        first, *between = group
        text = _version_words(first, words)
        if between:
            first_words = f"Version {first.version},"
            text = text.replace(first_words, f"Versions {first.version} to {between[-1].version},", 1)
            text = f"{text} to {words.minute(between[-1].at).rpartition(', ')[2]}"
        found.append(Line(text))
    return tuple(found)


def _version_words(version: VersionRecord, words: LetterWords) -> str:
    corrects = ", corrects a signed version" if version.corrects_signed else ""
    signed = version.signature
    by = f"; signed by {signed.name}, {signed.role}, {words.minute(signed.at)}" if signed else ""
    at = words.minute(version.at)
    return f"Version {version.version}, {state_words(version.state)}{corrects}: {version.author}, {at}{by}"


def _banner(view: CaseView) -> str:
    words = [] if view.signature else ["DRAFT, NOT SIGNED"]
    if view.state == CaseState.SUPERSEDED:
        words.append(f"REPLACED BY VERSION {view.newest}")
    return "; ".join(words)


def _identity(view: CaseView) -> str:
    return f"Case {view.id}, version {view.version}, {state_words(view.state)}"
