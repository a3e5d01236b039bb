"""What holds nothing for the patient is left out of a plan: who came, talk, a problem's name; what holds an act, a time or a reason is not."""

import pytest

from backend.generation.letter.selection.empty_plans import (
    holds_talk_alone,
    names_care_alone,
    names_problems_alone,
    names_talk_alone,
    quotes_complaint,
    tells_who_came,
)
from backend.schemas.record import ProblemStatement, RecordSpan


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        ("We discussed the images, the diagnosis and the next steps.", True),
        ("He voiced understanding of the plan.", True),
        ("She states she understands and is happy with this.", True),
        ("I had a long conversation with him about his condition.", True),
        ("All questions were answered.", True),
        ("We discussed taking the tablets with food.", False),
        ("He agreed to a scan.", False),
        ("He agreed to have a scan.", False),
        ("We discussed that it may come back.", False),
        ("We discussed a visit in 2 weeks.", False),
        ("We discussed the importance of rest.", False),
        ("He understands to ring if it swells.", False),
        ("The knee is swollen.", False),
    ],
)
def test_talk_alone_holds_nothing(text: str, empty: bool) -> None:
    assert holds_talk_alone(text, ()) is empty


@pytest.mark.parametrize(
    ("text", "came"),
    [
        ("Ada Brook is a 44-year-old female who presents today for a check of her labs.", True),
        ("Mr. Brook is a 44-year-old male with a history of gout who came in for his knee.", True),
        ("Mr. Brook is a 44-year-old male who needs a scan next week.", False),
        ("He presents a letter.", False),
    ],
)
def test_who_came_is_no_plan(text: str, came: bool) -> None:
    assert tells_who_came(text) is came


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        ("The risks of the anesthetic including but not limited to stroke.", True),
        ("Risks and benefits, including bleeding, which may need a second operation.", True),
        ("The risks were small.", False),
        ("Repeat the scan.", False),
    ],
)
def test_a_line_of_risks_holds_nothing(text: str, empty: bool) -> None:
    assert names_talk_alone(text) is empty


def test_a_problem_heads_the_lines_below_it() -> None:
    def problem(name: str) -> ProblemStatement:
        return ProblemStatement(
            id="p", name=name, concept_id=None, spans=(RecordSpan(start_char=0, end_char=len(name), text=name),)
        )

    assert names_problems_alone("Gout flare, left foot stage 2.", (problem("Gout"), problem("foot")))
    assert not names_problems_alone("Gout: ice twice.", (problem("Gout"),))
    assert not names_problems_alone("Ice.", ())


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        ("Supportive mx", True),
        ("Conservative management only.", True),
        ("Supportive boots", False),
        ("Management", False),
    ],
)
def test_how_the_care_is_says_nothing_of_what_it_is(text: str, empty: bool) -> None:
    assert names_care_alone(text) is empty


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("“My ear is full”", True),
        ('"I cannot hear"', True),
        ("“Ears and you” leaflet", False),
        ("I will ring her", False),
    ],
)
def test_what_the_patient_says_is_no_plan(text: str, quoted: bool) -> None:
    assert quotes_complaint(text) is quoted
