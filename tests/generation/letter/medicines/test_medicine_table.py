"""One test a rule of the medicine table, with notes written here."""

import pytest

from backend.generation.letter.medicines.draft_medicines import citers
from backend.generation.letter.medicines.medicine_kinds import Against, TableKnowledge
from backend.generation.letter.medicines.medicine_prompts import Prompt
from backend.generation.letter.medicines.medicine_sentences import medicine_sentences
from backend.generation.letter.medicines.medicine_table import medicine_rows
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows
from backend.schemas.drafts.evidence import NotePiece
from backend.schemas.drafts.medicines import MedicineAction
from backend.schemas.record import (
    MedicationCategory,
    MedicationStatement,
    MedicationStatus,
    PatientRecord,
    Setting,
)
from tests.generation.letter.reading import CLINIC, DECIDED, WARD, record_of, rows_of
from tests.nlp.fresh import linker

HOME = "MEDICATIONS:\nLasix 40 mg p.o. daily\nmetformin 500 mg b.i.d.\nzolpidem 5 mg h.s. p.r.n.\n"


def test_the_notes_of_these_tests_are_of_the_settings_they_name() -> None:
    assert record_of(CLINIC + HOME).encounter.setting is Setting.CLINIC
    assert record_of(WARD + HOME).encounter.setting is Setting.ADMISSION


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
def test_the_examples_of_a_row_that_continuing_all_are_read_as_it_says(row: TriggerRow) -> None:
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
    note = f"{CLINIC}MEDICATIONS:\naspirin 81 mg daily\nmetformin 500 mg b.i.d.\n{DECIDED}"
    concept = rows_of(note)["aspirin"].concept_id
    listed = known._replace(intolerances=frozenset({concept or ""}))
    rows = medicine_rows(record_of(note), (), linker(), lambda _: (), note_text=note, known=listed)
    assert [row.prompt for row in rows] == [Prompt.INTOLERANCE, Prompt.UNCHANGED]
    (row, _) = medicine_rows(record_of(note), (), linker(), lambda _: (), frozenset({concept or ""}), known=listed)
    assert row.prompt == Prompt.ALLERGY  # an allergy is never made light of


def test_what_speaks_against_a_medicine_is_asked_before_it_goes_on(known: TableKnowledge) -> None:
    note = f"{CLINIC}MEDICATIONS:\noxybutynin 5 mg daily\nmetformin 500 mg b.i.d.\nPLAN: Continue all medications.\n"
    concept = rows_of(note)["oxybutynin"].concept_id
    against = known._replace(against=lambda one: Against("Ask first") if one == concept else Against())
    rows = medicine_rows(record_of(note), (), linker(), lambda _: (), known=against)
    assert {row.name: (row.action.value, row.prompt) for row in rows} == {
        "oxybutynin": ("undecided", "Ask first"), "metformin": ("continue", ""),
    }  # fmt: skip


def test_a_dose_far_above_the_usual_is_for_nobody_to_take(known: TableKnowledge) -> None:
    record = record_of(f"{CLINIC}MEDICATIONS:\nLasix 40 mg daily\nmetformin 500 mg daily\n")
    doubtful = known._replace(far_above=lambda one: one.name == "metformin")
    rows = medicine_rows(record, (), linker(), lambda place: (), known=doubtful)
    assert {row.name: row.prompt == Prompt.DOSE_UNUSUAL for row in rows} == {
        "Lasix (furosemide)": False,
        "metformin": True,
    }
    told = " ".join(text for text, _ in medicine_sentences(rows))
    assert "furosemide) 40 mg" in told and "metformin 500 mg, once a day (the dose is to be checked)" in told


def test_a_dose_without_a_unit_is_told_with_its_usual_one_which_the_clinician_sees(known: TableKnowledge) -> None:
    note = f"{CLINIC}MEDICATIONS:\nLasix 40 daily\nmetformin 500 mg b.i.d.\nPLAN: Lasix decreased to 20.\n"
    units = known._replace(usual_unit=lambda one: "mg")
    lasix, metformin = medicine_rows(record_of(note), (), linker(), lambda _: (), known=units)
    assert (lasix.dose, lasix.old_dose, lasix.usual_unit) == ("20 mg", "40 mg once a day", "mg")
    assert (metformin.dose, metformin.usual_unit) == ("500 mg", "")
    (entry,) = medicine_rows(record_of("A man of 70."), ["Aspirin 81 daily"], linker(), lambda _: (), known=units)
    assert (entry.dose, entry.usual_unit) == ("81 mg", "mg")
    (child, _) = medicine_rows(record_of(f"{note}\nA 7-year-old boy."), (), linker(), lambda _: (), known=units)
    assert child.usual_unit == ""  # as likely millilitres


def test_an_ingredient_of_a_combination_is_not_counted_apart() -> None:
    rows = rows_of(f"{CLINIC}MEDICATIONS:\nLortab 7.5/500 mg q 4h p.r.n.\nTylenol 500 mg q.6h. p.r.n.\n{DECIDED}")
    assert rows["Tylenol (acetaminophen)"].prompt == f"{Prompt.SAME_TWICE} Lortab (hydrocodone-acetaminophen)"
    assert rows["Lortab (hydrocodone-acetaminophen)"].prompt == Prompt.UNCHANGED


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
        ("Calcium and vitamin D daily", "Calcium and vitamin D", "", "once a day"),
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
    (row,) = rows_of(f"{CLINIC}MEDICATIONS:\nUltram 50 mg q.6h., which no longer helps.\n{DECIDED}").values()
    assert row.prompt == Prompt.UNCHANGED


def test_what_the_note_has_as_not_taken_asks_about_the_members_of_its_class(known: TableKnowledge) -> None:
    note = f"{CLINIC}HPI: She has not taken her anticoagulants for weeks.\nMEDICATIONS:\nwarfarin 5 mg daily\n"
    members = known._replace(classes=lambda one: {"LN:anticoagulant"} if one == "LN:warfarin" else ())
    (row,) = medicine_rows(record_of(note), (), linker(), lambda _: (), note_text=note, known=members)
    assert row.prompt.startswith(Prompt.CLASS_ENDED)


def test_where_a_medicine_is_put_is_told_with_its_name() -> None:
    assert list(rows_of(f"{CLINIC}MEDICATIONS: fluticasone nasal spray twice a day.\n")) == ["fluticasone nasal spray"]


def test_an_unknown_dosage_is_no_reason() -> None:
    (row,) = rows_of(f"{CLINIC}MEDICATIONS: Ativan p.r.n. dosage unknown.\n").values()
    assert (row.timing, row.reason) == ("as needed", "")


def test_what_is_listed_while_its_class_is_stopped_is_not_to_be_taken_unasked(known: TableKnowledge) -> None:
    listed = "MEDICATIONS:\nwarfarin 5 mg daily\nmetformin 500 mg b.i.d.\n"
    for history, prompt in (
        ("", Prompt.TAKEN_BEFORE),
        ("His anticoagulation was stopped.", Prompt.CLASS_ENDED),
    ):
        note = f"{WARD}HISTORY OF PRESENT ILLNESS: He bled after surgery. {history}\n{listed}"
        rows = medicine_rows(record_of(note), (), linker(), lambda _: (), note_text=note, known=known)
        prompts = {row.name: row.prompt for row in rows}
        assert prompts["warfarin"].startswith(prompt)
        assert prompts["metformin"] == Prompt.TAKEN_BEFORE
    # What speaks against it asks nobody to go on with what was stopped.
    asked = known._replace(against=lambda _: Against("Ask first, and do not stop it"))
    rows = medicine_rows(record_of(note), (), linker(), lambda _: (), note_text=note, known=asked)
    assert {row.name: row.prompt for row in rows}["warfarin"].startswith(Prompt.CLASS_ENDED)


@pytest.mark.parametrize(
    ("said", "prompt"),
    [
        ("In July he was prescribed Bactrim.", Prompt.BEGUN_BEFORE),
        ("He takes Bactrim.", Prompt.TAKEN_BEFORE),
        ("In July he was prescribed Bactrim.\nMEDICATIONS: Bactrim.", Prompt.TAKEN_BEFORE),
    ],
)
def test_what_was_once_begun_is_not_called_taken(said: str, prompt: Prompt) -> None:
    (row,) = rows_of(f"{WARD}HISTORY OF PRESENT ILLNESS: {said}\n").values()
    assert row.prompt == prompt


def test_a_course_that_is_over_and_a_rescue_pack_are_no_rows_of_a_discharge_list() -> None:
    rows = rows_of(
        "DISCHARGE SUMMARY\nDISCHARGE MEDICATIONS:\nRamipril 5 mg daily\nPrednisolone 30 mg - course finished (7/7 total)\n"
        "Rescue pack: doxycycline 100 mg - replace by GP\nEpiPen 0.15 mg prn - dose should be 0.3 mg, new script\n"
    )
    assert {name: row.prompt for name, row in rows.items()} == {
        "ramipril": "", "EpiPen (epinephrine)": Prompt.LIST_UNCLEAR,
    }  # fmt: skip


@pytest.mark.parametrize(
    "plan",
    [
        "We may add montelukast at the next visit.",
        "After her operation, start letrozole 2.5 mg daily.",
        "Perhaps stop metformin.",
    ],
)
def test_what_a_plan_thinks_of_or_puts_off_is_no_row_and_changes_none(plan: str) -> None:
    before = {name: row.action for name, row in rows_of(CLINIC + HOME).items()}
    after = {name: row.action for name, row in rows_of(f"{CLINIC}{HOME}PLAN: {plan}").items()}
    assert set(before) == set(after)
    assert MedicineAction.STOPPED not in after.values()


@pytest.mark.parametrize(
    ("plan", "course"),
    [
        ("Prednisone 30 mg daily x 5.", "for 5 days"),
        ("Methylprednisolone dose pack.", "dose pack"),
        ("Prednisone 60 mg, taper over two weeks.", "taper over two weeks"),
    ],
)
def test_a_short_course_is_told_with_its_end(plan: str, course: str) -> None:
    rows = [row for row in rows_of(f"{CLINIC}{HOME}PLAN: {plan}").values() if row.action is MedicineAction.NEW]
    assert [course in str(row) for row in rows] == [True]


@pytest.mark.parametrize(
    ("note", "name"),
    [
        (f"{CLINIC}HISTORY OF PRESENT ILLNESS: He took a Medrol Dosepak last week.", "Dosepak Dosepak"),
        (f"{CLINIC}{HOME}PLAN: Continue the 10-day course of antibiotics.", "course of"),
    ],
)
def test_words_of_a_course_before_or_in_a_name_are_not_told_behind_it(note: str, name: str) -> None:
    told = medicine_sentences(list(rows_of(note).values()))
    assert told and not any(name in str(one) for one in told)
