"""The sources on the settings page, in a real browser: a folder is imported, listed and removed. Its text is made up."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import choose, goto, still

pytestmark = pytest.mark.browser


def test_a_folder_is_imported_listed_and_removed(tab: Page, tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "kiwi.md").write_text("# Kiwi sign\n\nThe kiwi sign is made up.\n")
    goto(tab, "Settings")
    tab.get_by_role("tab", name="Knowledge and sources").click()
    tab.get_by_text("Import into a source").click()
    choose(tab, "Kind", "folder: a folder or file of Markdown")
    for label, text in (("File or folder", str(tmp_path / "texts")), ("Name", "kiwi-notes"), ("Licence", "made up")):
        field = tab.get_by_role("textbox", name=label)
        field.fill(text)
        field.press("Tab")
    tab.get_by_role("button", name="Import", exact=True).click()
    expect(tab.get_by_text("kiwi-notes is imported.")).to_be_visible(timeout=30_000)
    expect(tab.get_by_text("1 documents, 1 passages")).to_be_visible()
    tab.screenshot(path=tmp_path / "imported.png")
    still(tab)
    tab.get_by_role("button", name="Remove", exact=True).click()
    tab.get_by_role("button", name="Remove it").click()
    expect(tab.get_by_text("kiwi-notes is removed.")).to_be_visible(timeout=20_000)
