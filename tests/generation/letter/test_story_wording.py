"""How a unit is worded: blanks of de-identified notes, what is denied beside what is not, and what reads wrongly and is not told."""

import pytest

from backend.generation.letter.plain_language.clause_subjects import Addressee
from backend.generation.letter.plain_language.openings import with_names
from backend.generation.letter.plain_language.second_person import second_person
from tests.generation.letter.conftest import StoryOf


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ("Mr. ___ is a ___ year old man with gout.", "The patient is a man with gout."),
        ("___ is a 60 y/o F with a cough.", "The patient is a 60 y/o F with a cough."),
        ("We asked Mrs. [**Last Name**] to rest.", "We asked the patient to rest."),
        ("Seen by Dr. ___ at ___.", "Seen by Dr. ___ at ___."),
        ("___: cough", "___: cough"),
    ],
)
def test_a_blank_for_the_patient_is_named(written: str, named: str) -> None:
    assert with_names(written) == named


@pytest.mark.parametrize(
    ("written", "addressed"),
    [
        (
            "Ms. ___ is a ___ year old woman with gout who presents with a swollen toe.",
            "You have gout. You present with a swollen toe.",
        ),
        ("The patient is a male with gout.", "You have gout."),
        ("Patient with gout presenting with a swollen toe.", "You have gout. You presented with a swollen toe."),
    ],
)
def test_an_opening_without_name_or_age_is_turned(written: str, addressed: str) -> None:
    assert second_person(with_names(written), Addressee("female")) == addressed


@pytest.mark.parametrize(
    ("clause", "told"),
    [
        ("She denies cough, rash and chills.", "You reported no cough, rash or chills."),
        ("She denies cough, rash, and has had two falls.", "You reported no cough or rash, and had two falls."),
        ("No nausea, vomiting; has mild headache.", "You had no nausea or vomiting."),
        ("No nausea, vomiting; has mild headache.", "You had mild headache."),
        ("Husband states she has been tired.", "Your husband said you had been tired."),
    ],
)
def test_what_is_denied_and_what_is_not_keep_apart(story_of: StoryOf, clause: str, told: str) -> None:
    note = f"HISTORY OF PRESENT ILLNESS: She is a 44-year-old woman who came to the clinic with knee pain. {clause}\n"
    assert told in story_of(note).letter_text


@pytest.mark.parametrize(
    ("clause", "never"),
    [
        ("We have elbow pain, jaw pain, hip pain.", "Your team has"),
        ("Risks and benefits were explained and she consented.", "consented"),
        ("Then slipped bruising her right elbow.", "Then slipped"),
        ("She has gout status post hip replacement in 2005.", "after hip"),
    ],
)
def test_what_reads_wrongly_is_not_told_as_it_stands(story_of: StoryOf, clause: str, never: str) -> None:
    note = f"HISTORY OF PRESENT ILLNESS: She is a 44-year-old woman who came to the clinic with knee pain. {clause}\n"
    assert never not in story_of(note).letter_text


def test_a_dash_that_leads_to_nothing_ends_no_sentence(story_of: StoryOf) -> None:
    note = "HISTORY OF PRESENT ILLNESS: She is a 44-year-old woman who came to the clinic with knee pain. Her knee became swollen and red after a fall – and she could not walk –; this was on Monday.\n"
    told = story_of(note).letter_text
    assert "could not walk" in told and "–." not in told


def test_what_is_ruled_out_is_no_treatment_but_asked_of_the_team(story_of: StoryOf) -> None:
    note = story_of("CHIEF COMPLAINT: Knee pain.\n\nPLAN: Not a candidate for surgery. Refer to physical therapy.\n")
    assert "not a candidate" not in note.letter_text
    assert [one.text for one in note.story.to_put] == ["Not a candidate for surgery"]


def test_a_visit_is_what_somebody_was_seen_for(story_of: StoryOf) -> None:
    assert (
        "You were seen for follow-up of asthma."
        in story_of(
            "CHIEF COMPLAINT: Follow-up of asthma.\n\nHISTORY OF PRESENT ILLNESS: She feels well.\n"
        ).letter_text
    )


@pytest.mark.parametrize(
    ("clause", "told"),
    [
        ("She has gout status post hip surgery in 2005.", "You have gout and have had hip surgery in 2005."),
        (
            "She is a woman with coronary artery disease s/p CABG x3 in 2004 who came after a fall.",
            "and have had heart bypass surgery (3 grafts) in 2004. You came after a fall.",
        ),
        (
            "She fell after dinner and had a scan after the fall.",
            "You fell after dinner and had a scan after the fall.",
        ),
    ],
)
def test_status_post_tells_what_was_done_and_not_when(story_of: StoryOf, clause: str, told: str) -> None:
    assert (
        told in story_of(f"HISTORY OF PRESENT ILLNESS: She came to the clinic with knee pain. {clause}\n").letter_text
    )


STORY = "HISTORY OF PRESENT ILLNESS: Mrs. Ana Maria Duarte is a 58-year-old retired baker who came with a cough.{}\n"


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("", "You came with a cough."),
        (" She has R arm weakness and a L foot drop.", "You had right arm weakness and a left weak foot lift."),
        (" Gallstones were seen on US in 2021.", "were seen on ultrasound in 2021"),
        ("\n\nASSESSMENT: The 2020 TIA may well have been a seizure.", "may well have been a seizure"),
        (" Her last scan in 2021 showed two cysts that were drained.", "Your last scan in 2021 showed two cysts"),
        ("\n\nPLAN: She is to see Dr. Bello in 10 days.", "You are to see Dr. Bello in 10 days."),
        (
            "\n\nPLAN: No lifting beyond the baby's weight until six weeks.",
            "more than the weight of the baby until six weeks",
        ),
        ("\n\nPLAN: No driving for now.", "no driving for now"),
    ],
)
def test_sides_names_and_what_is_to_come_are_told_as_they_are_meant(story_of: StoryOf, more: str, told: str) -> None:
    assert told in story_of(STORY.format(more)).letter_text


def test_he_of_a_new_section_is_the_patient_and_not_who_was_named_before_it(story_of: StoryOf) -> None:
    note = (
        "HISTORY OF PRESENT ILLNESS: The patient is a 40-year-old man who came with a cut hand.\n\n"
        "IMAGING: The radiologist has not read the film.\n\nHOSPITAL COURSE: He was given a tetanus shot.\n"
    )
    assert "You were given a tetanus shot." in story_of(note).letter_text


def test_a_list_without_its_heading_names_no_symptom(story_of: StoryOf) -> None:
    note = "Ms. Roth came with a rash.\n\nBP 128/76. Mouth opening 3 cm, thick neck.\n"
    assert "thick neck" not in story_of(note).letter_text


@pytest.mark.parametrize(
    "title", ["Hospice unit - discharge home for end of life care", "End of life care - transfer home"]
)
def test_the_title_of_a_note_is_nobodys_wish(story_of: StoryOf, title: str) -> None:
    found = story_of(f"{title}\n\n58-year-old man with cancer of the pancreas. He came with pain.\n")
    asked = " ".join(one.text for one in found.story.to_put)
    assert "end of life" not in f"{found.letter_text} {asked}".lower()
    told = story_of("PLAN: End of life care at home, as she wishes.\n")
    assert "end of life" in " ".join((told.letter_text, *(one.text for one in told.story.to_put))).lower()


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("Slipped on wet leaves", "You slipped on wet leaves."),
        ("blacked out on the bus", "You blacked out on the bus."),
        ("6 mo f/u gout and BP", "You were seen for a 6-month follow-up of gout and blood pressure."),
        ("Tired all day for a year", "You were seen because you felt tired all day for a year."),
        ("Dizzy since Monday", "You were seen because you felt dizzy"),
        ("Swollen ankle", "You were seen because of swollen ankle."),
        ("follow-up after surgery", "You were seen for follow-up after surgery."),
    ],
)
def test_a_reason_is_told_by_what_it_is(story_of: StoryOf, reason: str, told: str) -> None:
    note = f"CHIEF COMPLAINT: {reason}\n\nPLAN: Rest.\n"
    assert told in story_of(note).letter_text


@pytest.mark.parametrize(
    ("written", "addressed"),
    [
        ("This lady felt giddy and fell onto her hip.", "You felt giddy and fell onto your hip."),
        ("This lady diagnosed with gout came with a cough.", "You have gout. You came with a cough."),
        ("Not passed urine since noon.", "Not passed urine since noon."),
        ("The patient given a splint.", "You were given a splint."),
        ("The patient informed of the result.", "You were informed of the result."),
        ("The patient told nurses of her pain.", "You told nurses of your pain."),
    ],
)
def test_a_sentence_gets_its_own_verb(written: str, addressed: str) -> None:
    assert second_person(written, Addressee("female")) == addressed


def test_a_diagnosis_in_short_words_is_no_shorthand(story_of: StoryOf) -> None:
    said = [
        one.text
        for one in story_of(
            "HISTORY OF PRESENT ILLNESS: A woman who carries a diagnosis of polycythemia vera.\n"
        ).story.sentences
    ]
    assert said == ["You have polycythemia vera."]
    clipped = [
        one.text
        for one in story_of("HISTORY OF PRESENT ILLNESS: She has a cough. She has an ankle frac.\n").story.sentences
    ]
    assert clipped and not any("frac " in f"{text.rstrip('.')} " for text in clipped)


def test_a_note_that_speaks_to_the_patient_is_told_in_its_own_words(story_of: StoryOf) -> None:
    note = "History: Hi, you tell me that you have had a cough for 2 weeks.\nYou have no chest pain.\nYou had asthma as a child.\n"
    told = story_of(note).letter_text
    assert "You have had a cough for 2 weeks." in told
    assert "You had asthma as a child." in told


def test_a_test_for_a_disease_names_nothing_that_was_had(story_of: StoryOf) -> None:
    note = "Hx: tingling in both hands for 2 weeks. Non smoker, normal blood tests for diabetes last year.\n"
    assert "diabetes" not in story_of(note).letter_text


def test_a_complaint_is_told_with_its_time_and_what_became_of_it(story_of: StoryOf) -> None:
    note = "PC: cough\n\nHPC: 2/7 hx of dry cough. Difficulty moving left arm, occurred after a fall. Mild SOB.\n"
    told = story_of(note).letter_text
    assert "difficulty moving left arm, which occurred after a fall" in told


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        (
            "She had a nephrostomy in May and cardioversion in June.",
            "cardioversion (a controlled shock to reset the heart rhythm)",
        ),
        ("She has an IVC filter.", "IVC filter (a filter that catches clots)"),
        ("She had a mass of the thigh, which was treated by excision in 2005.", "treated by surgical removal in 2005"),
        ("She had thoracoscopic drainage of a pleural effusion.", "drainage of fluid around the lung"),
        ("She had an MRI scan of the knee in May, and she fell.", "MRI scan (a magnet scan) of the knee"),
    ],
)
def test_an_operation_is_said_so_that_anybody_can_read_it(story_of: StoryOf, sentence: str, told: str) -> None:
    note = f"CHIEF COMPLAINT: Knee pain.\n\nHISTORY OF PRESENT ILLNESS: She came with knee pain. {sentence}\n"
    assert told in story_of(note).letter_text
