"""Doses written in the note and on the discharge list, held against the table of usual adult doses.

It compares what the record states of dose and timing; no dose is compared with a medicine that stands beside its own. A medicine that is also dosed by weight is compared with nothing: the patient's weight is not read.
"""

import re
from collections.abc import Iterable, Iterator

from backend.interfaces import Linker
from backend.nlp.measures.timing import per_day
from backend.registry import flag_kind, safety_check
from backend.schemas.drafts.draft import Flag
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.record import MedicationStatus
from backend.schemas.vocabulary import Assertion, Severity
from backend.knowledge.safety.dose_rows import DoseRow
from backend.verification.safety.checks import CheckedDraft, FlagExample, make_flag
from backend.verification.safety.named_medicines import DISCHARGE_LIST, NOTE

KIND = "dose"

AMOUNT = re.compile(r"\s*(?:\(?[\w ,]{0,20}?\)?\s)?(\d[\d,]*(?:\.\d+)?)\s?(mg|mcg|µg|g|units?|mEq|mL)\b", re.IGNORECASE)
GRAMS = {"mg": 1.0, "mcg": 0.001, "µg": 0.001, "g": 1000.0}
SLACK = 1.001
LOW_DOSE = 162.0  # mg of aspirin
_CALLED_LOW = re.compile(r"\b(?:baby|low[- ]dose)\b", re.IGNORECASE)


@flag_kind(
    KIND,
    label="Unusual dose",
    severity=Severity.WARNING,
    about="An amount of a medicine in the note or on the discharge list lies outside the usual adult range of the table.",
    action="Check the amount and its unit against the range that is named.",
    example=FlagExample("Allergies: none\n\nHPI: A 60-year-old woman.", medicines=("Furosemide 8000 mg daily",)),
    counterexample=FlagExample("Allergies: none\n\nHPI: A 60-year-old woman.", medicines=("Furosemide 40 mg daily",)),
)
@safety_check("doses", label="Doses", order=60)
def doses(draft: CheckedDraft) -> Iterator[Flag]:
    """Yield a warning for each amount outside the usual adult range, with the range."""
    by_drug = _by_drug(draft.known.doses)
    linker = draft.known.linker
    listed = (linker.read(text) for text in draft.request.discharge_medicines)
    for where, note in ((NOTE, draft.linked), *((DISCHARGE_LIST, one) for one in listed)):
        yield from _flags_of(where, note, linker, by_drug)


def unusual_doses(where: str, text: str, linker: Linker, doses: Iterable[DoseRow]) -> list[str]:
    """The messages of the amounts in a text that lie outside the usual adult range. where: what the text is, in words."""
    return [flag.message for flag in _flags_of(where, linker.read(text), linker, _by_drug(doses))]


def _by_drug(doses: Iterable[DoseRow]) -> dict[str, list[DoseRow]]:
    by_drug: dict[str, list[DoseRow]] = {}
    for row in doses:
        by_drug.setdefault(row.drug_id, []).append(row)
    return by_drug


def low_dose(linked: LinkedNote, medicine: str) -> bool:
    """Whether the note has a medicine at the dose that keeps blood from clotting ("aspirin 81 mg", "baby aspirin"), and at no other."""
    text, said = linked.note.text, set[bool]()
    for m in linked.note.mentions:
        if m.concept_id != medicine or m.allergen or m.assertion == Assertion.NEGATED:
            continue
        amount = AMOUNT.match(text, m.end_char)
        if amount and amount[2].lower() == "mg":
            said.add(float(amount[1].replace(",", "")) <= LOW_DOSE)
        elif _CALLED_LOW.search(text, max(0, m.start_char - 12), m.end_char):
            said.add(True)
    return said == {True}


def _flags_of(where: str, linked: LinkedNote, linker: Linker, by_drug: dict[str, list[DoseRow]]) -> Iterator[Flag]:
    record = linked.record or linker.read(linked.note.text).record
    flagged: set[str] = set()
    for one in record.medications if record else ():
        rows, dosage = by_drug.get(one.concept_id or "", []), one.dosage
        if not rows or dosage.dose is None or dosage.per_kg or one.status is MedicationStatus.NOT_TAKEN:
            continue
        value, unit = dosage.dose, dosage.unit.lower()
        times = per_day(dosage.timing_text)
        for total, period in ((value, "dose"), (value * times if times else None, "day")):
            limits = _limits(rows, period, unit) if total is not None else None
            if limits is None or total is None:
                continue
            low, high, shown = limits
            if total > high * SLACK or (period == "dose" and total < low / 4):
                message = f"{one.name} {value:,.10g} {dosage.unit} in {where}: outside the usual adult range of {shown} a {period}."
                if message not in flagged:
                    flagged.add(message)
                    yield make_flag(KIND, message, evidence=(f"{one.spans[0].text} {dosage.text}",))


def _limits(rows: Iterable[DoseRow], period: str, unit: str) -> tuple[float, float, str] | None:
    """The widest usual range over all routes, in the unit written; None when the table has none in such a unit.

    One dose by a route of which only the daily amount is known is held to that amount, and to no least; so is one whose daily amount
    for another use begins lower (aspirin for the heart).
    """
    found: list[tuple[float, float]] = []
    rows = [row for row in rows if not row.when and not row.indication]
    if any("/" in row.unit for row in rows):
        return None
    by_dose = {row.route for row in rows if row.period == "dose"}
    least = {route: min(r.minimum for r in rows if r.route == route and r.period == "dose") for route in by_dose}
    for row in rows:
        daily = (
            period == "dose" and row.period == "day" and (row.route not in by_dose or row.minimum < least[row.route])
        )
        if row.period != period and not daily:
            continue
        given = row.unit.lower()
        scale = 1.0
        if given in GRAMS and unit in GRAMS:
            scale = GRAMS[given] / GRAMS[unit]
        elif given.rstrip("s") != unit.rstrip("s"):
            continue
        found.append((0.0 if daily else row.minimum * scale, row.maximum * scale))
    if not found or (period == "dose" and not by_dose):
        return None
    low, high = min(f[0] for f in found), max(f[1] for f in found)
    return low, high, f"{low:g} to {high:g} {unit}"
