"""How much of one ingredient several products bring in a day: acetaminophen alone and in a tablet with oxycodone.

Amounts come from dosages as the record has them; a product whose strength of the ingredient nobody tells adds nothing.
"""

import re
from collections.abc import Iterable

from backend.knowledge.safety.patient.taken_amounts import Amount, converted, over_period, single_dose
from backend.knowledge.safety.rows.clauses import Period
from backend.knowledge.safety.rows.dose_rows import DoseRow
from backend.schemas.record import Dosage
from backend.verification.safety.checks import SafetyKnowledge
from backend.verification.safety.medicines.named_medicines import Medicine

UNIT = "mg"
_STRENGTHS = re.compile(r"\d+(?:\.\d+)?(?:\s?(?:mg|g|mcg))?(?:\s?[/-]\s?\d+(?:\.\d+)?)+")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def day_total(ingredient: str, medicines: Iterable[Medicine], known: SafetyKnowledge) -> Amount | None:
    """What medicines bring of an ingredient in a day, in mg, each by its largest dosage; None where none tells an amount."""
    found = [number for one in medicines if (number := _of_one(ingredient, one, known)) is not None]
    return Amount(sum(found), UNIT) if found else None


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
    usual = [(low, high) for row in rows if (span := _in_mg(row)) is not None for low, high in (span,)]
    fitting = [one for one in numbers if any(low / 2 <= one <= high for low, high in usual)]
    parts = product.lower().split("-")
    place = next((i for i, part in enumerate(parts) if ingredient.lower().startswith(part)), -1)
    named = numbers[place] if 0 <= place < len(numbers) else None
    own = (
        named
        if named is not None and (named in fitting or not fitting)
        else (fitting[0] if len(fitting) == 1 else None)
    )
    if own is None:
        return None
    return dosage.model_copy(update={"dose": own, "dose_high": None, "unit": UNIT})


def _of_one(ingredient: str, medicine: Medicine, known: SafetyKnowledge) -> float | None:
    rows = known.doses.get(ingredient, ())
    amounts: list[float] = []
    for one in medicine.listed:
        own: Dosage | None = one.statement.dosage
        if medicine.concept_id != ingredient:
            written = one.statement.spans[0].text if one.statement.spans else ""
            own = share(one.statement.dosage, medicine.name, known.graph.row(ingredient).name, rows, written)
        amount = None if own is None else over_period(own, Period.DAY) or single_dose(own)
        number = None if amount is None or amount.per_kg else converted(amount.number, amount.unit, UNIT)
        if number is not None:
            amounts.append(number)
    return max(amounts, default=None)


def _in_mg(row: DoseRow) -> tuple[float, float] | None:
    scale = converted(1.0, row.unit, UNIT)
    return None if scale is None or row.period is not Period.DOSE else (row.minimum * scale, row.maximum * scale)
