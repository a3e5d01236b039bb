"""The selectors of the write and compare screens, drawn."""

import pytest

from app.components.drafts import controls
from tests.app.conftest import Drawn


@pytest.mark.parametrize(
    ("names", "right"), [(["leapnote", "no-retrieval", "spo"], "no-retrieval"), (["leapnote", "spo"], "spo")]
)
def test_the_default_is_compared_with_no_retrieval_or_with_the_last(names: list[str], right: str) -> None:
    compared: list[tuple[str, str]] = []
    Drawn(lambda: controls.draw_choice(names, lambda *pair: compared.append(pair))).press("compare")
    assert compared == [("leapnote", right)]
