"""The pages by role, and what is around every page: language, who is logged in, the patient's line, then the page chosen."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

# Streamlit puts this file's folder on the path, not the repository's root
ROOT = str(Path(__file__).resolve().parent.parent)
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

import streamlit as st

from app.clients.api_errors import ApiError
from app.components.shell import login, shell
from app.components.shell.shell import draw_pinned
from app.state import api_state, language_state, study_state, visits_state
from app.state.access import access_state, tab_state
from app.words.words import _, later
from backend.schemas.access import PersonRole

CLINICIAN, COORDINATOR, ADMINISTRATOR = PersonRole
RESEARCH, ADMIN = later("Research"), later("Admin")
RATING = later("Rating session")
SCREENS = Path(__file__).parent / "screens"


class Place(NamedTuple):
    """A page: its name, file and address, the menu it stands in (none: in the bar), and whose it is.

    A page of a section that a role does not see in its menus can be reached all the same where `hidden_for` names the role.
    """

    name: str
    file: str
    address: str
    section: str = ""
    role: PersonRole = CLINICIAN
    hidden_for: PersonRole | None = None
    listed: bool = True


PLACES = (
    Place(later("New"), "clinical/workspace", "new"),
    Place(later("My letters"), "clinical/letters", "letters"),
    Place(later("Visits"), "clinical/visits", "visits"),
    Place(later("Compare"), "research/compare", "compare", RESEARCH, COORDINATOR),
    Place(later("Policy"), "research/policy", "policy", RESEARCH, COORDINATOR),
    Place(later("Graph"), "research/medical_graph", "graph", RESEARCH, COORDINATOR),
    Place(later("Results"), "research/results", "results", RESEARCH, COORDINATOR),
    Place(later("Studies"), "research/study", "study", RESEARCH, COORDINATOR),
    Place(later("Knowledge"), "administration/knowledge", "knowledge", ADMIN, COORDINATOR, hidden_for=CLINICIAN),
    Place(later("People"), "administration/people", "people", ADMIN, ADMINISTRATOR),
    Place(later("Settings"), "administration/settings", "settings", ADMIN, COORDINATOR),
    Place(later("Health"), "administration/health", "health", ADMIN, COORDINATOR),
    Place(later("Help"), "clinical/help", "help"),
    Place(later("Tour"), "clinical/tour", "tour", listed=False),
)


def main() -> None:
    """Draw the rating page for a personal link, and the service's pages for everybody else."""
    if study_state.token() or str(st.context.url or "").rstrip("/").endswith("/rate"):
        rating()
    else:
        service()


def rating() -> None:
    """The rating page alone, without navigation, name or menu."""
    st.set_page_config(page_title=_(RATING), layout="wide", initial_sidebar_state="collapsed")
    page = SCREENS / "research" / "rate.py"
    pages = [
        st.Page(page, title=_(RATING), url_path="session", default=True),
        st.Page(page, title=_(RATING), url_path="rate"),
    ]
    st.navigation(pages, position="hidden").run()


def service() -> None:
    """The pages of the service, after the login where one is needed."""
    st.set_page_config(page_title="Leapnote", layout="wide", initial_sidebar_state="collapsed")
    inside = admitted()
    chosen = st.navigation(menus(inside), position="top" if inside else "hidden")
    shell.draw_mark()
    if inside:
        shell.draw_tab(tab_state.name(), lambda: tab_state.restore(shell.TAB, access_state.owner()))
        login.draw_corner(
            access_state.person() if access_state.needed() else None, access_state.log_out, language_state.choose
        )
        tab_state.save(access_state.owner())  # what was just typed or begun, should the reload come while this is drawn
        if chosen.url_path == "visits" and visits_state.label():
            draw_pinned(visits_state.pinned_values(api_state.service()))
        chosen.run()
        tab_state.save(access_state.owner())


def menus(inside: bool) -> Mapping[str, list[Any]]:
    """The pages that this person may open, by menu. Before the login all of them, so that an address stays valid through it."""
    may = access_state.may() if inside else frozenset(PersonRole)
    found: dict[str, list[Any]] = {"": []}
    for place in PLACES:
        if place.role not in may and place.hidden_for not in may:
            continue
        visible = place.listed and place.role in may
        page = st.Page(
            SCREENS / f"{place.file}.py",
            title=_(place.name),
            url_path=place.address,
            default=place.address == "new",
            visibility="visible" if visible else "hidden",
        )
        found.setdefault(_(place.section) if place.section and visible else "", []).append(page)
    return found


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
    return True


main()
