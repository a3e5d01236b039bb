"""The settings: each with what it does, the writers, the sources, the policy."""

import pytest

from tests.app.conftest import Open


def test_settings_shows_each_setting_with_what_it_does_and_the_sources_and_systems(open_page: Open) -> None:
    page = open_page().go("settings")
    assert "| Port of the API | 8600 | `LEAPNOTE_API_PORT` |" in page.said()
    assert [tab.label for tab in page.test.tabs] == ["Model", "Knowledge and sources", "Data and privacy", "Advanced"]
    [sources] = (table.value for table in page.test.dataframe)
    assert "| writer |" in page.said()
    assert list(sources["source"]) == ["book", "guideline"]
    assert sources["licence"][1] == "empty until someone imports into it"
    assert "own-book" in page.said().replace("\\", "")
    assert "| leapnote |" in page.said() and "| no\\-retrieval |" in page.said()
    assert "| An \\*unusual\\* amount\\. Check it\\. | `dose` | Unusual dose |" in page.said()


@pytest.mark.parametrize(
    ("policy", "stated"),
    [
        ("leapnote, data 01234567", "leapnote, data 01234567. Drafts use what its concept step proposes"),
        ("none", "none. Paths follow the edges"),
    ],
)
def test_settings_names_the_policy_or_says_what_happens_without_one(open_page: Open, policy: str, stated: str) -> None:
    page = open_page()
    page.api.policy = policy
    assert f"**Path policy:** {stated}" in page.go("settings").said().replace("\\", "")
