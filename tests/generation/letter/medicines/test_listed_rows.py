"""What becomes of the entries of a discharge list, the note's own or the request's, by what each says."""

import pytest

from backend.generation.letter.medicines.medicine_prompts import Prompt
from backend.generation.letter.medicines.medicine_sentences import medicine_sentences
from tests.generation.letter.reading import WARD, rows_of

HOME = "DISCHARGE SUMMARY\nAdmitted with a fall.\nHOME MEDICATIONS:\nlisinopril 10 mg daily\nfurosemide 20 mg daily\nwarfarin 5 mg daily\n"
TAKEN = "MEDICATIONS:\nLasix 40 mg p.o. daily\nmetformin 500 mg b.i.d.\nzolpidem 5 mg h.s. p.r.n.\n"


def actions(listed: str, home: str = HOME) -> dict[str, tuple[str, str, str]]:
    """Action, timing and reason by name."""
    rows = rows_of(f"{home}DISCHARGE MEDICATIONS:\n{listed}\n")
    return {name: (row.action.value, row.timing, row.reason) for name, row in rows.items()}


@pytest.mark.parametrize(
    ("entry", "name", "told"),
    [
        ("lisinopril 10 mg daily (unchanged)", "lisinopril", ("continue", "once a day", "")),
        ("furosemide 40 mg daily (increased from 20)", "furosemide", ("changed", "once a day", "")),
        ("losartan 50 mg daily - until seen", "losartan", ("new", "once a day, until seen", "")),
        ("warfarin 5 mg daily - hold until INR checked", "warfarin", ("on_hold", "once a day", "until INR checked")),
        ("prednisone 40 mg daily x 5 days then stop", "prednisone", ("new", "once a day, for 5 days then stop", "")),
        (
            "HOLD: warfarin until the visit, restart only if INR <3",
            "warfarin",
            ("on_hold", "as needed", "restart only if INR <3"),
        ),
        ("naproxen - stopped, stomach bleed", "naproxen", ("stopped", "", "stomach bleed")),
        ("oxycodone 5 mg q6h prn, no driving", "oxycodone", ("new", "every 6 hours, as needed", "")),
        ("senna 2 tablets at night while on opioids", "senna", ("new", "at night, while on opioids", "")),
    ],
)
def test_an_entry_is_what_its_remark_says(entry: str, name: str, told: tuple[str, str, str]) -> None:
    found = actions(entry)
    assert found[name] == told
    assert "opioids" not in found


def test_without_a_list_of_home_nothing_says_whether_an_entry_is_new() -> None:
    found = actions(
        "losartan 50 mg daily\nmetoprolol 25 mg bid (new)", home="DISCHARGE SUMMARY\nAdmitted with a fall.\n"
    )
    assert {name: told[0] for name, told in found.items()} == {"losartan": "take", "metoprolol": "new"}
    rows = rows_of("DISCHARGE SUMMARY\nDISCHARGE MEDICATIONS:\nlosartan 50 mg daily\n")
    assert [text for text, _ in medicine_sentences(tuple(rows.values()))] == ["Take: losartan 50 mg, once a day."]


def test_a_course_with_its_end_is_taken_and_is_not_on_hold() -> None:
    found = actions("prednisolone 30 mg om until 16/1 then stop, no taper")
    assert found["prednisolone"][:2] == ("new", "in the morning, until 16/1 then stop")


def test_a_medicine_that_one_entry_puts_off_and_another_gives_is_asked_about() -> None:
    found = actions("rivaroxaban 20 mg daily - RESUME 6/14\nrivaroxaban 10 mg daily 6/11, 6/12, 6/13 then go to 20")
    assert found["rivaroxaban"][0] == "undecided"


def test_what_an_entry_replaces_is_stopped() -> None:
    found = actions("apixaban 5 mg bid NEW, replaces warfarin\nlisinopril 10 mg daily\nfurosemide 20 mg daily")
    assert {name: told[0] for name, told in found.items()} == {
        "apixaban": "new", "lisinopril": "continue", "furosemide": "continue", "warfarin": "stopped",
    }  # fmt: skip


def test_what_was_taken_in_its_place_is_no_entry() -> None:
    found = actions("nadolol 20 mg at night - was propranolol 10 mg tid\nnaproxen - never again")
    assert (found["nadolol"][0], found["naproxen"][0]) == ("new", "stopped")
    assert "propranolol" not in found


def test_an_entry_said_to_be_the_same_at_another_dose_is_asked_about() -> None:
    assert actions("furosemide 40 mg daily - same")["furosemide"][0] == "undecided"


def test_below_a_heading_that_is_not_read_nothing_is_told_to_be_taken() -> None:
    found = actions("lisinopril 10 mg daily\nCrossed out by the ward:\nnaproxen 250 mg bid\namitriptyline 10 mg")
    assert (found["naproxen"][0], found["amitriptyline"][0]) == ("undecided", "undecided")


def test_entries_of_one_line_each_have_their_own_order() -> None:
    found = actions("Continue lisinopril 10 mg daily. New: apixaban 5 mg bid, docusate 100 mg bid. Stop furosemide.")
    assert {name: found[name][0] for name in ("lisinopril", "apixaban", "furosemide")} == {
        "lisinopril": "continue", "apixaban": "new", "furosemide": "stopped",
    }  # fmt: skip


def test_a_dose_without_a_unit_is_told_as_the_note_has_it() -> None:
    rows = rows_of(f"{HOME}DISCHARGE MEDICATIONS:\nlisinopril 10 daily, same\n")
    assert any("lisinopril “10”, once a day" in text for text, _ in medicine_sentences(tuple(rows.values())))


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ("Metformin: do NOT resume", ""),
        ("metformin: do not take until Friday", "until Friday"),
        ("metformin 500 mg bid - hold until the scan", "until the scan"),
        ("metformin 500 mg bid - restart 1/20", "restart 1/20"),
        ("metformin 500 mg bid - had contrast, hold, restart 2/14", "restart 2/14"),
    ],
)
def test_an_entry_that_puts_a_medicine_off_holds_it_with_its_end(entry: str, why: str) -> None:
    row = rows_of(WARD + TAKEN, entry)["metformin"]
    assert (row.action.value, row.reason) == ("on_hold", why)


@pytest.mark.parametrize("entry", ["metformin (discontinued)", "no more metformin"])
def test_an_entry_that_ends_a_medicine_stops_it(entry: str) -> None:
    assert rows_of(WARD + TAKEN, entry)["metformin"].action.value == "stopped"


@pytest.mark.parametrize(
    "entry",
    [
        "metformin 500 mg bid - CHANGED",
        "metformin 500 mg - not as before",
        "metformin 500 mg - refused",
    ],
)
def test_words_of_an_entry_that_may_turn_it_round_make_it_a_question_in_its_own_words(entry: str) -> None:
    row = rows_of(WARD + TAKEN, entry)["metformin"]
    assert (row.action.value, row.prompt) == ("undecided", Prompt.LIST_UNCLEAR)
    assert row.dose == f"\u201c{entry}\u201d"


def test_an_entry_in_which_no_medicine_is_read_is_a_question() -> None:
    row = rows_of(WARD + TAKEN, "same as before")["same as before"]
    assert (row.action.value, row.recognised) == ("undecided", False)


@pytest.mark.parametrize("entry", ["avoid ibuprofen", "no ibuprofen"])
def test_an_entry_that_forbids_a_medicine_says_so(entry: str) -> None:
    row = rows_of(WARD + TAKEN, entry)["ibuprofen"]
    assert (row.action.value, row.prompt) == ("stopped", "Do not take")


def test_a_dose_that_an_entry_states_twice_is_one_dose() -> None:
    row = rows_of(WARD + TAKEN, "metformin 500 mg tablet, take 1 tablet (500 mg) by mouth twice a day")["metformin"]
    assert (row.action.value, row.dose, row.timing) == ("continue", "1 tablet of 500 mg", "twice a day")
