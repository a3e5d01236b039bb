"""Procedures and devices: names known and unknown, status, date, side, and what is none."""

import pytest

from backend.nlp.extraction.linker import DictionaryLinker
from backend.schemas.record import PatientRecord, ProcedureStatus
from tests.nlp.fresh import linker
from tests.nlp.statement_reading import read_record


def statuses(record: PatientRecord) -> list[tuple[str, str]]:
    return [(one.name.lower(), one.status.value) for one in (*record.procedures, *record.devices)]


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("s/p appendectomy 2015", "past"),
        ("She underwent appendectomy in 2015.", "past"),
        ("She had an appendectomy eight years ago.", "past"),
        ("She will undergo appendectomy next week.", "planned"),
        ("He is scheduled for appendectomy.", "planned"),
        ("We recommend appendectomy.", "planned"),
        ("PLAN: Appendectomy.", "planned"),
        ("He declined appendectomy.", "not_done"),
        ("An appendectomy was not performed.", "not_done"),
        ("No prior appendectomy.", "not_done"),
        ("Today she underwent an appendectomy.", "done_now"),
        ("REASON FOR CONSULTATION: Fever. He was admitted in pain. He underwent appendectomy yesterday.", "done_now"),
        ("Pacemaker in situ.", "done_now"),
        ("The pacemaker was removed.", "past"),
        ("PAST SURGICAL HISTORY: Appendectomy.", "past"),
    ],
)
def test_a_procedure_or_device_has_its_status(text: str, status: str) -> None:
    assert [one[1] for one in statuses(read_record(text))] == [status]


def test_unknown_names_of_a_surgical_history_are_kept_and_others_are_not() -> None:
    text = "PAST SURGICAL HISTORY: 1. Left bunion shaving in 2002.\n2. Cataracts.\n3. None otherwise."
    found = read_record(text).procedures
    assert [(one.name, one.concept_id, one.status) for one in found] == [
        ("Left bunion shaving", None, ProcedureStatus.PAST),
        ("Cataracts", None, ProcedureStatus.PAST),
    ]
    assert (found[0].date, found[0].body_side) == ("2002", "left")


@pytest.mark.parametrize(
    "text",
    [
        "PAST SURGICAL HISTORY: None.",
        "PAST SURGICAL HISTORY: Noncontributory.",
        "PAST SURGICAL HISTORY: Denies.",
        "Surgery is consulted today for evaluation.",
        "FAMILY HISTORY: Mother had a mastectomy.",
        "Blood pressure 120/80.",
    ],
)
def test_what_is_no_procedure_of_the_patient(text: str) -> None:
    assert statuses(read_record(text)) == []


def test_surgeries_of_running_text_are_a_list() -> None:
    names = [
        one[0]
        for one in statuses(read_record("PMH: Gout. Surgeries include an appendectomy, cataracts, and hernia repair."))
    ]
    assert names == ["appendectomy", "cataracts", "hernia repair"]


def test_a_lexicon_mention_gives_the_name_and_a_longer_name_is_one(linker: DictionaryLinker) -> None:
    text = "HPI: A chest x-ray was performed today. She had a split thickness skin graft in 2004."
    record = read_record(text, linker.link(text).note.mentions)
    assert [(one.name, one.concept_id is None) for one in record.procedures] == [
        ("chest x-ray", False),
        ("split thickness skin graft", True),
    ]


def test_every_span_quotes_the_note() -> None:
    text = "He underwent right knee arthroscopy in March 2010, and the stent was removed."
    record = read_record(text)
    spans = [span for one in (*record.procedures, *record.devices) for span in one.spans]
    assert spans and all(text[span.start_char : span.end_char] == span.text for span in spans)
    assert (record.procedures[0].date, record.procedures[0].body_side) == ("March 2010", "right")


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("L mastectomy 1999.", "left"),
        ("Drained 2 L paracentesis in 2019.", ""),
        ("Left knee replacement 2010.", "left"),
    ],
)
def test_a_letter_is_the_side_of_an_operation_and_no_amount(text: str, side: str) -> None:
    assert [one.body_side for one in read_record(text).procedures] == [side]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("PMH: Gout, pacemaker 2019.", [("pacemaker placement", "past")]),
        ("PLAN: IUD at 6 weeks.", [("intrauterine device placement", "planned")]),
        ("The pacemaker is checked.", []),
        ("CT head without contrast negative.", [("CT of the head", "past")]),
        ("She had a C/S in 2014 for breech.", [("cesarean section", "past")]),
        ("Urine C/S sent.", [("urine culture", "past")]),
        ("He is awaiting R TKR.", [("knee replacement", "planned")]),
        ("Plan was made: CT chest in 6 weeks as outpatient.", [("CT of the chest", "planned")]),
    ],
)
def test_placing_a_device_is_a_procedure_and_a_negative_test_was_done(text: str, said: list[tuple[str, str]]) -> None:
    record = linker().read(text).record  # the starter's names
    assert record is not None
    assert [(one.name, one.status.value) for one in record.procedures] == said


HEAD = "DISCHARGE SUMMARY\nAdmitted: 05/02/2023\nDischarged: 05/09/2023\n\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (HEAD + "HOSPITAL COURSE: Cholecystectomy on 05/04/2023 went well.", ("done_now", "05/04/2023")),
        (HEAD + "HOSPITAL COURSE: Cholecystectomy on 05/04/2019.", ("past", "05/04/2019")),
        ("PROCEDURE: Appendectomy, 6/21\n\nHPI: Fever.", ("done_now", "6/21")),
        ("DIAGNOSIS: Gallstones\nProcedure: Cholecystectomy 3 February\n", ("done_now", "3 February")),
        ("HOSPITAL COURSE: Taken to the OR 3/13 for appendectomy.", ("done_now", "3/13")),
        ("PROCEDURE: Appendectomy.\n\nHPI: Pain 3/10.", ("done_now", "")),
    ],
)
def test_what_was_done_in_the_stay_is_of_now_and_has_its_day(text: str, told: tuple[str, str]) -> None:
    (one,) = read_record(text).procedures
    assert (one.status.value, one.date) == told


def test_a_day_that_opens_a_sentence_dates_all_that_was_done_in_it() -> None:
    text = "HPI: On 03/02/2011, she had a hysterectomy with bilateral oophorectomy and appendectomy. Seen 06/10/2011."
    assert {one[1] for one in statuses(read_record(text))} == {"past"}


def test_a_tube_that_was_placed_months_ago_is_there_and_its_placement_is_past() -> None:
    record = read_record("HPI: She had bilateral nephrostomy tubes placed two months ago. They leak today.")
    assert [one.status for one in record.devices] == [ProcedureStatus.DONE_NOW]
    assert [one.status for one in record.procedures] == [ProcedureStatus.PAST]
