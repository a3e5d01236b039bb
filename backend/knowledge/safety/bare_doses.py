"""Doses that are written without a unit: "furosemide 40 od" is 40 mg, since of the units of its rows no other fits.

Takes a dosage and the dose rows of its medicine; gives the dosage with the unit that is meant, or nothing where nobody can say.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from backend.knowledge.safety.dose_limits import LOW_BELOW, is_amount
from backend.knowledge.safety.patient.taken_amounts import converted
from backend.knowledge.safety.rows.clauses import DoseUnit, Period
from backend.knowledge.safety.rows.dose_rows import DoseRow
from backend.schemas.record import Dosage

_MASS = (DoseUnit.MCG, DoseUnit.MG, DoseUnit.G)
_WRITTEN = frozenset({*_MASS, DoseUnit.UNITS, DoseUnit.MEQ, DoseUnit.MMOL, DoseUnit.ML})
_COUNTED = {
    DoseUnit.PUFFS: "puff",
    DoseUnit.DROPS: "drop",
    DoseUnit.TABLETS: "tablet",
    DoseUnit.PATCHES: "patch",
}
_FEW = 4
"""Up to this whole number what fits no unit may be a count of tablets."""


def is_bare(dosage: Dosage) -> bool:
    """Whether a dose is a number with neither a unit nor a form."""
    return dosage.dose is not None and not dosage.unit and dosage.quantity is None and not dosage.form


def with_unit(dosage: Dosage, rows: Sequence[DoseRow]) -> Dosage | None:
    """A bare dose in the unit of its medicine's rows, or in the mass beside it where it fits that alone; None where that is open."""
    number = dosage.dose
    amounts = [row for row in rows if is_amount(row) and not row.unit.by_weight and not row.unit.by_surface]
    own = {row.unit for row in amounts}
    if number is None or not own:
        return None
    if own <= _COUNTED.keys() and len(own) == 1:
        (unit,) = own
        if not any(number <= row.maximum for row in amounts):
            return None  # a strength: "Janumet 50/1000"
        return dosage.model_copy(update={"dose": None, "quantity": number, "form": _COUNTED[unit]})
    known = own & _WRITTEN
    single = [row for row in amounts if row.period is Period.DOSE] or amounts
    fitting = [unit for unit in _choices(known, single) if any(_fits(number, unit, row) for row in single)]
    if not fitting and len(known) == 1 and not (number <= _FEW and number == int(number)):
        fitting = list(known)
    same = [unit for unit in fitting if unit in known] or fitting
    return dosage.model_copy(update={"unit": same[0].value}) if len(same) == 1 else None


def _choices(known: Iterable[DoseUnit], rows: Sequence[DoseRow]) -> list[DoseUnit]:
    """The units of rows, and those beside them in which the number may be meant.

    "Metformin 1 bd" is a gram; "digoxin 125" is micrograms, as of all that is given in less than a milligram.
    """
    more = dict(pairwise(_MASS))
    small = any(row.unit is DoseUnit.MG and row.minimum < 1 for row in rows)
    less = [DoseUnit.MCG] if small else []
    return list(dict.fromkeys([*known, *(more[unit] for unit in known if unit in more), *less]))


def _fits(number: float, unit: DoseUnit, row: DoseRow) -> bool:
    amount = converted(number, unit, row.unit)
    return amount is not None and row.minimum * LOW_BELOW <= amount <= row.maximum
