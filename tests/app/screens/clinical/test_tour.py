"""The tour and the policy's steps: they play by themselves, can be stopped, and show what the drafts hold."""

import time

import pytest

from app.state import demonstration_state
from app.view_data.tour_data import Kind, scene_at, scenes
from backend.schemas.drafts.request import DraftRequest
from tests.app.conftest import Open, Page
from tests.app.fake_api import draft_of

DRAFT = draft_of(DraftRequest(text="x"))


def opened(open_page: Open, screen: str, wanted: str) -> Page:
    page = open_page().go(screen)
    limit = time.monotonic() + 15
    while wanted not in page.said():
        assert time.monotonic() < limit, page.said()
        page.run()
    return page


def test_the_tour_plays_from_the_moment_it_is_opened_and_can_be_stopped(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = opened(open_page, "tour", "A note comes in")
    assert "tour_stop" in [str(button.key) for button in page.test.button]
    page.press("tour_stop")
    assert "tour_play" in [str(button.key) for button in page.test.button]
    now = time.monotonic()
    monkeypatch.setattr(demonstration_state.time, "monotonic", lambda: now + 1000)  # stopped, time changes nothing
    assert "A note comes in" in page.run().said()


def test_the_tour_goes_on_by_itself_and_ends(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    page = opened(open_page, "tour", "A note comes in")
    now = time.monotonic()
    monkeypatch.setattr(demonstration_state.time, "monotonic", lambda: now + demonstration_state.TOUR_S / 2)
    assert "A note comes in" not in page.run().said()
    monkeypatch.setattr(demonstration_state.time, "monotonic", lambda: now + demonstration_state.TOUR_S + 5)
    page.run()
    assert "A clinician signs" in page.run().said()
    assert "tour_stop" not in [str(button.key) for button in page.test.button]


def test_every_scene_is_reached_by_hand_and_both_drafts_stand_side_by_side(open_page: Open) -> None:
    page = opened(open_page, "tour", "A note comes in")
    seen = []
    for _ in range(20):
        seen.append(next(str(header.value) for header in page.test.header))
        if seen[-1].startswith("With retrieval"):
            assert len(page.parts("leapnote_reading")) == 2
        if page.test.button(key="tour_next").disabled:
            break
        page.press("tour_next")
    assert len(seen) == len(set(seen)) == len(scenes(DRAFT, DRAFT))


def test_scenes_are_as_many_as_the_draft_has_steps_and_none_of_an_alert_that_is_not_there() -> None:
    kinds = [scene.kind for scene in scenes(DRAFT, DRAFT)]
    assert kinds.count(Kind.STEP) == len(DRAFT.evidence.policy) and Kind.ALERT in kinds
    assert Kind.ALERT not in [scene.kind for scene in scenes(DRAFT, DRAFT.model_copy(update={"flags": ()}))]


def test_every_second_falls_into_a_scene() -> None:
    assert [scene_at(second, 120.0, 4) for second in (0, 29.9, 30, 119, 120, 500)] == [0, 0, 1, 3, 3, 3]


def test_the_policy_page_shows_each_step_with_what_was_chosen_by_a_word(open_page: Open) -> None:
    page = opened(open_page, "policy", "Where the paths went")
    table = page.test.dataframe[0].value
    assert list(table["chosen"]) == ["chosen", ""]
    assert "asthma" in page.said() and "dyspnea" in page.said()
    assert "<b>" not in page.said().replace("\\<b\\>", "")  # names of the knowledge are text


def test_a_draft_without_a_walk_says_why(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    page = open_page()
    bare = DRAFT.model_copy(update={"evidence": DRAFT.evidence.model_copy(update={"policy": ()})})
    monkeypatch.setattr(page.api, "_draft", lambda request: bare)
    page.go("policy")
    limit = time.monotonic() + 15
    while "No policy walked" not in page.said():
        assert time.monotonic() < limit
        page.run()
    assert "paths done" in page.said()
