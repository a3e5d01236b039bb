"""Doses that a note writes without their unit ("aspirin 75 in the morning"), with the one unit in which they are usual doses.

An adult's alone: of a child's "5" nobody knows whether it is milligrams or millilitres. What was added is kept, for the clinician to see.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from backend.generation.letter.medicines.medicine_groups import Medicine
from backend.schemas.record import Dosage, MedicationStatement, PatientRecord

ADULT = 18.0
UsualUnit = Callable[[MedicationStatement], str]
"""The one unit in which a dose without a unit is usual; empty for none or several."""


class DoseKnowledge(Protocol):
    """What the table asks of usual doses."""

    def is_far_above(self, one: MedicationStatement) -> bool:
        """Whether a stated dose is far above the usual."""

    def usual_unit(self, one: MedicationStatement) -> str:
        """The one unit in which a dose without a unit is usual; empty for none or several."""


def no_unit(_: MedicationStatement) -> str:
    """No unit is known."""
    return ""


def with_usual_units(
    medicines: Sequence[Medicine], record: PatientRecord, usual_unit: UsualUnit
) -> tuple[list[Medicine], frozenset[Dosage]]:
    """The medicines with the units that their dosages leave out and that alone are usual, and the dosages that got one.

    Args:
        medicines: of a note or of a list.
        record: of the patient, for the age.
        usual_unit: tells the unit of a dose without one.
    """
    age = record.person.age_years
    if age is not None and age < ADULT:
        return list(medicines), frozenset()
    added: set[Dosage] = set()

    def whole(one: MedicationStatement, dosage: Dosage) -> Dosage:
        asked = one.model_copy(update={"dosage": dosage})
        unit = usual_unit(asked) if dosage.dose is not None and not dosage.unit else ""
        if not unit:
            return dosage
        found = dosage.model_copy(update={"unit": unit})
        added.add(found)
        return found

    def filled(one: MedicationStatement) -> MedicationStatement:
        old = one.old_dosage and whole(one, one.old_dosage)
        return one.model_copy(update={"dosage": whole(one, one.dosage), "old_dosage": old})

    told = [one._replace(statements=tuple(map(filled, one.statements))) for one in medicines]
    return told, frozenset(added)
