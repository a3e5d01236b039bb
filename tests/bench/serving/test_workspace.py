"""The workspace's rows measure a letter that is really signed, and count what a person does for it."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from backend.bench.serving import workspace
from backend.errors import MissingError

MOST_CLICKS, MOST_WAITS = 10, 2


@pytest.mark.browser
@pytest.mark.timeout(300)
def test_a_letter_is_signed_by_hand_in_ten_clicks_and_two_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    if not workspace.can_run():
        pytest.skip("there is no Chromium")
    monkeypatch.setattr(workspace, "LETTERS", 1)
    with ThreadPoolExecutor(1) as apart:  # a thread of its own: in this one the browser tests' driver may be running
        found = apart.submit(workspace.letter, None).result()
    assert list(found.stages_ms) == ["draft", "correct", "decide", "fill", "sign"]
    assert found.counts["clicks"] <= MOST_CLICKS and found.counts["waits"] <= MOST_WAITS
    assert found.times_ms[0] == pytest.approx(sum(found.stages_ms.values()), abs=1)


def test_without_a_browser_the_row_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace, "_chromium", lambda: "")
    assert not workspace.can_run()
    with pytest.raises(MissingError, match="needs a browser"):
        workspace.edit(None)
