"""How much of one ingredient several products bring in a day: acetaminophen alone and in a tablet with oxycodone.

Amounts come from dosages as the record has them. A product that is written without its strengths counts by what one of it holds
(assets/rules/safety/product_contents.tsv); one that nobody knows adds nothing, and the sum is not whole.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from backend.knowledge.safety.dose_limits import Limits, applying, limits, over_grade
from backend.knowledge.safety.patient.clause_truth import Subject, verdict
from backend.knowledge.safety.patient.patient_state import PatientState
from backend.knowledge.safety.patient.taken_amounts import Amount, converted, over_period, single_dose
from backend.knowledge.safety.rows.clauses import Period
from backend.knowledge.safety.rows.dose_rows import DoseRow
from backend.knowledge.safety.rows.grades import Grade, gravest_first
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.record import Dosage
from backend.verification.safety.checks import SafetyKnowledge
from backend.verification.safety.medicines.named_medicines import DISCHARGE_LIST, Medicine

UNIT = "mg"
_STRENGTHS = re.compile(r"\d+(?:\.\d+)?(?:\s?(?:mg|g|mcg))?(?:\s?[/-]\s?\d+(?:\.\d+)?)+")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


class DaySum(NamedTuple):
    """What medicines bring of an ingredient in a day, in mg. whole: each of them tells how much and how often."""

    number: float
    whole: bool


def day_sum(ingredient: str, medicines: Iterable[Medicine], known: SafetyKnowledge) -> DaySum | None:
    """The sum over medicines, each by its largest dosage, on the list for home with the largest of what may be taken as needed beside; None where none tells an amount."""
    shares = [_of_one(ingredient, one, known) for one in medicines]
    told = [one for one in shares if one is not None]
    return (
        DaySum(sum(one.number for one in told), all(one is not None and one.whole for one in shares)) if told else None
    )


def day_total(ingredient: str, medicines: Iterable[Medicine], known: SafetyKnowledge) -> Amount | None:
    """The same as an amount, for what compares amounts."""
    found = day_sum(ingredient, medicines, known)
    return None if found is None else Amount(found.number, UNIT)


def unusual_sum(
    ingredient: str, medicines: Iterable[Medicine], known: SafetyKnowledge, state: PatientState
) -> tuple[DaySum, Limits, Grade | None] | None:
    """A sum with the limits of a day for this patient, and how grave it is beyond them, by these and by what is said of two products.

    None where there is no sum or no limit.
    """
    found = day_sum(ingredient, medicines, known)
    hold = applying(known.doses.get(ingredient, ()), state, Dosage(route="oral")) if found is not None else None
    most = limits(hold.rows, Period.DAY, UNIT, None) if hold is not None else None
    if found is None or most is None:
        return None
    grade = over_grade(found.number, most.high)
    own = known.contraindications.index.together(ingredient, ingredient) if grade is not None else ()
    subject = Subject(frozenset({ingredient}), total=Amount(found.number, UNIT))
    holding = (row.grade for row in own if row.one == row.other and verdict(row.when, row.unless, state, subject).holds)
    return found, most, min((grade, *holding), key=gravest_first) if grade is not None else None


def share(dosage: Dosage, product: str, ingredient: str, rows: Iterable[DoseRow], written: str = "") -> Dosage | None:
    """The dosage of one ingredient of a product that is written with its strengths, as in 5/325; None where it is not.

    Args:
        dosage: of the product.
        product: its name, which names its ingredients in the order of their strengths: oxycodone-acetaminophen.
        ingredient: the name of one.
        rows: doses of the ingredient; of two strengths the one that lies among them is its own, whatever the order.
        written: the note's name of the product, of which its strengths may be a part: "co-codamol 30/500".
    """
    strengths = _STRENGTHS.search(dosage.text) or _STRENGTHS.search(written)
    numbers = [float(one) for one in _NUMBER.findall(strengths[0])] if strengths else []
    if len(numbers) < 2:
        return None
    each = [row for row in rows if row.period is Period.DOSE] or [row for row in rows if row.period is Period.DAY]
    usual = [span for row in each if (span := _in_mg(row)) is not None]
    fitting = [one for one in numbers if any(low / 2 <= one <= high for low, high in usual)]
    parts = product.lower().split("-")
    place = next((i for i, part in enumerate(parts) if ingredient.lower().startswith(part)), -1)
    named = numbers[place] if 0 <= place < len(numbers) else None
    own = named if named in fitting else fitting[0] if len(fitting) == 1 else None
    if own is None:
        return None
    return dosage.model_copy(update={"dose": own, "dose_high": None, "unit": UNIT})


def _of_one(ingredient: str, medicine: Medicine, known: SafetyKnowledge) -> DaySum | None:
    rows = known.doses.get(ingredient, ())
    name = known.graph.row(ingredient).name
    most: dict[tuple[str, bool], float] = {}
    whole = True
    for one in medicine.listed:
        own: Dosage | None = one.statement.dosage
        if medicine.concept_id != ingredient:
            written = one.statement.spans[0].text if one.statement.spans else ""
            own = share(one.statement.dosage, medicine.name, name, rows, written)
            own = own or _by_count(one.statement.dosage, name, (written, medicine.name))
        amount = None if own is None else over_period(own, Period.DAY)
        whole = whole and amount is not None
        amount = amount or (None if own is None else single_dose(own))
        number = None if amount is None or amount.per_kg else converted(amount.number, amount.unit, UNIT)
        if own is not None and number is not None:
            key = one.where, own.as_needed
            most[key] = max(most.get(key, 0.0), number)
    listed = sum(number for (where, _), number in most.items() if where == DISCHARGE_LIST)
    number = max([listed, *most.values()])
    return DaySum(number, whole) if number else None


def _by_count(dosage: Dosage, ingredient: str, names: Iterable[str]) -> Dosage | None:
    """The dosage of an ingredient of a product that is counted and not weighed: "Norco two tablets"."""
    rows = [row for row in _contents() if row[1] == ingredient]
    for name in names:
        known = max((row for row in rows if name.lower().startswith(row[0])), key=lambda row: len(row[0]), default=None)
        if known is not None:
            return dosage.model_copy(update={"dose": known[2], "dose_high": None, "unit": UNIT, "form": "tablet"})
    return None


@lru_cache(maxsize=1)
def _contents() -> tuple[tuple[str, str, float], ...]:
    rows = rule_rows(RULES / "safety" / "product_contents.tsv", 3)
    return tuple((name, ingredient, float(mg)) for name, ingredient, mg in rows)


def _in_mg(row: DoseRow) -> tuple[float, float] | None:
    scale = converted(1.0, row.unit, UNIT)
    return None if scale is None else (row.minimum * scale, row.maximum * scale)
