"""A progress note (SOAP) from evidence: the note's own sentences, then what fits them.

Subjective and objective are quoted from the note; assessment and plan name candidates and what the team may consider.
"""

import re
from collections.abc import Iterator

from backend.generation.composer.material import Material
from backend.generation.composer.patient_sentences import cited, situations
from backend.generation.composer.wording import capital, listed
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.evidence import Condition, GraphItem, NotePiece, Reason
from backend.schemas.drafts.gaps import gap_text
from backend.schemas.drafts.headings import ASSESSMENT, OBJECTIVE, PLAN, SUBJECTIVE
from backend.schemas.drafts.note import Mention
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.patient_notes import dated_statement
from backend.schemas.vocabulary import AllergyStatus, Assertion, Basis, Category, ConditionStatus, SectionCategory

SUBJECTIVE_SECTIONS = (
    SectionCategory.CHIEF_COMPLAINT,
    SectionCategory.HISTORY_OF_PRESENT_ILLNESS,
    SectionCategory.UNLABELED,
    SectionCategory.REVIEW_OF_SYSTEMS,
    SectionCategory.PAST_MEDICAL_HISTORY,
    SectionCategory.PAST_SURGICAL_HISTORY,
    SectionCategory.FAMILY_HISTORY,
    SectionCategory.SOCIAL_HISTORY,
    SectionCategory.MEDICATIONS,
)
LABELS: dict[SectionCategory, str] = {
    SectionCategory.PAST_MEDICAL_HISTORY: "Past medical history",
    SectionCategory.PAST_SURGICAL_HISTORY: "Past surgical history",
    SectionCategory.FAMILY_HISTORY: "Family history",
    SectionCategory.SOCIAL_HISTORY: "Social history",
    SectionCategory.MEDICATIONS: "Home medicines",
}
OBJECTIVE_SECTIONS = (
    SectionCategory.VITAL_SIGNS,
    SectionCategory.PHYSICAL_EXAM,
    SectionCategory.RESULTS,
    SectionCategory.IMAGING,
)
PLAN_RELATIONS = (
    ("diagnosed_by", "tests to consider", 5),
    ("monitored_by", "to follow", 3),
    ("treated_by", "treatments the team may decide on", 6),
    ("has_precaution", "precautions", 5),
    ("has_follow_up", "follow-up", 4),
)
OFFERED = frozenset({"diagnosed_by", "treated_by"})
MOST_CONDITIONS = 4
FITS_FROM = 0.45  # score from which a condition is written beside what leads; the note need not name it
SHOWN_FROM = 0.4  # the same for one that must not be missed
MOST_QUOTED = 40
MOST_REASONS = 4
OF_FAMILY = "family history of "
SIGNS = frozenset(
    {"has_finding", "may_have_finding", "cause_of", "has_warning_sign"}
)  # the others are risks and treatments


def progress_note(material: Material, request: DraftRequest) -> Iterator[WrittenSentence]:
    """Yield the four parts in order; nothing for a note in which nothing was recognised."""
    if not material.linked.note.mentions and not request.hospital_course:
        return
    stated = _own(material, SUBJECTIVE_SECTIONS)
    measured = [piece for piece in stated if _is_measured(piece)]
    yield from _labelled(material, SUBJECTIVE, [piece for piece in stated if piece not in measured])
    yield from _allergies(material)
    for piece in material.pieces_of("Hospital course"):
        yield _patient(SUBJECTIVE, piece)
    objective = list(_labelled(material, OBJECTIVE, [*measured, *_own(material, OBJECTIVE_SECTIONS)]))
    yield from objective or [_gap(OBJECTIVE, "vital signs, examination and results")]
    yield from assessment(material)
    yield from _plan(material)


def _own(material: Material, sections: tuple[SectionCategory, ...]) -> list[NotePiece]:
    """The note's pieces under some headers; a letter's greeting and its close tell nothing of the patient."""
    return [piece for piece in material.pieces_in(sections) if not _GREETING.match(piece.text)][:MOST_QUOTED]


def _is_measured(piece: NotePiece) -> bool:
    """Whether a sentence of the story gives signs, an examination or results, and not what the patient says of them."""
    return _MEASURED.search(piece.text) is not None and _FOUND.search(piece.text) is not None


def _labelled(material: Material, part: str, pieces: list[NotePiece]) -> Iterator[WrittenSentence]:
    """Yield the pieces in order; the first of a list ("asthma, gout.") says what the list is."""
    before: SectionCategory | None = None
    for piece in pieces:
        category = material.category_at(piece.start_char)
        label = LABELS.get(category, "") if part == SUBJECTIVE and category is not before else ""
        before = category
        yield _patient(part, piece, "" if piece.text.lower().startswith(label.lower()) else label)


def _patient(part: str, piece: NotePiece, label: str = "") -> WrittenSentence:
    text = " ".join(_TAG.sub(" ", piece.text).split()) if _TAG.search(piece.text) else piece.text
    dated = dated_statement(text, piece.date, piece.note_type) if piece.date else text
    return WrittenSentence(
        text=f"{label}: {dated}" if label else dated, section=part, basis=Basis.PATIENT, citations=(piece.id,)
    )


def _allergies(material: Material) -> Iterator[WrittenSentence]:
    allergies = material.linked.allergies
    if allergies.items:
        for item in allergies.items:
            piece = material.piece_at(item.start_char)
            reaction = f", reaction: {item.reaction}" if item.reaction else ""
            yield WrittenSentence(
                text=f"{item.kind.value.capitalize()}: {item.text}{reaction}.",
                section=SUBJECTIVE,
                basis=Basis.PATIENT,
                citations=(piece.id,) if piece else (),
            )
    elif allergies.status in (AllergyStatus.NOT_STATED, AllergyStatus.UNREADABLE):
        yield _gap(SUBJECTIVE, "allergies; the note does not say")


def assessment(material: Material) -> Iterator[WrittenSentence]:
    """Yield the leading conditions and those that must not be missed, each with what speaks for it, and how many more fit less well."""
    shown = weak = 0
    for condition in material.conditions:
        if condition.historical and not condition.focus and not condition.must_not_miss:
            continue
        fits = condition.focus or condition.stated or condition.score >= FITS_FROM
        if (fits and shown < MOST_CONDITIONS) or (condition.must_not_miss and condition.score >= SHOWN_FROM):
            shown += 1
            yield _assessed(material, condition)
        elif condition.must_not_miss:
            weak += 1
    if weak:
        what = (
            "1 more condition that must not be missed fits" if weak == 1 else f"{weak} more that must not be missed fit"
        )
        yield _gap(ASSESSMENT, f"whether {what} better than the findings here say; see the list of conditions")
    if not shown:
        yield _gap(ASSESSMENT, "assessment; no condition was ranked")


def _assessed(material: Material, condition: Condition) -> WrittenSentence:
    family: dict[int | None, Mention] = {
        m.start_char: m for m in material.linked.note.mentions if m.assertion == Assertion.FAMILY
    }
    speaking = [r for r in condition.because if r.weight > 0 and (r.name != condition.name or r.start_char in family)]
    reasons: dict[str, Reason] = {}
    for reason in speaking:
        words = _reason(reason, family.get(reason.start_char))
        if words and len(reasons) < MOST_REASONS:
            reasons.setdefault(words, reason)
    signs = [words for words, reason in reasons.items() if reason.relation in SIGNS]
    # the family last: what follows it would read as theirs
    risks = sorted(reasons.keys() - set(signs), key=lambda t: (t.startswith(OF_FAMILY), list(reasons).index(t)))
    named = [r for r in condition.because if r.weight > 0 and r.name == condition.name][:1]
    pieces = [material.piece_at(r.start_char) for r in (*reasons.values(), *named) if r.start_char is not None]
    cites = tuple(dict.fromkeys(p.id for p in pieces if p is not None))
    matching = [f"{listed(signs)} {'fits' if len(signs) == 1 else 'fit'} it"] if signs else []
    likelier = [f"more likely with {listed(risks)}"] if risks else []
    why = f": {'; '.join([*matching, *likelier])}" if reasons else ""
    status = {
        ConditionStatus.CONFIRMED: "confirmed",
        ConditionStatus.POSSIBLE: "named in the note" if condition.stated else "possible",
        ConditionStatus.RULED_OUT: "ruled out",
    }[condition.status]
    alert = " Must not be missed." if condition.must_not_miss else ""
    confirmed = condition.status == ConditionStatus.CONFIRMED
    return WrittenSentence(
        text=f"{capital(condition.name)}, {status}{why}.{alert}",
        section=ASSESSMENT,
        basis=Basis.PATIENT if confirmed and cites else Basis.POSSIBLE,
        citations=(*cites, *material.path_ids(condition, 1), *material.reason_ids(condition)),
        condition_id=None if confirmed else condition.concept_id,
    )


def _reason(reason: Reason, family: Mention | None) -> str:
    """What speaks for a condition, in words; of the family only a disease, as the note calls it: "diabetes" says no type."""
    if family is None:
        return reason.name
    words = family.text if reason.name[:1].isupper() else family.text.lower()  # "Parkinson's disease" stays so
    return f"{OF_FAMILY}{words}" if family.category is Category.DISEASE else ""


def _plan(material: Material) -> Iterator[WrittenSentence]:
    for condition in material.focus:
        possible = condition.status == ConditionStatus.POSSIBLE
        for relation, label, most in PLAN_RELATIONS:
            facts = _facts(material, condition, relation)[:most]
            if facts:
                yield WrittenSentence(
                    text=f"{capital(condition.name)}, {label}: {listed(_end_in_words(material, g) for g in facts)}.",
                    section=PLAN,
                    basis=Basis.POSSIBLE if possible else Basis.GENERAL,
                    citations=tuple(g.id for g in facts),
                    condition_id=condition.concept_id if possible else None,
                )
    yield from _weighed(material)
    if left := sum(_left_out(material, condition) for condition in material.focus):
        what = "1 test or treatment is" if left == 1 else f"{left} tests or treatments are"
        yield _gap(PLAN, f"{what} left out here because of an allergy or of what else the patient has")
    yield _gap(PLAN, "orders, doses and who does what")


def _weighed(material: Material) -> Iterator[WrittenSentence]:
    """Yield what every order is held against: a pregnancy, a donated organ, failed kidneys, a blood thinner."""
    held = situations(material)
    names = listed(one.mentions[0].name if one.mentions else one.row.chapter for one in held)
    cites = tuple(dict.fromkeys(c for one in held for c in cited(material, one.mentions)))
    if cites:
        yield WrittenSentence(
            text=f"Care with each order: {names}.", section=PLAN, basis=Basis.PATIENT, citations=cites
        )


def _left_out(material: Material, condition: Condition) -> int:
    """How many of a condition's tests and treatments the patient's allergies and conditions speak against."""
    offered = [g for g in material.evidence.graph if g.concept_id == condition.concept_id and g.relation in OFFERED]
    matching = [g for relation in OFFERED for g in _facts(material, condition, relation)]
    return len(offered) - len(matching)


def _facts(material: Material, condition: Condition, relation: str) -> list[GraphItem]:
    """A condition's facts of one kind: what its chapter names comes first, what the patient should not have not at all."""
    found = [
        g
        for g in material.evidence.graph
        if g.concept_id == condition.concept_id
        and g.relation == relation
        and g.tail_id not in material.blocked
        and not any(name in g.tail_name.lower() for name in material.allergen_names)
    ]
    if relation in OFFERED:
        found = [g for g in found if material.fit.offers(g.tail_id or "", condition.concept_id)]
    return sorted(found, key=lambda g: not material.named_by_chapter(condition, g))


def _end_in_words(material: Material, fact: GraphItem) -> str:
    """A fact's end with when it holds; a medicine among the precautions is one to take care with."""
    when = _WHEN.search(fact.text)
    # "not possible" in the middle of a list would read as said of what follows
    name = f"{fact.tail_name} ({when[1]})" if when and not _DENIES.search(when[1]) else fact.tail_name
    careful = fact.relation == "has_precaution" and material.is_medicine(fact.tail_name)
    return f"care with {name}" if careful else name


def _gap(part: str, what: str) -> WrittenSentence:
    return WrittenSentence(text=gap_text(what), section=part, basis=Basis.GENERAL)


_DENIES = re.compile(r"\b(?:not?|without|never)\b", re.IGNORECASE)
_WHEN = re.compile(r"\(([^()]+)\)\.$")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")  # of a document that was pasted with its markup
_GREETING = re.compile(
    r"(?:dear|yours|kind(?:est)? regards|best (?:wishes|regards)|many thanks|with thanks|sincerely)\b(?:\W+[\w.]+){0,6}\W*$",
    re.IGNORECASE,
)
_MEASURED = re.compile(
    r"^\W*(?:on (?:physical )?exam|(?:physical |rectal |neuro\w* )?exam|vitals?|vs|v/s|(?:outside |initial |admission |ed )?labs?\b|laborator"
    r"|temp|t(?:max)? ?\d|hr|heart rate|bp|blood pressure|pulse|rr|respirat|spo2|sp02|sats?|o2|oxygen|wbc|white|hgb|hb|hemoglobin|plate|plt"
    r"|cr(?:eatinine)?\b|bun|potassium|sodium|k\+? ?\d|na\+? ?\d|(?:blood )?glucose|lactate|troponin|bnp|inr|a1c|lipase|ast|alt|tsh|esr|crp"
    r"|ua\b|urin(?:e dip|alysis)|e[ck]g|(?:chest )?x-?rays?|cxr|ct\b|mri|ultrasound|echo|abg|vbg|csf|lumbar|abdomen|lungs|heart sounds|wheez|crackles)",
    re.IGNORECASE,
)
_FOUND = re.compile(
    r"\d|\b(?:normal|negative|positive|shows?|showed|clear|pending|unremarkable|soft|tender(?:ness)?|fracture|both|bilateral)\b",
    re.IGNORECASE,
)
