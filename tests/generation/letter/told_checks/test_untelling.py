"""What a letter says nothing of, and what it may not drop."""

import pytest

from backend.generation.letter.told_checks.untelling import tells_nothing
from backend.schemas.record import Setting


@pytest.mark.parametrize("text", ["NPO, IV fluids", "Review in 2 hours", "NBM until seen by the team"])
def test_orders_of_the_stay_tell_nothing_at_home(text: str) -> None:
    assert tells_nothing(text, Setting.ADMISSION)
    assert not tells_nothing(text, Setting.UNKNOWN)


@pytest.mark.parametrize(
    "text",
    [
        "Strict NPO, all feeds via PEG at home",
        "Nothing by mouth, tube feeds only",
        "Enteral nutrition alone, NPO",
        "Remains NBM because she aspirates",
        "NPO before the operation",
    ],
)
def test_an_order_that_goes_on_is_not_dropped(text: str) -> None:
    assert not tells_nothing(text, Setting.ADMISSION)


@pytest.mark.parametrize(
    "text",
    [
        "All of his questions were answered.",
        "The diagnosis and the options were discussed with her at length.",
        "Risks and benefits were explained and he expressed understanding.",
        "She understands and agrees with the plan.",
    ],
)
def test_that_somebody_talked_and_of_nothing_tells_nothing(text: str) -> None:
    assert tells_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "We discussed a splint.",
        "He understands that he must not drive.",
        "She agreed to surgery.",
        "No questions were asked.",
    ],
)
def test_what_was_talked_about_is_kept(text: str) -> None:
    assert not tells_nothing(text)
