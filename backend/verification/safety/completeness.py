"""What a draft lacks, or should not say.

Parts without a statement, gaps, unsupported sentences, findings that the note denies, and open conditions that must not be
missed.
"""

from collections.abc import Collection, Iterator

from backend.nlp.medications.merged_statements import WEAK
from backend.registry import flag_kind, safety_check
from backend.schemas.drafts.evidence import Condition
from backend.schemas.drafts.gaps import GAP as PLACE
from backend.schemas.drafts.headings import HEADINGS, NEEDED
from backend.schemas.vocabulary import Assertion, Basis, ConditionStatus, Document, Severity, Support
from backend.stores.graph.graph import Graph
from backend.verification.safety.checks import CheckedDraft, Finding, FlagExample, make_flag
from backend.verification.safety.medicines.named_medicines import MEDICINES, NOT_NOW
from backend.verification.support.shared_words import overlaps, phrases

NEGATED_ASSERTED, UNSUPPORTED_SENTENCE = "negated_asserted", "unsupported_sentence"
MISSING_PART, GAP, MUST_NOT_MISS = "missing_part", "gap", "must_not_miss"
RISKS = frozenset({"has_risk_factor", "treated_by"})  # what makes a condition likelier fits no finding
NAMED_FROM, MOST_NAMED = 0.4, 3  # score, and how many must-not-miss conditions the banner names


@flag_kind(
    NEGATED_ASSERTED,
    label="Denied in the note",
    severity=Severity.SEVERE,
    about="The draft says that the patient has something which the note only denies.",
    action="Correct the sentence, or the note.",
    example=FlagExample("Allergies: none\n\nHPI: A 60-year-old woman. She denies fever.", "You had a fever."),
    counterexample=FlagExample("Allergies: none\n\nHPI: A 60-year-old woman. She denies fever.", "You had no fever."),
)
@safety_check("denied_findings", label="What the note denies", order=70)
def denied_findings(draft: CheckedDraft) -> Iterator[Finding]:
    """Yield what the note only denies, asserted of the patient; an allergen ("never again …") is neither."""
    mentions, graph = draft.linked.note.mentions, draft.known.graph
    denied = {m.concept_id: m for m in mentions if m.assertion == Assertion.NEGATED}
    for m in mentions:
        if m.assertion != Assertion.NEGATED:
            denied.pop(m.concept_id, None)
    stated = {m.concept_id for m in mentions if m.assertion != Assertion.NEGATED}
    plain = [graph.row(concept).definition for concept in stated if concept in graph.index]
    for place, sentence in enumerate(draft.sentences):
        if sentence.basis != Basis.PATIENT or sentence.support == Support.NOT_SCORED:
            continue
        said = draft.known.linker.link(sentence.text).note.mentions
        explained = [span for m in said for span in _explanation(graph, m.concept_id, sentence.text)]
        worded = phrases(sentence.text, plain)
        for m in said:
            inside = any(start <= m.start_char < end for start, end in explained) or overlaps(m, worded)
            asserted = m.concept_id in denied and m.assertion == Assertion.PRESENT and not (inside or m.allergen)
            if asserted and (m.category not in MEDICINES or _is_told_taken(draft, sentence.text, m.concept_id)):
                yield make_flag(
                    NEGATED_ASSERTED,
                    f"The draft says the patient has {m.name}; the note says “{denied[m.concept_id].text}” is absent.",
                    sentence=place,
                    evidence=(denied[m.concept_id].text,),
                )


@flag_kind(
    MISSING_PART,
    label="Part missing",
    severity=Severity.WARNING,
    about="A part that the document should have holds no statement, since no evidence was found for it or the writing ended "
    "before it.",
    action="Write the part yourself, or draft again with more of the patient's notes.",
    example=FlagExample("HPI: A 60-year-old woman.", "She has a cough.", document=Document.PROGRESS_NOTE),
    counterexample=FlagExample("HPI: A 60-year-old woman.", "She has a cough."),
)
@flag_kind(
    GAP,
    label="Left to the team",
    severity=Severity.INFO,
    about="The draft leaves places open that only the ward can fill.",
    action="Fill the places, or take them out, before signing.",
    example=FlagExample("HPI: A 60-year-old woman.", "[team to complete: doses]"),
    counterexample=FlagExample("HPI: A 60-year-old woman.", "She has a cough."),
)
@flag_kind(
    UNSUPPORTED_SENTENCE,
    label="Not found in its source",
    severity=Severity.WARNING,
    about="The cited text does not support a sentence, or the sentence cites nothing.",
    action="Read the sentence against its source; correct it or take it out.",
    example=FlagExample("HPI: A 60-year-old woman.", "She has gout."),
    counterexample=FlagExample("HPI: A 60-year-old woman.", "[team to complete: doses]"),
)
@safety_check("missing_parts", label="Parts and support", order=80)
def missing_parts(draft: CheckedDraft) -> Iterator[Finding]:
    """Yield parts without a statement, gaps for the team, and sentences that their citations do not support."""
    sentences = draft.sentences
    if not sentences:
        return
    # a gap that cites the note asks about what is there
    filled = {s.section for s in sentences if s.support != Support.NOT_SCORED or s.citations}
    missing = [
        part
        for part in HEADINGS[draft.request.document]
        if part in NEEDED[draft.request.document] and part not in filled
    ]
    if missing:
        yield make_flag(MISSING_PART, f"No evidence was found for: {', '.join(missing)}.")
    gaps = sum(PLACE.search(s.text) is not None for s in sentences)
    if gaps:
        left = "1 place is" if gaps == 1 else f"{gaps} places are"
        yield make_flag(GAP, f"{left} left for the team to complete.")
    for place, sentence in enumerate(sentences):
        if sentence.support == Support.UNSUPPORTED:
            yield make_flag(
                UNSUPPORTED_SENTENCE,
                f"Not found in the cited text: {sentence.reason}.",
                sentence=place,
                evidence=sentence.citations,
            )


@flag_kind(
    MUST_NOT_MISS,
    label="Must not be missed",
    severity=Severity.WARNING,
    about="Conditions that must not be missed fit the findings, and nobody has confirmed them or ruled them out. For "
    "information where they fit less well.",
    action="Confirm each condition or rule it out.",
    example=FlagExample("HPI: A 60-year-old man with crushing chest pain, sweating, dyspnea and left arm pain."),
    counterexample=FlagExample("HPI: A 60-year-old man."),
)
@safety_check("must_not_miss", label="Conditions not to be missed", order=140)
def must_not_miss(draft: CheckedDraft) -> Iterator[Finding]:
    """Yield one flag that names the open conditions that fit well and counts the others."""
    family = {m.start_char for m in draft.linked.note.mentions if m.assertion == Assertion.FAMILY}
    beside = [c for c in draft.conditions if not c.focus]  # what the document is about is in sight
    open_ones = [c for c in beside if c.must_not_miss and c.status == ConditionStatus.POSSIBLE and not c.historical]
    if not draft.has_note or not open_ones:
        return
    likely = [c for c in open_ones if c.score >= NAMED_FROM and _typical(c) >= 2]
    named = sorted(likely, key=lambda c: -c.score)[:MOST_NAMED]
    more = len(open_ones) - len(named)
    if named:
        reasons = "; ".join(f"{c.name} ({', '.join(_for(c, family)[:3])})" for c in named)
        others = f"; {more} more fit less well and are in the list of conditions" if more else ""
        message = f"Fit the findings and must not be missed: {reasons}{others}."
    else:
        are = "1 condition that must not be missed fits" if more == 1 else f"{more} that must not be missed fit"
        message = f"{are} the findings less well; see the list of conditions."
    yield make_flag(
        MUST_NOT_MISS,
        message,
        severity=Severity.WARNING if named else Severity.INFO,
        evidence=tuple(c.concept_id for c in open_ones),
    )


def _is_told_taken(draft: CheckedDraft, text: str, medicine: str) -> bool:
    """Whether a sentence says that a medicine is taken, and does not only name it: "You asked about sildenafil"."""
    record = draft.known.linker.read(text).record
    own = [one for one in (record.medications if record else ()) if one.concept_id == medicine]
    return any(one.status not in NOT_NOW and one.certainty > WEAK for one in own)


def _explanation(graph: Graph, concept: str, text: str) -> list[tuple[int, int]]:
    """Where a text explains a concept in brackets: "acetaminophen (a pain and fever reliever)" claims no fever."""
    plain = graph.row(concept).definition if concept in graph.index else ""
    start = text.find(f"({plain})") if plain else -1
    return [(start, start + len(plain) + 2)] if start >= 0 else []


def _typical(condition: Condition) -> int:
    """How many findings that are typical of a condition speak for it."""
    return sum(r.relation == "has_finding" and r.weight > 0 for r in condition.because)


def _for(condition: Condition, family: Collection[int]) -> list[str]:
    """What speaks for a condition, in words. family: where the note speaks of the family."""
    reasons = (
        f"family history of {r.name}" if r.start_char in family else r.name
        for r in condition.because
        if r.weight > 0 and (r.relation not in RISKS or r.start_char in family)
    )
    return list(dict.fromkeys(reasons)) or ["confirm or rule out"]
