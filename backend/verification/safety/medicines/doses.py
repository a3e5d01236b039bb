"""Doses of the note and of the discharge list, held against the usual ones of the table for this patient.

It compares what the record states of dose and timing; no dose is compared with a medicine that stands beside its own. Which rows hold, and how grave
a distance is, says `dose_limits`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from backend.interfaces import Linker
from backend.knowledge.safety.bare_doses import is_bare, with_unit
from backend.knowledge.safety.dose_limits import (
    SLACK,
    Applying,
    Limits,
    applying,
    in_unit,
    is_amount,
    is_low,
    limits,
    over_grade,
    taken_rarely,
)
from backend.knowledge.safety.patient.patient_state import PatientState
from backend.knowledge.safety.patient.taken_amounts import (
    Amount,
    by_strength,
    counted,
    length,
    often,
    over_period,
    rate,
    single_dose,
    times_a_day,
)
from backend.knowledge.safety.rows.clauses import DoseUnit, Held, HeldClause, Period, ValueClause, condition_in_words
from backend.knowledge.safety.rows.dose_rows import DoseRow
from backend.knowledge.safety.rows.grades import Grade, at_most_avoid, gravest_first, severity_of
from backend.registry import flag_kind, safety_check
from backend.schemas.drafts.draft import Flag, NotChecked
from backend.schemas.record import Dosage, MedicationCategory, MedicationStatement
from backend.schemas.vocabulary import Severity
from backend.verification.safety.checks import CheckedDraft, Finding, FlagExample, make_flag
from backend.verification.safety.medicines.ingredient_totals import UNIT, unusual_sum
from backend.verification.safety.medicines.interactions import pair_grade
from backend.verification.safety.medicines.named_medicines import DISCHARGE_LIST, Medicine

KIND = "dose"
SPREAD = "OVER24H"
"""The timing of what runs through a day: its amount is a day's, and no single dose."""
_CHECKED = (Period.DOSE, Period.DAY, Period.WEEK, Period.MONTH)
_BESIDE = "with "
"""How a clause about another medicine or a problem begins in words."""
_BY_MASS = frozenset({DoseUnit.MG, DoseUnit.MCG})
_BY_SIGNS = 12
"""Times a day from which what is taken as needed follows a score of signs: nobody takes every dose, and a day's sum is looked at, not stopped."""
_DAILY = 0.99
"""Times a day from which a medicine is taken daily."""
_SWALLOWED = "oral"
_MASSES = frozenset({DoseUnit.MG.value, DoseUnit.MCG.value, DoseUnit.G.value})
_TOLD = _MASSES | {DoseUnit.UNITS.value, DoseUnit.MEQ.value, DoseUnit.MMOL.value}
_COUNTS = frozenset({1.0, 2.0, 3.0, 4.0})
"""Numbers that may be how many tablets."""
_SEVERAL = re.compile(r"\d\s?[-/]\s?\d")
NO_ONE = PatientState({}, frozenset(), {}, frozenset(), {})
"""A patient of whom nothing is known: the rows for every adult hold."""


class Unusual(NamedTuple):
    """A dose that is not usual: what is wrong with it in words, how grave it is, and the rows that say so."""

    message: str
    grade: Grade
    rows: tuple[DoseRow, ...] = ()


@flag_kind(
    KIND,
    label="Unusual dose",
    severity=Severity.WARNING,
    about="An amount of a medicine in the note or on the discharge list is more than usual for this patient's age, kidneys, weight and use. It is "
    "severe from twice the most that is usual, and where a weekly medicine is taken daily; too little is for information.",
    action="Check the amount, its unit and how often it is taken against the range that is named.",
    example=FlagExample("Allergies: none\n\nHPI: A 60-year-old woman.", medicines=("Furosemide 8000 mg daily",)),
    counterexample=FlagExample("Allergies: none\n\nHPI: A 60-year-old woman.", medicines=("Furosemide 40 mg daily",)),
)
@safety_check("doses", label="Doses", order=60)
def doses(draft: CheckedDraft) -> Iterator[Finding]:
    """Yield a flag for each amount that is not usual, with the range, and what could not be checked for want of a value."""
    seen: set[str] = set()
    for medicine in draft.medicines:
        rows = draft.known.doses.get(medicine.concept_id, ())
        if not rows or not medicine.taken:
            continue
        missing: dict[str, None] = {}
        for listed in medicine.listed:
            bare = is_bare(listed.statement.dosage)
            dosage = with_unit(listed.statement.dosage, rows) if bare else listed.statement.dosage
            if dosage is None:
                why = f"{listed.statement.dosage.text} is written without a unit"
                yield NotChecked(medicine=medicine.name, missing="unit of the dose", why=why)
            meant = listed.statement.model_copy(update={"dosage": dosage}) if dosage is not None else listed.statement
            found, hold = _of_statement(meant, listed.where, rows, draft.state, medicine.reasons)
            if found is not None and bare:
                found = found._replace(message=f"{found.message} The dose is written without a unit.")
            missing.update(dict.fromkeys(hold.missing))
            if found is not None and found.message not in seen and not _told_already(medicine, found, draft):
                seen.add(found.message)
                evidence = (
                    (f"{listed.statement.spans[0].text} {listed.statement.dosage.text}",)
                    if listed.statement.spans
                    else ()
                )
                yield make_flag(
                    KIND, found.message, severity=severity_of(found.grade), evidence=evidence, medicine=medicine.name
                )
        if "eGFR" in missing and draft.known.contraindications.kidneys_doubtful(draft.state):
            yield NotChecked(medicine=medicine.name, missing="eGFR", why="the dose depends on the kidneys")
    yield from _together(draft)


def _told_already(medicine: Medicine, found: Unusual, draft: CheckedDraft) -> bool:
    """Whether a flag as grave says the same: the pair, of a limit beside another medicine; that it is not to be used, of one at a value."""
    if not found.rows or not all(row.when for row in found.rows):
        return False
    clauses = [clause for row in found.rows for clause in row.when]
    known = draft.known.contraindications
    grades: list[Grade] = []
    for clause in clauses:
        if isinstance(clause, HeldClause) and clause.how is Held.TAKES:
            others = [one for one in draft.medicines if one.taken and one.concept_id != medicine.concept_id]
            beside = [
                one for one in others if not set(clause.concept_ids).isdisjoint(known.with_classes(one.concept_id))
            ]
            pairs = [pair_grade(medicine, one, draft) for one in beside]
            grades += [grade for grade in pairs if grade is not None]
        elif isinstance(clause, ValueClause):
            against = known.against(medicine.concept_id, draft.state, medicine.dosages, medicine.reasons)
            grades += [
                one.row.grade
                for one in against
                if one.verdict.holds
                and one.row.grade is Grade.NEVER
                and any(isinstance(each, ValueClause) and each.value == clause.value for each in one.row.when)
            ]
    return any(gravest_first(grade) <= gravest_first(found.grade) for grade in grades)


def is_far_above(one: MedicationStatement, rows: Mapping[str, Sequence[DoseRow]]) -> bool:
    """Whether a stated dose is so far above the usual of every adult that it must be changed before anybody signs it."""
    found, _ = _of_statement(one, "", rows.get(one.concept_id or "", ()), NO_ONE, ())
    return found is not None and found.grade is Grade.NEVER


def usual_unit(one: MedicationStatement, rows: Mapping[str, Sequence[DoseRow]]) -> str:
    """The one unit of mass or of effect in which a dose without a unit is usual of every adult; empty for none or several.

    A range, a count of tablets and what may be one ("2 daily") have none.
    """
    dosage, own = one.dosage, rows.get(one.concept_id or "", ())
    counts = dosage.quantity is not None or (dosage.dose or 0.0) in _COUNTS
    if dosage.dose is None or dosage.unit or dosage.per_kg or counts or _SEVERAL.search(dosage.text):
        return ""
    units = {row.unit.plain for row in own if is_amount(row)}
    units |= _MASSES if units & _MASSES else frozenset()
    found = [unit for unit in sorted(units) if _is_usual(one, unit, own)]
    return found[0] if len(found) == 1 and found[0] in _TOLD else ""


def _is_usual(one: MedicationStatement, unit: str, rows: Sequence[DoseRow]) -> bool:
    """Whether a dose in a unit is neither more nor less than usual; without a timing it is one of a day."""
    dosage = one.dosage.model_copy(update={"unit": unit})
    single, times = single_dose(dosage), times_a_day(dosage)
    if single is None:
        return False
    hold = applying(rows, NO_ONE, dosage, at_home=one.category is not MedicationCategory.INPATIENT).rows
    least = False
    for period in _CHECKED:
        known = limits(hold, period, unit, None)
        amount = single if times is None and period is Period.DAY else over_period(dosage, period, single)
        if known is None or amount is None:
            continue
        low = 0.0 if period is Period.DAY and dosage.as_needed else known.low
        if not low <= amount.number * SLACK or amount.number > known.high * SLACK:
            return False
        least |= low > 0.0
    return least


def unusual_doses(where: str, text: str, linker: Linker, rows: Mapping[str, Sequence[DoseRow]]) -> list[str]:
    """The messages of the amounts in a text that are not usual in an adult of whom nothing else is known. where: what the text is, in words."""
    record = linker.read(text).record
    found = [
        _of_statement(one, where, rows.get(one.concept_id or "", ()), NO_ONE, ())[0]
        for one in (record.medications if record else ())
    ]
    return [one.message for one in found if one is not None]


def _of_statement(
    one: MedicationStatement, where: str, rows: Sequence[DoseRow], state: PatientState, reasons: Iterable[str]
) -> tuple[Unusual | None, Applying]:
    """The gravest thing about one dosage, and the rows that held."""
    at_home = one.category is not MedicationCategory.INPATIENT
    hold = applying(rows, state, one.dosage, frozenset(reasons), at_home=at_home)
    times = times_a_day(one.dosage)
    rarely = taken_rarely(hold.rows)
    if rarely is not None and times is not None and times >= _DAILY:
        message = f"{one.name} in {where} is a medicine taken once a {rarely}, and here it is {one.dosage.timing_text}."
        return Unusual(message, Grade.NEVER), hold
    weight = state.values["weight"].number if "weight" in state.values else None
    found: list[Unusual] = []
    spaced = times is not None and times < _DAILY  # 750 mg every 48 hours is no more than 375 mg a day
    apart = tuple(row for row in hold.rows if row.period is not Period.DAY) if spaced else hold.rows
    single = single_dose(one.dosage)
    told = (single, counted(one.dosage), by_strength(one.dosage))
    ways = [way for way in dict.fromkeys(told) if way is not None]
    spread = one.dosage.timing == SPREAD
    periods = [each for each in _CHECKED if not (spread and each is Period.DOSE)]
    measured = [(over_period(one.dosage, period, way), period) for way, period in product(ways, periods)]
    for amount, period in (*measured, *_in_time(one.dosage)):
        if amount is None:
            continue
        each = amount.per_kg and weight is None
        asked = apart if period is Period.DOSE else hold.rows
        known = limits(asked, period, amount.unit, weight, per_kg=each)
        number = in_unit(amount, amount.unit, 1.0 if each else weight)
        if known is None or number is None:
            continue
        grade = over_grade(number, known.high) if period is not Period.COURSE else _too_long(number, known)
        if each:
            amount, known = amount._replace(unit=f"{amount.unit}/kg"), known._replace(unit=f"{known.unit}/kg")
        if grade is not None:
            if period is not Period.DOSE and one.dosage.as_needed and times is not None and times >= _BY_SIGNS:
                grade = at_most_avoid(grade)
            found.append(Unusual(_message(one, where, amount, number, known, state), grade, known.rows))
        elif period is Period.DOSE and is_low(_least(one, amount, number, weight), known.low):
            found.append(Unusual(_message(one, where, amount, number, known, state), Grade.INFORMATION))
    if single is not None and (counted_in := _other_unit(single, rows)):
        message = f"{one.name} {_written(one, single.number, single)} in {where}: its doses are counted in {counted_in}; the unit is to be checked."
        found.append(Unusual(message, Grade.AVOID))
    order = list(Grade)
    return min(found, key=lambda each: order.index(each.grade), default=None), hold


def _other_unit(single: Amount, rows: Sequence[DoseRow]) -> str:
    """In what a medicine is counted, where a dose is in a unit that none of its rows has: units for a mass, and mg for units of what is swallowed.

    A volume is no other unit: it may hold any of them.
    """
    amounts = [row for row in rows if is_amount(row) and row.unit is not DoseUnit.ML]
    units = {row.unit.plain for row in amounts}
    if single.unit in _BY_MASS and units == {DoseUnit.UNITS}:
        return DoseUnit.UNITS.value
    swallowed = all(row.route == _SWALLOWED for row in amounts)
    return DoseUnit.MG.value if single.unit == DoseUnit.UNITS and swallowed and units and units <= _MASSES else ""


def _in_time(dosage: Dosage) -> Iterator[tuple[Amount | None, Period]]:
    """How often it is taken, how long, and how fast it runs."""
    yield often(dosage), Period.DAY
    yield length(dosage), Period.COURSE
    hourly = rate(dosage)
    yield hourly, Period.HOUR
    yield (None if hourly is None else hourly._replace(number=hourly.number / 60.0)), Period.MINUTE


def _too_long(days: float, known: Limits) -> Grade | None:
    """A course beyond what is usual is looked at; beyond the ceiling of its row it is changed before signing."""
    if days <= known.high:
        return None
    ceilings = [row.ceiling for row in known.rows if row.ceiling is not None]
    return Grade.NEVER if ceilings and days > max(ceilings) else Grade.AVOID


def _least(one: MedicationStatement, amount: Amount, number: float, weight: float | None) -> float:
    low = single_dose(one.dosage, low=True)
    least = in_unit(low, low.unit, weight or 1.0) if low is not None and low.unit == amount.unit else None
    return number if least is None else least


def _message(
    one: MedicationStatement, where: str, amount: Amount, number: float, known: Limits, state: PatientState
) -> str:
    if known.period is Period.COURSE:
        note = f" ({known.rows[0].note})" if known.rows[0].note else ""
        return f"{one.name} for {number:g} days in {where}: at most {known.high:g} days is usual{_who(known.rows, state)}{note}."
    said = f"{number:,.6g} {amount.unit}" if known.period is not Period.DOSE else _written(one, number, amount)
    who = _who(known.rows, state)
    span = f"{known.low:,.6g} to {known.high:,.6g}" if known.low else f"at most {known.high:,.6g}"
    a = "an" if known.period is Period.HOUR else "a"
    usual = f"outside the usual {'adult ' if not who else ''}range of {span} {known.unit} {a} {known.period}"
    note = next((row.note for row in known.rows if row.note), "")
    told = f" ({note})" if note and len(known.rows) == 1 else ""
    each = "" if known.period is Period.DOSE else f" {a} {known.period}"
    return f"{one.name} {said}{each} in {where}: {usual}{who}{told}."


def _written(one: MedicationStatement, number: float, amount: Amount) -> str:
    dosage = one.dosage
    held = dosage.unit == DoseUnit.ML and amount.unit != DoseUnit.ML
    if held:
        return f"{dosage.dose:,.10g} mL of {dosage.strength} ({number:,.10g} {amount.unit})"
    if dosage.dose is not None and dosage.quantity is None and dosage.dose_high is None and not amount.per_kg:
        return f"{dosage.dose:,.10g} {dosage.unit}"
    return f"{number:,.10g} {amount.unit}"


def _who(rows: Sequence[DoseRow], state: PatientState) -> str:
    """For whom a range holds, with the values that say so: " at eGFR 24"; empty for every adult."""
    clauses = [clause for row in rows for clause in row.when]
    if not clauses:
        return ""
    values = [
        state.values[name].said
        for name in dict.fromkeys(getattr(one, "value", "") for one in clauses)
        if name in state.values
    ]
    words = ", ".join(dict.fromkeys(values)) or condition_in_words(clauses, ())
    return f" {words}" if words.startswith(_BESIDE) else f" for {words}"


def _together(draft: CheckedDraft) -> Iterator[Flag]:
    """One flag for each ingredient that several products bring beyond what is usual in a day."""
    kinds = draft.known.contraindications.with_classes
    by_ingredient: dict[str, list[Medicine]] = {}
    for medicine in draft.medicines:
        if medicine.taken and not medicine.works_less:
            for ingredient in kinds(medicine.concept_id):
                if ingredient in draft.known.doses:
                    by_ingredient.setdefault(ingredient, []).append(medicine)
    for ingredient, medicines in by_ingredient.items():
        alone = len(medicines) == 1 and medicines[0].concept_id == ingredient
        found = unusual_sum(ingredient, medicines, draft.known, draft.state)
        if found is None or (alone and not _beside_itself(medicines[0])):
            continue
        total, known, grade = found
        if grade is None:
            continue
        pair = pair_grade(medicines[0], medicines[1], draft) if len(medicines) > 1 else None
        if pair is None or gravest_first(pair) > gravest_first(grade):
            name = draft.known.graph.row(ingredient).name
            names = " and ".join(one.name for one in medicines)
            verb = "bring" if len(medicines) > 1 else "brings"
            yield make_flag(
                KIND,
                f"{names} {verb} {total.number:,.10g} {UNIT} of {name} a day in all: at most {known.high:,.6g} {UNIT} is usual{_who(known.rows, draft.state)}.",
                severity=severity_of(grade),
                evidence=tuple(one.text for one in medicines),
                medicine=name,
            )


def _beside_itself(medicine: Medicine) -> bool:
    """Whether the list for home has it to be taken regularly, and as needed besides."""
    return len({one.statement.dosage.as_needed for one in medicine.listed if one.where == DISCHARGE_LIST}) > 1
