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
