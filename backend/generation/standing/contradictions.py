"""What a note says in two ways, for the clinician: allergies listed and denied, sides, doses.

A problem that one place names and another denies is none: the two tell of other days ("thoughts of death" at admission, none at
discharge), of another time ("no previous bleed") or of other words, and the record shows both with their places.
"""

import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import NamedTuple

from backend.nlp.measures.units import unit_of
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
from backend.schemas.vocabulary import AllergyKind, AllergyStatus, SectionCategory

_DECIDED = frozenset(
    {
        SectionCategory.ASSESSMENT,
        SectionCategory.PLAN,
        SectionCategory.HOSPITAL_COURSE,
        SectionCategory.INSTRUCTIONS,
    }
)
"""The sections in which a dose is what is decided today."""


class Contradiction(NamedTuple):
    """Two places of a note that cannot both hold. text: for the clinician. spans: the places, in the note's order."""

    text: str
    spans: tuple[RecordSpan, ...]
    statement_ids: tuple[str, ...]


def contradictions(record: PatientRecord, no_medicines: Collection[str] = ()) -> tuple[Contradiction, ...]:
    """The contradictions of a record, kind by kind: allergies, sides, doses.

    Args:
        record: of the note.
        no_medicines: concept ids that are known to be no medicine, of which "no drug allergies" says nothing.
    """
    return (*_allergies(record, no_medicines), *_sides(record), *_doses(record))


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


def _sides(record: PatientRecord) -> Iterator[Contradiction]:
    """A problem of today that the note puts on both sides."""
    held: dict[str, dict[str, ProblemStatement]] = defaultdict(dict)
    for one in record.stated_problems:
        own = one.experiencer is Experiencer.PATIENT and not one.hypothetical and not one.chronic
        stated = one.verification_status is VerificationStatus.CONFIRMED
        if own and stated and one.clinical_status is ClinicalStatus.ACTIVE and one.concept_id and one.spans:
            held[one.concept_id][one.body_side] = one
    for sides in held.values():
        if "left" in sides and "right" in sides:
            named = min(sides.values(), key=lambda one: one.spans[0].start_char)
            yield _pair(f"The note puts {named.name} on the left and on the right", sides["left"], sides["right"])


def _doses(record: PatientRecord) -> Iterator[Contradiction]:
    """Yield a home medicine with two amounts of one kind, where no change is stated.

    What is decided today is a change of what was taken, unless it says that this goes on: "Glipizide 5 mg b.i.d." of a plan. Pens,
    puffs and tablets are no amounts that compare with a strength.

    Yields:
        The contradiction with both places.
    """
    held: dict[str, list[tuple[MedicationStatement, tuple[float, str]]]] = defaultdict(list)
    for one in record.medications:
        taken = one.status is MedicationStatus.ACTIVE and one.category is MedicationCategory.COMMUNITY
        told = one.change == "continued" or (not one.change and one.section not in _DECIDED)
        amount = _amount(one)
        if taken and told and one.spans and amount is not None:
            held[one.concept_id or one.name.lower()].append((one, amount))
    for (first, (dose, unit)), *others in held.values():
        other = next(
            (
                one
                for one, (amount, counted_in) in others
                if counted_in == unit and not math.isclose(amount, dose) and one.section is not first.section
            ),
            None,
        )
        if other is not None:
            yield _pair(f"The note gives two doses of {first.name}", first, other)


def _amount(statement: MedicationStatement) -> tuple[float, str] | None:
    """The dose and what it is counted in; None where a unit is not known."""
    unit = unit_of(statement.dosage.unit.lower())
    dose = statement.dosage.dose
    return None if unit is None or dose is None else (dose * unit.factor, unit.counted_in)


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
