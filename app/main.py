"""The page list and what is around every screen: style, pinned line, then the screen chosen."""

import sys
from pathlib import Path
from typing import Any

# Streamlit puts this file's folder on the path, not the repository's root
ROOT = str(Path(__file__).resolve().parent.parent)
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

import streamlit as st

from app.clients.api_errors import ApiError
from app.components.shell import login, shell
from app.components.shell.shell import draw_pinned
from app.state import access_state, api_state, review_state, study_state, tab_state, visits_state
from app.state import session as state
from app.view_data import pinned_data as pinned
from app.view_data.entry import Entry

REVIEW = "Review"
STUDIES = "Studies"
KNOWLEDGE = "Knowledge"
VISITS = "Visits"
RATING = "Rating session"
SCREENS = Path(__file__).parent / "screens"


def main() -> None:
    """Draw the rating page for a personal link, and the service's pages for everybody else."""
    if study_state.token() or str(st.context.url or "").rstrip("/").endswith("/rate"):
        rating()
    else:
        service()


def rating() -> None:
    """The rating page alone, without navigation, name or menu."""
    st.set_page_config(page_title=RATING, layout="wide", initial_sidebar_state="collapsed")
    page = SCREENS / "rate.py"
    pages = [
        st.Page(page, title=RATING, url_path="session", default=True),
        st.Page(page, title=RATING, url_path="rate"),
    ]
    st.navigation(pages, position="hidden").run()


def service() -> None:
    """The pages of the service, after the login where one is needed."""
    st.set_page_config(page_title="Leapnote", layout="wide", initial_sidebar_state="collapsed")
    inside = admitted()
    chosen = st.navigation(pages(inside), position="top" if inside else "hidden")
    shell.draw_style()
    if inside:
        shell.draw_tab(tab_state.name(), lambda: tab_state.restore(shell.TAB, access_state.owner()))
        tab_state.save(access_state.owner())  # what was just typed or begun, should the reload come while this is drawn
        if state.entered(chosen.title):
            review_state.forget_refusal()
        draw_pinned(patient(chosen.title))
        chosen.run()
        tab_state.save(access_state.owner())


def pages(inside: bool) -> list[Any]:
    """The screens that this person may open. Before the login it is all of them, so that an address stays valid through it."""
    names = ["Write", VISITS, "Cases", REVIEW, "Compare", "Graph", "Results", STUDIES, KNOWLEDGE, "Settings", "About"]
    files = {STUDIES: "study", "Graph": "medical_graph"}
    addresses = {STUDIES: "study"}
    return [
        st.Page(
            SCREENS / f"{files.get(name, name.lower())}.py",
            title=name,
            url_path=addresses.get(name, name.lower()),
            default=name == "Write",
        )
        for name in names
        if name != STUDIES or not inside or access_state.coordinates()
    ]


def admitted() -> bool:
    """Whether this tab may see more than the login."""
    if not access_state.needed():
        return True
    try:
        person = access_state.person()
    except ApiError:
        login.draw_no_server()
        return False
    login.draw_cookie(access_state.cookie_code())
    if person is None:
        login.draw_login(access_state.message(), access_state.log_in)
        return False
    login.draw_who(person, access_state.log_out)
    return True


def patient(screen: str) -> dict[str, Any]:
    """The pinned line's values: of the case under review, of the patient whose visits are shown, or of the current draft.

    They may be three different patients.
    """
    if screen == VISITS:
        return visits_state.pinned_values(api_state.service())
    view = review_state.current() if screen == REVIEW else None
    if view is None:
        return pinned.pinned(state.progress(), state.label(), api_state.service(), state.entry())
    return pinned.pinned(review_state.shown(), view.label, api_state.service(), Entry(note=view.draft.note.text))


main()
