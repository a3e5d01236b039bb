"""Whether a text is a sentence: notes leave out verbs, subjects and articles."""

import pytest

from backend.generation.letter.plain_language.telegrams import has_finite_verb, is_telegram


@pytest.mark.parametrize(
    "text",
    [
        "Chest x-ray negative.",
        "History of gout and locally advanced cancer by the biopsy that was done in Leeds.",
        "Burning pain, which has improved.",
        "A wet cough, which keeps you awake at night.",
        "Hepatitis C treated and cleared.",
        "Nasal polyps, had surgery.",
        "At home, blood sugars high.",
        "Red, swollen left leg.",
        "Diabetes, poorly controlled.",
        "No further heart testing.",
        "Appendix removal when you were nine years old.",
        "Several spots noted on your arms.",
        "Dizzy on standing this am.",
        "Psoriasis diagnosed 12 years ago.",
        "Levomepromazine in the pump, vomited once.",
        "Now morphine in the pump, vomits every other day.",
        "Pollen wheeze - inhaler as needed, last used in May.",
        "Awake, smiling, ate soup and drank some tea.",
        "Cramps for days, vomited twice, used syrup only as you were worried.",
        "Bone scan repeat, it is overdue.",
        "Pills at night, explained it is for the pain.",
        "Ibuprofen stopped for good and you understood.",
        "Thyroid level 2.9 (was 7.1 in May).",
        "Pacemaker check if you faint again.",
        "Dizzy on day 2, so the water tablet was stopped.",
        "Slept 7 hours from Monday.",
        "Insulin booklet given.",
        "Nebuliser for partly collapsed lung.",
    ],
)
def test_a_telegram(text: str) -> None:
    assert is_telegram(text)


@pytest.mark.parametrize(
    "text",
    [
        "In March, your uncle died.",
        "This lasted until Friday.",
        "This showed a small leak.",
        "A heart tracing at that time was also normal.",
        "A scan done on 10/04/2011 showed a cyst.",
        "The sample of January 4, 2011, shows a cyst.",
        "Ultrasound showed a stone.",
        "You report a cough.",
        "The rash was worse when you were in the sun.",
        "The pain has gone.",
        "There is no fever.",
        "Your wife called 911.",
        "They only use this at night.",
        "Metformin is on hold.",
        "The crew recorded a low pressure.",
        "The scan that he had is clear.",
        "Labs were drawn and you went home.",
        "The lung slowly collapsed.",
        "A booklet was given.",
        "You were dizzy, so the water tablet was stopped.",
        "When you stood up, your legs gave way.",
        "Metformin, started in May, was stopped.",
        "Prednisone was started as you were short of breath.",
    ],
)
def test_a_sentence(text: str) -> None:
    assert not is_telegram(text)
    assert has_finite_verb(text)
