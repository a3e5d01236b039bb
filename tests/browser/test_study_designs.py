"""Pairs and rankings rated in a real browser: what is sent to a rater holds neither a name nor which arm stands where."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from backend.schemas.studies.study_design import AnalysisPlan, Arm, PrimaryTest
from backend.schemas.studies.study_instrument import Design
from backend.study import records
from backend.study.design.instruments import instrument
from backend.study.reporting.report import analysed
from tests.app.study_api import GENERATOR, OTHER, SYSTEM, StudyServer
from tests.browser.conftest import free_port
from tests.browser.harness import PageServer, RaterTab, Server
from tests.study.sample import PLAN

pytestmark = pytest.mark.browser
THIRD = "numbat"
NAMES = (SYSTEM, OTHER, THIRD, "Ocelot", "quokka", "leapnote", "composer", "arm_id", "toward_second")
ARMS = tuple(
    Arm(id=name, system=name, generator=GENERATOR, guess_label=f"Way {n}")
    for n, name in enumerate((SYSTEM, OTHER, THIRD))
)


@pytest.fixture
def container(tmp_path: Path) -> Iterator[StudyServer]:
    made = StudyServer(tmp_path)
    yield made
    made.database.close()


@pytest.fixture
def page_address(container: StudyServer, tmp_path: Path) -> Iterator[str]:
    server = Server(container, free_port())
    page = PageServer(server.port, tmp_path / "page")
    yield page.address
    page.kill()
    server.end()


def plan(outcome: str) -> AnalysisPlan:
    return PLAN.model_copy(update={"primary_outcome": outcome, "test": PrimaryTest.BRADLEY_TERRY})


def no_trace(rater: RaterTab) -> None:
    """In all that was ever sent to the browser, and in all it holds."""
    held = rater.page.evaluate("() => JSON.stringify({...sessionStorage, ...localStorage}) + document.cookie")
    shown = (rater.page.content() + "".join(rater.received) + held).lower()
    assert "patient of" in shown  # the drafts did come this way
    assert [name for name in NAMES if name.lower() in shown] == []


def test_a_pair_is_rated_by_keyboard_and_its_sides_are_turned_back(
    browser: Browser, container: StudyServer, page_address: str
) -> None:
    study_id = container.frozen(
        5, calibration_items=0, guess_items=0, design=Design.PAIRWISE, instruments=(instrument("pairwise-preference"),),
        plan=plan("pairwise-preference/preference"),
    )  # fmt: skip
    rater = RaterTab(browser, page_address, container.invite(study_id))
    page = rater.page
    page.get_by_role("button", name="Begin").click()
    for number in range(1, 6):
        rater.item(number)
        expect(page.locator(".draft-text")).to_have_count(2)
        rater.keys("1")  # left, much better
        rater.all_saved()
        rater.keys("n")
    page.get_by_role("button", name="Finish").click()
    page.get_by_role("heading", name="Thank you").wait_for()
    no_trace(rater)
    rater.close()
    container.studies.close(study_id, "Ada")
    container.studies.unlock(study_id, "Ada")
    study = container.study(study_id)
    slots = next(p.slots for p in study.raters if p.rater_id == "R01")
    (found,) = analysed(container.studies, study_id).analysis.preferences
    left = sum(slot.shown[0] == found.first for slot in slots)
    assert (found.for_first, found.for_second) == (left, 5 - left)
    assert 2 <= left <= 3  # evenly, as far as five go


def test_a_ranking_is_made_by_keyboard_with_a_tie(browser: Browser, container: StudyServer, page_address: str) -> None:
    study_id = container.frozen(
        3, calibration_items=0, guess_items=0, design=Design.RANKING, instruments=(instrument("ranking"),), arms=ARMS,
        plan=plan("ranking/order"),
    )  # fmt: skip
    rater = RaterTab(browser, page_address, container.invite(study_id))
    page = rater.page
    page.get_by_role("button", name="Begin").click()
    for number in range(1, 4):
        rater.item(number)
        expect(page.locator(".draft-text")).to_have_count(3)
        rater.keys("1", "2", "2")  # A first, B and C share the second place
        rater.all_saved()
        rater.keys("n")
    page.get_by_role("button", name="Finish").click()
    page.get_by_role("heading", name="Thank you").wait_for()
    no_trace(rater)
    rater.close()
    with container.database.reading() as session:
        stored = records.newest(records.ratings_of(session, study_id))
    assert [record.answer.model_dump()["order"] for record in stored] == [(("A",), ("B", "C"))] * 3


def test_two_tabs_of_one_rater_lose_nothing_and_say_what_they_overwrote(
    browser: Browser, container: StudyServer, page_address: str
) -> None:
    study_id = container.frozen(2, calibration_items=0, guess_items=0)
    token = container.invite(study_id)
    tabs = [RaterTab(browser, page_address, token) for _ in range(2)]
    for tab in tabs:
        tab.page.get_by_role("button", name="Begin").click()
        tab.item(1)
    tabs[0].keys("4")
    tabs[0].all_saved()
    tabs[1].keys("2")
    tabs[1].all_saved()
    expect(tabs[1].page.locator(".cell").first).to_contain_text("Another window had saved another answer here")
    with container.database.reading() as session:
        found = records.ratings_of(session, study_id)
    assert [(record.revision, record.answer.model_dump()["value"]) for record in found] == [(1, 4), (2, 2)]
    for tab in tabs:
        tab.close()
