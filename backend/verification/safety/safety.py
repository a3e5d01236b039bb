"""Safety flags: allergies against medicines, contraindications, interactions, doses, and what a draft lacks.

Every comparison is listed in the checks, and everything that could not be compared as well: no flag means that no
conflict was found among what was checked, never that a draft is safe.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from backend.interfaces import Linker
from backend.knowledge.allergy_reach import AllergyReach
from backend.knowledge.contraindications import PAIN_DOSES, Contraindications
from backend.nlp.people.unsuited_text import unsuited_text
from backend.schemas.drafts.draft import Checks, Compared, Flag, Sentence
from backend.schemas.drafts.evidence import Condition
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import (
    LETTERS,
    Assertion,
    Basis,
    ConditionStatus,
    FlagKind,
    Severity,
    Support,
)
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import DoseRow
from backend.verification.safety.allergy_conflicts import AllergyCheck
from backend.verification.safety.completeness import ADULT, about_patient, missing_parts, must_not_miss
from backend.verification.safety.doses import dose_flags, low_dose
from backend.verification.safety.earlier_allergies import EarlierAllergies, disagreement
from backend.verification.safety.interactions import InteractionCheck
from backend.verification.safety.named_medicines import Medicine, named_medicines, unrecognised_medicines
from backend.verification.safety.possible_allergies import possible_allergy_flags
from backend.verification.safety.proposed_medicines import proposed_medicines
from backend.verification.support.denied_allergies import denied_allergy_flags
from backend.verification.support.plain_words import overlaps, phrases


class GraphSafetyCheck:
    """doses are the usual adult doses; linker reads medicines out of lists and sentences.

    earlier: reads the allergies of earlier notes; one of its own where none is given.
    """

    def __init__(
        self,
        graph: Graph,
        reach: AllergyReach,
        doses: Sequence[DoseRow],
        linker: Linker,
        earlier: EarlierAllergies | None = None,
    ) -> None:
        self._graph = graph
        self._reach = reach
        self._allergies = AllergyCheck(graph, reach)
        self._contraindicated = Contraindications(graph)
        self._doses = tuple(doses)
        self._linker = linker
        self._earlier = earlier or EarlierAllergies(linker)
        self._interactions = InteractionCheck(graph, self._contraindicated)

    def check(
        self,
        request: DraftRequest,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        sentences: Sequence[Sentence],
    ) -> tuple[tuple[Flag, ...], Checks]:
        """Flags, the severest first, and the list of what was compared and what was not recognised."""
        medicines = named_medicines(request, linked, sentences, self._linker)
        unknown = unrecognised_medicines(request, linked, self._linker)
        earlier = self._earlier.only_earlier(request, linked)
        allergy_flags, compared, strange = self._allergies.compare(linked, earlier, medicines)
        contra, contra_compared = self._contraindications(linked, conditions, medicines)
        interactions, pairs = self._interactions.compare(medicines)
        flags = [
            *allergy_flags,
            *denied_allergy_flags(linked, earlier, sentences, self._linker),
            *possible_allergy_flags(linked, medicines, self._graph, self._reach),
            *contra,
            *interactions,
            *dose_flags(request, linked, self._doses, self._linker),
            *self._negated(linked, sentences),
            *missing_parts(request, sentences),
        ]
        if request.text.strip():  # a bare question has no patient
            stated = disagreement(linked, earlier)
            # what the notes say against each other says more than that one of them is silent
            about = [f for f in about_patient(linked) if stated is None or f.kind != FlagKind.ALLERGY_NOT_STATED]
            flags.extend(
                [*unsuited_text(linked), *about, *([stated] if stated else []), *must_not_miss(linked, conditions)]
            )
        order = list(Severity)
        flags.sort(key=lambda flag: order.index(flag.severity))
        return tuple(flags), Checks(compared=(*compared, *contra_compared, *pairs), unrecognised=(*strange, *unknown))

    def forbidden_options(
        self, request: DraftRequest, linked: LinkedNote, conditions: Sequence[Condition]
    ) -> Mapping[str, str]:
        """The options that would bring a severe flag if the patient were given what they name.

        Returns:
            The reason by the option's letter: the message of its first severe allergy, contraindication or interaction.
        """
        found: dict[str, str] = {}
        earlier = self._earlier.only_earlier(request, linked) if request.options else ()
        taken = [m for m in named_medicines(request, linked, (), self._linker) if m.taken] if request.options else []
        for letter, option in zip(LETTERS, request.options, strict=False):
            given = [
                Medicine(m.concept_id, m.name, m.text, "the option", True)
                for m in proposed_medicines(option, request.question, self._linker)
            ]
            own = {m.concept_id for m in given}
            others = [m for m in taken if m.concept_id not in own]
            flags = [
                *(f for f in self._allergies.compare(linked, earlier, given)[0] if f.kind == FlagKind.ALLERGY_CONFLICT),
                *self._contraindications(linked, conditions, given)[0],
                *(flag for one in given for other in others for flag in self._interactions.compare([one, other])[0]),
            ]
            reason = next((flag.message for flag in flags if flag.severity is Severity.SEVERE), "")
            if reason:
                found[letter] = reason
        return found

    def _contraindications(
        self, linked: LinkedNote, conditions: Sequence[Condition], medicines: Sequence[Medicine]
    ) -> tuple[list[Flag], list[Compared]]:
        held = {
            m.concept_id: m.name
            for m in linked.note.mentions
            if m.assertion in (Assertion.PRESENT, Assertion.HISTORICAL) and not m.allergen
        }
        held.update({c.concept_id: c.name for c in conditions if c.status == ConditionStatus.CONFIRMED})
        supposed = {
            c.concept_id: c.name
            for c in conditions
            if c.focus and c.status == ConditionStatus.POSSIBLE and c.concept_id not in held
        }
        if linked.patient.pregnant and self._contraindicated.pregnancy:
            held.setdefault(self._contraindicated.pregnancy, "pregnancy")
        flags, compared = list[Flag](), list[Compared]()
        for medicine in medicines:
            found = []
            for why in self._contraindicated.against(medicine.concept_id, held):
                told = held.get(why.condition) or self._graph.row(why.condition).name
                if told in found or (not medicine.taken and why.qualifier and self._treats(medicine, why.condition)):
                    continue
                if not _concerns(why.qualifier, linked, medicine):
                    continue
                found.append(told)
                when = f" (when: {why.qualifier})" if why.qualifier else ""
                severity = Severity.SEVERE if why.settled and medicine.taken else Severity.WARNING
                if medicine.over:
                    severity = Severity.WARNING if severity is Severity.SEVERE else Severity.INFO
                    when = f"{when}; the note tells of an earlier course"
                flags.append(
                    Flag(
                        kind=FlagKind.CONTRAINDICATION,
                        severity=severity,
                        message=f"{medicine.name} in {medicine.where} should not be used with {told}{when}.",
                        sentence=medicine.sentence,
                        evidence=(medicine.text,),
                    )
                )
            for why in (
                self._contraindicated.against(medicine.concept_id, supposed)
                if medicine.taken and not medicine.over
                else ()
            ):
                name = supposed.get(why.condition)
                if name and name not in found and _concerns(why.qualifier, linked, medicine):
                    found.append(name)
                    flags.append(_supposed(medicine, name, why.qualifier))
            compared.append(
                Compared(
                    kind="medicine",
                    text=medicine.text,
                    concept_id=medicine.concept_id,
                    name=medicine.name,
                    against=len(held) + len(supposed),
                    found=f"conflict: {', '.join(found)}"
                    if found
                    else f"no conflict found among {len(held) + len(supposed)} checked",
                )
            )
        return flags, compared

    def _treats(self, medicine: Medicine, condition: str) -> bool:
        """Whether a medicine is a treatment of a condition as well, so that the draft offers it with its qualifier."""
        return condition in self._graph.related(medicine.concept_id, "treats")

    def _negated(self, linked: LinkedNote, sentences: Sequence[Sentence]) -> Iterable[Flag]:
        """What the note only denies, asserted of the patient in the draft; an allergen ("never again …") is neither."""
        denied = {m.concept_id: m for m in linked.note.mentions if m.assertion == Assertion.NEGATED}
        for m in linked.note.mentions:
            if m.assertion != Assertion.NEGATED:
                denied.pop(m.concept_id, None)
        stated = {m.concept_id for m in linked.note.mentions if m.assertion != Assertion.NEGATED}
        plain = [self._graph.row(concept).definition for concept in stated if concept in self._graph.index]
        for place, sentence in enumerate(sentences):
            if sentence.basis != Basis.PATIENT or sentence.support == Support.NOT_SCORED:
                continue
            mentions = self._linker.link(sentence.text).note.mentions
            explained = [span for m in mentions for span in self._explanation(m.concept_id, sentence.text)]
            worded = phrases(sentence.text, plain)
            for m in mentions:
                inside = any(start <= m.start_char < end for start, end in explained) or overlaps(m, worded)
                if m.concept_id in denied and m.assertion == Assertion.PRESENT and not (inside or m.allergen):
                    yield Flag(
                        kind=FlagKind.NEGATED_ASSERTED,
                        severity=Severity.SEVERE,
                        message=f"The draft says the patient has {m.name}; the note says “{denied[m.concept_id].text}” is absent.",
                        sentence=place,
                        evidence=(denied[m.concept_id].text,),
                    )

    def _explanation(self, concept: str, text: str) -> list[tuple[int, int]]:
        """Where a text explains a concept in brackets: "acetaminophen (a pain and fever reliever)" claims no fever."""
        plain = self._graph.row(concept).definition if concept in self._graph.index else ""
        start = text.find(f"({plain})") if plain else -1
        return [(start, start + len(plain) + 2)] if start >= 0 else []


def _concerns(qualifier: str, linked: LinkedNote, medicine: Medicine) -> bool:
    """Whether a reason can hold for this adult: none for newborns, nor for aspirin at the dose that keeps blood from clotting."""
    if _OF_CHILDREN.search(qualifier) and (linked.patient.age is None or linked.patient.age >= ADULT):
        return False
    return qualifier != PAIN_DOSES or not low_dose(linked, medicine.concept_id)


def _supposed(medicine: Medicine, told: str, qualifier: str) -> Flag:
    """A medicine of the patient's against what the document is about, which nobody has confirmed yet."""
    when = f" (when: {qualifier})" if qualifier else ""
    return Flag(
        kind=FlagKind.CONTRAINDICATION,
        severity=Severity.WARNING,
        message=f"{medicine.name} in {medicine.where} should not be used with {told}{when}, which is possible here.",
        evidence=(medicine.text,),
    )


_OF_CHILDREN = re.compile(
    r"\b(?:newborns?|infants?|babies|children|under (?:1|2|6|8|12|16|18|19) years)\b", re.IGNORECASE
)
