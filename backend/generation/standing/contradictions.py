"""What a note says in two ways, for the clinician: allergies listed and denied, sides, doses, and problems both named and denied."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import NamedTuple

from backend.nlp.rules.word_lists import word_lists
from backend.schemas.record import (
    ClinicalStatus,
    Experiencer,
    MedicationCategory,
    MedicationStatement,
    MedicationStatus,
    PatientRecord,
    ProblemStatement,
    RecordSpan,
    VerificationStatus,
)
from backend.schemas.vocabulary import AllergyKind, AllergyStatus, Category, SectionCategory


class Contradiction(NamedTuple):
    """Two places of a note that cannot both hold. text: for the clinician. spans: the places, in the note's order."""

    text: str
    spans: tuple[RecordSpan, ...]
    statement_ids: tuple[str, ...]


def contradictions(record: PatientRecord, no_medicines: Collection[str] = ()) -> tuple[Contradiction, ...]:
    """The contradictions of a record, kind by kind: allergies, problems, sides, doses.

    Args:
        record: of the note.
        no_medicines: concept ids that are known to be no medicine, of which "no drug allergies" says nothing.
    """
    return (*_allergies(record, no_medicines), *_problems(record), *_doses(record))


def _allergies(record: PatientRecord, no_medicines: Collection[str]) -> Iterator[Contradiction]:
    for item in record.allergies.items:
        # of a name that nobody knows, a plaster's, the flag asks that it was not recognised
        medicine = item.concept_id is not None and item.concept_id not in no_medicines
        denials = [span for span in item.contradicted_by if _denies(span.text, item.agent, medicine=medicine)]
        if item.kind is AllergyKind.INTOLERANCE:
            continue  # it is no allergy, so that nothing is said in two ways
        if denials and item.spans:
            against = "”, “".join(span.text for span in denials)
            yield Contradiction(
                f"The note lists an allergy to {item.agent}, and also says “{against}”.",
                (item.spans[0], *denials),
                (item.id,),
            )
    stated = [one for one in record.allergies.items if one.verification_status is not VerificationStatus.REFUTED]
    listed = [one for one in stated if not one.possible and not one.contradicted_by and one.spans]
    if record.allergies.status is AllergyStatus.NONE_KNOWN and listed:
        names = ", ".join(one.agent for one in listed)
        said = record.allergies.text or "no known allergies"
        yield Contradiction(
            f"The note says “{said}”, and also names what the patient reacts to: {names}.",
            tuple(one.spans[0] for one in listed),
            tuple(one.id for one in listed),
        )


def _denies(denial: str, agent: str, *, medicine: bool) -> bool:
    """Whether a denial is of an agent: it names it, or it names no agent at all. medicine: the agent is known to be one."""
    words, lists = set(re.findall(r"[a-z]+", denial.lower())), word_lists("letter/words_contradictions")
    if words <= lists["general"]:
        of_medicines, of_foods = not words.isdisjoint(lists["medicines"]), not words.isdisjoint(lists["foods"])
        return of_medicines in (of_foods, medicine)
    return not words.isdisjoint(re.findall(r"[a-z]+", agent.lower()))


def _problems(record: PatientRecord) -> Iterator[Contradiction]:
    """A problem of today that the note names in one place and denies in another, and one that it puts on both sides."""
    held: dict[str, list[ProblemStatement]] = defaultdict(list)
    for one in record.stated_problems:
        if one.concept_id and one.spans and one.experiencer is Experiencer.PATIENT and not one.hypothetical:
            held[one.concept_id].append(one)
    for group in held.values():
        named = [
            one
            for one in group
            if one.verification_status is VerificationStatus.CONFIRMED
            and one.clinical_status is ClinicalStatus.ACTIVE
            and not one.chronic  # "seizure free", "no HIV complications": what is known for long may be quiet today
        ]
        denied = [
            one
            for one in group
            if one.verification_status is VerificationStatus.REFUTED
            and one.section is not SectionCategory.PHYSICAL_EXAM
        ]
        apart = [(a, b) for a in named for b in denied if a.section is not b.section]  # one history tells of many days
        if apart and apart[0][0].category is Category.DISEASE:
            yield _pair(f"The note names {apart[0][0].name} and also denies it", *apart[0])
        sided = {one.body_side: one for one in named if one.body_side in ("left", "right")}
        if len(sided) == 2:
            yield _pair(f"The note puts {named[0].name} on the left and on the right", sided["left"], sided["right"])


def _doses(record: PatientRecord) -> Iterator[Contradiction]:
    """A home medicine with two doses, where no change is stated."""
    held: dict[str, list[MedicationStatement]] = defaultdict(list)
    for one in record.medications:
        taken = one.status is MedicationStatus.ACTIVE and one.category is MedicationCategory.COMMUNITY
        if taken and one.spans and one.dosage.dose is not None and one.change in ("", "continued"):
            held[one.concept_id or one.name.lower()].append(one)
    for group in held.values():
        first = group[0]
        other = next(
            (
                one
                for one in group[1:]
                if (one.dosage.dose, one.dosage.unit) != (first.dosage.dose, first.dosage.unit)
                and one.section is not first.section
            ),
            None,
        )
        if other is not None:
            yield _pair(f"The note gives two doses of {first.name}", first, other)


def _pair(
    text: str, one: ProblemStatement | MedicationStatement, other: ProblemStatement | MedicationStatement
) -> Contradiction:
    first, second = sorted((one, other), key=lambda statement: statement.spans[0].start_char)
    spans = (first.spans[0], second.spans[0])
    quoted = " and ".join(f"“{' '.join(_shown(s).split())}”" for s in (first, second))
    return Contradiction(f"{text}: {quoted}.", spans, (first.id, second.id))


def _shown(statement: ProblemStatement | MedicationStatement) -> str:
    if isinstance(statement, MedicationStatement) and statement.dosage.text:
        return f"{statement.spans[0].text} {statement.dosage.text}"
    return statement.spans[0].text
