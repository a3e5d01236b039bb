"""Every setting has its place, and its value is shown in words."""

import pytest

from app.view_data.setting_groups import (
    ADVANCED,
    DATA,
    KNOWLEDGE,
    MODEL,
    OTHERS,
    PLACES,
    Setting,
    place,
    seam_tables,
    sections,
    setting,
)
from backend.registry import FLAG_KINDS, SEAMS, seam_list
from backend.settings import Settings

GROUPS = (MODEL, KNOWLEDGE, DATA, ADVANCED)


def row(name: str, value: str) -> dict[str, str]:
    return {"name": name, "value": value, "meaning": "what it does"}


def test_every_setting_stands_in_one_section_that_somebody_named() -> None:
    rows = [row(f"LEAPNOTE_{name.upper()}", "") for name in Settings.model_fields]
    shown = [one.name for group in GROUPS for section in sections(rows, group) for one in section.settings]
    assert sorted(shown) == sorted(one["name"] for one in rows)
    assert [name for name in Settings.model_fields if place(name)[1] == OTHERS] == []


def test_every_section_holds_a_setting() -> None:
    rows = [row(f"LEAPNOTE_{name.upper()}", "") for name in Settings.model_fields]
    assert {section.title for group in GROUPS for section in sections(rows, group)} == {title for _, title, _ in PLACES}


def test_a_setting_that_nobody_placed_comes_last_of_all() -> None:
    rows = [row("LEAPNOTE_NEW_THING", "1"), row("LEAPNOTE_PATHS", "10")]
    assert [section.title for section in sections(rows, ADVANCED)] == ["How much evidence a draft uses", OTHERS]


@pytest.mark.parametrize(
    ("name", "value", "now", "changed"),
    [
        ("LEAPNOTE_PATHS", "10", "10", False),
        ("LEAPNOTE_PATHS", "12", "12", True),
        ("LEAPNOTE_LOGIN", "False", "no", False),
        ("LEAPNOTE_LOGIN", "True", "yes", True),
        ("LEAPNOTE_LLM_URL", "", "not set", False),
        ("LEAPNOTE_LLM_KEY", "not set", "not set", False),
        ("LEAPNOTE_LLM_KEY", "set", "set", True),
    ],
)
def test_a_value_is_shown_in_words_and_against_its_default(name: str, value: str, now: str, changed: bool) -> None:
    assert setting(row(name, value)) == Setting(name, "what it does", now, changed)


def test_every_seam_is_a_table_with_what_each_entry_is_and_what_to_do_about_a_flag() -> None:
    tables = {table.title: table.rows for table in seam_tables(seam_list())}
    assert len(tables) == len(SEAMS)
    (title,) = [title for title in tables if title.startswith("Flag kind (")]
    (dose,) = [row for row in tables[title] if row[1] == "dose"]
    entry = FLAG_KINDS.get("dose")
    assert dose == (f"{entry.about} {entry.facts['action']}", "dose", "Unusual dose")
