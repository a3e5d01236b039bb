"""Lines of a plan that leave out who is to act: told with who is, cut where another decision begins, and left as they are otherwise."""

import pytest

from backend.generation.letter.plan_items.plan_openings import FAMILY, decisions, opening_of_plan, with_agent
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows


@pytest.mark.parametrize("row", trigger_rows(FAMILY), ids=lambda row: row.id)
def test_the_examples_of_an_opening_are_read_as_it_says(row: TriggerRow) -> None:
    found = [opening_of_plan(text) for text in row.yes]
    assert all(one is not None and one.row.event == row.event for one in found)
    others = [opening_of_plan(text) for text in row.no]
    assert all(one is None or one.row.id != row.id for one in others)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Pt to collect the inhaler on Friday", "The patient should collect the inhaler on Friday"),
        ("For video review in 3 weeks", "The plan is for a video review in 3 weeks"),
        ("For bloods on Tuesday", "The plan is for bloods on Tuesday"),
        ("For CT scan of the chest", "The plan is for a CT scan of the chest"),
        ("Needs to be weighed each week", "The patient needs to be weighed each week"),
        ("Will need a splint if comes back", "The patient needs a splint if it comes back"),
        ("Need to exclude anaemia", "We need to exclude anaemia"),
        ("Will write with the outcome", "We will write with the outcome"),
        ("Will collect the splint from the ward", "The patient will collect the splint from the ward"),
        ("Will practise the exercises", "The patient will practise the exercises"),
        ("Will ring us if the rash spreads", "The patient will ring us if the rash spreads"),
        ("Will phone her with the result", "We will phone her with the result"),
        ("Will also send a letter", "We will send a letter"),
        ("Will see him again in May", "We will see him again in May"),
        ("Will be referred to the eye clinic", "The patient will be referred to the eye clinic"),
        ("In meantime advised to wear the splint", "In the meantime, the patient was advised to wear the splint"),
        ("Meanwhile told to rest", "Meanwhile, the patient was told to rest"),
        ("Adv to keep the wound dry", "The patient was advised to keep the wound dry"),
        ("Told not to drive", "The patient was told not to drive"),
        ("Advised swap tramadol for codeine", "Advised swap tramadol for codeine"),  # "swap" is in no table
        ("Advised replace tramadol with codeine", "The patient was advised to replace tramadol with codeine"),
        (
            "told if the rash spreads to send a photo",
            "The patient was told to send a photo if the rash spreads",
        ),
        ("If the fever lasts to ring us", "If the fever lasts, the patient should ring us"),
        ("To be seen by the nurse in 2 weeks", "The patient is to be seen by the nurse in 2 weeks"),
        ("Pt warned about drowsiness", "The patient was told about drowsiness"),
        ("May shower the next day", "The patient may shower the next day"),
        ("Might add a water pill", "We may add a water pill"),
        ("Would avoid ladders", "The patient should avoid ladders"),
        ("Would repeat the scan in June", "We would repeat the scan in June"),
        ("If the rash spreads, would start a cream", "If the rash spreads, the plan would be to start a cream"),
        ("If the swab grows, start penicillin", "If the swab grows, the plan is to start penicillin"),
        ("Unless it settles, could increase the dose", "Unless it settles, the plan could be to increase the dose"),
    ],
)
def test_who_is_to_act_is_said(line: str, said: str) -> None:
    assert with_agent(line) == said


@pytest.mark.parametrize(
    "line",
    [
        "He will walk daily.",
        "To be restarted at 40 mg",  # the medicine, and not the patient
        "Will taper, 10 mg for a week",  # of what is not said
        "Will fade by itself",  # neither the team nor the patient
        "Will be in touch",
        "Will stop smoking",
        "Will see the physio",
        "Will send a photo",
        "Will start walking",
        "Will contact the school",
        "If so switch to codeine",  # a medicine is no act
        "If he continues to limp, we will order a brace",
        "If the swelling begins to spread, we will repeat the scan",
        "If the swelling lasts, we will obtain a scan to look for a tear",
        "The patient was advised to rest.",
    ],
)
def test_what_leaves_out_nobody_stays(line: str) -> None:
    assert with_agent(line) == line


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("rest, ibuprofen, told to ring if worse", ["rest, ibuprofen", "told to ring if worse"]),
        ("needs a scan soon- will send the form", ["needs a scan soon", "will send the form"]),
        ("Heat for the spasm We will see her in May", ["Heat for the spasm", "We will see her in May"]),
        ("Ice for the knee we will refer her to a clinic", ["Ice for the knee", "we will refer her to a clinic"]),
        ("keep active, if the pain lasts to come back", ["keep active", "if the pain lasts to come back"]),
        ("If the pain lasts, will need a scan", ["If the pain lasts, will need a scan"]),
        ("She is tired, therefore we will check the iron", ["She is tired, therefore we will check the iron"]),
        ("spare script - to start in 2 days if no better", ["spare script - to start in 2 days if no better"]),
        ("Advise we will refer her to a clinic", ["Advise we will refer her to a clinic"]),
        ("I saw the films We took in May", ["I saw the films", "We took in May"]),
    ],
)
def test_a_line_is_cut_where_another_decision_begins(line: str, parts: list[str]) -> None:
    assert [line[start:end] for start, end in decisions(line)] == parts
