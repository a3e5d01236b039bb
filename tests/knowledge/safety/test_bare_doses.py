"""A dose without a unit: in which one it is compared, and when nobody can say."""

import pytest

from backend.knowledge.safety.bare_doses import is_bare, with_unit
from backend.knowledge.safety.rows.clauses import DoseUnit, Period
from backend.knowledge.safety.rows.dose_rows import DoseRow
from backend.schemas.record import Dosage


def row(least: float, most: float, unit: DoseUnit, period: Period = Period.DOSE) -> DoseRow:
    return DoseRow("LN:x", "", least, most, unit, period)


@pytest.mark.parametrize(
    ("number", "rows", "unit"),
    [
        (40, [row(20, 80, DoseUnit.MG)], "mg"),
        (4000, [row(20, 80, DoseUnit.MG)], "mg"),  # beyond all, in the only unit there is
        (100, [row(12.5, 200, DoseUnit.MCG)], "mcg"),
        (0.1, [row(12.5, 200, DoseUnit.MCG)], "mg"),  # 0.1 mg are 100 mcg
        (1, [row(500, 1000, DoseUnit.MG)], "g"),
        (125, [row(0.0625, 0.25, DoseUnit.MG)], "mcg"),
        (24, [row(1, 200, DoseUnit.UNITS)], "units"),
        (2, [row(250, 1300, DoseUnit.MG)], None),  # two tablets, or two grams
        (5, [row(1, 10, DoseUnit.MG), row(1, 10, DoseUnit.UNITS)], None),
        (5, [], None),
        (50, [row(1, 2, DoseUnit.TABLETS)], None),  # a strength
    ],
)
def test_the_unit_is_the_one_that_fits(number: float, rows: list[DoseRow], unit: str | None) -> None:
    found = with_unit(Dosage(dose=number), rows)
    assert (found.unit if found else None) == unit


def test_a_count_is_of_what_the_rows_count() -> None:
    found = with_unit(Dosage(dose=2), [row(1, 2, DoseUnit.PUFFS)])
    assert found is not None and (found.dose, found.quantity, found.form) == (None, 2, "puff")


def test_a_dose_with_a_unit_or_a_form_is_not_bare() -> None:
    assert is_bare(Dosage(dose=5)) and not is_bare(Dosage(dose=5, unit="mg")) and not is_bare(Dosage(form="tablet"))
