"""One test a rule of the medicine table, with notes written here."""

import pytest

from backend.generation.letter.medicines.medicine_reconciliation import Prompt
from backend.generation.letter.medicines.medicine_table import TableKnowledge, citers, medicine_rows
from backend.nlp.document.tokens import tokens
from backend.nlp.rules.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows
from backend.schemas.drafts.evidence import NotePiece
from backend.schemas.record import (
    MedicationCategory,
    MedicationStatement,
    MedicationStatus,
    PatientRecord,
    RecordSpan,
    Setting,
    StatedBy,
)
from tests.generation.letter.reading import CLINIC, WARD, actions_of, record_of, rows_of
from tests.nlp.fresh import linker

HOME = "MEDICATIONS:\nLasix 40 mg p.o. daily\nmetformin 500 mg b.i.d.\nzolpidem 5 mg h.s. p.r.n.\n"


def test_the_notes_of_these_tests_are_of_the_settings_they_name() -> None:
    assert record_of(CLINIC + HOME).encounter.setting is Setting.CLINIC
    assert record_of(WARD + HOME).encounter.setting is Setting.ADMISSION


# with a discharge list


def test_the_same_medicine_with_the_same_dose_is_continued_whatever_its_name() -> None:
    note = WARD + "MEDICATIONS:\nLasix 40 mg p.o. daily\nparacetamol 1 g QDS\nglipizide 5 mg b.i.d.\n"
    rows = rows_of(note, "furosemide 40 mg once a day", "Tylenol 1000 mg every 6 hours", "glipizide 5 mg q12h")
    assert {row.action.value for row in rows.values()} == {"continue"}
    assert list(rows) == [
        "furosemide, the same as Lasix",
        "Tylenol (acetaminophen), the same as paracetamol",
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
    rows = rows_of(WARD + HOME, "prednisone 40 mg x 3 days, then 20 mg x 3 days")
    assert rows["prednisone"].dose == "40 mg x 3 days, then 20 mg x 3 days"


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
    assert {row.source for row in rows.values()} == {"the note"}
    assert list(actions_of(note, "aspirin 81 mg daily")) == ["aspirin", "lisinopril", "metformin", "apixaban"]


# without one


def test_a_listed_medicine_about_which_nothing_is_decided_is_to_be_decided() -> None:
    for note in (CLINIC + HOME, WARD + HOME):
        rows = rows_of(note)
        assert {(row.action.value, row.prompt) for row in rows.values()} == {("undecided", Prompt.TAKEN_BEFORE)}


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
        "lisinopril": Prompt.STOPPED_BEFORE,
        "sertraline": Prompt.STOPPED_BEFORE,
        "metoprolol": Prompt.NOT_TAKEN,
    }
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
    (row,) = rows_of(CLINIC + "MEDICATIONS:\nlamotrigine 150 mg a.m.\nlamotrigine 200 mg p.m.\n").values()
    assert row.dose == "150 mg in the morning and 200 mg in the evening"
    assert row.prompt == Prompt.TAKEN_BEFORE


def test_decisions_that_disagree_are_one_row_that_states_both() -> None:
    rows = rows_of(CLINIC + HOME + "PLAN: Stop metformin. Continue metformin.")
    assert rows["metformin"].prompt.startswith(Prompt.DECISIONS_DISAGREE)
    assert "stopped; continued" in rows["metformin"].prompt


def test_a_stop_with_another_dose_than_the_one_taken_is_a_question() -> None:
    note = CLINIC + "MEDICATIONS:\ngabapentin 300 mg t.i.d.\nPLAN: Stop gabapentin 100 mg daily."
    (row,) = rows_of(note).values()
    assert row.prompt.startswith(Prompt.DECISIONS_DISAGREE)


def test_to_continue_a_bare_name_that_nothing_says_is_taken_is_a_question() -> None:
    assert rows_of(CLINIC + "PLAN: Continue metformin.")["metformin"].prompt == Prompt.TAKEN_BEFORE
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


@pytest.mark.parametrize("entry", ["metformin (discontinued)", "no more metformin"])
def test_an_entry_that_ends_a_medicine_stops_it(entry: str) -> None:
    assert rows_of(WARD + HOME, entry)["metformin"].action.value == "stopped"


@pytest.mark.parametrize(
    "entry",
    [
        "Metformin: do NOT resume",
        "metformin: do not take until Friday",
        "resume metformin 500 mg on Friday",
        "metformin 500 mg bid - CHANGED",
    ],
)
def test_words_of_an_entry_that_may_turn_it_round_make_it_a_question_in_its_own_words(entry: str) -> None:
    row = rows_of(WARD + HOME, entry)["metformin"]
    assert (row.action.value, row.prompt) == ("undecided", Prompt.LIST_UNCLEAR)
    assert row.dose == f"\u201c{entry}\u201d"


def test_an_entry_in_which_no_medicine_is_read_is_a_question() -> None:
    rows = rows_of(WARD + HOME, "same as before", "avoid ibuprofen")
    for name in ("same as before", "avoid ibuprofen"):
        assert (rows[name].action.value, rows[name].recognised) == ("undecided", False)


def test_a_dose_that_an_entry_states_twice_is_one_dose() -> None:
    row = rows_of(WARD + HOME, "metformin 500 mg tablet, take 1 tablet (500 mg) by mouth twice a day")["metformin"]
    assert (row.action.value, row.dose, row.timing) == ("continue", "1 tablet of 500 mg", "twice a day")


def test_doses_in_words_that_cannot_be_compared_are_no_change_but_a_question() -> None:
    row = rows_of(WARD + HOME, "metformin 500 mg slow IV bid")["metformin"]
    assert (row.action.value, row.prompt, row.old_dose) == ("undecided", Prompt.COMPARE, "500 mg twice a day")


def test_a_slow_tablet_keeps_its_form_and_a_misspelt_name_is_mended() -> None:
    rows = rows_of(CLINIC + "MEDICATIONS:\nbupropion XL 150 mg qam\nLostartan 50 mg daily\nHCTZ 25 mg daily\n")
    assert list(rows) == ["bupropion XL", "losartan", "hydrochlorothiazide"]


def test_the_rows_are_numbered_in_their_order() -> None:
    rows = rows_of(CLINIC + HOME + PLAN)
    assert [row.id for row in rows.values()] == ["M1", "M2", "M3", "M4"]


def test_no_text_of_a_list_is_too_odd() -> None:
    for entry in ("", "  ", "•", "1.", "5", "no changes", "x" * 500, "\n\t", "aspirin aspirin aspirin"):
        assert all(row.name for row in medicine_rows(PatientRecord(), (entry,), linker(), lambda place: ()))


def test_citers_find_the_piece_of_a_place_and_of_an_entry() -> None:
    def piece(name: str, kind: str, start: int, end: int) -> NotePiece:
        return NotePiece(id=name, note_type=kind, section=kind, text="x", start_char=start, end_char=end)

    pieces = [
        piece("N1", "Pasted note", 0, 10), piece("N2", "Pasted note", 10, 20), piece("N3", "Discharge medicines", 0, 5),
        piece("N4", "Discharge medicines", 0, 5), piece("N5", "General", 0, 30),
    ]  # fmt: skip
    cite, cite_entry = citers(pieces, ["aspirin", " ", "Lasix"])
    assert (cite(3), cite(10), cite(25)) == (("N1",), ("N2",), ())
    assert [cite_entry(number) for number in range(4)] == [("N3",), (), ("N4",), ()]


@pytest.mark.parametrize("row", trigger_rows("letter/continued"), ids=lambda row: row.id)
def test_the_examples_of_a_row_that_continues_all_are_read_as_it_says(row: TriggerRow) -> None:
    automaton = TriggerAutomaton(trigger_rows("letter/continued"))

    def found(text: str) -> bool:
        return any(one.row.id == row.id for one in automaton.find(plain_marks(tokens(text).words))["letter/continued"])

    assert all(map(found, row.yes))
    assert not any(map(found, row.no))


def test_a_discharge_statement_that_is_no_list_is_new() -> None:
    record = PatientRecord(
        medications=(
            MedicationStatement(
                id="medication-1", concept_id="LN:prasugrel", name="prasugrel", status=MedicationStatus.INTENDED,
                category=MedicationCategory.DISCHARGE, rule_ids=("medications/medication/discharged",),
            ),
        )
    )  # fmt: skip
    (row,) = medicine_rows(record, (), linker(), lambda place: ())
    assert row.action.value == "new"


# what is no medicine taken now, and what speaks against one


@pytest.mark.parametrize(
    ("history", "medicine", "reason"),
    [
        ("She has been on Topamax in the past, but it did not work.", "Topamax (topiramate)", "lack of effect"),
        ("He was started on Keppra, which made him feel bad.", "Keppra (levetiracetam)", "side effects"),
        (
            "We tried several medications, which have included lithium, with little response.",
            "lithium",
            "lack of effect",
        ),
    ],
)
def test_a_trial_that_is_over_is_stated_as_tried_with_why(history: str, medicine: str, reason: str) -> None:
    (row,) = rows_of(f"{CLINIC}HISTORY OF PRESENT ILLNESS: {history}\n").values()
    assert (row.name, row.action.value, row.prompt, row.reason) == (medicine, "stopped", Prompt.TRIED, reason)
    assert row.what_to_do == "Tried before and stopped"


def test_a_trial_that_is_over_is_no_row_beside_a_discharge_list_and_a_question_beside_a_list_of_home() -> None:
    tried = "HISTORY OF PRESENT ILLNESS: She was on Topamax, but it did not work.\n"
    assert list(rows_of(WARD + tried, "aspirin 81 mg daily")) == ["aspirin"]
    (row,) = rows_of(f"{WARD}{tried}MEDICATIONS:\nTopamax 25 mg daily\n").values()
    assert row.action.value == "undecided" and row.prompt.startswith(Prompt.DECISIONS_DISAGREE)


@pytest.mark.parametrize(
    ("note", "names"),
    [
        ("PAST MEDICAL HISTORY: Diabetes on insulin.\nMEDICATIONS:\nLantus 20 units at bedtime\n", ["Lantus (insulin glargine)"]),
        ("HOME MEDICATIONS: Include Lantus insulin.\n", ["Lantus (insulin glargine)"]),
        ("MEDICATIONS: Lantus insulin as well as oral hypoglycemics.\n", ["Lantus (insulin glargine)", "oral hypoglycemics"]),
        ("PAST MEDICAL HISTORY: Diabetes on insulin.\nMEDICATIONS:\nmetformin 500 mg daily\n", ["insulin", "metformin"]),
    ],
)  # fmt: skip
def test_a_class_beside_its_member_is_no_row_of_its_own(note: str, names: list[str], known: TableKnowledge) -> None:
    rows = medicine_rows(record_of(WARD + note), (), linker(), lambda _: (), note_text=WARD + note, known=known)
    assert [row.name for row in rows] == names


def test_what_is_not_tolerated_and_taken_all_the_same_is_not_stopped_without_the_team(known: TableKnowledge) -> None:
    note = f"{CLINIC}MEDICATIONS:\naspirin 81 mg daily\nmetformin 500 mg b.i.d.\n"
    concept = rows_of(note)["aspirin"].concept_id
    listed = known._replace(intolerances=frozenset({concept or ""}))
    rows = medicine_rows(record_of(note), (), linker(), lambda _: (), known=listed)
    assert [row.prompt for row in rows] == [Prompt.INTOLERANCE, Prompt.TAKEN_BEFORE]
    (row, _) = medicine_rows(record_of(note), (), linker(), lambda _: (), frozenset({concept or ""}), known=listed)
    assert row.prompt == Prompt.ALLERGY  # an allergy is never made light of


def test_what_speaks_against_a_medicine_is_asked_before_it_goes_on(known: TableKnowledge) -> None:
    note = f"{CLINIC}MEDICATIONS:\noxybutynin 5 mg daily\nmetformin 500 mg b.i.d.\nPLAN: Continue all medications.\n"
    concept = rows_of(note)["oxybutynin"].concept_id
    against = known._replace(against=lambda one: "Ask first" if one == concept else "")
    rows = medicine_rows(record_of(note), (), linker(), lambda _: (), known=against)
    assert {row.name: (row.action.value, row.prompt) for row in rows} == {
        "oxybutynin": ("undecided", "Ask first"), "metformin": ("continue", ""),
    }  # fmt: skip


def test_an_ingredient_of_a_combination_is_not_counted_apart() -> None:
    rows = rows_of(f"{CLINIC}MEDICATIONS:\nLortab 7.5/500 mg q 4h p.r.n.\nTylenol 500 mg q.6h. p.r.n.\n")
    assert rows["Tylenol (acetaminophen)"].prompt == f"{Prompt.SAME_TWICE} Lortab (hydrocodone-acetaminophen)"
    assert rows["Lortab (hydrocodone-acetaminophen)"].prompt == Prompt.TAKEN_BEFORE


@pytest.mark.parametrize(
    ("written", "name"),
    [("Birth control pills", "birth control pills"), ("oral hypoglycemics", "oral hypoglycemics"), ("water pill", "water pill (diuretic)")],
)  # fmt: skip
def test_a_class_is_called_what_the_note_calls_it(written: str, name: str) -> None:
    assert list(rows_of(f"{CLINIC}MEDICATIONS: {written}.\n")) == [name]


def test_the_afternoon_is_no_evening() -> None:
    (row,) = rows_of(f"{CLINIC}MEDICATIONS:\nLasix 20 mg in the afternoon\n").values()
    assert (row.dose, row.timing) == ("20 mg", "in the afternoon")


@pytest.mark.parametrize(
    ("written", "dosage"),
    [
        ("100 mg q.a.m. and sometimes 100 mg in the afternoon", "100 mg in the morning and 100 mg sometimes in the afternoon"),
        ("10 mg q.a.m. and occasionally 5 mg in the evening", "10 mg in the morning and 5 mg occasionally in the evening"),
        ("40 mg in the morning and 20 mg in the evening", "40 mg in the morning and 20 mg in the evening"),
    ],
)  # fmt: skip
def test_a_dose_that_is_taken_sometimes_stays_so(written: str, dosage: str) -> None:
    (row,) = rows_of(f"{CLINIC}MEDICATIONS:\nLasix {written}\n").values()
    assert row.dose == dosage


@pytest.mark.parametrize(
    ("written", "dosage"),
    [
        ("1000 mg daily, except 1500 mg on Mondays and Fridays", "1,000 mg once a day, except 1,500 mg on Mondays and Fridays"),
        ("5 mg Mon Wed Fri and 2.5 mg the other days", "5 mg Mon Wed Fri and 2.5 mg on the other days"),
        ("100 mcg daily except Sunday 50 mcg", "100 mcg once a day, except Sunday 50 mcg"),
        ("10 mg alternating with 5 mg every other day", "10 mg, alternating with 5 mg every other day"),
        ("5 mg daily except Sunday", "5 mg daily except Sunday"),
    ],
)  # fmt: skip
def test_different_doses_on_different_days_are_one_regimen(written: str, dosage: str) -> None:
    (row,) = rows_of(f"{CLINIC}MEDICATIONS:\nCoumadin {written}\n").values()
    assert row.dose == dosage


@pytest.mark.parametrize(
    ("written", "name", "dose", "timing"),
    [
        ("Advair 250/50 one puff b.i.d.", "Advair (fluticasone-salmeterol)", "1 puff of 250/50", "twice a day"),
        ("Hyzaar 50/12.5 mg q. day", "Hyzaar (losartan-hydrochlorothiazide)", "50/12.5 mg", "once a day"),
        ("Zestoretic 20/12.5 daily", "Zestoretic (lisinopril-hydrochlorothiazide)", "20/12.5", "once a day"),
        ("Lovenox 40 mg subcu daily", "Lovenox (enoxaparin)", "40 mg under the skin", "once a day"),
        ("Ambien 5 mg p.o. q.h.s. p.r.n.", "Ambien (zolpidem)", "5 mg", "at bedtime, as needed"),
        ("Lipitor 20 mg p.o. q. daily", "Lipitor (atorvastatin)", "20 mg", "once a day"),
        ("Multivitamins one daily", "multivitamins", "1", "once a day"),
        ("Tylenol #3 two q.6h.", "Tylenol #3 (acetaminophen-codeine)", "2 at a time", "every 6 hours"),
        ("Naprosyn 500 mg daily", "Naprosyn (naproxen)", "500 mg", "once a day"),
        ("Caltrate plus D b.i.d.", "Caltrate plus D (calcium-vitamin D)", "", "twice a day"),
    ],
)  # fmt: skip
def test_a_line_of_a_transcribed_list_is_stated_in_its_cells(written: str, name: str, dose: str, timing: str) -> None:
    (row,) = rows_of(f"{CLINIC}MEDICATIONS:\n{written}\n").values()
    assert (row.name, row.dose, row.timing) == (name, dose, timing)


@pytest.mark.parametrize(
    "said",
    [
        "She was given an information packet on Botox and Lyrica.",
        "Options include methotrexate, Humira, and Enbrel.",
        "Coumadin was discussed with the patient.",
        "Her flu shot was given last fall.",
    ],
)
def test_what_is_only_offered_or_was_had_once_is_no_row(said: str) -> None:
    assert list(rows_of(f"{CLINIC}{said}\n\nMEDICATIONS: Elavil 25 mg q.h.s.\n")) == ["Elavil (amitriptyline)"]


def test_what_no_longer_helps_is_taken_still() -> None:
    (row,) = rows_of(f"{CLINIC}MEDICATIONS:\nUltram 50 mg q.6h., which no longer helps.\n").values()
    assert row.prompt == Prompt.TAKEN_BEFORE


def test_an_unknown_dosage_is_no_reason() -> None:
    (row,) = rows_of(f"{CLINIC}MEDICATIONS: Ativan p.r.n. dosage unknown.\n").values()
    assert (row.timing, row.reason) == ("as needed", "")
