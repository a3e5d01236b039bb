"""A progress note (SOAP) from evidence: the note's own sentences, then what fits them.

Subjective and objective are quoted from the note; assessment and plan name candidates and what the team may consider.
"""

from collections.abc import Iterator

from backend.generation.material import Material
from backend.generation.wording import capital, listed
from backend.schemas.draft import WrittenSentence
from backend.schemas.evidence import Condition, NotePiece
from backend.schemas.patient_notes import dated_statement
from backend.schemas.request import DraftRequest
from backend.schemas.vocabulary import AllergyStatus, Assertion, Basis, ConditionStatus, SectionCategory

SUBJECTIVE, OBJECTIVE, ASSESSMENT, PLAN = "Subjective", "Objective", "Assessment", "Plan"
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
OBJECTIVE_SECTIONS = (
    SectionCategory.VITAL_SIGNS,
    SectionCategory.PHYSICAL_EXAM,
    SectionCategory.RESULTS,
    SectionCategory.IMAGING,
)
PLAN_RELATIONS = (
    ("diagnosed_by", "tests to consider"),
    ("monitored_by", "to follow"),
    ("treated_by", "treatments the team may decide on"),
    ("has_precaution", "precautions"),
    ("has_follow_up", "follow-up"),
)
MOST_CONDITIONS = 6
MOST_QUOTED = 40


def progress_note(material: Material, request: DraftRequest) -> Iterator[WrittenSentence]:
    """The four parts in order. Yields nothing for a note in which nothing was recognised."""
    if not material.linked.note.mentions and not request.hospital_course:
        return
    yield from _quoted(material, SUBJECTIVE, SUBJECTIVE_SECTIONS)
    yield from _allergies(material)
    for piece in material.pieces_of("Hospital course"):
        yield _patient(SUBJECTIVE, piece)
    objective = list(_quoted(material, OBJECTIVE, OBJECTIVE_SECTIONS))
    yield from objective or [_gap(OBJECTIVE, "vital signs, examination and results")]
    yield from assessment(material)
    yield from _plan(material)


def _quoted(material: Material, part: str, sections: tuple[SectionCategory, ...]) -> Iterator[WrittenSentence]:
    for piece in material.pieces_in(sections)[:MOST_QUOTED]:
        yield _patient(part, piece)


def _patient(part: str, piece: NotePiece) -> WrittenSentence:
    dated = dated_statement(piece.text, piece.date, piece.note_type) if piece.date else piece.text
    return WrittenSentence(text=dated, section=part, basis=Basis.PATIENT, citations=(piece.id,))


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
    """The leading conditions and those that must not be missed, each with what speaks for it."""
    shown = 0
    for condition in material.conditions:
        if condition.historical and not condition.focus and not condition.must_not_miss:
            continue
        if shown < MOST_CONDITIONS or condition.must_not_miss:
            shown += 1
            yield _assessed(material, condition)
    if not shown:
        yield _gap(ASSESSMENT, "assessment; no condition was ranked")


def _assessed(material: Material, condition: Condition) -> WrittenSentence:
    family = {m.start_char for m in material.linked.note.mentions if m.assertion == Assertion.FAMILY}
    for_it = list(
        dict.fromkeys(
            f"family history of {r.name}" if r.start_char in family else r.name
            for r in condition.because
            if r.weight > 0 and (r.name != condition.name or r.start_char in family)
        )
    )
    spans = [r.start_char for r in condition.because if r.weight > 0 and r.start_char is not None]
    pieces = [material.piece_at(start) for start in spans]
    cites = tuple(dict.fromkeys(p.id for p in pieces if p is not None))[:4]
    why = f": {listed(for_it[:4])} {'fits' if len(for_it[:4]) == 1 else 'fit'} it" if for_it else ""
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


def _plan(material: Material) -> Iterator[WrittenSentence]:
    for condition in material.focus:
        possible = condition.status == ConditionStatus.POSSIBLE
        for relation, label in PLAN_RELATIONS:
            facts = [
                g
                for g in material.evidence.graph
                if g.concept_id == condition.concept_id and g.relation == relation and g.tail_id not in material.blocked
            ]
            if facts:
                yield WrittenSentence(
                    text=f"{capital(condition.name)}, {label}: {listed(g.tail_name for g in facts)}.",
                    section=PLAN,
                    basis=Basis.POSSIBLE if possible else Basis.GENERAL,
                    citations=tuple(g.id for g in facts),
                    condition_id=condition.concept_id if possible else None,
                )
    yield _gap(PLAN, "orders, doses and who does what")


def _gap(part: str, what: str) -> WrittenSentence:
    return WrittenSentence(text=f"[team to complete: {what}]", section=part, basis=Basis.GENERAL)
