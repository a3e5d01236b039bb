"""A study at work, drawn: what can be done in each state, and what stands against it."""

from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest

from app.components.evaluation import study_monitor
from backend.schemas.studies.study_design import StudyState
from backend.schemas.studies.study_frozen import Leak
from backend.schemas.studies.study_judge import CasesNeeded
from backend.schemas.studies.study_views import (
    DraftCount,
    FailedDraft,
    GivenLink,
    LinkView,
    RaterProgress,
    StudyProgress,
    StudyView,
)
from tests.app.conftest import Drawn
from tests.study.sample import cases, setup

NOW = datetime(2031, 2, 1, 9, 30, tzinfo=UTC)


def study(state: StudyState, **more: Any) -> StudyView:
    return StudyView(id="s1", name="s", state=state, version=1, created_at=NOW, updated_at=NOW, setup=setup(), **more)


def at_work(made: int, failed: int = 0, **more: Any) -> StudyProgress:
    count = DraftCount(wanted=4, made=made, failed=failed)
    return StudyProgress(id="s1", state=StudyState.GENERATING, sha256=None, drafts=count, **more)


def calls(*names: str) -> tuple[dict[str, Any], list[str]]:
    """Callbacks that tell which was called."""
    called: list[str] = []
    return {name: partial(called.append, name) for name in names}, called


@pytest.mark.parametrize(
    ("progress", "button"),
    [
        (at_work(0), "study_generate"),
        (at_work(2), "study_generate"),
        (at_work(2, generating=True), "study_stop"),
        (at_work(3, 1), "study_retry"),
        (at_work(4), None),
    ],
)
def test_the_drafts_offer_the_one_thing_that_can_be_done(progress: StudyProgress, button: str | None) -> None:
    call, called = calls("generate", "retry", "stop")
    drawn = Drawn(lambda: study_monitor.draw_drafts(progress, study(StudyState.GENERATING), call))
    assert drawn.buttons() == ([button] if button else [])
    if button:
        drawn.press(button)
        assert [f"study_{name}" for name in called] == [button]


def test_a_failed_draft_stands_with_its_reason() -> None:
    failed = FailedDraft(case_id="c1", arm_id="a1", reason="the server died")
    view = study(StudyState.GENERATING, failed=(failed,))
    call, _ = calls("generate", "retry", "stop")
    drawn = Drawn(lambda: study_monitor.draw_drafts(at_work(3, 1), view, call))
    assert drawn.test.dataframe[0].value.to_dict("records") == [{"case": "c1", "arm": "a1", "why": "the server died"}]


def test_a_case_without_a_reference_says_what_cannot_be_judged_and_a_frozen_study_takes_none() -> None:
    held = (*cases(1), *(case.model_copy(update={"id": "c2"}) for case in cases(1, reference=False)))

    def draw(open_to_change: bool) -> None:
        call, _ = calls("add")
        view = study(StudyState.READY, cases=held)
        study_monitor.draw_cases(view, {}, {}, open_to_change, str, call)

    drawn = Drawn(partial(draw, False))
    assert list(drawn.test.dataframe[0].value["reference"]) == ["yes", "no: omission cannot be judged"]
    assert drawn.buttons() == []
    assert Drawn(partial(draw, True)).buttons() == ["study_add"]


def test_what_must_be_mended_is_told_from_a_warning_and_its_words_are_no_markup() -> None:
    leaks = (
        Leak(kind="name", where="c01", what="<b>zebra</b>", blocking=True),
        Leak(kind="length", where="c02", what="x"),
    )
    drawn = Drawn(lambda: study_monitor.draw_found(leaks))
    first, second = drawn.said().splitlines()
    assert "must be mended" in first and "warning" in second and "must be mended" not in second
    assert r"\<b\>zebra" in drawn.test.markdown[0].value
    assert "Nothing was found" in Drawn(lambda: study_monitor.draw_found(())).said()


@pytest.mark.parametrize(
    ("state", "unlocked", "shown"),
    [
        (StudyState.READY, None, []),
        (StudyState.FROZEN, None, ["study_close"]),
        (StudyState.CLOSED, None, ["study_adjudicate", "study_unlock"]),
        (StudyState.CLOSED, NOW, ["study_adjudicate"]),
    ],
)
def test_a_study_ends_step_by_step(state: StudyState, unlocked: datetime | None, shown: list[str]) -> None:
    call, _ = calls("close", "unlock", "adjudicate")
    view = study(state, unlocked_at=unlocked)
    assert Drawn(lambda: study_monitor.draw_end(view, call)).buttons() == shown


def test_an_open_link_can_be_withdrawn_and_a_new_one_shows_its_address() -> None:
    links = tuple(
        LinkView(id=f"l{n}", rater_id=f"R0{n}", label="", created_at=NOW, withdrawn_at=gone)
        for n, gone in ((1, None), (2, NOW))
    )
    gone: list[str] = []
    drawn = Drawn(lambda: study_monitor.draw_links(links, gone.append)).press("withdraw_l1")
    assert (gone, drawn.buttons()) == (["l1"], ["withdraw_l1"])
    given = GivenLink(id="l3", rater_id="R03", token="t-3")
    assert "https://here/t-3" in Drawn(lambda: study_monitor.draw_given([given], "https://here/{}".format)).said()


def test_progress_names_a_rater_s_state_and_no_answer() -> None:
    raters = tuple(
        RaterProgress(rater_id=f"R0{n}", role="rater", done=done, total=2, finished=finished, profile=True)
        for n, (done, finished) in enumerate(((0, False), (1, False), (2, True)), 1)
    )
    progress = at_work(4, raters=raters, ratings_wanted=6, ratings_done=3, items_failed=1)
    drawn = Drawn(lambda: study_monitor.draw_progress(progress))
    assert list(drawn.test.dataframe[0].value["state"]) == ["○ not begun", "… at work", "✓ finished"]
    assert "1 items cannot be shown" in drawn.said()


@pytest.mark.parametrize(("held", "words"), [(29, "This study has 29: too few."), (30, "This study has 30: enough.")])
def test_the_cases_needed_are_held_against_those_there_are(held: int, words: str) -> None:
    needed = CasesNeeded(
        difference=0.5, sd=1, power=0.8, alpha=0.05, t_cases=28, t_power=0.8, wilcoxon_cases=30, wilcoxon_power=0.8
    )
    assert words in Drawn(lambda: study_monitor.draw_power(needed, held, lambda: None)).said()
