"""The catalogues: every text of the page in every language, with the same places to fill; and whole pages in Spanish."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import polib
import pytest

from app.state import language_state  # registers itself, once, before a test puts its own in the place
from app.words import words
from app.words.words import ENGLISH, FOLDER, LANGUAGES, _, catalogue, plural, spoken_by, table
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.saved_case import SaveRequest
from tests.app.conftest import Open
from tests.app.fake_api import draft_of
from tests.app.words.test_internal_words import shown
from tests.app.words.texts import APP, marked

OTHERS = [language for language in LANGUAGES if language != ENGLISH]
FIELD = re.compile(r"\{\w+\}")
# said alike in both languages: names, keys, signs
SAME = re.compile(r"[\W\d]*|A4|Hospital|[a-z?]|j k|.*\bNo\b.*")


@pytest.fixture
def spanish() -> Any:
    before = words._chosen[0]
    spoken_by(lambda: "es")
    yield
    spoken_by(before)


def entries(language: str) -> dict[str, polib.POEntry]:
    return {one.msgid: one for one in polib.pofile(str(FOLDER / f"{language}.po"))}


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_of_the_page_is_in_the_catalogue_and_nothing_else_is(language: str) -> None:
    known, texts = entries(language), marked()
    assert len(texts) > 500
    assert sorted({text.words for text in texts} - set(known)) == []
    assert sorted(set(known) - {text.words for text in texts}) == []
    assert {text.words: text.many for text in texts if text.many} == {
        one.msgid: one.msgid_plural for one in known.values() if one.msgid_plural
    }


@pytest.mark.parametrize("language", OTHERS)
def test_every_translation_is_whole_and_fills_the_same_places(language: str) -> None:
    for one in entries(language).values():
        forms = list(one.msgstr_plural.values()) if one.msgid_plural else [one.msgstr]
        for form in forms:
            assert form.strip() and not one.fuzzy, one.msgid
            assert Counter(FIELD.findall(form)) == Counter(FIELD.findall(one.msgid)), one.msgid
            assert form.count("**") == one.msgid.count("**") and form.count("`") == one.msgid.count("`"), one.msgid
            assert form != one.msgid or SAME.fullmatch(one.msgid) or len(one.msgid) < 12, one.msgid


def test_texts_and_numbers_come_in_the_language_that_was_chosen(spanish: Any) -> None:
    assert _("My letters") == "Mis cartas"
    assert (plural("{n} note", "{n} notes", 1), plural("{n} note", "{n} notes", 3)) == ("1 nota", "3 notas")
    assert _("no such text") == "no such text"
    assert _("") == ""  # the catalogue's own head stands under the empty text
    assert table("es")["Undo"] == "Deshacer" and table("es")["{n} notes"] == "{n} notas"
    assert table(ENGLISH) == {}


def test_an_unknown_language_is_english() -> None:
    before = words._chosen[0]
    spoken_by(lambda: "tlh")
    try:
        assert _("My letters") == "My letters"
    finally:
        spoken_by(before)
    assert catalogue(ENGLISH).gettext("x") == "x"


@pytest.mark.parametrize(
    ("screen", "said"),
    [
        ("letters", "Todavía no hay ninguna carta"),
        ("visits", "Una nota de evolución por visita"),
        ("help", "No conoce el ingreso"),
        ("people", "los inicios de sesión están desactivados"),
    ],
)
def test_a_page_is_drawn_in_spanish_and_so_is_the_workspace(
    open_page: Open, spanish: Any, screen: str, said: str
) -> None:
    page = open_page()
    assert said in page.go(screen).said().replace("\\", "")
    page.go("workspace")
    given = page.part("leapnote_workspace")
    assert (given["words"]["Undo"], given["values"]["language"]) == ("Deshacer", "es")


def test_the_language_is_chosen_in_the_bar(open_page: Open) -> None:
    page = open_page().go("help")
    page.test.radio(key="language_field").set_value("es")
    assert "Ayuda" in page.run().said()
    assert page.test.session_state[language_state.LANGUAGE] == "es"
    page.go("workspace")
    assert page.part("leapnote_workspace")["words"]["Undo"] == "Deshacer"


def test_every_catalogue_belongs_to_a_language_that_can_be_chosen() -> None:
    assert {path.stem for path in Path(FOLDER).glob("*.po")} == set(OTHERS)


ALL_SCREENS = sorted(path.stem for path in (APP / "screens").glob("*/*.py") if not path.stem.startswith("__"))
# read in the language of its study
STUDY_S_OWN = {"rate"}


@pytest.mark.parametrize("screen", [name for name in ALL_SCREENS if name not in STUDY_S_OWN])
def test_in_spanish_no_page_shows_an_english_text_of_the_catalogue(open_page: Open, spanish: Any, screen: str) -> None:
    english = {one.msgid for one in entries("es").values() if one.msgid != (one.msgstr or one.msgstr_plural.get(0))}
    page = open_page()
    page.api.save_case(SaveRequest(label="80 F", draft=draft_of(DraftRequest(text="x")), author="Dr Ames"))
    texts = {text.replace("\\", "").strip() for text in shown(page.go(screen))}
    assert len(texts) > 3
    assert sorted(text for text in texts if text in english and len(text) > 3) == []
