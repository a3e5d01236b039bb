"""Doses: units that meet, times a day, and silence where nothing can be compared."""

from collections.abc import Callable

import pytest

from backend.knowledge.allergy_reach import AllergyReach
from backend.knowledge.safety.rows.clauses import DoseUnit, Period, ValueClause
from backend.knowledge.safety.rows.dose_rows import DoseRow
from backend.nlp.extraction.linker import DictionaryLinker
from backend.schemas.drafts.request import DraftRequest
from backend.stores.graph.graph import Graph
from backend.verification.safety.safety import GraphSafetyCheck

DOSES = (
    DoseRow("T:furosemide", "oral", 20, 80, DoseUnit.MG, Period.DOSE),
    DoseRow("T:furosemide", "intravenous", 20, 200, DoseUnit.MG, Period.DOSE),
    DoseRow("T:ibuprofen", "oral", 200, 800, DoseUnit.MG, Period.DOSE),
    DoseRow("T:ibuprofen", "oral", 400, 3200, DoseUnit.MG, Period.DAY),
    DoseRow("T:warfarin", "oral", 1, 2, DoseUnit.MG, Period.DOSE, (ValueClause("age", "<", 18),)),
    DoseRow("T:lisinopril", "oral", 2.5, 40, DoseUnit.MG, Period.DAY),
    DoseRow("T:lisinopril", "intravenous", 1, 2, DoseUnit.MG, Period.DOSE),
    DoseRow("T:enalapril", "oral", 5, 20, DoseUnit.MG, Period.DOSE),
    DoseRow("T:enalapril", "intravenous", 1, 1.5, DoseUnit.MG_KG, Period.DOSE),
)
Flagged = Callable[[str], list[str]]


@pytest.fixture
def flagged(tiny_graph: Graph, tiny_reach: AllergyReach, tiny_linker: DictionaryLinker) -> Flagged:
    safety = GraphSafetyCheck(tiny_graph, tiny_reach, DOSES, tiny_linker)

    def run(note: str) -> list[str]:
        flags, _ = safety.check(DraftRequest(text=note), tiny_linker.link(note), (), ())
        return [flag.message for flag in flags if flag.kind == "dose"]

    return run


@pytest.mark.parametrize(
    "note",
    [
        "Furosemide 40 mg daily",
        "Furosemide 200 mg IV once",
        "Furosemide 0.04 g daily",
        "Ibuprofen 800 mg four times a day",  # 3,200 mg a day: the most
        "Lisinopril 20 mg daily",  # of a tablet only the daily amount is known: no dose by vein
        "Lisinopril 0.2 mg daily",  # and nothing is known of the least in one tablet
        "Furosemide was given",
        "Furosemide 40 tablets",
        "Warfarin 500 mg",  # only a child's range is known
        "Naproxen 9000 mg",  # no range is known
        "Enalapril 80 mg IV",  # dosed by weight, which is not known here, and without a ceiling
        "Allergies: furosemide 4000 mg caused a rash",
        "Furosemide 10 mg",  # a quarter of the least and more is not called too little
    ],
)
def test_a_usual_dose_or_one_that_cannot_be_compared_is_not_flagged(flagged: Flagged, note: str) -> None:
    assert flagged(note) == []


@pytest.mark.parametrize(
    ("note", "period", "shown"),
    [
        ("Furosemide 400 mg daily", "dose", "20 to 80 mg"),
        ("Furosemide 400 mg IV daily", "dose", "20 to 200 mg"),
        ("Furosemide 1 g daily", "dose", "0.02 to 0.08 g"),
        ("Furosemide 4 mg daily", "dose", "20 to 80 mg"),
        ("Furosemide 40 mcg daily", "dose", "20,000 to 80,000 mcg"),
        ("Ibuprofen 1,600 mg daily", "dose", "200 to 800 mg"),
        ("Lisinopril 400 mg", "dose", "at most 40 mg"),
    ],
)
def test_an_unusual_dose_is_flagged_with_the_range_in_its_own_unit(
    flagged: Flagged, note: str, period: str, shown: str
) -> None:
    (message,) = flagged(note)
    assert f"outside the usual adult range of {shown} a {period}" in message


def test_times_a_day_are_multiplied(flagged: Flagged) -> None:
    # 800 mg is within a dose, 800 mg six times a day is 4,800 mg: above 3,200 mg a day
    assert flagged("Ibuprofen 800 mg four times a day") == []
    (message,) = flagged("Ibuprofen 800 mg six times a day")
    assert message == "ibuprofen 4,800 mg a day in the note: outside the usual adult range of 400 to 3,200 mg a day."


@pytest.mark.parametrize(
    "often", ["QID", "q.i.d.", "QDS", "four times daily", "4 times a day", "q6h", "every 6 hours", "6 hourly", "q4-6h"]
)
def test_every_wording_of_a_frequency_is_multiplied(flagged: Flagged, often: str) -> None:
    # 790 mg at least four times a day is within a dose and 3,160 mg a day; two such tablets are above both
    assert flagged(f"Ibuprofen 790 mg {often}") == [] or often == "q4-6h"
    (message,) = flagged(f"Ibuprofen 800 mg 2 tablets {often}")
    assert message.startswith("ibuprofen ")


def test_what_runs_through_a_day_is_a_days_amount_and_no_single_dose(flagged: Flagged) -> None:
    # a single dose of 2,000 mg is far over 800 mg; through the day it is within 3,200 mg
    assert flagged("Allergies: none\n\nMedications: ibuprofen 2000 mg") != []
    assert flagged("Allergies: none\n\nMedications: ibuprofen 2000 mg over 24 hours") == []
    assert flagged("Allergies: none\n\nMedications: ibuprofen 9000 mg over 24 hours") != []


def test_a_number_before_hourly_is_how_many_hours(flagged: Flagged) -> None:
    assert flagged("Allergies: none\n\nMedications: ibuprofen 400 mg 6-hourly") == []  # 1,600 mg a day
    assert flagged("Allergies: none\n\nMedications: ibuprofen 800 mg 4-hourly") != []  # 4,800 mg a day


@pytest.mark.parametrize(
    ("note", "unit"),
    [
        ("Furosemide 40 daily", "mg"),
        ("Ibuprofen 600 every 6 hours as needed", "mg"),
        ("Lisinopril 2.5 daily", "mg"),
        ("Ibuprofen 600 8 times a day", ""),  # 4,800 a day is usual in no unit
        ("Lisinopril 2 daily", ""),  # as likely two tablets
        ("Furosemide 40-80 daily", ""),
        ("Furosemide 40 mg daily", ""),  # stated
        ("Warfarin 500 daily", ""),  # only a child's range is known
        ("Naproxen 500 daily", ""),  # no range is known
    ],
)
def test_a_dose_without_a_unit_has_the_one_in_which_it_is_usual(
    tiny_graph: Graph, tiny_reach: AllergyReach, tiny_linker: DictionaryLinker, note: str, unit: str
) -> None:
    safety = GraphSafetyCheck(tiny_graph, tiny_reach, DOSES, tiny_linker)
    record = tiny_linker.read(f"Medications:\n{note}\n").record
    assert record is not None
    assert [safety.usual_unit(one) for one in record.medications] == [unit]
