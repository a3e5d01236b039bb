"""Medicines against what the patient has, has had, or is written about as possible, by the graph's contraindications."""

import re
from collections.abc import Iterator

from backend.knowledge.contraindications import PAIN_DOSES
from backend.registry import flag_kind, safety_check
from backend.schemas.drafts.draft import Compared, Flag
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.vocabulary import Assertion, ConditionStatus, Severity
from backend.stores.graph.graph import Graph
from backend.verification.safety.checks import CheckedDraft, Finding, FlagExample, make_flag
from backend.verification.safety.doses import low_dose
from backend.verification.safety.named_medicines import Medicine
from backend.verification.safety.note_checks import ADULT

KIND = "contraindication"
_OF_CHILDREN = re.compile(
    r"\b(?:newborns?|infants?|babies|children|under (?:1|2|6|8|12|16|18|19) years)\b", re.IGNORECASE
)


@flag_kind(
    KIND,
    label="Contraindication",
    severity=Severity.WARNING,
    about="The graph says that a medicine should not be used with something that the patient has or may have. It is severe "
    "where the patient takes the medicine and the fact has no condition that stays open.",
    action="Check the reason and its condition; stop or replace the medicine, or record why it is given.",
    example=FlagExample("Allergies: none\n\nHPI: A 60-year-old woman with heart failure. She takes ibuprofen."),
    counterexample=FlagExample("Allergies: none\n\nHPI: A 60-year-old woman with heart failure. She takes furosemide."),
)
@safety_check("contraindications", label="Contraindications", order=40, forbids=True)
def contraindications(draft: CheckedDraft) -> Iterator[Finding]:
    """Yield what speaks against every medicine: what the patient has, then, where it is taken, what the document is about."""
    linked, known = draft.linked, draft.known
    held = {
        m.concept_id: m.name
        for m in linked.note.mentions
        if m.assertion in (Assertion.PRESENT, Assertion.HISTORICAL) and not m.allergen
    }
    held.update({c.concept_id: c.name for c in draft.conditions if c.status == ConditionStatus.CONFIRMED})
    supposed = {
        c.concept_id: c.name
        for c in draft.conditions
        if c.focus and c.status != ConditionStatus.RULED_OUT and c.concept_id not in held
    }
    if linked.patient.pregnant and known.contraindications.pregnancy:
        held.setdefault(known.contraindications.pregnancy, "pregnancy")
    count = len(held) + len(supposed)
    for medicine in draft.medicines:
        found = list[str]()
        for why in known.contraindications.against(medicine.concept_id, held):
            name = held.get(why.condition) or known.graph.row(why.condition).name
            offered = not medicine.taken and why.qualifier and _treats(known.graph, medicine, why.condition)
            if name in found or offered or not _concerns(why.qualifier, linked, medicine):
                continue
            found.append(name)
            yield _against(medicine, name, why.qualifier, why.certain)
        for why in (
            known.contraindications.against(medicine.concept_id, supposed)
            if medicine.taken and not medicine.over
            else ()
        ):
            possible = supposed.get(why.condition)
            if possible and possible not in found and _concerns(why.qualifier, linked, medicine):
                found.append(possible)
                yield _against_possible(medicine, possible, why.qualifier)
        yield Compared(
            kind="medicine",
            text=medicine.text,
            concept_id=medicine.concept_id,
            name=medicine.name,
            against=count,
            found=f"conflict: {', '.join(found)}" if found else f"no conflict found among {count} checked",
        )


def _against(medicine: Medicine, name: str, qualifier: str, certain: bool) -> Flag:
    when = f" (when: {qualifier})" if qualifier else ""
    severity = Severity.SEVERE if certain and medicine.taken else Severity.WARNING
    if medicine.over:
        severity = Severity.WARNING if severity is Severity.SEVERE else Severity.INFO
        when = f"{when}; the note speaks of an earlier course"
    return make_flag(
        KIND,
        f"{medicine.name} in {medicine.where} should not be used with {name}{when}.",
        severity=severity,
        sentence=medicine.sentence,
        evidence=(medicine.text,),
    )


def _against_possible(medicine: Medicine, name: str, qualifier: str) -> Flag:
    """A medicine of the patient's against what the document is about, which nobody has confirmed yet."""
    when = f" (when: {qualifier})" if qualifier else ""
    return make_flag(
        KIND,
        f"{medicine.name} in {medicine.where} should not be used with {name}{when}, which is possible here.",
        severity=Severity.WARNING,
        evidence=(medicine.text,),
    )


def _treats(graph: Graph, medicine: Medicine, condition: str) -> bool:
    """Whether a medicine is a treatment of a condition as well, so that the draft offers it with its qualifier."""
    return condition in graph.related(medicine.concept_id, "treats")


def _concerns(qualifier: str, linked: LinkedNote, medicine: Medicine) -> bool:
    """Whether a reason can hold for this adult: none for newborns, nor for aspirin at the dose that keeps blood from clotting."""
    if _OF_CHILDREN.search(qualifier) and (linked.patient.age is None or linked.patient.age >= ADULT):
        return False
    return qualifier != PAIN_DOSES or not low_dose(linked, medicine.concept_id)
