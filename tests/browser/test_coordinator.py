"""The coordinator's whole way in a real browser with the real API and its own writers: from cases to the report."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import choose, still
from tests.browser.harness import RaterTab, fill_profile

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
NOTE = "Allergies: {allergy}. Chief Complaint: {complaint}. HPI: {age} year old with {complaint} for three days. No chest pain."
SHOTS = os.environ.get("LEAPNOTE_SHOTS", "")  # a folder: then each step leaves a picture there

LONG_BATCH = 60
"""Cases of a batch that is not done before a person can stop it."""


class Coordinator:
    """The coordinator's tab."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.context = browser.new_context(viewport={"width": 1500, "height": 1000}, accept_downloads=True)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.page.goto(address + "study")
        self.page.get_by_label("Your name").fill("Ada")
        self.page.keyboard.press("Tab")

    def choose(self, label: str, *names: str) -> None:
        """Names from a list; each is waited for, since the page is drawn anew after each."""
        for name in names:
            choose(self.page, re.compile(f"^{re.escape(label)}"), name, typed=True)
            self.still()
        self.page.keyboard.press("Escape")

    def fill(self, label: str, value: str) -> None:
        self.page.get_by_label(label, exact=True).fill(value)
        self.page.keyboard.press("Tab")
        self.still()

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()
        self.still()

    def step(self, name: str) -> None:
        self.page.get_by_role("radio", name=name).click()
        self.still()

    def unfold(self, words: str) -> None:
        """Open what is folded, and wait until it has stopped moving: a click on what moves is lost."""
        self.page.get_by_text(words, exact=True).click()
        self.page.wait_for_timeout(700)
        self.still()

    def give(self, key: str, file: Path) -> None:
        self.page.locator(f"[class*=st-key-{key}_] input[type=file]").set_input_files(file)
        self.page.get_by_text(file.name if file.is_file() else "ward-1.txt").first.wait_for()
        self.still()

    def still(self) -> None:
        """Until Streamlit has drawn what was asked."""
        still(self.page)

    def shot(self, name: str) -> None:
        if SHOTS:
            self.page.wait_for_timeout(600)
            self.page.screenshot(path=Path(SHOTS) / f"{name}.png", full_page=True)

    def invite(self, label: str) -> str:
        before = self.page.locator("code", has_text="rate?token=").count()
        self.page.get_by_label("Whom it is for").fill(label)
        self.page.keyboard.press("Tab")
        self.press("Make a link")
        links = self.page.locator("code", has_text="rate?token=")
        expect(links).to_have_count(before + 1)
        return str(links.nth(before).inner_text()).strip()


@pytest.fixture
def coordinator(browser: Browser, address: str) -> Iterator[Coordinator]:
    made = Coordinator(browser, address)
    yield made
    made.context.close()


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A JSONL file of two cases, and a folder of two notes with one reference."""
    lines = [
        {"id": f"file-{n}", "text": NOTE.format(allergy="penicillin (rash)", complaint="shortness of breath", age=70 + n),
         "reference": "Weigh yourself daily."}
        for n in (1, 2)
    ]  # fmt: skip
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    folder = tmp_path / "ward"
    folder.mkdir()
    for n in (1, 2):
        (folder / f"ward-{n}.txt").write_text(
            NOTE.format(allergy="none known", complaint="cough and fever", age=50 + n)
        )
    (folder / "ward-1.reference.txt").write_text("Finish the antibiotics.")
    return tmp_path


def save_case(api: str, label: str) -> str:
    """A case saved by a clinician; its id."""
    body = {"text": NOTE.format(allergy="lisinopril (angioedema)", complaint="leg swelling", age=80)}
    draft = httpx.post(f"{api}/drafts", json=body, headers={"Accept": "application/json"}, timeout=60)
    saved = httpx.post(f"{api}/cases", json={"label": label, "draft": draft.json(), "author": "Ada"}, timeout=60)
    return str(saved.json()["id"])


def make_study(at: Coordinator, name: str, design: str, instruments: tuple[str, ...], arms: tuple[str, ...]) -> None:
    at.unfold("New study")
    at.fill("Name", name)
    at.choose("Systems", *arms)
    at.choose("Raters see", design)
    at.choose("Instruments", *instruments)
    at.fill("Calibration items", "1")
    at.fill("Items to guess at the end", "2")
    at.fill("Items between two of one case", "0")
    at.fill(
        "What raters guess at the end, one line an arm", "\n".join(f"{arm} = Way {n}" for n, arm in enumerate(arms))
    )
    at.shot("1-setup")
    at.press("Make the study")
    at.page.get_by_role("heading", name=name).wait_for()


def write_all(at: Coordinator, drafts: int) -> None:
    at.press("Write all drafts")
    all_written(at, drafts)


def all_written(at: Coordinator, drafts: int) -> None:
    at.page.get_by_text(f"{drafts} drafts made, 0 failed, of {drafts}").wait_for(timeout=180_000)
    at.still()


def freeze(at: Coordinator, outcome: str, test: str) -> None:
    at.step("Freeze")
    at.press("Check the blinding")
    at.unfold("How many cases are enough?")
    at.press("Compute")
    at.page.get_by_text("34 cases").wait_for()
    at.choose("Primary outcome", outcome)
    at.choose("Test", test)
    at.fill("Exclusions: which ratings would not count, decided now", "none")
    at.fill("Reason for the sample size", "a trial")
    at.page.get_by_text("Accept the warnings of the blinding check").click()
    at.shot("3-freeze")
    at.press("Freeze for good")
    at.page.get_by_text("frozen, raters work").wait_for()


def rate_pairs(rater: RaterTab, left: bool) -> None:
    """By mouse: always the left document, or always the right one."""
    page = rater.page
    fill_profile(page)
    page.get_by_role("button", name="Begin").click()
    total = 5  # a calibration item, and the other four cases
    for number in range(1, total + 1):
        rater.item(number)
        options = page.locator(".cell").first.locator("button.option:not(.cannot)")
        (options.first if left else options.last).click()
        if number == 2 and SHOTS:
            page.screenshot(path=Path(SHOTS) / "5-pair.png")
        rater.all_saved()
        page.locator("[data-do=next]").click()
    page.get_by_role("button", name="Finish").click()
    page.get_by_text("one guess for each document").wait_for()
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / "6-guess.png")
    for cell in page.locator(".cell").all():
        cell.locator("button.option").first.click()
    rater.all_saved()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("heading", name="Thank you").wait_for()


def test_a_pairwise_study_goes_from_cases_to_its_report(
    coordinator: Coordinator, browser: Browser, address: str, api: str, files: Path
) -> None:
    at, page = coordinator, coordinator.page
    save_case(api, "Saved letter")
    arms = ("leapnote", "no-retrieval")
    make_study(at, "Pairs", "two side by side", ("Preference with strength",), arms)
    at.choose("Saved cases", "Saved letter")
    at.give("study_cases_file", files / "cases.jsonl")
    at.give("study_cases_folder", files / "ward")
    at.shot("2-cases")
    at.press("Add these cases")
    page.get_by_text("5 cases").wait_for()
    write_all(at, 10)
    freeze(at, "pairwise", "Bradley-Terry")
    links = [at.invite(f"Rater {n}") for n in (1, 2)]
    at.shot("4-links")
    for link, left in zip(links, (True, False), strict=True):
        rater = RaterTab(browser, link, "")
        rate_pairs(rater, left)
        rater.close()
    at.step("Results")
    at.press("Compute the analysis")
    page.get_by_text("arms stand under codes").first.wait_for()
    at.shot("7-blind")
    page.get_by_role("button", name="Close the study").click()
    at.press("Close it")
    page.get_by_role("button", name="Unlock", exact=True).click()
    page.get_by_label("Reason", exact=True).fill("all have finished")
    page.keyboard.press("Tab")
    at.press("Unlock it")
    page.get_by_text("unlocked").first.wait_for()
    at.press("Compute the analysis")
    page.get_by_text("Preferences").first.wait_for()
    at.shot("8-results")
    for label, head in (("Ratings, CSV", b"study,sha256"), ("Report, PDF", b"%PDF"), ("Report, HTML", b"<!DOCTYPE")):
        with page.expect_download() as taken:
            page.get_by_role("button", name=label).click()
        content = Path(taken.value.path()).read_bytes()
        assert content.startswith(head)
        if SHOTS:
            (Path(SHOTS) / taken.value.suggested_filename).write_bytes(content)
    at.step("Trail")
    at.shot("9-trail")


def test_a_batch_is_stopped_and_taken_up_again(coordinator: Coordinator, tmp_path: Path) -> None:
    at, page = coordinator, coordinator.page
    ward = tmp_path / "ward"
    ward.mkdir()
    for n in range(1, LONG_BATCH + 1):
        (ward / f"ward-{n}.txt").write_text(NOTE.format(allergy="none known", complaint="cough and fever", age=20 + n))
    make_study(at, "Stopped", "one draft at a time", ("ReinRAG's four statements",), ("leapnote", "no-retrieval"))
    at.give("study_cases_folder", ward)
    at.press("Add these cases")
    page.get_by_text(f"{LONG_BATCH} cases").wait_for()
    page.get_by_role("button", name="Write all drafts").click()
    page.get_by_role("button", name="Stop after this draft").click()
    again = page.get_by_role("button", name="Write the missing drafts")
    again.wait_for()
    at.shot("2-stopped")
    again.click()
    all_written(at, 2 * LONG_BATCH)


def test_a_judge_s_scores_are_taken_on_the_page(coordinator: Coordinator, api: str, tmp_path: Path) -> None:
    at, page = coordinator, coordinator.page
    make_study(at, "Judged", "one draft at a time", ("ReinRAG's four statements",), ("leapnote", "no-retrieval"))
    at.choose("Demonstration cases", "Acetaminophen overdose", "Asthma attack")
    at.press("Add these cases")
    page.get_by_text("2 cases").wait_for()
    write_all(at, 4)
    freeze(at, "reinrag-statements/mean", "Wilcoxon")
    study = httpx.get(f"{api}/studies", timeout=60).json()[0]
    frozen = httpx.get(f"{api}/studies/{study['id']}/exports/design", timeout=60).text.splitlines()[0]
    items = [item for item in json.loads(frozen)["study"]["items"] if item["kind"] == "main"]
    score = {"question": "reinrag-statements/mean", "value": 4}
    lines = [json.dumps(score | {"case": item["case_id"], "arm": arm}) for item in items for arm in item["arms"]]
    (tmp_path / "judge.jsonl").write_text("\n".join(lines))
    at.step("Results")
    at.unfold("A judge model's scores")
    at.fill("The judge, such as its model's name", "some-model")
    at.give("study_judge_file", tmp_path / "judge.jsonl")
    at.press("Take the scores")
    at.shot("10-judge")
    stored = httpx.get(f"{api}/studies/{study['id']}/judges", timeout=60).json()
    assert [(row["judge"], row["scores"], row["author"]) for row in stored] == [("some-model", len(lines), "Ada")]
