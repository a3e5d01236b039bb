"""Medicines against what the patient reacts to: the allergies that notes list, and those that a note's text may report."""

import re
from collections.abc import Iterator, Mapping, Sequence

from backend.knowledge.allergy_reach import Reach
from backend.nlp.medications.tolerance import tolerated
from backend.registry import flag_kind, safety_check
from backend.schemas.drafts.draft import Compared, Flag, Unrecognised
from backend.schemas.drafts.note import AllergyItem, PossibleAllergy
from backend.schemas.vocabulary import AllergyKind, Severity
from backend.stores.graph.graph import Graph
from backend.verification.safety.checks import CheckedDraft, Finding, FlagExample, SafetyKnowledge, make_flag
from backend.verification.safety.earlier_allergies import EarlierAllergy
from backend.verification.safety.named_medicines import NOTE, Medicine

CONFLICT, NOT_RECOGNISED, POSSIBLE = "allergy_conflict", "allergy_not_recognised", "allergy_possible"
LOW_RISK = re.compile(r"(very )?low\b")
HOW = {
    "same": "it is what the patient reacts to",
    "family": "it belongs to the same family ({through})",
    "contains": "it contains {through}",
    "cross_reaction": "it {through}may cross-react with “{allergen}”{qualifier}",
}


@flag_kind(
    CONFLICT,
    label="Allergy conflict",
    severity=Severity.SEVERE,
    explanation="A medicine of the note, the discharge list or the draft is what the patient reacts to, belongs to its family, "
    "contains it or may cross-react with it. It is a warning for an intolerance and for a low risk, and lower where the note "
    "says that the medicine was tolerated.",
    action="Take the medicine out or replace it, or record why it is given all the same.",
    example=FlagExample(
        "Allergies: penicillin (hives)\n\nHPI: A 60-year-old woman.", medicines=("Amoxicillin 500 mg",)
    ),
    counterexample=FlagExample(
        "Allergies: penicillin (hives)\n\nHPI: A 60-year-old woman.", medicines=("Furosemide 40 mg",)
    ),
)
@flag_kind(
    NOT_RECOGNISED,
    label="Allergy not recognised",
    severity=Severity.SEVERE,
    explanation="A note lists an allergy that the knowledge graph does not know, so no medicine was compared with it.",
    action="Compare the medicines with this allergy yourself, or correct its spelling.",
    example=FlagExample("Allergies: zorbitrexate (hives)\n\nHPI: A 60-year-old woman."),
    counterexample=FlagExample("Allergies: penicillin (hives)\n\nHPI: A 60-year-old woman."),
)
@safety_check("allergy_conflicts", order=10, forbids=True)
def allergy_conflicts(draft: CheckedDraft) -> Iterator[Finding]:
    """Yield what is found of each allergy, of the pasted note and then of earlier notes alone, against every medicine."""
    known = draft.known
    harmless = tolerated(draft.linked)
    pasted = [EarlierAllergy(item, "") for item in draft.linked.allergies.items]
    for item, where in (*pasted, *draft.earlier):
        named = f"{item.text} ({where})" if where else item.text
        if item.concept_id is None or item.concept_id not in known.graph.index:
            span = {} if where else {"start_char": item.start_char, "end_char": item.end_char}
            yield Unrecognised(kind="allergy", text=named, **span)
            yield _not_recognised(item, where)
            continue
        reached = known.reach.reached(item.concept_id)
        hits = [m for m in draft.medicines if m.concept_id in reached]
        for m in hits:
            yield _conflict(item, where, m, reached[m.concept_id], _tolerated(m, harmless, known.graph), known.graph)
        found = ", ".join(dict.fromkeys(m.name for m in hits))
        yield Compared(
            kind="allergy",
            text=named,
            concept_id=item.concept_id,
            name=item.name,
            against=len(draft.medicines),
            found=f"conflict: {found}" if found else f"no conflict found among {len(draft.medicines)} checked",
        )


@flag_kind(
    POSSIBLE,
    label="Possible allergy",
    severity=Severity.WARNING,
    explanation="The note's text reports a reaction to a substance that no list names as an allergy. It is severe where the "
    "draft or the discharge list names a medicine that such an allergy would forbid.",
    action="Ask the patient, and add the substance to the allergies or rule it out.",
    example=FlagExample(
        "Allergies: none\n\nHPI: A 60-year-old woman. Within an hour of a dose of naproxen her tongue began to swell."
    ),
    counterexample=FlagExample("Allergies: none\n\nHPI: A 60-year-old woman. She takes naproxen."),
)
@safety_check("possible_allergies", order=30)
def possible_allergies(draft: CheckedDraft) -> Iterator[Finding]:
    """Yield a flag for each possible allergy of the note; what the note reports as tolerated is none."""
    harmless = tolerated(draft.linked)
    for one in draft.linked.allergies.possible:
        if one.concept_id not in harmless:
            yield _possible(one, _given(one, draft.medicines, draft.known))


def _tolerated(medicine: Medicine, harmless: Mapping[str, str], graph: Graph) -> str:
    """The note's words that a medicine, or its class, was tolerated; empty where it does not say so."""
    own = (medicine.concept_id, *graph.related(medicine.concept_id, "has_class"))
    return next((harmless[concept] for concept in own if concept in harmless), "")


def _conflict(item: AllergyItem, where: str, medicine: Medicine, how: Reach, harmless: str, graph: Graph) -> Flag:
    """harmless: the note's words that the medicine was tolerated; they lower the flag, but never for the allergen itself."""
    qualifier = f" ({how.qualifier})" if how.qualifier else ""
    through = graph.row(how.through).name
    if how.how == "cross_reaction":  # what reacts is the medicine itself, or the class that it belongs to
        through = "" if how.through == medicine.concept_id else f"belongs to the group {through}, which "
    why = HOW[how.how].format(through=through, qualifier=qualifier, allergen=item.text)
    unlikely = how.how == "cross_reaction" and LOW_RISK.match(how.qualifier) is not None
    mild = item.kind == AllergyKind.INTOLERANCE or unlikely
    severity = Severity.WARNING if mild else Severity.SEVERE
    if harmless and how.how != "same":
        severity = Severity.INFO if mild else Severity.WARNING
    why = f"{why}; the note tells that it was tolerated: “{harmless}”" if harmless else why
    lists = f"“{item.text}” is {where}" if where else f"the note lists “{item.text}”"
    return make_flag(
        CONFLICT,
        f"{medicine.name} in {medicine.where}: {why}; {lists} as {item.kind.value}.",
        severity=severity,
        sentence=medicine.sentence,
        evidence=(item.text, medicine.text),
    )


def _not_recognised(item: AllergyItem, where: str) -> Flag:
    source = f", {where}" if where else ""
    return make_flag(
        NOT_RECOGNISED,
        f"{item.kind.value.capitalize()} “{item.text}”{source}: not recognised; not checked.",
        severity=Severity.WARNING if where else Severity.SEVERE,
    )


def _given(one: PossibleAllergy, medicines: Sequence[Medicine], known: SafetyKnowledge) -> list[Medicine]:
    """The medicines beyond the note itself that an allergy of this kind would forbid."""
    if one.concept_id is None or one.concept_id not in known.graph.index:
        return []
    reached = known.reach.reached(one.concept_id)
    return [m for m in medicines if m.concept_id in reached and m.where != NOTE]


def _possible(one: PossibleAllergy, given: Sequence[Medicine]) -> Flag:
    named = "; ".join(f"{m.name} in {m.where}" for m in given)
    stop = f" Named all the same: {named}." if named else ""
    return make_flag(
        POSSIBLE,
        f"Possible allergy in the text: “{one.text}” (“{one.because}”); not listed as one. Check.{stop}",
        severity=Severity.SEVERE if given else Severity.WARNING,
        sentence=next((m.sentence for m in given if m.sentence is not None), None),
        evidence=(one.text, *(m.text for m in given)),
    )
