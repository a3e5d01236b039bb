"""Whether a telegram fits its frame, and what of an operation or of a stay says too little to be told."""

import pytest

from tests.generation.letter.conftest import StoryOf

PLAN = "CHIEF COMPLAINT: Knee pain.\n\nPLAN: {}\n"


@pytest.mark.parametrize(
    ("clause", "never"),
    [
        ("Tetanus shot declined.", "Treatment: tetanus"),
        ("Senna.", "Treatment: Senna"),
        ("Insulin booklet given.", "booklet given"),
        ("Restart when Dr. Okafor allows.", "plan is to restart"),
        ("Hold until the scan.", "plan is to hold"),
        ("Ramipril not to be restarted before the clinic visit.", "Follow-up: ramipril"),
    ],
)
def test_a_telegram_is_told_in_no_frame_that_it_does_not_fit(story_of: StoryOf, clause: str, never: str) -> None:
    assert never.lower() not in story_of(PLAN.format(clause)).letter_text.lower()


@pytest.mark.parametrize(
    ("clause", "told"),
    [
        ("Tetanus shot in 5 years.", "Tetanus shot"),
        ("Senna 2 tablets at night.", "senna 2 tablets at night"),
        ("Restart naproxen when the rash has gone.", "restart naproxen"),
        ("Stop naproxen 1 week before.", "stop naproxen 1 week before"),
        ("No driving until off oxycodone.", "no driving until off oxycodone"),
    ],
)
def test_what_fits_its_frame_is_told(story_of: StoryOf, clause: str, told: str) -> None:
    assert told.lower() in story_of(PLAN.format(clause)).letter_text.lower()


def test_a_problem_is_no_activity(story_of: StoryOf) -> None:
    note = "CHIEF COMPLAINT: Knee pain.\n\nASSESSMENT: Tobacco dependence, declined patch.\n"
    assert "Activity:" not in story_of(note).letter_text


def test_an_operation_is_not_told_step_by_step(story_of: StoryOf) -> None:
    note = (
        "CHIEF COMPLAINT: Broken wrist.\n\nDESCRIPTION OF PROCEDURE: The patient was placed supine and the right arm was prepped. "
        "The fracture was reduced with a pointed clamp. A loose body was removed. She was turned onto her side.\n"
    )
    told = story_of(note).letter_text
    assert "loose body was removed" in told
    for step in ("lying on", "placed", "prepped", "clamp", "turned"):
        assert step not in told


def test_a_procedure_without_a_result_is_told_as_done(story_of: StoryOf) -> None:
    told = story_of(
        "CHIEF COMPLAINT: Trouble swallowing.\n\nPROCEDURE PERFORMED: Gastroscopy with biopsy.\n"
    ).letter_text
    assert "Tests found" not in told


@pytest.mark.parametrize("clause", ["She feels safe at home.", "Went home happy.", "She slept fine."])
def test_a_sentence_that_all_was_well_is_not_told(story_of: StoryOf, clause: str) -> None:
    note = f"CHIEF COMPLAINT: Knee pain.\n\nHISTORY OF PRESENT ILLNESS: She is a 44-year-old woman who came with knee pain. {clause}\n"
    assert clause.rsplit(maxsplit=1)[-1] not in story_of(note).letter_text


def test_what_another_person_has_is_not_the_patients(story_of: StoryOf) -> None:
    note = (
        "HISTORY OF PRESENT ILLNESS: Mr. Roth is a 50-year-old man who came with gout. He took two of his girlfriend's pills. "
        "She has rheumatoid arthritis.\n"
    )
    assert "rheumatoid" not in story_of(note).letter_text


def test_what_a_test_is_sent_for_is_no_finding(story_of: StoryOf) -> None:
    assert "infection" not in story_of("CHIEF COMPLAINT: Loose stool.\n\nASSESSMENT: C diff sent.\n").letter_text


@pytest.mark.parametrize(
    ("clause", "never"),
    [
        ("Measles immune.", "immune"),
        ("Copy to GP.", "GP"),
        ("Home with her sister.", "sister"),
        ("Tetanus booster 4/2.", "4/2"),
        ("Ibuprofen only.", "Treatment: ibuprofen only"),
        ("Results pending: none.", "awaited"),
        ("We will follow along with you.", "follow along"),
        ("Patient informed of results.", "informed"),
    ],
)
def test_what_is_no_plan_is_not_told_as_one(story_of: StoryOf, clause: str, never: str) -> None:
    assert never not in story_of(PLAN.format(clause)).letter_text


@pytest.mark.parametrize(
    ("clause", "told"),
    [
        ("Home with home oxygen.", "oxygen"),
        ("Ask optician about the new glasses.", "Ask your optician about the new glasses."),
    ],
)
def test_what_is_a_plan_stays_one(story_of: StoryOf, clause: str, told: str) -> None:
    assert told in story_of(PLAN.format(clause)).letter_text


def test_food_withheld_in_a_stay_is_over_when_the_letter_is_read(story_of: StoryOf) -> None:
    plan = "CHIEF COMPLAINT: Black stools.\n\nHe is admitted to the hospital.\n\nPLAN: {}\n"
    assert "nothing by mouth" not in story_of(plan.format("NPO after midnight.")).letter_text.lower()
    assert "nothing by mouth" in story_of(plan.format("NPO from midnight before surgery.")).letter_text.lower()


def test_how_somebody_lives_and_what_the_table_has_is_not_told(story_of: StoryOf) -> None:
    note = (
        "CHIEF COMPLAINT: Knee pain.\n\nSOCIAL HISTORY: Smoked until 2001. Lives in Oldtown, is married.\n\n"
        "HOSPITAL COURSE: He was admitted for heart failure. Ramipril 5 mg was started. He reported chocolate.\n\n"
        "DISCHARGE MEDICATIONS: Ramipril 5 mg daily.\n"
    )
    told = story_of(note).letter_text
    assert "admitted for heart failure" in told
    assert not any(words in told for words in ("smoke", "Oldtown", "married", "Ramipril 5 mg was started", "chocolate"))


def test_a_history_that_is_empty_but_for_one_thing_names_that_thing(story_of: StoryOf) -> None:
    note = "CHIEF COMPLAINT: Knee pain.\n\nPAST MEDICAL HISTORY: Essentially unremarkable except for migraine.\n"
    assert "Your medical history includes migraine." in story_of(note).letter_text
