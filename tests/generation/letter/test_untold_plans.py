"""Telegrams of a plan: told where they are read whole, else asked of the team with the note's words, and nothing twice."""

import pytest

from backend.generation.letter.story_selection import Part, Unit
from backend.generation.letter.untold.open_parts import lacks_course, names_appointment
from backend.generation.letter.untold.untold_plans import untold_plans
from backend.schemas.record import Encounter, PatientRecord, Setting
from backend.schemas.vocabulary import SectionCategory
from tests.generation.letter.conftest import StoryOf

BEGIN = "CLINIC VISIT\nHISTORY OF PRESENT ILLNESS: Mr. Aydin is a 66-year-old man who came with a cough.\n\nPLAN:\n"


@pytest.mark.parametrize(
    ("telegram", "words"),
    [
        ("Chest x-ray in 6 weeks.", "chest x-ray is to be done in 6 weeks"),
        ("Blood cultures pending.", "still awaited"),
        ("No driving for 2 weeks.", "you should not drive for 2 weeks"),
        ("Naproxen never again.", "naproxen never again"),
        ("To review in 2w INB.", "a visit is planned for you in 2 weeks if there is no improvement."),
        ("Review in 5-7d to discuss results.", "in 5-7 days to discuss results."),
        ("Review INB.", "please ask for a visit if there is no improvement."),
        ("Clinic review if symptoms persist.", "please ask for a clinic visit if the symptoms go on."),
    ],
)
def test_a_telegram_that_is_read_whole_is_told(story_of: StoryOf, telegram: str, words: str) -> None:
    note = story_of(f"{BEGIN}{telegram}\n")
    assert words in note.letter_text.lower()
    assert note.story.to_put == ()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Tea, rest, told to keep the arm up.", "you were told to keep the arm up."),
        (
            "For telephone appointment in 4 days to hear the result.",
            "the plan is for a telephone appointment in 4 days",
        ),
        ("Pt to collect the form from the desk.", "you should collect the form from the desk."),
        (
            "I do not think he needs a scan today; however, if the cough lasts, we will order one to be sure.",
            "but if the cough lasts, your team will order one",
        ),
        ("Repeat blood count was ordered.", "repeat blood count was ordered."),
        ("Physical therapy twice weekly for 6 weeks.", "physical therapy twice weekly for 6 weeks."),
        ("CXR if no better 2 weeks.", "a chest x-ray is to be done in 2 weeks if there is no improvement."),
        ("Do not lift with pain.", "do not lift with pain."),
    ],
)
def test_a_terse_plan_is_told_whatever_its_form(story_of: StoryOf, line: str, words: str) -> None:
    note = story_of(f"{BEGIN}{line}\n")
    assert words in note.letter_text.lower()
    assert note.story.to_put == ()


@pytest.mark.parametrize(
    "telegram",
    [
        "Same dose, split it as before.",
        "?PE -> CTPA.",
        "Gas 1/24, lactate.",
        "If spikes: repeat cultures, change line.",
    ],
)
def test_any_other_is_asked_of_the_team_with_the_note_s_words(story_of: StoryOf, telegram: str) -> None:
    note = story_of(f"{BEGIN}{telegram}\n")
    asked = " ".join(one.text for one in note.story.to_put)
    first = telegram.split(maxsplit=1)[0].strip("?:,.")
    assert first in asked
    assert first.lower() not in " ".join(one.text for one in note.story.decided).lower()


def test_what_is_left_out_stands_in_the_note_s_order() -> None:
    units = [
        Unit(start, end, text, SectionCategory.PLAN, (), Part.DECIDED, 1.0, "", False)
        for start, end, text in ((40, 48, "and last"), (0, 10, "first of  all,"))
    ]
    assert [one.text for one in untold_plans(units)] == ["first of all", "and last"]


def test_a_list_for_home_under_its_own_heading_is_a_plan(story_of: StoryOf) -> None:
    note = story_of(
        "HISTORY OF PRESENT ILLNESS: Mr. Aydin is a 66-year-old man who came with a cough.\n\n"
        "RESULTS: Chest x-ray clear.\n\nGoing home with:\n1. No driving for 2 weeks\n2. Chest x-ray in 6 weeks\n"
    )
    told = " ".join(one.text for one in note.story.decided).lower()
    assert "not drive for 2 weeks" in told and "chest x-ray is to be done in 6 weeks" in told


STAY = "DISCHARGE SUMMARY\n\nHOSPITAL COURSE:\n{}\n\nPLAN:\n{}\n"


@pytest.mark.parametrize(
    ("course", "plan"),
    [
        ("IV vanc x3d then PO, net -3 L. K 5.6 on HD1, ramipril held.", "No driving for 2 weeks."),
        ("R/o endocarditis - TEE neg. Cards consulted.", "Urine cx result pending."),
        ("Metformin stopped for eGFR 24.", "Kindly review need for statin."),
        ("TTE EF 50%, mild MR. Argatroban gtt 36h.", "Rest."),
        ("PT: 40 ft w/ RW, cleared.", "Pls titrate bisoprolol to HR 60."),
    ],
)
def test_what_happened_and_what_one_clinician_asks_of_another_is_not_asked(
    story_of: StoryOf, course: str, plan: str
) -> None:
    note = story_of(STAY.format(course, plan))
    assert note.story.to_put == ()
    assert "kindly" not in note.letter_text.lower() and "pls" not in note.letter_text.lower()


@pytest.mark.parametrize(
    "plan",
    [
        "If wt up 2 kg in 3 d take extra bumetanide 1 & call HF RN.",
        "DNR/DNI, POLST in chart.",
        "RTC 3 wk PA for pin removal, 8wk w/ films.",
    ],
)
def test_a_decision_for_home_that_cannot_be_told_is_asked(story_of: StoryOf, plan: str) -> None:
    note = story_of(STAY.format("Treated with antibiotics.", plan))
    assert [one.text for one in note.story.to_put] == [plan.rstrip(".")]


def test_of_a_decision_what_is_read_is_told_and_the_rest_asked(story_of: StoryOf) -> None:
    note = story_of(STAY.format("Treated.", "Stroke clinic 5/22 9:15 - restart apixaban 5 bid if MRI w/o HT."))
    assert "A visit at the stroke clinic is planned for you on 5/22 at 9:15." in note.letter_text
    assert [one.text for one in note.story.to_put] == ["restart apixaban 5 bid if MRI w/o HT"]
    whole = story_of(STAY.format("Treated.", "No driving - unless the tracing is clear."))
    assert "You should not drive." not in whole.letter_text  # what leans on a part stays with it


def test_an_incidental_finding_with_its_plan_is_not_lost(story_of: StoryOf) -> None:
    note = story_of(STAY.format("Incidental 8 mm LLL nodule on CT, repeat CT 3-6 months.", "Rest."))
    asked = " ".join(one.text for one in note.story.to_put)
    assert "repeat CT 3-6 months" in asked or "to be repeated in 3-6 months" in note.letter_text


@pytest.mark.parametrize(
    ("setting", "goes_home", "note", "told", "lacks"),
    [
        (Setting.ADMISSION, False, "She came with a cough.", True, True),
        (Setting.ADMISSION, True, "She came with a cough.", True, False),
        (Setting.ADMISSION, True, "She came with a cough.", False, True),
        (Setting.UNKNOWN, False, "HOSPITAL COURSE: She was treated with antibiotics.\n", False, False),
        (Setting.UNKNOWN, False, "She came with a cough.", False, True),
        (Setting.UNKNOWN, False, "She came with a cough. Chest x-ray was clear.", True, False),
        (Setting.CLINIC, False, "She came with a cough.", False, False),
    ],
)
def test_the_course_of_a_stay_is_asked_where_the_note_tells_none(
    setting: Setting, goes_home: bool, note: str, told: bool, lacks: bool
) -> None:
    record = PatientRecord(encounter=Encounter(id="encounter", setting=setting, goes_home=goes_home))
    assert lacks_course(record, note, told=told) is lacks


def test_appointments_are_asked_where_no_visit_has_its_time() -> None:
    assert not any(map(names_appointment, ("You should not drive for 2 weeks.", "Follow up with your doctor.")))
    assert names_appointment("A visit at the stroke clinic is planned for you in 6 weeks.")
    assert names_appointment("No follow-up visit is planned.")


def test_a_visit_and_what_brings_it_forward_are_told_apart(story_of: StoryOf) -> None:
    note = story_of(f"{BEGIN}Review in 1 week if no better, or earlier if worsening sx (fever, chest pain).\n")
    visit, sooner = note.story.decided
    assert visit.text == "A visit is planned for you in 1 week if there is no improvement."
    assert sooner.text == "Come back sooner if any of these happens: worsening symptoms (fever, chest pain)."
    assert (visit.help, sooner.help) == (False, True)
    assert note.story.to_put == ()


def test_reasons_are_found_and_a_label_is_never_told(story_of: StoryOf) -> None:
    note = story_of(
        "CHIEF COMPLAINT: Cough.\n\nASSESSMENT AND PLAN\n\nBronchitis.\n- Rationale: His cough has been dry.\n"
        "- Further testing: We will order a chest x-ray.\n- Counselling: I advised him to rest and drink plenty of water.\n"
        "- Consent: He understands and agrees with the plan.\n"
    )
    decided = " ".join(one.text for one in note.story.decided)
    assert decided == "Your team will order a chest x-ray. Your team advised you to rest and drink plenty of water."
    assert "Your cough had been dry." in [one.text for one in note.story.found]
    assert not any(label in note.letter_text for label in ("Rationale", "esting:", "ounselling", "onsent"))


def test_a_relative_s_history_is_no_plan(story_of: StoryOf) -> None:
    assert "family history" not in story_of(f"{BEGIN}No family history of gout. Walk each day.\n").letter_text.lower()


def test_a_visit_after_an_event_is_no_missing_appointment() -> None:
    assert names_appointment("You will follow up with the team once the results are back.")
    assert not names_appointment("Follow-up of blood tests if you are pale.")
