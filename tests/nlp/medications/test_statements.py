"""Medication statements: sentences with what they state, changes of dose, merging, and the proofs of the trigger rows."""

from pathlib import Path

import pytest

from backend.nlp.rules.trigger_rows import trigger_rows
from backend.schemas.record import Dosage, MedicationStatement, Setting
from tests.nlp.medications.attributes import statements

ROWS = [
    line.split("\t")
    for line in (Path(__file__).parent / "medication_sentences.tsv").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
][1:]
EVENTS = trigger_rows("medications/medication")


def worded(dosage: Dosage) -> str:
    dose = f"{dosage.dose:g} {dosage.unit}" if dosage.dose is not None else ""
    quantity = f"x{dosage.quantity:g}" if dosage.quantity is not None else ""
    return " ".join(part for part in (dose, quantity, dosage.timing, "prn" if dosage.as_needed else "") if part) or "-"


def named(text: str, medicine: str) -> list[MedicationStatement]:
    return [one for one in statements(text) if one.name == medicine]


@pytest.mark.parametrize(("text", "medicine", "status", "category", "dosage"), ROWS)
def test_a_medicine_is_stated(text: str, medicine: str, status: str, category: str, dosage: str) -> None:
    found = named(text.replace("\\n", "\n"), medicine)
    assert [(one.status.value, one.category.value, worded(one.dosage)) for one in found] == [(status, category, dosage)]


@pytest.mark.parametrize(
    "text",
    [
        "Furosemide was increased from 20 mg to 40 mg daily.",
        "Furosemide was increased from 20 to 40 mg daily for edema.",
    ],
)
def test_a_changed_dose_is_stated_with_the_old_one(text: str) -> None:
    (one,) = named(text, "furosemide")
    assert (one.change, one.dosage.dose, one.old_dosage and one.old_dosage.dose) == ("increased", 40, 20)


def test_two_doses_at_two_times_are_two_statements() -> None:
    found = named("MEDICATIONS: Lithium 300 mg p.o. AM and 600 mg p.o. q.p.m.", "lithium")
    assert [worded(one.dosage) for one in found] == ["300 mg QAM", "600 mg QPM"]


def test_a_medicine_named_again_joins_the_statement_with_its_dose() -> None:
    (one,) = named("HPI: Her warfarin was discussed.\n\nMEDICATIONS: Warfarin 5 mg daily.", "warfarin")
    assert worded(one.dosage) == "5 mg QD" and one.spans[0].text == "Warfarin"


def test_an_unknown_name_of_a_list_is_kept_as_not_recognised() -> None:
    (one,) = named("MEDICATIONS: Aspirin, Blorzafen 20 mg nightly, furosemide.", "Blorzafen")
    assert (one.recognised, one.concept_id, worded(one.dosage)) == (False, None, "20 mg HS")


@pytest.mark.parametrize(
    "text",
    [
        "MEDICATIONS: None.", "MEDICATIONS: See list.", "MEDICATIONS: Medication reconciliation sheet has been reviewed.",
        "MEDICATIONS: As above.", "MEDICATIONS: Listed in the chart and reviewed with the patient.",
        "MEDICATIONS: He is on no medications.", "RESULTS: Digoxin level 0.8, hemoglobin 9 mg/dL.",
        "ALLERGIES: Penicillin, sulfa.", "The oxygen saturation is 97% on room air.",
    ],
)  # fmt: skip
def test_what_is_no_medicine_is_none(text: str) -> None:
    assert [one.name for one in statements(text) if one.status.value != "not-taken"] == []


def test_a_reason_and_why_it_was_stopped_are_read() -> None:
    (taken,) = named("He takes tramadol 50 mg every 6 hours for back pain.", "tramadol")
    (stopped,) = named("Lisinopril was stopped because of a cough.", "lisinopril")
    assert taken.reason == "back pain" and stopped.why_stopped == "a cough"


@pytest.mark.parametrize(
    ("text", "medicine", "why"),
    [
        ("HPI: She was on Topamax, but it did not work.", "topiramate", "no effect"),
        ("HPI: He has tried gabapentin with little response.", "gabapentin", "no effect"),
        ("HPI: She was put on Keppra, which she said made her feel bad.", "levetiracetam", "not tolerated"),
        ("HPI: Was on Trileptal, but had some problems with the medication.", "oxcarbazepine", "not tolerated"),
        ("HPI: She was changed in 2003 to lamotrigine from Keppra.", "levetiracetam", ""),
    ],
)
def test_what_came_of_a_trial_is_why_it_is_over(text: str, medicine: str, why: str) -> None:
    (one,) = named(text, medicine)
    assert one.why_stopped == why


@pytest.mark.parametrize("behind", ["for this", "for it", "for the same"])
def test_a_word_that_points_elsewhere_is_no_reason(behind: str) -> None:
    (one,) = named(f"HPI: Her legs are restless, and she takes ReQuip {behind}.", "ropinirole")
    assert one.reason == ""


def test_a_combination_names_its_ingredients() -> None:
    (one,) = named("MEDICATIONS: Vicodin one tablet q6h prn.", "hydrocodone-acetaminophen")
    assert one.ingredients == ("hydrocodone", "acetaminophen") and one.concept_id


def test_spans_and_rules_show_where_a_statement_comes_from() -> None:
    text = "Metoprolol 25 mg was stopped because of bradycardia."
    (one,) = named(text, "metoprolol")
    assert [span.text for span in one.spans] == ["Metoprolol", "25 mg", "was stopped"]
    assert one.rule_ids == ("medications/medication/stopped",)
    assert all(text[span.start_char : span.end_char] == span.text for span in one.spans)


@pytest.mark.parametrize(
    ("text", "setting", "status", "category"),
    [
        ("PLAN: Cefuroxime 1.5 g IV q8h.", Setting.ADMISSION, "active", "inpatient"),
        ("PLAN: Start cefuroxime 750 mg q8h.", Setting.EMERGENCY, "active", "inpatient"),
        ("PLAN: Cefuroxime 250 mg b.i.d. once he is discharged.", Setting.ADMISSION, "intended", "community"),
        ("PLAN: If febrile, cefuroxime 750 mg q8h.", Setting.HOSPITAL_CONSULT, "intended", "community"),
        ("PLAN: Cefuroxime 250 mg b.i.d. for a week.", Setting.CLINIC, "intended", "community"),
        ("PLAN: Start cefuroxime 250 mg b.i.d.", Setting.CLINIC, "intended", "community"),
    ],
)
def test_what_a_note_orders_is_given_where_it_is_written(
    text: str, setting: Setting, status: str, category: str
) -> None:
    found = [one for one in statements(text, setting) if one.name == "cefuroxime"]
    assert [(one.status.value, one.category.value) for one in found] == [(status, category)]


def test_the_second_half_of_a_dose_is_not_the_next_medicines() -> None:
    text = "Medications: Clozapine 150 mg every morning and 350 mg at bedtime. Aspirin 81 mg daily."
    assert [worded(one.dosage) for one in named(text, "clozapine")] == ["150 mg QAM", "350 mg HS"]
    assert [worded(one.dosage) for one in named(text, "aspirin")] == ["81 mg QD"]


def test_what_was_begun_is_not_stopped_without_a_word() -> None:
    text = "He has been started on quetiapine 12.5 mg at bedtime and will receive his first dose tonight."
    assert [one.status.value for one in named(text, "quetiapine")] != ["stopped"]


@pytest.mark.parametrize("text", ["Admitted after a zolpidem OD.", "PC: zolpidem OD last night."])
def test_an_overdose_is_no_dose_once_a_day(text: str) -> None:
    assert [one.dosage.timing for one in statements(text)] == [""]


def test_od_behind_a_dose_stays_once_a_day() -> None:
    assert [one.dosage.timing for one in statements("Medications: zolpidem 5 mg OD.")] == ["QD"]


@pytest.mark.parametrize(
    ("text", "medicine", "resumes"),
    [
        ("PLAN: Restart Xarelto in 48 hours, i.e., Thursday supper. Hold aspirin.", "rivaroxaban", "in 48 hours, i.e., Thursday supper"),
        ("DISCHARGE MEDICATIONS:\nApixaban - held on admission, restart 29/10\nSenna 15 mg", "apixaban", "29/10"),
        ("PLAN: Resume losartan and HCTZ on 3/4.", "losartan", "on 3/4"),
        ("PLAN: Ramipril - held, restart once creatinine is below 1.5.", "ramipril", "once creatinine is below 1.5"),
        ("PLAN: Resume home bisoprolol at 2.5 mg.", "bisoprolol", ""),
        ("PLAN: Metformin restarted.", "metformin", ""),
    ],
)  # fmt: skip
def test_a_restart_is_stated_with_its_day_and_no_dose_of_it(text: str, medicine: str, resumes: str) -> None:
    (one,) = named(text, medicine)
    assert one.resumes == resumes
    assert worded(one.dosage) == ("2.5 mg" if medicine == "bisoprolol" else "-")


@pytest.mark.parametrize(
    "text", ["PMH: Peanut allergy, has 2x EpiPen Jr.", "PMH: Peanut allergy. Carries two EpiPens."]
)
def test_how_many_pens_are_kept_is_no_dose(text: str) -> None:
    assert [worded(one.dosage) for one in named(text, "epinephrine")] == ["-"]


@pytest.mark.parametrize("line", ["Gen NAD", "Resp clinic", "Zorbitrex"])
def test_a_name_that_no_lexicon_knows_needs_a_dose_to_be_a_medicine(line: str) -> None:
    listed = "MEDICATIONS:\nramipril 5 mg daily\n"
    assert [one.name for one in statements(f"{listed}{line}\n")] == ["ramipril"]
    assert [one.name for one in statements(f"{listed}Zorbitrex 5 mg daily\n")] == ["ramipril", "Zorbitrex"]


@pytest.mark.parametrize("habit", ["drinks 4-5 units per week", "smokes 10 a day", "alcohol 12 units a week"])
def test_the_figures_of_a_habit_are_no_dose(habit: str) -> None:
    one = statements(f"SOCIAL HISTORY: She has a Mirena coil, {habit}.\n")[0]
    assert one.dosage == Dosage()


@pytest.mark.parametrize(
    ("plan", "dose", "change"),
    [("Losartan to 100.", 100, "changed"), ("Losartan back to 25 because of dizziness.", 25, "changed"),
     ("Increase losartan to 100 mg.", 100, "increased")],
)  # fmt: skip
def test_a_dose_behind_to_is_the_new_one(plan: str, dose: float, change: str) -> None:
    (one,) = named(f"PLAN: {plan}\n", "losartan")
    assert (one.dosage.dose, one.change) == (dose, change)


def test_what_is_kept_for_a_rescue_or_only_thought_of_is_not_started() -> None:
    pack = statements("DISCHARGE MEDICATIONS:\nRescue pack: prednisolone 30 mg and doxycycline\n")
    assert {(one.status.value, one.category.value) for one in pack} == {("intended", "community")}
    (one,) = named("PLAN: If her levels are low we will switch to rituximab.\n", "rituximab")
    assert one.status.value == "intended"


def test_night_is_read_behind_a_dose_without_a_unit_and_before_as_needed() -> None:
    found = statements("DISCHARGE MEDICATIONS:\natorvastatin 80 ON\nzopiclone 7.5 mg ON prn sleep\n")
    assert [(one.dosage.dose, one.dosage.timing) for one in found] == [(80, "HS"), (7.5, "HS")]


def test_why_it_is_held_ends_before_what_did_not_follow() -> None:
    (one,) = named("HOSPITAL COURSE: Metformin was held for AKI and not resumed.\n", "metformin")
    assert one.why_stopped == "AKI"


def test_a_range_of_tablets_is_no_new_dose() -> None:
    (one,) = named("DISCHARGE MEDICATIONS:\noxycodone 5 mg 1 to 2 tablets q4h prn\n", "oxycodone")
    assert one.change == ""


@pytest.mark.parametrize(
    "text",
    [
        "Impression\n1. Lithium stopped tonight, discussed with the registrar.",
        "Metformin stopped altogether, diet alone.",
        "PLAN:\n- STOP MOM and lithium.",
    ],
)
def test_a_stop_is_one_whatever_tells_when_or_stands_beside_it(text: str) -> None:
    (one,) = [one for one in statements(text) if one.name in ("lithium", "metformin")]
    assert one.status.value == "stopped"
