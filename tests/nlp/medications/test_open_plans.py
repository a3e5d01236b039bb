"""What a plan leaves open or puts off, and what stays decided beside such words."""

import pytest

from backend.nlp.medications.medicine_events import CONDITIONAL
from backend.schemas.record import MedicationStatus
from tests.nlp.medications.attributes import statements

_MEDICINES = "MEDICATIONS: Lisinopril 10 mg daily.\n\nPLAN: "


def left_open(example: str) -> bool:
    """Whether the medicine in square brackets is only thought of, or comes later."""
    lead = "PLAN: "
    name = example[example.index("[") + 1 : example.index("]")]
    text = lead + example.replace("[", "").replace("]", "")
    found = [one for one in statements(text) if one.spans[0].text == name]
    return bool(found) and all(CONDITIONAL in one.rule_ids for one in found)


@pytest.mark.parametrize(
    "text",
    [
        "We may increase lisinopril to 20 mg daily at the next visit.",
        "I am thinking about changing lisinopril to losartan.",
        "We will discuss whether to stop her lisinopril.",
        "We might switch her to apixaban.",
        "Perhaps stop lisinopril.",
    ],
)
def test_a_change_that_is_only_thought_of_leaves_a_medicine_as_it_is(text: str) -> None:
    own = [one for one in statements(_MEDICINES + text) if one.name == "lisinopril"]
    listed = [one for one in own if one.section.value == "medications"]
    assert [(one.status, one.change, one.ends) for one in listed] == [(MedicationStatus.ACTIVE, "", "")]
    assert all(CONDITIONAL in one.rule_ids for one in own if one not in listed)


@pytest.mark.parametrize(
    "text",
    [
        "After her operation next month, start [letrozole] 2.5 mg daily.",
        "We would hope to add [evolocumab] at a later visit; consider [ezetimibe].",
        "I am toying with adding [lamotrigine].",
        "Should the rash return, [dupilumab] could be considered.",
        "Ultimately he may require [insulin].",
    ],
)
def test_a_medicine_that_is_thought_of_is_left_open(text: str) -> None:
    assert left_open(text)


@pytest.mark.parametrize(
    "text",
    [
        "Likely gout, so start [colchicine] 0.6 mg twice a day.",
        "After discussion of the risks, we will start [warfarin] 5 mg daily.",
        "We decided to start [metformin] 500 mg twice a day.",
        "I will add [amlodipine] 5 mg daily and may increase it to 10 mg.",
        "We will start [levothyroxine] 50 mcg daily and recheck TSH in 6 weeks.",
        "She may start [naproxen] 500 mg twice a day with food.",
    ],
)
def test_what_is_decided_beside_such_words_is_decided(text: str) -> None:
    assert not left_open(text)
