"""Draws what a rater sees: the form of an item, and every state around it. No text here names the product or a system.

What the study wrote is drawn as it was frozen; every other text is in the page's language.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import streamlit as st

from app.components.component import FOLDER, component
from app.components.shell.notices import plain
from app.words.words import _, later, plural, spoken, table
from backend.schemas.studies.study_rater_views import RaterSession

SCRIPTS = ("words", "outbox", "texts", "fields", "marks", "keys", "frame", "questions", "main")
FORM_KEY = "rating_form"
PROFESSIONS = (
    later("Physician"),
    later("Nurse"),
    later("Pharmacist"),
    later("Therapist"),
    later("Student"),
    later("Patient representative"),
    later("Other"),
)
STYLE = """
<style>
header[data-testid="stHeader"], [data-testid="stSidebar"], [data-testid="stSidebarCollapsedControl"], footer { display: none; }
.stMainBlockContainer { padding: 0.9rem 1.25rem 1rem; max-width: 1760px; }
.st-key-rate_text { max-width: 44rem; margin: 1.5rem auto 0; }
h1 { font-size: 1.5rem !important; padding: 0 0 0.5rem !important; }
@media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important; } }
</style>
"""

rating_form = component(
    "rating_form",
    ("dom.js", "translating.js", *(f"rate_form/{script}.js" for script in SCRIPTS)),
    ("tokens.css", "rate_form/rate.css"),
)


def draw_frame() -> None:
    """Nothing around the page: no navigation, no menu."""
    st.html(STYLE)


def draw_form(data: dict[str, Any], on_act: Callable[[], None]) -> None:
    """The rating form. data: see RaterPage.form. on_act: called when the browser sends answers or a move."""
    given = {"words": form_words(spoken()), "language": spoken()}
    rating_form(key=FORM_KEY, data=data | given, on_act_change=on_act)


@lru_cache
def form_words(language: str) -> dict[str, str]:
    """The form's own texts by their English. The rest of the catalogue names the product, which no rater's browser may receive."""
    own = (FOLDER / "rate_form" / "words.js").read_text(encoding="utf-8")
    return {text: words for text, words in table(language).items() if f'"{text}"' in own}


def draw_plain(title: str, text: str, message: str = "") -> None:
    """A page of words."""
    with st.container(key="rate_text"):
        _draw_text(title, text, message)


def _draw_text(title: str, text: str, message: str) -> None:
    st.title(plain(title), anchor=False)
    _draw_message(message)
    st.markdown(text)


def _draw_message(message: str) -> None:
    if message:
        st.info(plain(message), icon=":material/info:")


def draw_no_server(message: str, on_retry: Callable[[], None]) -> None:
    """That the server cannot be reached, with a button to try again."""
    text = _("It is tried again every few seconds. You can also close this page and open your link later.")
    with st.container(key="rate_text"):
        _draw_text(_("Please wait"), text, message)
        st.button(_("Try now"), key="rate_retry", type="primary", on_click=on_retry)


def draw_profile(session: RaterSession, message: str, on_give: Callable[[], None]) -> None:
    """Asked once. What was typed stays when something is missing."""
    with st.container(key="rate_text"):
        _draw_opening(session)
        st.header(_("First, about you"), anchor=False)
        st.caption(_("Asked once. Other raters do not see it."))
        _draw_message(message)
        with st.form("rate_profile"):
            st.selectbox(_("Profession"), PROFESSIONS, index=None, key="rate_profession", accept_new_options=True,
                         placeholder=_("Choose, or type your own"), format_func=_)  # fmt: skip
            st.text_input(_("Specialty"), key="rate_specialty", max_chars=120,
                          placeholder=_("for example internal medicine"))  # fmt: skip
            st.number_input(_("Years of practice"), 0.0, 80.0, None, 1.0, key="rate_years", format="%g")
            st.text_area(_("Conflicts of interest"), key="rate_conflicts", max_chars=2000, height=80,
                         placeholder=_("Write none if there are none"))  # fmt: skip
            st.form_submit_button(_("Continue"), type="primary", on_click=on_give)


def _draw_opening(session: RaterSession) -> None:
    st.title(plain(_(session.title)), anchor=False)  # the usual title is a text of ours
    if session.notice:
        st.info(plain(session.notice), icon=":material/info:")
    if session.instructions:
        st.markdown(plain(session.instructions).replace("\n", "  \n"))


def draw_welcome(session: RaterSession, message: str, on_begin: Callable[[], None]) -> None:
    """The first page of a session: how many items, and how answering works."""
    begun = session.done > 0
    with st.container(key="rate_text"):
        _draw_opening(session)
        _draw_message(message)
        counted = (
            _("There are **{total}** items, and {done} are complete.") if begun else _("There are **{total}** items.")
        )
        counted = counted.format(total=session.total, done=session.done)
        if session.calibration:
            counted += " " + plural(
                "The first {n} is for practice.", "The first {n} are for practice.", session.calibration
            )
        lines = (
            counted,
            _("Each answer is saved as you click. You can go back and change it until the end."),
            _("You can pause and come back at any time, on any machine, with the same link. Keep it to yourself."),
            _("“Cannot judge” is an answer too. Mouse or keyboard will do: press **?** for the keys."),
        )
        st.markdown("\n".join(f"- {line}" for line in lines))
        st.button(_("Go on") if begun else _("Begin"), key="rate_begin", type="primary", on_click=on_begin)


def draw_paused(session: RaterSession, message: str, on_resume: Callable[[], None]) -> None:
    """The page of a paused session."""
    text = _(
        "{done} of {total} items are complete, and everything is saved. You can close this page. "
        "The same link opens it again, on this machine or another."
    ).format(done=session.done, total=session.total)
    with st.container(key="rate_text"):
        _draw_text(_("Paused"), text, message)
        st.button(_("Go on"), key="rate_begin", type="primary", on_click=on_resume)


def draw_ready(session: RaterSession, message: str, on_finish: Callable[[], None], on_back: Callable[[], None]) -> None:
    """The page after the last item: finish, or go back."""
    text = _(
        "All {total} items have their answers. You can go back and change them. "
        "Once you finish, they stay as they are, and a few last questions follow."
    ).format(total=session.total)
    with st.container(key="rate_text"):
        _draw_text(_("All items are complete"), text, message)
        with st.container(horizontal=True):
            st.button(_("Finish"), key="rate_finish", type="primary", on_click=on_finish)
            st.button(_("Back to the items"), key="rate_back", on_click=on_back)
