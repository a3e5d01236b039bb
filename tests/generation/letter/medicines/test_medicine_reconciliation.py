"""One test a rule of reconciliation: what becomes of each medicine of note and list, with notes written here."""

import pytest

from backend.generation.letter.medicines.medicine_prompts import Prompt
from backend.generation.letter.medicines.medicine_sentences import medicine_sentences
from backend.generation.letter.medicines.medicine_table import medicine_rows
from backend.schemas.record import (
    MedicationStatement,
    MedicationStatus,
    RecordSpan,
    StatedBy,
)
from tests.generation.letter.reading import CLINIC, DECIDED, WARD, actions_of, record_of, rows_of
from tests.nlp.fresh import linker

HOME = "MEDICATIONS:\nLasix 40 mg p.o. daily\nmetformin 500 mg b.i.d.\nzolpidem 5 mg h.s. p.r.n.\n"


# with a discharge list


def test_the_same_medicine_with_the_same_dose_is_continued_whatever_its_name() -> None:
    note = WARD + "MEDICATIONS:\nLasix 40 mg p.o. daily\nparacetamol 1 g QDS\nglipizide 5 mg b.i.d.\n"
    rows = rows_of(note, "furosemide 40 mg once a day", "Tylenol 1000 mg every 6 hours", "glipizide 5 mg q12h")
    assert {row.action.value for row in rows.values()} == {"continue"}
    assert list(rows) == [
        "furosemide (Lasix)",
        "Tylenol (acetaminophen, paracetamol)",
        "glipizide",
    ]
    assert rows["glipizide"].source == "the note and discharge medicines"
    assert rows["glipizide"].citations == ("N6", "E2")


@pytest.mark.parametrize(
    ("home", "listed", "old", "new"),
    [
        ("lisinopril 10 mg daily", "lisinopril 20 mg daily", "10 mg once a day", "20 mg"),
        ("metoprolol 25 mg b.i.d.", "metoprolol 25 mg daily", "25 mg twice a day", "25 mg"),
        ("zolpidem 5 mg q.h.s.", "zolpidem 5 mg q.a.m.", "5 mg at bedtime", "5 mg"),
        ("warfarin 5 mg daily", "warfarin 5 mg once a week", "5 mg once a day", "5 mg"),
    ],
)
def test_another_dose_or_timing_is_a_change_with_old_and_new(home: str, listed: str, old: str, new: str) -> None:
    (row,) = rows_of(f"{WARD}MEDICATIONS:\n{home}\n", listed).values()
    assert (row.action.value, row.old_dose, row.dose) == ("changed", old, new)


def test_a_list_without_a_dose_contradicts_none_and_the_notes_dose_stays() -> None:
    (row,) = rows_of(WARD + "MEDICATIONS:\nmetoprolol 25 mg b.i.d.\n", "metoprolol").values()
    assert (row.action.value, row.dose, row.timing) == ("continue", "25 mg", "twice a day")


def test_a_home_medicine_that_the_list_lacks_is_to_be_decided() -> None:
    rows = rows_of(WARD + HOME, "Lasix 40 mg daily")
    assert rows["Lasix (furosemide)"].action.value == "continue"
    assert (rows["metformin"].action.value, rows["metformin"].prompt) == ("undecided", Prompt.NOT_ON_LIST)


def test_what_only_the_list_has_is_new_with_how_long() -> None:
    rows = rows_of(WARD + HOME, "amoxicillin 500 mg tid for 5 days")
    row = rows["amoxicillin"]
    assert (row.action.value, row.timing, row.source) == ("new", "3 times a day, for 5 days", "discharge medicines")
    assert row.statement_ids == () and row.citations == ("E0",)


def test_a_course_of_several_doses_is_given_as_the_list_has_it() -> None:
    rows = rows_of(WARD + HOME, "prednisone 40 mg for 3 days, then 20 mg for 3 days")
    assert rows["prednisone"].dose == "40 mg for 3 days, then 20 mg for 3 days"


def test_a_medicine_on_hold_that_the_list_has_is_taken_again() -> None:
    assert actions_of(WARD + HOME + "PLAN: Hold metformin.", "metformin 500 mg bid")["metformin"] == "continue"


def test_a_medicine_that_the_note_stops_and_the_list_has_is_to_be_decided() -> None:
    rows = rows_of(WARD + HOME + "PLAN: Stop metformin.", "metformin 500 mg bid")
    assert (rows["metformin"].action.value, rows["metformin"].prompt) == ("undecided", Prompt.STOPPED_BUT_LISTED)


def test_a_medicine_that_the_note_stops_and_the_list_lacks_is_stopped() -> None:
    assert actions_of(WARD + HOME + "PLAN: Stop metformin.", "Lasix 40 mg daily")["metformin"] == "stopped"


def test_an_entry_may_say_stop_or_hold() -> None:
    actions = actions_of(WARD + HOME, "STOP metformin", "hold zolpidem until your visit", "Lasix 40 mg daily")
    assert (actions["metformin"], actions["zolpidem"]) == ("stopped", "on_hold")


def test_an_entry_may_state_its_own_change() -> None:
    (row,) = rows_of(
        WARD + "MEDICATIONS:\nlisinopril daily\n", "lisinopril 20 mg daily (increased from 10 mg)"
    ).values()
    assert (row.action.value, row.old_dose, row.dose) == ("changed", "10 mg", "20 mg")


def test_a_part_of_a_combination_on_the_list_changes_it_and_leaves_the_other_part_to_be_decided() -> None:
    rows = rows_of(WARD + "MEDICATIONS:\nlisinopril/HCTZ 20/12.5 mg daily\n", "lisinopril 20 mg daily")
    assert rows["lisinopril"].action.value == "changed"
    assert "20/12.5 mg once a day" in rows["lisinopril"].old_dose
    assert (rows["hydrochlorothiazide"].action.value, rows["hydrochlorothiazide"].prompt) == (
        "undecided",
        Prompt.PART_LEFT,
    )


def test_a_combination_on_the_list_takes_the_place_of_its_part() -> None:
    actions = actions_of(WARD + "MEDICATIONS:\nlisinopril 20 mg daily\n", "Zestoretic 20/12.5 mg daily")
    assert actions == {"Zestoretic (lisinopril-hydrochlorothiazide)": "changed"}


def test_both_parts_of_a_combination_on_the_list_leave_nothing_over() -> None:
    note = WARD + "MEDICATIONS:\nlisinopril/HCTZ 20/12.5 mg daily\n"
    actions = actions_of(note, "lisinopril 20 mg daily", "hydrochlorothiazide 12.5 mg daily")
    assert actions == {"lisinopril": "changed", "hydrochlorothiazide": "changed"}


def test_a_name_that_is_less_exact_than_the_lists_is_a_question() -> None:
    rows = rows_of(WARD + "MEDICATIONS:\ninsulin\n", "insulin glargine 20 units at bedtime")
    assert [(row.action.value, row.prompt) for row in rows.values()] == [("undecided", Prompt.LESS_EXACT)]


def test_what_is_put_on_the_skin_is_another_medicine_than_the_same_swallowed() -> None:
    note = CLINIC + "MEDICATIONS:\nhydrocortisone cream topical bid\nhydrocortisone 10 mg po qam\n"
    actions = actions_of(note, "hydrocortisone 10 mg po qam")
    assert actions == {"hydrocortisone": "continue", "hydrocortisone cream": "undecided"}


def test_the_notes_own_discharge_list_is_the_list_where_the_request_has_none() -> None:
    note = (
        WARD + "MEDICATIONS:\naspirin 81 mg daily\nlisinopril 10 mg daily\nmetformin 500 mg bid\n"
        "DISCHARGE MEDICATIONS:\naspirin 81 mg daily\nlisinopril 20 mg daily\napixaban 5 mg b.i.d.\n"
    )
    rows = rows_of(note)
    assert {name: row.action.value for name, row in rows.items()} == {
        "lisinopril": "changed", "apixaban": "new", "aspirin": "continue", "metformin": "undecided",
    }  # fmt: skip
    assert {row.source for row in rows.values()} == {"discharge medicines", "the note and discharge medicines"}
    assert list(actions_of(note, "aspirin 81 mg daily")) == ["aspirin", "lisinopril", "metformin", "apixaban"]


# without one


def test_a_medicine_of_which_more_is_said_is_not_told_as_unchanged() -> None:
    note = CLINIC + "MEDICATIONS:\ngabapentin 300 mg t.i.d.\nASSESSMENT: Gabapentin toxicity, none for 3 days.\n"
    assert rows_of(note)["gabapentin"].prompt != Prompt.UNCHANGED


def test_what_is_restarted_on_a_day_waits_till_then() -> None:
    note = CLINIC + "MEDICATIONS:\nXarelto 20 mg with supper\nPLAN: Restart Xarelto on Thursday.\n"
    (row,) = rows_of(note).values()
    told = [text for text, _ in medicine_sentences((row,))]
    assert told == [
        "Wait before you take again: Xarelto (rivaroxaban) (the note says: \u201crestart on Thursday\u201d)."
    ]


def test_steps_of_a_course_are_told_in_their_order() -> None:
    (row,) = rows_of(CLINIC + "PLAN: Start apixaban 10 mg bid for 7 days then 5 mg bid.\n").values()
    assert row.action.value == "new"
    assert row.dose == "10 mg twice a day, for 7 days, then 5 mg twice a day"


def test_a_listed_medicine_about_which_nothing_is_decided_is_to_be_decided() -> None:
    rows = rows_of(WARD + HOME)
    assert {row.action.value for row in rows.values()} == {"undecided"}
    for row in rows.values():  # nobody has to go on with what is used when needed
        assert row.prompt == (Prompt.NEEDED_BEFORE if "as needed" in row.timing else Prompt.TAKEN_BEFORE)


def test_a_listed_medicine_that_a_visit_does_not_speak_of_is_told_as_not_changed() -> None:
    rows = rows_of(CLINIC + HOME + DECIDED)
    assert {(row.action.value, row.prompt) for row in rows.values()} == {("undecided", Prompt.UNCHANGED)}
    (told,) = (text for text, _ in medicine_sentences(tuple(rows.values())))
    assert told.startswith("Listed as taken, and not changed at this visit: ") and "metformin 500 mg" in told


def test_a_clinics_plan_may_continue_all_or_one() -> None:
    assert actions_of(CLINIC + HOME + "PLAN: Continue current medications.") == {
        "Lasix (furosemide)": "continue", "metformin": "continue", "zolpidem": "as_needed",
    }  # fmt: skip
    assert actions_of(CLINIC + HOME + "PLAN: Continue metformin.")["metformin"] == "continue"
    assert actions_of(CLINIC + HOME + "PLAN: Continue metformin.")["zolpidem"] == "undecided"


def test_to_continue_all_medicines_in_hospital_says_nothing_of_home() -> None:
    actions = actions_of(WARD + HOME + "PLAN: Continue home medications.")
    assert set(actions.values()) == {"undecided"}


PLAN = "PLAN: Increase Lasix to 80 mg daily. Stop metformin because of kidney injury. Hold zolpidem. Start amlodipine 5 mg daily. Consider sertraline 50 mg daily."


def test_a_clinics_own_decisions_hold() -> None:
    rows = rows_of(CLINIC + HOME + PLAN)
    assert {name: row.action.value for name, row in rows.items()} == {
        "Lasix (furosemide)": "changed", "amlodipine": "new", "metformin": "stopped", "zolpidem": "on_hold",
    }  # fmt: skip
    assert (rows["Lasix (furosemide)"].old_dose, rows["Lasix (furosemide)"].dose) == ("40 mg once a day", "80 mg")
    assert rows["metformin"].reason == "kidney injury"
    assert rows["metformin"].statement_ids


def test_what_a_hospital_starts_changes_or_holds_is_asked_for_home_and_a_stop_holds() -> None:
    rows = rows_of(WARD + HOME + PLAN)
    assert {name: row.prompt for name, row in rows.items()} == {
        "metformin": "",
        "Lasix (furosemide)": Prompt.CHANGED_IN_STAY,
        "zolpidem": Prompt.HELD_FOR_STAY,
        "amlodipine": Prompt.STARTED_IN_STAY,
    }
    assert rows["metformin"].action.value == "stopped"


def test_what_was_given_here_alone_is_of_the_hospital() -> None:
    note = WARD + "HOSPITAL COURSE: He was given ceftriaxone 1 g IV daily.\n"
    assert actions_of(note) == {"ceftriaxone": "hospital_only"}
    assert actions_of(note, "ceftriaxone 1 g IM daily") == {"ceftriaxone": "new"}


def test_courses_that_are_over_and_other_peoples_medicines_are_no_rows() -> None:
    note = (
        WARD
        + "FAMILY HISTORY: His mother takes insulin.\nHISTORY OF PRESENT ILLNESS: He took methotrexate in the past."
    )
    assert actions_of(note) == {}


def test_stopped_before_not_taken_and_run_out_are_questions() -> None:
    note = (
        CLINIC + "HISTORY: He ran out of lisinopril. He stopped his sertraline in March. He refuses his metoprolol.\n"
    )
    assert {name: row.prompt for name, row in rows_of(note).items()} == {
        "lisinopril": Prompt.RAN_OUT,
        "sertraline": Prompt.STOPPED_BEFORE,
        "metoprolol": Prompt.NOT_TAKEN,
    }


def test_a_listed_medicine_that_ran_out_is_no_contradiction() -> None:
    note = CLINIC + "HISTORY: He ran out of lisinopril two weeks ago.\nMEDICATIONS:\nlisinopril 10 mg daily\n"
    assert rows_of(note)["lisinopril"].prompt == Prompt.RAN_OUT


def test_a_restart_at_another_dose_is_a_change_with_old_and_new() -> None:
    note = (
        CLINIC + "HISTORY: She was on carbimazole 20 mg daily, stopped in September. "
        "We restarted carbimazole 5 mg once daily today.\n"
    )
    (row,) = rows_of(note).values()
    assert (row.action.value, row.dose, row.old_dose) == ("changed", "5 mg", "20 mg once a day")


def test_a_switch_from_a_drip_given_here_to_tablets_is_new_with_its_end() -> None:
    note = (
        "EMERGENCY DEPARTMENT NOTE\n\nHISTORY: Given clindamycin 600 mg IV in the department, "
        "switched to PO clindamycin 300 mg QDS until 14 Dec.\n"
    )
    (row,) = rows_of(note).values()
    assert (row.action.value, row.dose, row.timing) == ("new", "300 mg", "4 times a day, until 14 Dec")


def test_what_is_given_and_ended_here_is_nothing_to_stop_at_home() -> None:
    note = WARD + (
        "HISTORY OF PRESENT ILLNESS: He was given ceftazidime 2 g in the emergency room.\n\n"
        "ASSESSMENT AND PLAN:\n1. Bacteremia. Stop ceftazidime.\n"
    )
    assert actions_of(note) == {"ceftazidime": "hospital_only"}
    assert "sertraline" not in actions_of(note, "aspirin 81 mg daily")


def test_a_change_without_the_new_dose_is_a_question() -> None:
    rows = rows_of(CLINIC + HOME + "PLAN: Increase metformin.")
    assert rows["metformin"].prompt == Prompt.DOSE_NOT_STATED


# statements of one medicine


def test_statements_that_agree_are_one_row() -> None:
    note = CLINIC + "HISTORY: He takes Lasix.\n" + HOME
    assert [name for name in actions_of(note) if "furosemide" in name] == ["Lasix (furosemide)"]


def test_doses_that_disagree_are_one_row_that_states_both() -> None:
    (row,) = rows_of(CLINIC + "HISTORY: She takes warfarin 7.5 mg daily.\nMEDICATIONS:\nwarfarin 5 mg daily\n").values()
    assert (row.action.value, row.prompt) == ("undecided", Prompt.DOSES_DISAGREE)
    assert "5 mg once a day" in row.dose and "7.5 mg once a day" in row.dose


def test_parts_of_a_day_are_one_regimen() -> None:
    (row,) = rows_of(CLINIC + "MEDICATIONS:\nlamotrigine 150 mg a.m.\nlamotrigine 200 mg p.m.\n" + DECIDED).values()
    assert row.dose == "150 mg in the morning and 200 mg in the evening"
    assert row.prompt == Prompt.UNCHANGED


def test_decisions_that_disagree_are_one_row_that_states_both() -> None:
    rows = rows_of(CLINIC + HOME + "PLAN: Stop metformin. Continue metformin.")
    assert rows["metformin"].prompt.startswith(Prompt.DECISIONS_DISAGREE)
    assert "stopped; continued" in rows["metformin"].prompt


def test_a_stop_with_another_dose_than_the_one_taken_is_a_question() -> None:
    note = CLINIC + "MEDICATIONS:\ngabapentin 300 mg t.i.d.\nPLAN: Stop gabapentin 100 mg daily."
    (row,) = rows_of(note).values()
    assert row.prompt.startswith(Prompt.DECISIONS_DISAGREE)


def test_to_continue_a_bare_name_that_nothing_says_is_taken_is_a_question_but_at_a_visit() -> None:
    assert rows_of(WARD + "PLAN: Continue metformin.")["metformin"].prompt == Prompt.TAKEN_BEFORE
    assert actions_of(CLINIC + "PLAN: Continue metformin.") == {"metformin": "continue"}
    assert actions_of(CLINIC + "PLAN: Continue metformin 500 mg b.i.d.") == {"metformin": "continue"}


def test_a_clinicians_correction_beats_what_was_read() -> None:
    record = record_of(CLINIC + HOME + "PLAN: Continue metformin.")
    span = RecordSpan(start_char=0, end_char=9, text="metformin")
    said = MedicationStatement(
        id="medication-c", spans=(span,), concept_id="LN:metformin", name="metformin", author="Dr Ames",
        status=MedicationStatus.STOPPED, stated_by=StatedBy.CLINICIAN,
    )  # fmt: skip
    record = record.model_copy(update={"medications": (*record.medications, said)})
    rows = {row.name: row for row in medicine_rows(record, (), linker(), lambda place: ())}
    assert (rows["metformin"].action.value, rows["metformin"].source) == ("stopped", "a clinician")


# names, allergies, unknown ones


@pytest.mark.parametrize("entries", [(), ("Lasix 40 mg daily",), ("furosemide 80 mg daily",)])
def test_a_medicine_that_an_allergy_reaches_is_never_continued(entries: tuple[str, ...]) -> None:
    note = CLINIC + HOME + "PLAN: Continue current medications."
    row = next(row for row in rows_of(note, *entries, blocked=("LN:furosemide",)).values() if "urosemide" in row.name)
    assert (row.action.value, row.prompt) == ("undecided", Prompt.ALLERGY)


def test_a_combination_with_a_blocked_ingredient_is_never_continued() -> None:
    note = CLINIC + "MEDICATIONS:\nPercocet 5/325 mg q6h prn pain\nPLAN: Continue current medications."
    (row,) = rows_of(note, blocked=("LN:oxycodone",)).values()
    assert row.action.value == "undecided"


def test_a_stopped_medicine_that_an_allergy_reaches_stays_stopped() -> None:
    assert actions_of(CLINIC + HOME + "PLAN: Stop metformin.", blocked=("LN:metformin",))["metformin"] == "stopped"


def test_unknown_names_are_listed_and_compared_by_their_names() -> None:
    rows = rows_of(WARD + "MEDICATIONS:\nZorvexin 5 mg daily\n", "Zorvexin 5 mg daily", "Brelidan 2 mg daily")
    assert [(row.name, row.action.value, row.recognised) for row in rows.values()] == [
        ("Brelidan", "new", False),
        ("Zorvexin", "continue", False),
    ]
    assert all(row.ingredients == () for row in rows.values())


def test_doses_in_words_that_cannot_be_compared_are_no_change_but_a_question() -> None:
    row = rows_of(WARD + HOME, "metformin 500 mg slow IV bid")["metformin"]
    assert (row.action.value, row.prompt, row.old_dose) == ("undecided", Prompt.COMPARE, "500 mg twice a day")


def test_the_same_amount_in_words_that_cannot_be_compared_is_taken_as_listed() -> None:
    (row,) = rows_of(WARD + "MEDICATIONS:\nibuprofen 400 mg p.r.n.\n", "ibuprofen 400 mg slowly with supper").values()
    assert (row.action.value, row.prompt) == ("take", "")
    assert row.dose == "400 mg slowly with supper"


def test_a_slow_tablet_keeps_its_form_and_a_misspelt_name_is_mended() -> None:
    rows = rows_of(CLINIC + "MEDICATIONS:\nbupropion XL 150 mg qam\nLostartan 50 mg daily\nHCTZ 25 mg daily\n")
    assert list(rows) == ["bupropion XL", "losartan", "hydrochlorothiazide"]


def test_the_rows_are_numbered_in_their_order() -> None:
    rows = rows_of(CLINIC + HOME + PLAN)
    assert [row.id for row in rows.values()] == ["M1", "M2", "M3", "M4"]


def test_why_a_medicine_had_ended_is_no_reason_to_take_it_again() -> None:
    note = WARD + "HPI: He ran out of his torsemide two weeks ago and did not refill it.\n"
    row = rows_of(note, "torsemide 20 mg daily")["torsemide"]
    assert (row.action.value, row.reason) == ("new", "")
    (left,) = [one for one in rows_of(note).values() if one.name == "torsemide"]
    assert left.reason == "running out of it"


def test_what_is_surely_stopped_is_told_as_taken_or_stands_beside_the_word() -> None:
    listed = "MEDICATIONS:\nibuprofen 400 mg t.i.d.\nlosartan 50 mg daily\n"
    assert actions_of(f"{CLINIC}{listed}PLAN: Stop ibuprofen.\n")["ibuprofen"] == "stopped"
    assert actions_of(f"{CLINIC}PLAN: Stop ibuprofen.\n") == {"ibuprofen": "stopped"}
    assert actions_of(f"{CLINIC}HISTORY: He was started on ibuprofen in May.\nPLAN: Stop ibuprofen.\n") == {
        "ibuprofen": "stopped"
    }


def test_what_is_held_in_hospital_and_not_taken_at_home_is_not_the_patients() -> None:
    note = WARD + "MEDICATIONS:\nlosartan 50 mg daily\nPLAN: Hold losartan. Hold heparin until after the procedure.\n"
    rows = rows_of(note)
    assert rows["losartan"].prompt == Prompt.HELD_FOR_STAY
    assert rows["heparin"].prompt == Prompt.HELD_HERE
