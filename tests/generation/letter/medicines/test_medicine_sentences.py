"""The medicine table as sentences."""

from backend.generation.letter.medicines.medicine_prompts import Prompt
from backend.generation.letter.medicines.medicine_sentences import (
    MOST_IN_ONE,
    medicine_cells,
    medicine_sentences,
)
from backend.schemas.drafts.gaps import ALSO_SO_FAR, SO_FAR, TO_CHECK, gaps_of
from backend.schemas.drafts.medicines import MedicineAction, MedicineRow
from tests.generation.letter.reading import CLINIC, rows_of


def row(action: MedicineAction, name: str, **fields: object) -> MedicineRow:
    return MedicineRow.model_validate({"id": "M1", "action": action, "name": name, "source": "the note", **fields})


def said(*rows: MedicineRow) -> list[str]:
    return [text for text, _ in medicine_sentences(rows)]


def test_each_group_has_its_words() -> None:
    rows = (
        row(MedicineAction.CONTINUE, "aspirin", dose="81 mg", timing="once a day"),
        row(MedicineAction.CONTINUE, "Lasix (furosemide)", dose="40 mg", reason="swelling"),
        row(MedicineAction.AS_NEEDED, "zolpidem", dose="5 mg", timing="at bedtime, as needed"),
        row(MedicineAction.CHANGED, "warfarin", dose="2.5 mg", timing="once a day", old_dose="5 mg once a day"),
        row(MedicineAction.NEW, "amoxicillin", dose="500 mg", timing="3 times a day, for 5 days"),
        row(MedicineAction.STOPPED, "ibuprofen", dose="400 mg", reason="kidney injury"),
        row(MedicineAction.ON_HOLD, "metformin", reason="contrast"),
        row(MedicineAction.UNDECIDED, "sertraline", dose="50 mg", prompt=Prompt.NOT_ON_LIST),
    )
    assert said(*rows) == [
        "Keep taking: aspirin 81 mg, once a day; Lasix (furosemide) 40 mg, for swelling.",
        "Take only when needed: zolpidem 5 mg, at bedtime.",
        "Changed: warfarin 2.5 mg, once a day (before: 5 mg once a day).",
        "New: amoxicillin 500 mg, 3 times a day, for 5 days.",
        "Stop taking: ibuprofen because of kidney injury.",
        "Metformin because of contrast; sertraline: [team to complete: whether to take, change or stop]",
    ]


def test_what_was_only_tried_is_kept_apart_from_what_is_to_be_stopped() -> None:
    rows = (
        row(MedicineAction.STOPPED, "ibuprofen", reason="kidney injury"),
        row(MedicineAction.STOPPED, "Topamax (topiramate)", reason="lack of effect", prompt=Prompt.TRIED),
        row(MedicineAction.STOPPED, "Keppra (levetiracetam)", reason="side effects", prompt=Prompt.TRIED),
    )
    assert said(*rows) == [
        "Stop taking: ibuprofen because of kidney injury.",
        "Tried before and stopped: Topamax (topiramate) because of lack of effect; Keppra (levetiracetam) because of side effects.",
    ]


def test_what_was_given_in_hospital_alone_is_left_out() -> None:
    assert said(row(MedicineAction.HOSPITAL_ONLY, "ceftriaxone", dose="1 g")) == []
    assert said() == []


def test_a_reason_that_is_a_clause_is_quoted_and_not_bent() -> None:
    (text,) = said(row(MedicineAction.STOPPED, "ibuprofen", reason="he was dizzy"))
    assert text == "Stop taking: ibuprofen (the note says why: \u201che was dizzy\u201d)."


def test_what_a_reason_leaves_open_in_a_bracket_is_not_told() -> None:
    (text,) = said(row(MedicineAction.STOPPED, "olanzapine", reason="weight gain (11 kg"))
    assert text == "Stop taking: olanzapine because of weight gain."
    (text,) = said(row(MedicineAction.STOPPED, "ramipril", reason="kidney injury (mild)"))
    assert text == "Stop taking: ramipril because of kidney injury (mild)."


def test_questions_of_one_kind_stand_together_and_long_lists_are_cut() -> None:
    rows = [row(MedicineAction.UNDECIDED, f"drug {n}", prompt=Prompt.TAKEN_BEFORE) for n in range(MOST_IN_ONE + 1)]
    rows.append(row(MedicineAction.UNDECIDED, "other", dose="5 mg", prompt=Prompt.ALLERGY))
    rows.append(row(MedicineAction.UNDECIDED, "another", dose="5 mg", prompt=Prompt.DOSES_DISAGREE))
    texts = said(*rows)
    assert texts == [
        f"{SO_FAR}: drug 0; drug 1; drug 2.",
        f"{ALSO_SO_FAR}: drug 3; drug 4; drug 5.",
        "[team to complete: which of these to take, change or stop]",
        "Other: [team to complete: whether to take, change or stop]",
        "Another: [team to complete: the right dose]",
    ]


def test_what_is_told_as_taken_has_its_dose_and_what_for_and_the_question_stands_apart() -> None:
    taken = row(MedicineAction.UNDECIDED, "Norvasc", dose="5 mg", timing="once a day", prompt=Prompt.TAKEN_BEFORE)
    needed = row(
        MedicineAction.UNDECIDED, "senna", timing="as needed", reason="constipation", prompt=Prompt.NEEDED_BEFORE
    )
    nerves = row(MedicineAction.UNDECIDED, "Buspar", reason="her nerves", prompt=Prompt.TAKEN_BEFORE)
    assert said(taken, needed, nerves) == [
        f"{SO_FAR}: Norvasc 5 mg, once a day; senna as needed for constipation; Buspar.",
        "[team to complete: which of these to take, change or stop]",
    ]
    assert said(taken)[1] == "Norvasc: [team to complete: whether to take, change or stop]"


def test_what_something_speaks_against_is_told_as_listed_and_to_be_checked() -> None:
    dose = row(MedicineAction.UNDECIDED, "Actos", dose="45 mg", timing="twice a day", prompt=Prompt.DOSE_UNUSUAL)
    against = row(MedicineAction.UNDECIDED, "Xanax", dose="1 mg", prompt=f"{Prompt.AGAINST}: asthma. {Prompt.KEEP}")
    left = row(MedicineAction.UNDECIDED, "Zestril", dose="5 mg", prompt=f"{Prompt.AGAINST}: pregnancy. {Prompt.LEAVE}")
    assert said(dose, against, left) == [
        f"{TO_CHECK}: Actos 45 mg, twice a day (the dose is to be checked); Xanax 1 mg.",
        "[team to complete: which of these to take, change or stop]",
        "Zestril: [team to complete: whether to take, change or stop]",
    ]


def test_a_course_begun_in_the_stay_is_asked_about_by_its_name() -> None:
    begun = row(MedicineAction.UNDECIDED, "Zosyn", dose="3 g", prompt=Prompt.STARTED_IN_STAY)
    assert said(begun) == ["Zosyn: [team to complete: whether to go on at home]"]


def test_brackets_of_a_name_leave_the_gap_whole() -> None:
    (text,) = said(row(MedicineAction.UNDECIDED, "insulin [human]", prompt=Prompt.STOP_MEANT))
    (gap,) = gaps_of([("Your medicines", text)], frozenset())
    assert gap.prompt == "whether to take, change or stop"


def test_a_sentence_cites_the_pieces_of_all_its_rows() -> None:
    rows = tuple(rows_of(CLINIC + "MEDICATIONS:\naspirin 81 mg daily\nLasix 40 mg daily\n").values())
    ((text, cites), (asked, asking)) = medicine_sentences(rows)
    assert (asked, asking) == ("[team to complete: which of these to take, change or stop]", cites)
    assert "aspirin 81 mg, once a day; Lasix (furosemide) 40 mg, once a day" in text
    assert cites == ("N4", "N5")


def test_no_history_is_told_that_the_note_lets_nobody_be_sure_of() -> None:
    asked = {
        Prompt.TAKEN_BEFORE: "Ask your team. Do not start or stop it by yourself",
        Prompt.STOP_MEANT: "Ask your team before any dose",
        Prompt.HELD_FOR_STAY: "The note speaks of putting it on hold, so ask your team whether to leave it out for now",
        Prompt.PLANNED: "Ask your team whether, when and how to use it",
        Prompt.DOSES_DISAGREE: "Ask your team for the right dose",
    }
    for prompt, text in asked.items():
        one = row(MedicineAction.UNDECIDED, "drug", prompt=prompt)
        assert medicine_cells(one) == ("drug", "", "", "", text)
        told = said(one)
        asks = f"{SO_FAR}: drug." if prompt == Prompt.TAKEN_BEFORE else "Drug: [team to complete: "
        assert told[0].startswith(asks) and "[team to complete: " in told[-1]


def test_what_nothing_tells_to_be_of_home_is_left_out() -> None:
    for prompt in (
        Prompt.PLAN_OF_STAY, Prompt.HELD_HERE, Prompt.NOT_TAKEN_HERE, Prompt.NOT_TAKEN,
        Prompt.STOPPED_BEFORE, Prompt.NAMED_ONLY,
    ):  # fmt: skip
        assert said(row(MedicineAction.UNDECIDED, "drug", prompt=prompt)) == []


def test_half_a_dose_is_none() -> None:
    notes = "MEDICATIONS:\nbisoprolol 5 at night\nmetformin 500 mg b.i.d.\nsertraline 50 mg po q tx nocte\n"
    (text, _) = said(*rows_of(CLINIC + notes).values())
    assert "bisoprolol;" in text
    assert "metformin 500 mg, twice a day" in text
    assert "nocte" not in text
