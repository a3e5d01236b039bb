"""A clinician's corrections of what was read: they beat every rule, and all later stages follow them."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from backend.errors import InputError
from backend.nlp.lexicon.matches import Candidate
from backend.schemas.corrections import Correction, CorrectionKind
from backend.schemas.drafts.note import Allergies, AllergyItem, LinkedNote, Mention
from backend.schemas.record import (
    AllergyRecord,
    AllergyStatement,
    ClinicalStatus,
    Experiencer,
    MedicationStatement,
    MedicationStatus,
    PatientRecord,
    ProblemStatement,
    RecordSpan,
    StatedBy,
    Statement,
    VerificationStatus,
)
from backend.schemas.vocabulary import AllergyKind, AllergyStatus, Assertion, Category, SemanticGroup

_ASSERTIONS = {
    CorrectionKind.PRESENT: Assertion.PRESENT,
    CorrectionKind.ABSENT: Assertion.NEGATED,
    CorrectionKind.PAST: Assertion.HISTORICAL,
    CorrectionKind.FAMILY: Assertion.FAMILY,
    CorrectionKind.UNCERTAIN: Assertion.UNCERTAIN,
}
_OWN: dict[str, Any] = {"experiencer": Experiencer.PATIENT, "kinship": "", "hypothetical": False}
_PROBLEMS: dict[CorrectionKind, dict[str, Any]] = {
    CorrectionKind.PRESENT: {
        **_OWN,
        "clinical_status": ClinicalStatus.ACTIVE,
        "verification_status": VerificationStatus.CONFIRMED,
    },
    CorrectionKind.ABSENT: {**_OWN, "verification_status": VerificationStatus.REFUTED},
    CorrectionKind.PAST: {
        **_OWN,
        "clinical_status": ClinicalStatus.RESOLVED,
        "verification_status": VerificationStatus.CONFIRMED,
    },
    CorrectionKind.UNCERTAIN: {**_OWN, "verification_status": VerificationStatus.PROVISIONAL},
    CorrectionKind.FAMILY: {"experiencer": Experiencer.RELATIVE},
}
_STATUSES = {
    MedicationStatus.ACTIVE: Assertion.PRESENT,
    MedicationStatus.ON_HOLD: Assertion.PRESENT,
    MedicationStatus.INTENDED: Assertion.HYPOTHETICAL,
    MedicationStatus.COMPLETED: Assertion.HISTORICAL,
    MedicationStatus.STOPPED: Assertion.HISTORICAL,
    MedicationStatus.NOT_TAKEN: Assertion.NEGATED,
}
_TREATMENTS = frozenset({Category.DRUG, Category.DRUG_CLASS, Category.PROCEDURE, Category.DEVICE})
S = TypeVar("S", bound=Statement)
ConceptById = Callable[[str], Candidate | None]


def corrected(linked: LinkedNote, corrections: Sequence[Correction], concept_by_id: ConceptById) -> LinkedNote:
    """The note as read, with the corrections in their order; a later one of the same place counts.

    Args:
        linked: the note as read, with its record.
        corrections: of this note's text.
        concept_by_id: the concept of an id, for another sense; None where there is none.

    Returns:
        The same value where there is nothing to correct.

    Raises:
        InputError: a correction's words are not at its place, or its concept is unknown.
    """
    for one in corrections:
        if linked.note.text[one.start_char : one.end_char] != one.text:
            raise InputError(
                f"A correction ({one.kind.value}) of characters {one.start_char} to {one.end_char} is of another text. "
                "Mark the words again in the note as it is now."
            )
        linked = _correct(linked, one, concept_by_id)
    return linked


def _correct(linked: LinkedNote, one: Correction, concept_by_id: ConceptById) -> LinkedNote:
    sense = None
    if one.kind is CorrectionKind.OTHER_SENSE:
        sense = concept_by_id(one.concept_id)
        if sense is None:
            raise InputError(f"There is no concept {one.concept_id!r}. Choose one of GET /v1/concepts?q=NAME.")
    mentions = _mentions(linked.note.mentions, one, sense)
    return linked.model_copy(
        update={
            "note": linked.note.model_copy(update={"mentions": mentions}),
            "allergies": _allergies(linked.allergies, linked.note.mentions, one),
            "record": _record(linked.record, linked.note.mentions, one, sense) if linked.record else None,
        }
    )


def _mentions(mentions: Sequence[Mention], one: Correction, sense: Candidate | None) -> tuple[Mention, ...]:
    result = []
    for mention in mentions:
        if not (mention.start_char < one.end_char and one.start_char < mention.end_char):
            result.append(mention)
            continue
        if one.kind is CorrectionKind.NOT_THIS_PATIENT:
            continue
        update: dict[str, Any] = {}
        if one.kind in _ASSERTIONS:
            update = {"assertion": _ASSERTIONS[one.kind], "assertion_cue": "corrected", "also": ()}
        elif sense is not None:
            update = _named(sense)
        elif one.kind is CorrectionKind.MEDICATION and one.status is not None:
            update = {"assertion": _STATUSES[one.status], "assertion_cue": "corrected", "also": ()}
        elif one.kind in (CorrectionKind.ALLERGY, CorrectionKind.NO_ALLERGY):
            update = {"allergen": one.kind is CorrectionKind.ALLERGY}
        result.append(mention.model_copy(update=update))
    return tuple(result)


def _named(sense: Candidate) -> dict[str, Any]:
    return {
        "concept_id": sense.concept_id,
        "name": sense.name,
        "group": SemanticGroup(sense.group),
        "category": Category(sense.category),
        "score": 1.0,
        "why": "corrected",
    }


def _allergies(allergies: Allergies, mentions: Sequence[Mention], one: Correction) -> Allergies:
    if one.kind not in (CorrectionKind.ALLERGY, CorrectionKind.NO_ALLERGY, CorrectionKind.NOT_THIS_PATIENT):
        return allergies
    items = tuple(i for i in allergies.items if not _at(i, one))
    possible = tuple(i for i in allergies.possible if not _at(i, one))
    status = allergies.status
    if one.kind is CorrectionKind.ALLERGY:
        named = _mention_at(mentions, one)
        item = AllergyItem(
            text=one.text,
            start_char=one.start_char,
            end_char=one.end_char,
            concept_id=named.concept_id if named else None,
            name=named.name if named else "",
            kind=AllergyKind.ALLERGY,
            reaction=one.reaction,
            checked=named is not None,
        )
        items, status = (*items, item), AllergyStatus.LISTED
    elif allergies.items and not items:
        status = AllergyStatus.NOT_STATED  # what is left of a list whose only entry was no allergy states nothing
    return allergies.model_copy(update={"items": items, "possible": possible, "status": status})


def _record(
    record: PatientRecord, mentions: Sequence[Mention], one: Correction, sense: Candidate | None
) -> PatientRecord:
    if one.kind is CorrectionKind.NOT_THIS_PATIENT:
        kept = {
            name: tuple(s for s in getattr(record, name) if not _first(s, one))
            for name in ("problems", "medications", "procedures", "devices", "observations", "social", "plan")
        }
        listed = tuple(s for s in record.allergies.items if not _first(s, one))
        return record.model_copy(
            update={**kept, "allergies": _status(record.allergies.model_copy(update={"items": listed}))}
        )
    named = _mention_at(mentions, one)
    if one.kind in _PROBLEMS:

        def problem(number: int) -> ProblemStatement:
            own = (
                {"concept_id": named.concept_id, "name": named.name}
                if named
                else {"concept_id": None, "name": one.text}
            )
            return ProblemStatement.model_validate({"id": f"problem-{number}", **own})

        other = bool(named and named.category in _TREATMENTS)  # a medicine or procedure is no problem
        made = None if other else problem
        return record.model_copy(update={"problems": _changed(record.problems, one, _PROBLEMS[one.kind], made)})
    if sense is not None:
        renamed = {"concept_id": sense.concept_id, "name": sense.name}
        return record.model_copy(
            update={
                "problems": _changed(record.problems, one, renamed, None),
                "medications": _changed(record.medications, one, renamed, None),
                "procedures": _changed(record.procedures, one, renamed, None),
            }
        )
    if one.kind is CorrectionKind.MEDICATION:
        given = {"dosage": one.dosage, "status": one.status, "category": one.category}
        update = {name: value for name, value in given.items() if value is not None}

        def medicine(number: int) -> MedicationStatement:
            return MedicationStatement(
                id=f"medication-{number}",
                concept_id=named.concept_id if named else None,
                name=named.name if named else one.text,
                recognised=named is not None,
            )

        return record.model_copy(update={"medications": _changed(record.medications, one, update, medicine)})
    return record.model_copy(update={"allergies": _allergy_record(record.allergies, mentions, one)})


def _allergy_record(allergies: AllergyRecord, mentions: Sequence[Mention], one: Correction) -> AllergyRecord:
    listed = one.kind is CorrectionKind.ALLERGY
    verified = VerificationStatus.CONFIRMED if listed else VerificationStatus.REFUTED
    # whoever corrects it has settled what the note says against it
    update = {"verification_status": verified, "possible": False, "reaction": one.reaction, "contradicted_by": ()}
    named = _mention_at(mentions, one)

    def item(number: int) -> AllergyStatement:
        agent = named.name if named else one.text
        return AllergyStatement(id=f"allergy-{number}", agent=agent, concept_id=named.concept_id if named else None)

    items = _changed(allergies.items, one, update, item if listed else None)
    return _status(allergies.model_copy(update={"items": items}))


def _status(allergies: AllergyRecord) -> AllergyRecord:
    stands = any(s.verification_status is not VerificationStatus.REFUTED and not s.possible for s in allergies.items)
    status = allergies.status
    if stands:
        status = AllergyStatus.LISTED
    elif status is AllergyStatus.LISTED:
        status = AllergyStatus.NOT_STATED
    return allergies.model_copy(update={"status": status})


def _changed(
    statements: Sequence[S], one: Correction, update: dict[str, Any], new: Callable[[int], S] | None
) -> tuple[S, ...]:
    """The statements, those at the place of a correction changed; a new one where there is none and one can be made."""
    mark = {"stated_by": StatedBy.CLINICIAN, "author": one.author, "at": one.at, "certainty": 1.0}
    result = [s.model_copy(update={**update, **mark}) if _first(s, one) else s for s in statements]
    if new is not None and not any(_first(s, one) for s in statements):
        span = RecordSpan(start_char=one.start_char, end_char=one.end_char, text=one.text)
        number = 1 + max((int(s.id.rpartition("-")[2]) for s in statements), default=0)
        result.append(new(number).model_copy(update={**update, **mark, "spans": (span,)}))
    return tuple(result)


def _first(statement: Statement, one: Correction) -> bool:
    spans = statement.spans
    return any(not s.note_id and s.start_char < one.end_char and one.start_char < s.end_char for s in spans[:1])


def _at(item: Any, one: Correction) -> bool:
    return bool(item.start_char < one.end_char and one.start_char < item.end_char)


def _mention_at(mentions: Sequence[Mention], one: Correction) -> Mention | None:
    return next((m for m in mentions if m.start_char < one.end_char and one.start_char < m.end_char), None)
