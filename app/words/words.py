"""The page's texts in the language that was chosen, by gettext: English is the key, `<language>.po` has the translation.

A catalogue is read from its .po as it stands, so that nothing has to be compiled. A text that a catalogue lacks stays English;
a test finds it.
"""

import gettext
from collections.abc import Callable, Mapping
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "es": "Español"}
"""Each language by its own name."""
_chosen: list[Callable[[], str]] = [lambda: ENGLISH]


def spoken_by(language: Callable[[], str]) -> None:
    """Have texts come in the language that this says at each call. It must answer in every thread."""
    _chosen[0] = language


def spoken() -> str:
    """The language of the page now; English where the chosen one has no catalogue."""
    language = _chosen[0]()
    return language if language in LANGUAGES else ENGLISH


def asked(tags: str) -> str:
    """The language of a browser's own tag or list of tags ("es-ES,es;q=0.9"), the first of which counts; else English."""
    first = tags.partition(",")[0].partition(";")[0].partition("-")[0].strip().lower()
    return first if first in LANGUAGES else ENGLISH


def _(text: str) -> str:
    """A text in the language of the page."""
    return catalogue(spoken()).gettext(text) if text else ""


def plural(one: str, many: str, n: int) -> str:
    """One of two texts by a number, with `{n}` filled."""
    return catalogue(spoken()).ngettext(one, many, n).format(n=n)


def later(text: str) -> str:
    """Mark a text for the catalogue where it is not drawn yet; whoever draws it passes it through `_`."""
    return text


@lru_cache
def table(language: str) -> Mapping[str, str]:
    """Every translated text by its English, for what is drawn in the browser; of a text with a plural both forms."""
    if language == ENGLISH:
        return {}
    found: dict[str, str] = {}
    for entry in _file(language):
        if entry.msgid_plural:
            found |= {entry.msgid: entry.msgstr_plural[0], entry.msgid_plural: entry.msgstr_plural[1]}
        else:
            found[entry.msgid] = entry.msgstr
    return found


@lru_cache
def catalogue(language: str) -> gettext.NullTranslations:
    """The texts of a language; English needs none."""
    if language == ENGLISH:
        return gettext.NullTranslations()
    return gettext.GNUTranslations(BytesIO(_file(language).to_binary()))


def _file(language: str) -> Any:
    import polib

    return polib.pofile(str(FOLDER / f"{language}.po"), encoding="utf-8")
