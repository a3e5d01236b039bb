"""The table of medicines as the workbench draws it, in a real browser: words, markup, keys, light and dark."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from app.components.component import FOLDER
from app.components.workbench.workbench_view import SCRIPTS
from app.jobs.draft_run import Progress
from app.jobs.event_run import Phase
from app.view_data.bench_data import bench_data
from backend.schemas.drafts.medicines import MedicineAction, MedicineRow
from backend.schemas.drafts.request import DraftRequest
from tests.app.fake_api import NOTE, draft_of

pytestmark = pytest.mark.browser
CONTRAST = (Path(__file__).parent / "contrast.js").read_text()
EVIL = "<img src=x onerror=alert(1)><b>bold</b>"
ROWS = (
    MedicineRow(
        id="M1", action=MedicineAction.CHANGED, name="Lasix (furosemide)", dose="80 mg", old_dose="40 mg once a day",
        timing="once a day", reason="swelling", source="the note", citations=("N1",),
    ),
    MedicineRow(
        id="M2", action=MedicineAction.UNDECIDED, name=EVIL, prompt="Taken before", source="the note", recognised=False,
    ),
    MedicineRow(id="M3", action=MedicineAction.HOSPITAL_ONLY, name="ceftriaxone", source="the note"),
)  # fmt: skip
THEMES = {
    "light": {"text-color": "#1a1a1a", "background-color": "#fff", "secondary-background-color": "#f4f6f8"},
    "dark": {"text-color": "#eee", "background-color": "#111", "secondary-background-color": "#222"},
}


def drawn(page: Page, theme: str) -> Page:
    """The workbench with a finished draft, without the page around it."""
    request = DraftRequest(text=NOTE)
    draft = draft_of(request).model_copy(update={"medicines": ROWS})
    data = bench_data(Progress(Phase.DONE, request, draft=draft), views=("draft",))
    colours = {**THEMES[theme], "border-color": "#888", "primary-color": "#0a66c2" if theme == "light" else "#7ab8ff"}
    own = "".join(f"--st-{name}: {value};" for name, value in colours.items())
    style = "\n".join((FOLDER / name).read_text() for name in ("tokens.css", "workbench/workbench.css"))
    script = "\n".join((FOLDER / name).read_text() for name in ("dom.js", *(f"workbench/{s}.js" for s in SCRIPTS)))
    script = script.replace("export default function", "window.draw = function")
    page.set_content(
        f"<!doctype html><style>body {{ {own} background: var(--st-background-color) }} {style}</style><div id='place' style='{own}'></div>"
    )
    page.add_script_tag(content=script)
    page.evaluate(
        "data => draw({ data, parentElement: document.getElementById('place'), setTriggerValue() {} })",
        json.loads(json.dumps(data)),
    )
    return page


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    yield context.new_page()
    context.close()


def test_each_row_has_its_cells_and_its_marks_in_words(page: Page) -> None:
    rows = drawn(page, "light").locator(".medicines tbody tr")
    assert rows.nth(0).locator("th, td").all_inner_texts()[:5] == [
        "Lasix (furosemide)", "80 mg", "once a day", "swelling", "Changed; before: 40 mg once a day",
    ]  # fmt: skip
    expect(rows.nth(1)).to_contain_text("not recognised, not checked")
    expect(rows.nth(1)).to_contain_text("To decide: Taken before")
    expect(rows.nth(2)).to_contain_text("Given in the hospital only")


def test_markup_in_a_name_is_text(page: Page) -> None:
    shown = drawn(page, "light")
    expect(shown.locator(".medicines tbody tr").nth(1)).to_contain_text(EVIL)
    expect(shown.locator(".medicines img, .medicines b")).to_have_count(0)


def test_a_rows_source_is_reached_and_opened_by_keys(page: Page) -> None:
    shown = drawn(page, "light")
    chip = shown.locator(".medicines .chip")
    shown.locator(".medicines").focus()
    shown.keyboard.press("Tab")
    expect(chip).to_be_focused()
    shown.keyboard.press("Enter")
    expect(chip).to_have_class(re.compile(r"\blit\b"))


@pytest.mark.parametrize("theme", list(THEMES))
def test_every_word_of_the_table_has_enough_contrast(page: Page, theme: str) -> None:
    shown = drawn(page, theme)
    expect(shown.locator(".bench")).to_have_attribute("data-theme", theme)
    names = [text for row in ROWS for text in (row.name[:12], row.what_to_do[:12])]
    assert [low for low in shown.evaluate(CONTRAST) if any(name in low for name in names)] == []
