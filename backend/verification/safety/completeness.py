"""What a draft lacks, what the note does not say of the patient, and what must not be missed.

Takes the request, the linked note, the ranked conditions and the verified sentences; gives flags. It compares no
medicines: `safety` does.
"""

from collections.abc import Collection, Iterable, Sequence

from backend.nlp.injected_instructions import speaks_to_a_program
from backend.schemas.drafts.draft import Flag, Sentence
from backend.schemas.drafts.evidence import Condition
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import (
    AllergyStatus,
    Assertion,
    ConditionStatus,
    Document,
    FlagKind,
    Severity,
    Support,
)

ADULT = 18
RISKS = frozenset({"has_risk_factor", "treated_by"})  # what makes a condition likelier fits no finding
NAMED_FROM, MOST_NAMED = 0.4, 3  # score, and how many must-not-miss conditions the banner names
REQUIRED: dict[Document, tuple[str, ...]] = {
    Document.DISCHARGE_INSTRUCTIONS: (
        "Why you were in the hospital",
        "Your medicines",
        "Food and drink",
        "Activity",
        "Staying safe",
        "When to get help",
        "Follow-up",
    ),
    Document.PROGRESS_NOTE: ("Subjective", "Objective", "Assessment", "Plan"),
    Document.CLINICAL_ANSWER: ("Answer",),
}


def about_patient(linked: LinkedNote) -> Iterable[Flag]:
    """Age, allergies that are not stated, and words aimed at a program."""
    age, allergies = linked.patient.age, linked.allergies
    only = "the starter knowledge covers adults only."
    if age is None:
        yield Flag(kind=FlagKind.AGE, severity=Severity.INFO, message=f"The note states no age; {only}")
    elif age < ADULT:
        yield Flag(kind=FlagKind.AGE, severity=Severity.SEVERE, message=f"The patient is {age}; {only}")
    if allergies.status in (AllergyStatus.NOT_STATED, AllergyStatus.UNREADABLE):
        told = "The note does not say whether there are allergies; nothing could be checked against them."
        yield Flag(kind=FlagKind.ALLERGY_NOT_STATED, severity=Severity.WARNING, message=told)
    if speaks_to_a_program(linked.note.text):
        told = "The note holds words that read like instructions to a program. They were treated as text only."
        yield Flag(kind=FlagKind.INJECTION, severity=Severity.WARNING, message=told)


def missing_parts(request: DraftRequest, sentences: Sequence[Sentence]) -> Iterable[Flag]:
    """Parts without a statement, gaps for the team, and sentences that their citations do not carry."""
    if not sentences:
        return
    filled = {s.section for s in sentences if s.support != Support.NOT_SCORED}
    missing = [part for part in REQUIRED[request.document] if part not in filled]
    if missing:
        message = f"No evidence was found for: {', '.join(missing)}."
        yield Flag(kind=FlagKind.MISSING_PART, severity=Severity.WARNING, message=message)
    gaps = sum(s.text.startswith("[team to complete") for s in sentences)
    if gaps:
        left = "1 place is" if gaps == 1 else f"{gaps} places are"
        yield Flag(kind=FlagKind.GAP, severity=Severity.INFO, message=f"{left} left for the team to complete.")
    for place, sentence in enumerate(sentences):
        if sentence.support == Support.UNSUPPORTED:
            yield Flag(
                kind=FlagKind.UNSUPPORTED_SENTENCE,
                severity=Severity.WARNING,
                message=f"Not found in the cited text: {sentence.reason}.",
                sentence=place,
                evidence=sentence.citations,
            )


def must_not_miss(linked: LinkedNote, conditions: Sequence[Condition]) -> Iterable[Flag]:
    """One flag that names the open must-not-miss conditions that fit well, and counts the others; where none does, only that there are
    such in the list."""
    family = {m.start_char for m in linked.note.mentions if m.assertion == Assertion.FAMILY}
    beside = [c for c in conditions if not c.focus]  # what the document is about is in sight
    open_ones = [c for c in beside if c.must_not_miss and c.status == ConditionStatus.POSSIBLE and not c.historical]
    if not open_ones:
        return
    fitting = [c for c in open_ones if c.score >= NAMED_FROM and _typical(c) >= 2]
    named = sorted(fitting, key=lambda c: -c.score)[:MOST_NAMED]
    more = len(open_ones) - len(named)
    if named:
        told = "; ".join(f"{c.name} ({', '.join(_for(c, family)[:3])})" for c in named)
        others = f"; {more} more fit less well and are in the list of conditions" if more else ""
        message = f"Fit the findings and must not be missed: {told}{others}."
    else:
        are = "1 condition that must not be missed fits" if more == 1 else f"{more} that must not be missed fit"
        message = f"{are} the findings less well; see the list of conditions."
    yield Flag(
        kind=FlagKind.MUST_NOT_MISS,
        severity=Severity.WARNING if named else Severity.INFO,
        message=message,
        evidence=tuple(c.concept_id for c in open_ones),
    )


def _typical(condition: Condition) -> int:
    """How many findings that are typical of a condition speak for it."""
    return sum(r.relation == "has_finding" and r.weight > 0 for r in condition.because)


def _for(condition: Condition, family: Collection[int]) -> list[str]:
    """What speaks for a condition, in words. family: where the note speaks of the family."""
    told = (
        f"family history of {r.name}" if r.start_char in family else r.name
        for r in condition.because
        if r.weight > 0 and (r.relation not in RISKS or r.start_char in family)
    )
    return list(dict.fromkeys(told)) or ["confirm or rule out"]
