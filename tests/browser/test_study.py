"""A tiny study through to its end in a real browser: one rater by keyboard alone, one by mouse; and a server that dies."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from app.words.words import table
from backend.schemas.studies.study_analysis import Analysis
from backend.study.design.instruments import instrument
from backend.study.reporting.report import analysed
from tests.app.study_api import OTHER, SYSTEM, StudyServer
from tests.browser.accessibility import faults_on_phone_too
from tests.browser.conftest import choose, free_port
from tests.browser.harness import PageServer, RaterTab, Server, fill_profile
from tests.browser.test_languages import WORDS_SHOWN

pytestmark = pytest.mark.browser
ALL = (instrument("reinrag-statements"), instrument("error-checklist"), instrument("closing-comments"))
NAMES = (SYSTEM, OTHER, "Ocelot", "quokka")


@pytest.fixture(scope="module")
def container(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudyServer]:
    made = StudyServer(tmp_path_factory.mktemp("study"))
    yield made
    made.database.close()


@pytest.fixture(scope="module")
def server(container: StudyServer) -> Iterator[Server]:
    started = Server(container, free_port())
    yield started
    started.end()


@pytest.fixture(scope="module")
def page_server(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageServer]:
    started = PageServer(server.port, tmp_path_factory.mktemp("data"))
    yield started
    started.kill()


@pytest.fixture(scope="module")
def page_address(page_server: PageServer) -> str:
    return page_server.address


def by_keyboard(rater: RaterTab, container: StudyServer, token: str) -> None:
    page = rater.page
    rater.tab_to("Begin")
    for number in range(1, 5):
        rater.item(number)
        rater.keys("4", "2", "3", "5")
        if number == 1:
            rater.keys("s", "e", "1", "7", "Enter")
            expect(page.locator(".error-list")).to_contain_text("E1 Wrong, severe")
            rater.keys("s", "m")
            page.keyboard.type("unclear here")
            rater.keys("Control+Enter")
            expect(page.locator(".marked.remark")).not_to_have_count(0)
        else:
            rater.keys("9")
        rater.all_saved()
        if number == 2:
            rater.keys("p")
            rater.item(1)
            expect(page.locator(".remark-list textarea")).to_have_value("unclear here")
            rater.keys("n")
            rater.item(2)
        rater.keys("n")
    rater.tab_to("Finish")
    page.get_by_text("one guess for each document").wait_for()
    rater.keys("1", "2", "1", "3")
    rater.all_saved()
    rater.keys("n")
    page.get_by_text("The last questions").wait_for()
    for _ in range(4):
        rater.keys("j")
        page.keyboard.type("Clear words.")
        rater.keys("Control+Enter")
    rater.all_saved()
    rater.keys("n")
    page.get_by_role("heading", name="Thank you").wait_for()


def by_mouse(rater: RaterTab, axe: str) -> dict[str, list[str]]:
    """Every page to the end; what axe finds on each."""
    page, found = rater.page, dict[str, list[str]]()

    def look(name: str) -> None:
        found[name] = faults_on_phone_too(page, axe)

    page.get_by_label("Specialty").wait_for()
    look("profile")
    fill_profile(page)
    page.get_by_role("button", name="Begin").wait_for()
    look("begin")
    page.get_by_role("button", name="Begin").click()
    for number in range(1, 5):
        rater.item(number)
        for cell in page.locator(".cell", has_text="Strongly agree").all():
            cell.get_by_role("button", name="Disagree", exact=True).click()
        page.get_by_role("button", name="No errors").click()
        if number == 2:
            page.locator(".draft-text").select_text()
            expect(page.locator(".span-tools .chosen")).to_contain_text("Chosen")
            page.get_by_role("button", name="Remark", exact=True).click()
            page.locator(".remark-list textarea").fill("all of it")
            look("item")
            page.get_by_role("button", name="Pause").click()
            page.get_by_role("button", name="Go on").wait_for()
            look("pause")
            page.get_by_role("button", name="Go on").click()
            rater.item(3)
            page.get_by_role("button", name="Back").click()
            rater.item(2)
            expect(page.locator(".remark-list textarea")).to_have_value("all of it")
        rater.all_saved()
        page.locator("[data-do=next]").click()
    page.get_by_role("button", name="Finish").click()
    page.get_by_text("one guess for each document").wait_for()
    look("guesses")
    for cell in page.locator(".cell").all():
        cell.get_by_role("button", name="I do not know").click()
    page.get_by_role("button", name="Continue").click()
    page.get_by_text("The last questions").wait_for()
    look("last questions")
    for cell in page.locator(".cell").all():
        cell.get_by_role("button", name="Cannot judge").click()
    rater.all_saved()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("heading", name="Thank you").wait_for()
    look("thanks")
    return {name: lines for name, lines in found.items() if lines}


def test_a_study_of_two_cases_and_two_systems_is_rated_to_its_end(
    browser: Browser, container: StudyServer, page_address: str, axe: str
) -> None:
    study_id = container.frozen(2, calibration_items=0, instruments=ALL, guess_items=4)
    first = RaterTab(browser, page_address, container.invite(study_id, "R01"))
    by_keyboard(first, container, "")
    second = RaterTab(browser, page_address, container.invite(study_id, "R02", profile=False))
    assert by_mouse(second, axe) == {}
    assert first.wrong + second.wrong == []
    for rater in (first, second):
        shown = rater.page.content() + "".join(rater.received)
        assert "Patient of" in shown  # the drafts did come this way
        for name in NAMES:
            assert name.lower() not in shown.lower()
        assert "leapnote" not in rater.page.inner_text("body").lower()
        rater.close()
    container.studies.close(study_id, "Ada")
    container.studies.unlock(study_id, "Ada")
    found: Analysis = analysed(container.studies, study_id).analysis
    means = {s.mean.value for s in found.summaries if s.question.endswith("reading_comprehension")}
    assert means == {3.0}  # the one says 4, the other 2
    assert (found.cases, found.raters) == (2, 2)


def test_answers_given_while_the_server_is_dead_are_marked_and_saved_when_it_is_back(
    browser: Browser, container: StudyServer, server: Server, page_address: str
) -> None:
    study_id = container.frozen(2, calibration_items=0, instruments=ALL)
    token = container.invite(study_id)
    rater = RaterTab(browser, page_address, token)
    page = rater.page
    page.get_by_role("button", name="Begin").click()
    rater.item(1)
    server.end()
    rater.keys("4", "5")
    expect(page.locator(".saved")).to_have_attribute("data-state", "waiting")
    expect(page.locator(".saved")).to_contain_text("2 answers not saved yet")
    stored = page.evaluate("() => Object.values(sessionStorage).join()")
    assert len(json.loads(stored)) == 2
    page.on("dialog", lambda dialog: dialog.accept())
    server.start()
    page.get_by_role("button", name="Try now").click()
    rater.all_saved()
    values = [a.answer.value for a in container.ratings.item(token, 1).answers if a.answer.kind == "value"]
    assert values == [4, 5]
    rater.close()


def test_the_form_is_dark_where_the_system_is_and_narrow_where_the_window_is(
    browser: Browser, container: StudyServer, page_address: str, tmp_path: Path
) -> None:
    token = container.invite(container.frozen(2, calibration_items=0, instruments=ALL))
    rater = RaterTab(browser, page_address, token, color_scheme="dark")
    page = rater.page
    page.get_by_role("button", name="Begin").click()
    rater.item(1)
    expect(page.locator(".rate")).to_have_attribute("data-theme", "dark")
    page.screenshot(path=tmp_path / "dark.png")
    page.set_viewport_size({"width": 700, "height": 900})
    expect(page.locator(".pane:visible")).to_have_count(1)
    rater.keys("j", "4")
    expect(page.locator(".pane.questions")).to_be_visible()
    page.get_by_role("tab", name="Note").click()
    expect(page.locator(".pane.note")).to_be_visible()
    page.screenshot(path=tmp_path / "narrow.png")
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
    rater.close()


def test_answers_given_while_the_page_s_server_is_dead_outlive_it_and_a_reload(
    browser: Browser, container: StudyServer, page_server: PageServer
) -> None:
    token = container.invite(container.frozen(2, calibration_items=0, instruments=ALL))
    rater = RaterTab(browser, page_server.address, token)
    page = rater.page
    page.get_by_role("button", name="Begin").click()
    rater.item(1)
    rater.keys("3")
    rater.all_saved()
    page_server.kill()
    rater.keys("4", "5")
    expect(page.locator(".saved")).not_to_have_attribute("data-state", "saved")
    page.on("dialog", lambda dialog: dialog.accept())
    page_server.start()
    page.reload()
    page.get_by_role("button", name="Begin").click()
    rater.item(1)
    rater.all_saved()
    values = [a.answer.value for a in container.ratings.item(token, 1).answers if a.answer.kind == "value"]
    assert values == [3, 4, 5]
    expect(
        page.locator(".cell", has_text="Critical information").get_by_role("button", name="Strongly agree")
    ).to_have_attribute("aria-pressed", "true")
    rater.close()


def test_in_spanish_the_rating_page_is_spanish_but_for_the_study_s_own_words_and_stays_blind(
    browser: Browser, container: StudyServer, page_address: str
) -> None:
    english = {text for text, words in table("es").items() if words != text} - {
        "Open"
    }  # of a list, as Streamlit names it
    study_id = container.frozen(2, calibration_items=0, instruments=ALL, guess_items=4)
    rater = RaterTab(browser, page_address, container.invite(study_id, profile=False), locale="es-ES")
    page = rater.page

    def left() -> set[str]:
        page.wait_for_function("document.documentElement.lang === 'es' || !document.querySelector('.progress')")
        return {line.strip() for line in page.evaluate(WORDS_SHOWN)} & english

    page.get_by_role("button", name="Continuar").wait_for()
    assert left() == set()
    page.get_by_label("Especialidad").fill("medicina")
    page.get_by_label("Años de ejercicio").fill("7")
    page.get_by_label("Conflictos de interés").fill("ninguno")
    choose(page, "Profesión", "Enfermería")
    page.get_by_role("button", name="Continuar").click()
    page.get_by_role("button", name="Empezar").wait_for()
    assert left() == set()
    page.get_by_role("button", name="Empezar").click()
    for number in range(1, 5):
        expect(page.locator(".progress")).to_contain_text(f"Caso {number} de 4")
        rater.keys("4", "2", "3", "5")
        if number == 1:
            rater.keys("s", "e", "1", "7", "Enter")
            expect(page.locator(".error-list")).to_contain_text("E1 Falso, grave")
            rater.keys("s", "m")
            page.keyboard.type("poco claro")
            rater.keys("Control+Enter", "?")
            expect(page.get_by_role("dialog", name="Teclas")).to_be_visible()
            assert left() == set()
            rater.keys("Escape")
        else:
            rater.keys("9")
        rater.all_saved()
        rater.keys("n")
    page.get_by_role("button", name="Terminar").wait_for()
    assert left() == set()
    page.get_by_role("button", name="Terminar").click()
    page.get_by_text("una suposición por documento").wait_for()
    assert left() == set()
    assert "leapnote" not in "".join(rater.received).lower()
    rater.close()
