"""The values of one patient that safety rows compare: eGFR, potassium, weeks, weight, each in its canonical unit and with its source in words.

Takes a patient record; gives one frozen value. A value that the record does not hold, or holds in a unit that nobody can convert, is absent.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from backend.knowledge.safety.rows.value_table import ValueRow, value_table
from backend.nlp.findings.measured.value_times import newness
from backend.schemas.record import ObservationStatement, PatientRecord

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


class PatientValue(NamedTuple):
    """A value in canonical units. said: as a reader is told it, "eGFR about 24 by CKD-EPI 2021 from creatinine 2.4".

    least: where only bounds are known, the value is from here on and below number; None for a value that is known.
    """

    name: str
    number: float
    said: str
    least: float | None = None


PatientValues = Mapping[str, PatientValue]
"""By the names of the value table."""


def patient_values(record: PatientRecord) -> dict[str, PatientValue]:
    """What a record holds, the newest of each: what is not dated is of today and beats what is dated, then dates and words of time tell, then the later mention.

    A stated eGFR beats one that follows from creatinine.
    """
    by_measure: dict[str, list[ObservationStatement]] = {}
    for one in record.observations:
        by_measure.setdefault(one.measure, []).append(one)
    year = _year(record.encounter.date) or max((_year(one.date) for one in record.observations), default="")
    found = dict(_of_person(record))
    for row in value_table().values():
        candidates = [
            (one, place)
            for measure, place in row.measures
            for one in by_measure.get(measure, ())
            if row.lasts or _of_now(one, year)
        ]
        stated = [pair for pair in candidates if not pair[0].formula] or candidates
        keys = newness([one.date for one, _ in stated])
        for at in sorted(
            range(len(stated)), key=lambda at: keys[at]
        ):  # stable: of one time the latest mention is the newest
            one, place = stated[at]
            value = _value(row, one, place)
            if value is not None:
                found[row.name] = value
    return found


def _of_person(record: PatientRecord) -> Iterator[tuple[str, PatientValue]]:
    person = record.person
    numbers = {"age": person.age_years, "weight": person.weight_kg, "weeks": person.gestation_weeks}
    for name, number in numbers.items():
        if number is not None:
            unit = "" if name == "age" else f" {value_table()[name].unit}"
            said = f"{number:g} weeks of pregnancy" if name == "weeks" else f"{name} {number:g}{unit}"
            yield name, PatientValue(name, number, said)


def _value(row: ValueRow, one: ObservationStatement, place: int) -> PatientValue | None:
    number = one.value if place == 0 and one.value is not None else _part(one.value_text, place)
    canonical = row.canonical(number, one.unit) if number is not None else None
    if canonical is None or number is None:
        return None
    unit = f" {one.unit}" if one.unit and one.unit not in (row.unit, "mmHg", "/min") else ""
    dated = f" ({one.date})" if one.date else ""
    if one.formula:
        words = _NUMBER.search(one.spans[0].text) if one.spans else None
        source = f" from creatinine {words[0]}" if words else ""
        return PatientValue(row.name, canonical, f"{row.name} about {number:g} by {one.formula}{source}{dated}")
    percent = "%" if row.unit == "%" else ""
    return PatientValue(row.name, canonical, f"{row.name} {number:,.6g}{percent or unit}{dated}")


def _part(text: str, place: int) -> float | None:
    numbers = _NUMBER.findall(text)
    return float(numbers[place].replace(",", "")) if place < len(numbers) else None


def _of_now(one: ObservationStatement, year: str) -> bool:
    """Whether an observation is of the year of the encounter, which is the newest of the record where nothing says it."""
    own = _year(one.date)
    return not own or own == year


def _year(date: str) -> str:
    found = _YEAR.search(date)
    return found[0] if found else ""
