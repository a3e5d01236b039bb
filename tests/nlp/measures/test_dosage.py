"""Dosages in a stretch of a note, each with what it holds."""

import pytest

from backend.nlp.document.parsed_note import parse_note
from backend.nlp.measures.dosage import read_dosages

DOSAGES = [
    ("80mg mane + 40mg lunchtime", [{"dose": 80.0, "unit": "mg", "timing": "QAM"}, {"dose": 40.0, "unit": "mg", "timing": "QNOON"}]),
    ("10 mg up to TDS prn", [{"dose": 10.0, "unit": "mg", "timing": "TID", "with_text": "up to", "as_needed": True}]),
    ("4 mg/5 mg alt days", [{"dose": 4.0, "unit": "mg"}, {"dose": 5.0, "unit": "mg", "with_text": "alternating with"}]),
    ("1000 mg BID >>> 500 mg BID", [{"dose": 1000.0, "unit": "mg", "timing": "BID"}, {"dose": 500.0, "unit": "mg", "timing": "BID"}]),
    ("2,000 units daily and fibre powder 17 g daily", [{"dose": 2000.0, "unit": "units", "timing": "QD"}]),
    ("7.5 mg nocte, 5 nights only", [{"dose": 7.5, "unit": "mg", "timing": "HS"}]),
    ("10/325 mg every 6 hours", [{"dose": 10.0, "unit": "mg", "timing": "Q6H"}]),
    ("5-325 mg every 6 hours", [{"dose": 5.0, "unit": "mg", "timing": "Q6H"}]),
    ("160-4.5 mcg 2 puffs twice daily", [{"dose": 160.0, "unit": "mcg", "quantity": 2.0, "form": "puff", "timing": "BID"}]),
    ("325-650 mg every 6 hours", [{"dose": 325.0, "dose_high": 650.0, "unit": "mg", "timing": "Q6H"}]),
    ("4 million units every 4 hours", [{"dose": 4000000.0, "unit": "units", "timing": "Q4H"}]),
    ("40 international units at night", [{"dose": 40.0, "unit": "units", "timing": "HS"}]),
    ("75 mg/m2", [{"dose": 75.0, "unit": "mg/m2"}]),
    ("15 mg/kg/day", [{"dose": 15.0, "unit": "mg", "per_kg": True, "timing": "QD"}]),
    ("1 to 2 tablets every 4-6 hours as needed for pain",
     [{"quantity": 1.0, "quantity_high": 2.0, "form": "tablet", "timing": "Q4-6H", "as_needed": True, "as_needed_for": "pain"}]),
    ("half a tablet at night", [{"quantity": 0.5, "form": "tablet", "timing": "HS"}]),
    ("one-half to one tablet p.r.n. spasm",
     [{"quantity": 0.5, "quantity_high": 1.0, "form": "tablet", "as_needed": True, "as_needed_for": "spasm"}]),
    ("1-1/2 tablets daily", [{"quantity": 1.5, "form": "tablet", "timing": "QD"}]),
    ("1 and 1/2 tablets daily", [{"quantity": 1.5, "form": "tablet", "timing": "QD"}]),
    ("25 mcg/hr patch every 72 hours", [{"dose": 25.0, "unit": "mcg/hr", "form": "patch", "timing": "Q72H"}]),
    ("10 units at bedtime", [{"dose": 10.0, "unit": "units", "timing": "HS"}]),
    ("2 puffs every 4 to 6 hours", [{"quantity": 2.0, "form": "puff", "timing": "Q4-6H"}]),
    ("1 drop in each eye twice daily", [{"quantity": 1.0, "form": "drop", "route": "ophthalmic", "timing": "BID"}]),
    ("2 L", [{"dose": 2.0, "unit": "L"}]),
    ("0.3 p.o. q.8", [{"dose": 0.3, "route": "oral", "timing": "Q8H"}]),
    ("1,000 mg twice daily with meals", [{"dose": 1000.0, "unit": "mg", "timing": "BID", "with_text": "with meals"}]),
    ("180mg po qd", [{"dose": 180.0, "unit": "mg", "route": "oral", "timing": "QD"}]),
    ("2.5-5 mg in bedtime", [{"dose": 2.5, "dose_high": 5.0, "unit": "mg", "timing": "HS"}]),
    ("4-mg tablet, one-half tablet daily and 6 mg at bedtime",
     [{"dose": 4.0, "unit": "mg", "quantity": 0.5, "form": "tablet", "timing": "QD"}, {"dose": 6.0, "unit": "mg", "timing": "HS"}]),
    ("one in the morning and two at night", [{"quantity": 1.0, "timing": "QAM"}, {"quantity": 2.0, "timing": "HS"}]),
    ("40 mg x 5 days", [{"dose": 40.0, "unit": "mg"}]),
    ("20 mg (eight 2.5 mg tablets) every Thursday", [{"dose": 20.0, "unit": "mg", "timing": "QW"}]),
    ("250 mcg (0.25 mg) daily", [{"dose": 250.0, "unit": "mcg", "timing": "QD"}]),
    ("500 mg 2 tablets (1 g) BID", [{"dose": 500.0, "unit": "mg", "quantity": 2.0, "form": "tablet", "timing": "BID"}]),
    ("5 mg tab x 6 = 30 mg daily", [{"dose": 30.0, "unit": "mg", "form": "tablet", "timing": "QD"}]),
    ("80 mg (was 40 mg) daily", [{"dose": 40.0, "unit": "mg"}, {"dose": 80.0, "unit": "mg", "timing": "QD"}]),
    ("50 mg (100 mg in the evening)",
     [{"dose": 50.0, "unit": "mg"}, {"dose": 100.0, "unit": "mg", "timing": "QPM"}]),
    ("40 mg ON", [{"dose": 40.0, "unit": "mg", "timing": "HS"}]),
    ("40 mg OM", [{"dose": 40.0, "unit": "mg", "timing": "QAM"}]),
    ("40 mg on hold", [{"dose": 40.0, "unit": "mg"}]),
    ("40 MG ON MONDAYS", [{"dose": 40.0, "unit": "mg", "timing": "QW"}]),
    ("for 7 days", []),
    ("since 2019 in 3 visits", []),
    ("81M", []),
    ("46yo", []),
    ("5od", [{"dose": 5.0}]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), DOSAGES)
def test_dosages_of_a_text(text: str, wanted: list[dict[str, object]]) -> None:
    note = parse_note(f"Drug {text}")
    found = read_dosages(note, 1, len(note.words))
    dosages = [one.dosage.model_dump(exclude_defaults=True, exclude={"text", "timing_text"}) for one in found]
    assert dosages == wanted


def test_a_changed_dose_is_marked_and_places_are_exact() -> None:
    note = parse_note("Drug from 20 to 40 mg daily.")
    old, new = read_dosages(note, 1, len(note.words))
    assert (old.before_change, old.dosage.dose, new.before_change, new.dosage.dose) == (True, 20, False, 40)
    assert note.text[new.start_char : new.end_char] == "40 mg daily"


@pytest.mark.parametrize(
    ("text", "dose", "unit", "volume", "strength"),
    [
        ("250 mg/5 mL - 210 mg (4.2 mL) PO BID", 210, "mg", 4.2, "250 mg/5 mL"),
        ("125mg/5mL: 3 mL (75 mg) PO BID", 75, "mg", 3, "125mg/5mL"),
        ("160/5: 5 mL q6h prn", 5, "mL", None, "160/5"),
        ("300 mg (20 mL of 75 mg/5 mL) TID", 300, "mg", 20, "75 mg/5 mL"),
        ("100 units/mL 10 units at night", 10, "units", None, "100 units/mL"),
        ("15 mg/5 mL solution 10 mL once daily", 10, "mL", None, "15 mg/5 mL"),
        ("600 mg/5 mL BID", None, "", None, "600 mg/5 mL"),
        ("5/325 1 tab q6h", 5, "", None, ""),
        ("250 mg (15 mg/kg) BID", 250, "mg", None, ""),
    ],
)
def test_the_strength_of_a_liquid_stands_apart_from_its_dose(
    text: str, dose: float | None, unit: str, volume: float | None, strength: str
) -> None:
    note = parse_note(f"Drug {text}.")
    (one,) = read_dosages(note, 1, len(note.words))
    assert (one.dosage.dose, one.dosage.unit) == (dose, unit)
    assert (one.dosage.volume, one.dosage.strength) == (volume, strength)


@pytest.mark.parametrize(
    ("text", "now", "before"),
    [
        ("2.5 BD ................(was 5 BD; wt 56kg)", (2.5, "BID"), (5.0, "BID")),
        ("6.25 bd \u2191 12.5 bd", (12.5, "BID"), (6.25, "BID")),
        ("30mg bd instead of 20mg bd", (30.0, "BID"), (20.0, "BID")),
        ("40 mg bd, previously 40 mg od", (40.0, "BID"), (40.0, "QD")),
        ("50 mcg daily, down from 75 mcg", (50.0, "QD"), (75.0, "")),
    ],
)
def test_the_dose_of_before_is_told_beside_the_one_of_now(
    text: str, now: tuple[float, str], before: tuple[float, str]
) -> None:
    note = parse_note(f"Drug {text}")
    found = {one.before_change: (one.dosage.dose, one.dosage.timing) for one in read_dosages(note, 1, len(note.words))}
    assert found == {False: now, True: before}


@pytest.mark.parametrize("text", ["10 mg daily. BP was 150/90", "25 mg bd, was well for 5 days", "3 mg, was 140/80"])
def test_what_was_measured_is_no_dose_of_before(text: str) -> None:
    note = parse_note(f"Drug {text}")
    assert not any(one.before_change for one in read_dosages(note, 1, len(note.words)))
