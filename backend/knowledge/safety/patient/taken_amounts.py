"""How much of a medicine a patient takes at once and in a day, by the record's dosages; timings come from `nlp/measures` alone.

Amounts are in the units of dose rows. What a dosage does not tell stays None: no amount is guessed.
"""

import re
from typing import NamedTuple

from backend.knowledge.safety.rows.clauses import DoseUnit, Period
from backend.nlp.measures.timing import per_day
from backend.nlp.measures.units import unit_of
from backend.schemas.record import Dosage

_PER_MG = {"mg": 1.0, "mcg": 0.001, "g": 1000.0}
_EYE = "ophthalmic"
_DAYS = {Period.DAY: 1.0, Period.WEEK: 7.0, Period.MONTH: 30.0}
_PATCH = "transdermal"
_FORM_ROUTES = {"tablet": "oral", "capsule": "oral", "puff": "inhaled", "patch": _PATCH, "suppository": "rectal"}
_FORMS = {"puff": DoseUnit.PUFFS, "drop": DoseUnit.DROPS, "tablet": DoseUnit.TABLETS, "patch": DoseUnit.PATCHES}


class Amount(NamedTuple):
    """A number of units. per_kg: for each kilogram."""

    number: float
    unit: str
    per_kg: bool = False


def single_dose(dosage: Dosage, *, low: bool = False) -> Amount | None:
    """What is taken at once, the high end of a range ("1 to 2 tablets", "5-10 mg"), or the low one; None where nobody can say."""
    many = dosage.quantity if low else (dosage.quantity_high or dosage.quantity)
    if dosage.dose is None:
        return counted(dosage)
    dose = dosage.dose if low else (dosage.dose_high or dosage.dose)
    unit = _named(dosage.unit)
    if not unit:
        return None
    whole = f"({dose:g}" in dosage.text.replace(" ", "")  # "2 tablets (1000 mg)": the dose of both
    counts = many is not None and dosage.form in _SOLID and not whole
    return Amount(dose * (many or 1.0) if counts else dose, unit, dosage.per_kg)


def by_strength(dosage: Dosage) -> Amount | None:
    """What a volume of a liquid holds: 20 mL of 20 mg/mL are 400 mg; None where volume or strength is not told."""
    told = _STRENGTH.search(dosage.strength)
    if told is None or dosage.dose is None or _named(dosage.unit) != DoseUnit.ML:
        return None
    unit = _named(told["unit"])
    held = float(told["number"].replace(",", "")) / float(told["volume"] or 1.0)
    return Amount((dosage.dose_high or dosage.dose) * held, unit) if unit else None


def counted(dosage: Dosage) -> Amount | None:
    """How many puffs, drops, tablets or patches are taken at once; None where that is not told. Into the eye it is at least one drop."""
    many, form = dosage.quantity_high or dosage.quantity, _FORMS.get(dosage.form)
    if dosage.route == _EYE and many is None and dosage.form in ("", "drop"):
        return Amount(1.0, DoseUnit.DROPS.value)
    return Amount(many, form.value) if many is not None and form is not None else None


def way_told(dosage: Dosage) -> str:
    """By which way it is given, as its route, its form or its rate tells: what runs by the hour and is changed by the day is a patch; empty for none."""
    told = dosage.route or _FORM_ROUTES.get(dosage.form, "")
    patch = not told and dosage.over_minutes is None and rate(dosage) is not None and times_a_day(dosage)
    return _PATCH if patch else told


def times_a_day(dosage: Dosage) -> float | None:
    """How often a day it is taken; a seventh for once a week; None where the dosage does not tell."""
    return per_day(dosage.timing_text)


def converted(number: float, unit: str, into: str) -> float | None:
    """An amount in another unit of the same kind; None where there is no way."""
    if unit == into:
        return number
    if unit in _PER_MG and into in _PER_MG:
        return number * _PER_MG[unit] / _PER_MG[into]
    return None


def over_period(dosage: Dosage, period: Period, one: Amount | None = None) -> Amount | None:
    """What is taken in a period at most; None where dose or timing is not told. one: what is taken at once, where that is known already."""
    one = one or single_dose(dosage)
    if one is None or period is Period.DOSE:
        return one
    times = times_a_day(dosage)
    return None if times is None else one._replace(number=one.number * times * _DAYS[period])


def often(dosage: Dosage) -> Amount | None:
    """How many times a day it is taken; None where that is not told, and for what is taken when needed."""
    times = None if dosage.as_needed else times_a_day(dosage)
    return None if times is None else Amount(times, DoseUnit.TIMES.value)


def length(dosage: Dosage) -> Amount | None:
    """How many days the course lasts; None where that is not told."""
    return None if dosage.days is None else Amount(dosage.days, DoseUnit.DAYS.value)


def rate(dosage: Dosage) -> Amount | None:
    """How much runs in an hour: a rate as it stands, or one dose over the time that it runs; None where neither is told."""
    if dosage.dose is None:
        return None
    dose = dosage.dose_high or dosage.dose
    told = _RATE.search(dosage.text.lower())
    if told is not None:
        unit = _named(dosage.unit.partition("/")[0])
        hourly = 60.0 if told["per"].startswith("m") else 1.0
        return Amount(dose * hourly, unit, dosage.per_kg) if unit else None
    one = single_dose(dosage)
    if one is None or not dosage.over_minutes:
        return None
    return one._replace(number=one.number * 60.0 / dosage.over_minutes)


_STRENGTH = re.compile(
    r"(?P<number>\d[\d,]*(?:\.\d+)?)\s*(?P<unit>[A-Za-z]+)\s*/\s*(?P<volume>\d+(?:\.\d+)?)?\s*m[lL]\b"
)
_RATE = re.compile(r"/\s?(?P<per>h(?:(?:ou)?r)?|min(?:ute)?)\b")
_SURFACE = frozenset(one.value for one in DoseUnit if one.by_surface)
_SOLID = frozenset(
    {"", "tablet", "capsule", "puff", "spray", "patch", "suppository", "sachet", "drop", "lozenge", "packet", "vial"}
)


def _named(unit: str) -> str:
    """The unit as dose rows name it; empty for one that they do not count."""
    if "/" in unit:
        return unit if unit in _SURFACE else ""  # a rate or a strength is no dose
    found = unit_of(unit.lower())
    name = found.name if found is not None else unit
    return name if name in {one.value for one in DoseUnit} else {"puff": "puffs", "drop": "drops"}.get(name, "")
