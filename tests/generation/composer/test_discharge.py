"""Discharge instructions: what was felt is of this patient and of now, and nothing is said twice."""

from collections.abc import Callable
from typing import Any

import pytest

from backend.container import Container
from backend.generation.composer.written_so_far import WrittenSoFar
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Length

Write = Callable[..., Any]
NOTE = "Chief Complaint: leg swelling\n\nHPI: A 60-year-old woman has leg swelling. {}\n"


def besides(written: Any) -> str:
    return " ".join(s.text for s in written.sentences if s.section == "Why you came")


@pytest.mark.parametrize(
    "words",
    [
        "Her last naproxen course gave her a cough.",
        "In 2016 she had gout with a cough.",
        "Her 4 year old has had a cough.",
        "A coworker had a cough.",
        "Two years ago she had a cough.",
        "During her last flare she had a cough.",
        "Her kids have had a cough.",
        "Codeine gave her a cough.",
    ],
)
def test_an_earlier_course_or_another_person_s_complaint_is_not_stated_as_now(write: Write, words: str) -> None:
    said = besides(write(NOTE.format(words))).lower()
    assert "have a cough" not in said
    assert not any("because of" in one and "cough" in one for one in said.split("."))


@pytest.mark.parametrize(
    "words",
    ["She has a cough.", "In 2016 she had gout and now she has a cough.", "Since yesterday she has had a cough."],
)
def test_what_she_has_now_is_stated(write: Write, words: str) -> None:
    assert "cough" in besides(write(NOTE.format(words)))


def test_the_same_advice_in_other_words_is_no_news() -> None:
    written = WrittenSoFar()
    assert written.is_new("Ask your team before you take ibuprofen or naproxen, because both can raise potassium.")
    assert not written.is_new("Ask your team before you take ibuprofen or naproxen, since both drugs harm the heart.")
    assert written.is_new("Weigh yourself each morning and write the weight down.")
    assert not written.is_new("Weigh yourself each morning and write the weight down.")


def test_how_a_warning_begins_makes_no_repeat() -> None:
    written = WrittenSoFar()
    assert written.is_new("Call your doctor if your legs swell.")
    assert written.is_new("Call your doctor if your fever comes back.")


def test_what_needs_an_ambulance_is_said_even_after_what_needs_a_doctor() -> None:
    written = WrittenSoFar()
    assert written.is_new("Call your doctor if you vomit blood or pass black stool.")
    assert written.is_new("Call an ambulance (911 in the US) if you vomit blood or pass black stool.")
    assert not written.is_new("Call an ambulance (911 in the US) if you pass black stool or vomit blood.")


def test_a_sentence_of_the_story_is_a_repeat_only_where_it_says_no_more() -> None:
    written = WrittenSoFar()
    assert written.is_new("You had a lump on the wrist.", whole=True)
    assert written.is_new("You have had a lump on the wrist for a year, and it hurts at night.", whole=True)
    assert not written.is_new("The lump on the wrist hurts.", whole=True)


def test_what_the_patient_came_for_comes_before_a_story_that_does_not_name_it(write: Write) -> None:
    note = (
        "REASON FOR CONSULT: I was asked to see the patient for pneumonia.\n\nHPI: She has had a fever since Monday.\n"
    )
    first = next(s.text for s in write(note).sentences if s.section == "Why you came")
    assert "pneumonia" in first.lower()


def test_a_short_form_within_another_word_names_no_condition(container: Container) -> None:
    note = (
        "CHIEF COMPLAINT: Vomiting.\n\nHPI: She has kept taking her tablets and vomits.\n\n"
        "ASSESSMENT: AKI, gastroenteritis.\n"
    )
    found = container.pipeline("leapnote").run(DraftRequest(text=note))
    told = " ".join(s.text for s in found.sentences if s.section == "Why you came")
    assert "acute kidney injury" in told.lower()


SEDATED = (
    "HISTORY OF PRESENT ILLNESS: She was intubated for sepsis.\n"
    "PHYSICAL EXAM: She is sedated, lying in bed, with an ET tube in place.\n"
)


def test_nobody_who_lies_sedated_is_written_to_until_the_team_writes_of_the_way_home(container: Container) -> None:
    pipeline = container.pipeline("leapnote")
    here = " ".join(s.text for s in pipeline.run(DraftRequest(text=SEDATED)).sentences)
    assert "the patient cannot read this letter" in here and "Call" not in here
    course = "The tube came out on Monday."
    home = DraftRequest(text=SEDATED, hospital_course=course, discharge_medicines=("amoxicillin 500 mg daily",))
    told = " ".join(s.text for s in pipeline.run(home).sentences)
    assert course in told and "amoxicillin" in told and "cannot read" not in told


@pytest.mark.parametrize(("length", "told"), [(Length.SHORT, False), (Length.FULL, True)])
def test_a_short_letter_says_what_an_illness_means_once(container: Container, length: Length, told: bool) -> None:
    note = "Chief Complaint: cough\n\nHPI: A 60-year-old woman has a cough.\n\nAssessment: Pneumonia.\n"
    draft = container.pipeline("leapnote").run(DraftRequest(text=note, length=length))
    why = [s.text for s in draft.sentences if s.section == "Why you came"]
    assert any("pneumonia (" in one for one in why)
    assert any(one.startswith("Pneumonia ") for one in why) == told


OPERATED = "SURGERY DISCHARGE SUMMARY\n\nDIAGNOSIS: {}\n\nPROCEDURE: {}\n\nHOSPITAL COURSE: She did well.{}\n"


@pytest.mark.parametrize(
    ("diagnosis", "procedure", "told"),
    [
        ("Appendicitis.", "Appendectomy, 6/21", "You had an operation on 6/21: appendectomy"),
        ("Gallstones.", "Laparoscopic cholecystectomy 04/03", "You had an operation on 04/03: cholecystectomy"),
    ],
)
def test_an_operation_of_the_stay_is_told_once_with_its_day(
    container: Container, diagnosis: str, procedure: str, told: str
) -> None:
    said = " ".join(s.text for s in _letter(container, OPERATED.format(diagnosis, procedure, "")).sentences)
    assert said.count("You had an operation") == 1 and told in said


@pytest.mark.parametrize("history", ["PAST SURGICAL HISTORY: Appendectomy 2015.", "PLAN: Cholecystectomy in March."])
def test_an_operation_of_another_time_is_none_of_the_stay(container: Container, history: str) -> None:
    said = " ".join(s.text for s in _letter(container, NOTE.format("") + f"\n{history}\n").sentences)
    assert "You had an operation" not in said


def _letter(container: Container, text: str) -> Any:
    return container.pipeline("leapnote", "composer").run(DraftRequest(text=text))


def test_an_illness_is_called_no_narrower_than_the_note_calls_it(write: Write) -> None:
    said = besides(write('Chief Complaint: "I have a bad anxiety disorder."\n\nHPI: She sleeps poorly and is tense.\n'))
    assert "anxiety disorder" in said and "generalized" not in said


def test_the_note_s_own_warnings_open_when_to_get_help_and_take_nobody_s_room(write: Write) -> None:
    plan = "She will rest.{}"
    without = write(NOTE.format("") + f"\nPLAN: {plan.format('')}\n")
    own = write(
        NOTE.format("") + f"\nPLAN: {plan.format(' She should contact our office if the swelling gets worse.')}\n"
    )
    warnings = [s.text for s in own.sentences if s.section == "When to get help"]
    assert warnings[0] == "You should contact the office if the swelling gets worse."
    assert warnings[1:] == [
        s.text for s in without.sentences if s.section == "When to get help" and not s.text.startswith("[")
    ]
    assert not any("contact" in s.text for s in own.sentences if s.section == "Follow-up")
