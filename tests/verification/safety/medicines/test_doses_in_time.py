"""Doses over time: rates of what runs in, lengths of courses, how often, drops into the eye, depots by the month, drivers in the last days."""

import pytest

from backend.container.container import Container
from backend.schemas.drafts.draft import Flag
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Severity

HEAD = "Allergies: none known\n\nHPI: A 60-year-old man, weight 70 kg."
S, W = Severity.SEVERE, Severity.WARNING


def doses(container: Container, note: str, *listed: str) -> list[Flag]:
    request = DraftRequest(text=note, discharge_medicines=listed)
    found, _ = container.safety.check(request, container.linker.link(note), (), ())
    return [flag for flag in found if flag.kind == "dose" and flag.severity is not Severity.INFO]


@pytest.mark.parametrize(
    ("listed", "severity"),
    [
        ("fentanyl patch 25 mg/hour every 72 hours", S),  # milligrams for micrograms
        ("fentanyl patch 25 mcg/hour every 72 hours", None),
        ("buprenorphine 7-day patch 10 micrograms/hour, change every day", S),
        ("buprenorphine 7-day patch 10 micrograms/hour, change every 7 days", None),
        ("lisinopril 20 mg QID", W),  # 4 times; 1 to 2 are usual
        ("lisinopril 20 mg BID", None),
        ("lorazepam 1-4 mg every hour PRN", W),  # by a score of signs
        ("lorazepam 4 mg every hour", S),
        ("ketorolac 10 mg PO every 6 hours for 21 days", S),
        ("ketorolac 10 mg PO every 6 hours for 5 days", None),
        ("zolpidem 5 mg at night for 3 months", W),
        ("timolol eye drops 1 drop both eyes six times daily", W),
        ("timolol eye drops 1 drop both eyes twice daily", None),
        ("paliperidone 156 mg monthly", None),
        ("paliperidone 156 mg IM daily", S),
        ("risperidone 50 mg IM every 2 weeks", None),
        ("denosumab 60 mg SC weekly", S),
        ("denosumab 60 mg SC every 6 months", None),
        ("denosumab 120 mg SC every 4 weeks", None),
        ("adalimumab 40 mg SC daily", S),
        ("adalimumab 40 mg SC every 2 weeks", None),
        ("adalimumab 40 mg SC weekly", None),
        ("darbepoetin 60 mcg SC daily", S),
        ("darbepoetin 60 mcg SC weekly", None),
        ("clonidine patch 0.2 mg change every day", S),
    ],
)
def test_a_prescription_is_held_to_time(container: Container, listed: str, severity: Severity | None) -> None:
    found = doses(container, HEAD, listed)
    assert [flag.severity for flag in found][:1] == ([severity] if severity else []), [f.message for f in found]


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ("IV potassium chloride 40 mmol in 100 mL saline over 15 minutes", "160 mmol an hour"),  # 40 * 60 / 15
        ("vancomycin 1.5 g IV over 20 minutes", "4.5 g an hour"),  # 1.5 * 60 / 20
        ("heparin infusion 10000 units/hour", "10,000 units an hour"),
        ("norepinephrine 20 mcg/kg/min IV", "mcg"),
    ],
)
def test_what_runs_in_too_fast_is_severe(container: Container, order: str, words: str) -> None:
    (flag,) = doses(container, f"{HEAD}\n\nPlan: {order}.")
    assert (flag.severity, words in flag.message) == (S, True), flag.message


@pytest.mark.parametrize(
    "order",
    [
        "potassium chloride 20 mmol/h IV via central line",
        "vancomycin 1.5 g IV over 90 minutes",
        "heparin infusion 1000 units/hour",
        "norepinephrine 0.1 mcg/kg/min IV",
        "amiodarone 900 mg IV over 24 hours",
    ],
)
def test_what_runs_in_as_usual_is_not(container: Container, order: str) -> None:
    assert [flag.message for flag in doses(container, f"{HEAD}\n\nPlan: {order}.")] == []


def test_a_driver_in_the_last_days_is_held_to_its_own_rows(container: Container) -> None:
    driver = "hyoscine butylbromide 60 mg SC over 24 hours"
    comfort = "Allergies: none known\n\nHPI: An 80-year-old woman with ovarian cancer, comfort care only, hospice."
    assert doses(container, comfort, driver) == []


def test_a_gel_is_held_to_what_a_gel_does(container: Container) -> None:
    note = f"{HEAD} He has chronic kidney disease, eGFR 40. He takes apixaban 5 mg BID and diclofenac 1.16% gel to both knees TDS."
    found, _ = container.safety.check(DraftRequest(text=note), container.linker.link(note), (), ())
    assert [f.message for f in found if "diclofenac" in f.message and f.severity is not Severity.INFO] == []


@pytest.mark.parametrize(
    ("note", "severity"),
    [
        ("HPI: A 52 kg woman with encephalitis.\n\nPlan: acyclovir 1 g IV every 8 hours.", W),  # 19 mg/kg; 15 at most
        ("HPI: A 75 kg woman with encephalitis.\n\nPlan: acyclovir 750 mg IV every 8 hours.", None),
        ("HPI: 61F with cirrhosis.\n\nMedications: oxycodone 30 mg every 4 hours", S),  # 180 a day; 60 at most
        ("HPI: 61F with cirrhosis.\n\nMedications: oxycodone 5 mg every 6 hours", None),
        ("HPI: 61F with cirrhosis.\n\nMedications: sertraline 200 mg daily", W),
    ],
)
def test_weight_and_liver_decide_what_is_usual(container: Container, note: str, severity: Severity | None) -> None:
    found = doses(container, f"Allergies: none known\n\n{note}")
    assert [flag.severity for flag in found][:1] == ([severity] if severity else []), [f.message for f in found]
