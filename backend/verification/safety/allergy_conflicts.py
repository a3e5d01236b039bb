"""Medicines against what the patient reacts to, as notes list it or may report it, and notes that disagree about it."""

from collections.abc import Iterator, Mapping, Sequence

from backend.knowledge.allergy_reach import Reach, Risk
from backend.nlp.allergies.dangerous_reactions import endangered_life
from backend.nlp.medications.tolerance import tolerated
from backend.registry import flag_kind, safety_check
from backend.schemas.drafts.draft import Compared, Flag, Unrecognised
from backend.schemas.drafts.note import AllergyItem, PossibleAllergy
from backend.schemas.vocabulary import AllergyKind, AllergyStatus, Severity
from backend.stores.graph.graph import Graph
from backend.verification.safety.checks import CheckedDraft, Finding, FlagExample, SafetyKnowledge, make_flag
from backend.verification.safety.earlier_allergies import EarlierAllergy
from backend.verification.safety.medicines.named_medicines import NOTE, Medicine, gives
from backend.verification.support.allergy_statements import allergies_of, denies_all_allergies

CONFLICT, NOT_RECOGNISED, POSSIBLE = "allergy_conflict", "allergy_not_recognised", "allergy_possible"
HOW = {
    "same": "it is what the patient reacts to",
    "family": "it belongs to the same family ({through})",
    "contains": "it contains {through}{qualifier}",
    "cross_reaction": "it {through}may cross-react with “{allergen}”{qualifier}",
}


@flag_kind(
    CONFLICT,
    label="Allergy conflict",
    severity=Severity.SEVERE,
    about="A medicine of the note, the discharge list or the draft is what the patient reacts to, belongs to its family, "
    "contains it or may cross-react with it. It is a warning for an intolerance and for a low risk, a warning where only some "
    "react unless the known reaction endangered life, an information for a very low risk, and lower where the note says that the "
    "medicine was tolerated. It is a warning at most of a medicine on hold or not taken, an information of one that is stopped or "
    "over, unless the draft gives it.",
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
    about="A note lists an allergy that the knowledge graph does not know, so no medicine was compared with it.",
    action="Compare the medicines with this allergy yourself, or correct its spelling.",
    example=FlagExample("Allergies: zorbitrexate (hives)\n\nHPI: A 60-year-old woman."),
    counterexample=FlagExample("Allergies: penicillin (hives)\n\nHPI: A 60-year-old woman."),
)
@safety_check("allergy_conflicts", label="Allergies and medicines", order=10, forbids=True)
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
        hits = [_as_drafted(m, draft) for m in draft.medicines if m.concept_id in reached]
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
    about="The note's text reports a reaction to a substance that no list names as an allergy. It is severe where the "
    "draft or the discharge list names a medicine that such an allergy would forbid.",
    action="Ask the patient, and add the substance to the allergies or rule it out.",
    example=FlagExample(
        "Allergies: none\n\nHPI: A 60-year-old woman. Within an hour of a dose of naproxen her tongue began to swell."
    ),
    counterexample=FlagExample("Allergies: none\n\nHPI: A 60-year-old woman. She takes naproxen."),
)
@safety_check("possible_allergies", label="Possible allergies", order=30)
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


def _as_drafted(medicine: Medicine, draft: CheckedDraft) -> Medicine:
    """The medicine; one that is over for the note, but that a sentence of the draft gives, is taken."""
    given = medicine.works_less and any(
        gives(sentence.text, medicine.concept_id, draft.known.linker) for sentence in draft.sentences
    )
    return medicine._replace(over=False, held=False, untaken=False) if given else medicine


def _conflict(item: AllergyItem, where: str, medicine: Medicine, how: Reach, harmless: str, graph: Graph) -> Flag:
    """harmless: the note's words that the medicine was tolerated; they lower the flag, but never for the allergen itself."""
    qualifier = f" ({how.qualifier})" if how.qualifier else ""
    through = graph.row(how.through).name
    if how.how == "cross_reaction":  # what reacts is the medicine itself, or the class that it belongs to
        through = "" if how.through == medicine.concept_id else f"belongs to the group {through}, which "
    why = HOW[how.how].format(through=through, qualifier=qualifier, allergen=item.text)
    grade = _grade(item, how)
    severity = _ORDER[min(grade + 1, len(_ORDER) - 1)] if harmless and how.how != "same" else _ORDER[grade]
    why = f"{why}; the note states that it was tolerated: “{harmless}”" if harmless else why
    ended = "on hold" if medicine.held else "not taken" if medicine.untaken else _OVER if medicine.over else ""
    if ended:
        severity = max(severity, Severity.INFO if ended == _OVER else Severity.WARNING, key=_ORDER.index)
        why = f"{why}; it is {ended}"
    lists = f"“{item.text}” is {where}" if where else f"the note lists “{item.text}”"
    return make_flag(
        CONFLICT,
        f"{medicine.name} in {medicine.where}: {why}; {lists} as {item.kind.value}.",
        severity=severity,
        sentence=medicine.sentence,
        evidence=(item.text, medicine.text),
        medicine=medicine.name,
    )


_OVER = "stopped or over"
_ORDER = (Severity.SEVERE, Severity.WARNING, Severity.INFO)


def _grade(item: AllergyItem, how: Reach) -> int:
    """The place in _ORDER of what a reach means for somebody who reacted so."""
    if how.risk is Risk.VERY_LOW:
        return 2
    doubtful = how.risk is Risk.LOW or (how.risk is Risk.POSSIBLE and not endangered_life(item.reaction))
    if item.kind == AllergyKind.INTOLERANCE:
        return 2 if doubtful else 1
    return 1 if doubtful else 0


def _not_recognised(item: AllergyItem, where: str) -> Flag:
    source = f", {where}" if where else ""
    return make_flag(
        NOT_RECOGNISED,
        f"{item.kind.value.capitalize()} “{item.text}”{source}: not recognised; not checked.",
        severity=Severity.WARNING if where else Severity.SEVERE,
    )


def _given(one: PossibleAllergy, medicines: Sequence[Medicine], known: SafetyKnowledge) -> list[Medicine]:
    """The medicines beyond the note itself that an allergy of this kind would forbid; a side effect is of the medicine, not of its family."""
    if one.concept_id is None or one.concept_id not in known.graph.index:
        return []
    reached = known.reach.reached(one.concept_id)
    own = (
        {concept for concept, how in reached.items() if how.how == "same"}
        if one.kind is AllergyKind.INTOLERANCE
        else reached
    )
    return [m for m in medicines if m.concept_id in own and m.where != NOTE]


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


DISAGREEMENT, NOT_STATED = "allergy_disagreement", "allergy_not_stated"
_NAMED = 3  # allergies that a flag names


@flag_kind(
    DISAGREEMENT,
    label="Allergies disagree",
    severity=Severity.SEVERE,
    about="The draft says that there are no allergies although a note lists some, or earlier notes list an allergy that "
    "the pasted note does not. It is a warning where the pasted note has a list that lacks only some.",
    action="Ask the patient, and correct the list or the sentence that is wrong.",
    example=FlagExample("Allergies: penicillin (hives)\n\nHPI: A 60-year-old woman.", "You have no known allergies."),
    counterexample=FlagExample(
        "Allergies: penicillin (hives)\n\nHPI: A 60-year-old woman.", "You are allergic to penicillin."
    ),
)
@safety_check("denied_allergies", label="Allergies that a sentence denies", order=20)
def denied_allergies(draft: CheckedDraft) -> Iterator[Finding]:
    """Yield a flag for each sentence that denies all allergies although notes list some; intolerances contradict nothing."""
    listed = [f"the note lists “{item.text}”" for item in allergies_of(draft.linked)]
    listed += [f"“{item.text}” is {where}" for item, where in draft.earlier if item.kind == AllergyKind.ALLERGY]
    if not listed:
        return
    more = f", and {len(listed) - _NAMED} more" if len(listed) > _NAMED else ""
    for place, sentence in enumerate(draft.sentences):
        if denies_all_allergies(sentence.text, draft.known.linker):
            yield make_flag(
                DISAGREEMENT,
                f"The draft says that there are no allergies, but {'; '.join(listed[:_NAMED])}{more}.",
                sentence=place,
                evidence=(sentence.text,),
            )


@flag_kind(
    NOT_STATED,
    label="Allergies not stated",
    severity=Severity.WARNING,
    about="The pasted note does not say whether the patient has allergies, so no medicine could be compared with them.",
    action="Ask the patient, and write the allergies, or that there are none, into the note.",
    of_note=True,
    example=FlagExample("A 60-year-old woman with cough."),
    counterexample=FlagExample("Allergies: none\n\nHPI: A 60-year-old woman with cough."),
)
@safety_check("allergies_not_stated", label="A note silent on allergies", order=110)
def allergies_not_stated(draft: CheckedDraft) -> Iterator[Finding]:
    """Yield a flag for a silent note; where earlier notes list allergies, `earlier_allergies_differ` says more."""
    silent = draft.linked.allergies.status in (AllergyStatus.NOT_STATED, AllergyStatus.UNREADABLE)
    if draft.has_note and silent and not draft.earlier:
        yield make_flag(
            NOT_STATED, "The note does not say whether there are allergies; nothing could be checked against them."
        )


@safety_check("earlier_allergies_differ", label="Allergies of earlier notes", order=130)
def earlier_allergies_differ(draft: CheckedDraft) -> Iterator[Finding]:
    """Yield one flag for allergies that earlier notes list and the pasted note does not.

    Severe where the pasted note says that there are none: one of the two notes is wrong. A note that says nothing of allergies
    disagrees with none; its flag is of the kind not stated.
    """
    if not draft.has_note or not draft.earlier:
        return
    listed = "; ".join(f"{_quoted(one.item)}, {one.where}" for one in draft.earlier)
    status = draft.linked.allergies.status
    says = {
        AllergyStatus.NONE_KNOWN: "The pasted note says that no allergies are known, but",
        AllergyStatus.LISTED: "The pasted note does not list all:",
    }.get(status, "The pasted note does not say whether there are allergies;")
    says_so = status in (AllergyStatus.NONE_KNOWN, AllergyStatus.LISTED)
    yield make_flag(
        DISAGREEMENT if says_so else NOT_STATED,
        f"{says} earlier notes list {listed}. Ask the patient.",
        severity=Severity.SEVERE if status == AllergyStatus.NONE_KNOWN else Severity.WARNING,
        evidence=tuple(one.item.text for one in draft.earlier),
    )


def _quoted(item: AllergyItem) -> str:
    reaction = f": {item.reaction}" if item.reaction else ""
    return f"“{item.text}” ({item.kind.value}{reaction})"
