"""What a note says happens to a medicine, from the event and where it is told."""

import pytest

from backend.nlp.document.parsed_note import parse_note
from backend.nlp.medications.medicine_events import governing, is_present
from backend.nlp.medications.medicine_outcomes import Context, outcome
from backend.schemas.record import MedicationCategory as C
from backend.schemas.record import MedicationStatus as S
from backend.schemas.vocabulary import SectionCategory

STORY, PLAN, LIST = SectionCategory.HISTORY_OF_PRESENT_ILLNESS, SectionCategory.PLAN, SectionCategory.MEDICATIONS


def context(
    section: SectionCategory, *settings: str, listed: str = "", ordered: bool = False, past: bool = False
) -> Context:
    return Context(section, listed, frozenset(settings), False, ordered, past)


@pytest.mark.parametrize(
    ("event", "told", "status", "category", "change"),
    [
        ("", context(LIST), S.ACTIVE, C.COMMUNITY, ""),
        ("", context(PLAN), S.INTENDED, C.COMMUNITY, ""),
        ("", context(LIST, listed="LIST_INPATIENT"), S.ACTIVE, C.INPATIENT, ""),
        ("", context(LIST, listed="LIST_DISCHARGE"), S.INTENDED, C.DISCHARGE, ""),
        ("GIVEN", context(STORY), S.ACTIVE, C.INPATIENT, ""),
        ("GIVEN", context(STORY, "HOME"), S.ACTIVE, C.COMMUNITY, ""),
        ("GIVEN", context(STORY, "PAST_TIME"), S.COMPLETED, C.COMMUNITY, ""),
        ("TAKES", context(STORY, "PAST_TIME", past=True), S.COMPLETED, C.COMMUNITY, ""),
        ("TAKES", context(STORY, "PAST_TIME"), S.ACTIVE, C.COMMUNITY, ""),
        ("STARTED", context(PLAN), S.ACTIVE, C.COMMUNITY, "started"),
        ("ORDERED", context(PLAN), S.INTENDED, C.COMMUNITY, ""),
        ("ORDERED", context(PLAN, ordered=True), S.ACTIVE, C.INPATIENT, "started"),
        ("PRESCRIBED", context(PLAN), S.INTENDED, C.DISCHARGE, ""),
        ("PRESCRIBED", context(STORY), S.ACTIVE, C.COMMUNITY, ""),
        ("HELD", context(PLAN), S.ON_HOLD, C.COMMUNITY, ""),
        ("STOPPED", context(STORY), S.STOPPED, C.COMMUNITY, ""),
        ("INCREASED", context(PLAN), S.ACTIVE, C.COMMUNITY, "increased"),
    ],
)
def test_an_event_and_its_place_give_status_category_and_change(
    event: str, told: Context, status: S, category: C, change: str
) -> None:
    found = outcome(event, told)
    assert (found.status, found.category, found.change) == (status, category, change)


def test_what_a_hospital_course_tells_as_taken_at_home_is_no_medicine_of_the_hospital() -> None:
    told = context(SectionCategory.HOSPITAL_COURSE, "HOME")
    assert outcome("TAKES", told).category is C.COMMUNITY


def test_a_refusal_and_a_reason_are_told_apart_from_the_status() -> None:
    assert outcome("REFUSED", context(STORY)).refused
    assert not outcome("NOT_TAKEN", context(STORY)).refused
    assert outcome("RAN_OUT", context(STORY)).why_stopped == "ran out"


def test_an_event_that_no_row_names_is_refused() -> None:
    with pytest.raises(KeyError):
        outcome("SOLD", context(STORY))


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("She takes aspirin daily", "TAKES"),
        ("aspirin was stopped", "STOPPED"),
        ("aspirin - on hold", "HELD"),
        ("She was given aspirin", "GIVEN"),
        ("She takes a walk; aspirin", None),  # a semicolon ends its reach
        ("aspirin", None),
    ],
)
def test_the_nearest_trigger_governs_a_medicine(text: str, event: str | None) -> None:
    note = parse_note(text)
    at = note.words.index("aspirin")
    found = governing(note, note.sentences[0], at, at + 1, (0, len(note.words)))
    assert (found.event if found else None) == event


def test_a_verb_of_the_past_tells_nothing_of_today() -> None:
    for text, present in (("She takes aspirin", True), ("She was taking aspirin", False)):
        note = parse_note(text)
        (trigger, *_) = [one for one in note.triggers["medications/medication"] if one.row.event == "TAKES"]
        assert is_present(note, trigger) is present
