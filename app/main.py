"""The page list and the shell around every screen: style, pinned line, then the screen chosen."""

import sys
from pathlib import Path
from typing import Any

# Streamlit puts this file's folder on the path, not the repository's root
ROOT = str(Path(__file__).resolve().parent.parent)
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

import streamlit as st  # noqa: E402

from app import pinned, review_state, state, study_state  # noqa: E402
from app.entry import Entry  # noqa: E402
from app.views import shell  # noqa: E402
from app.views.pinned import draw_pinned  # noqa: E402

REVIEW = "Review"
RATING = "Rating session"
SCREENS = Path(__file__).parent / "screens"


def main() -> None:
    if study_state.token() or str(st.context.url or "").rstrip("/").endswith("/rate"):
        rating()
    else:
        house()


def rating() -> None:
    """For whom a personal link brought: the rating page alone, without navigation, name or menu."""
    st.set_page_config(page_title=RATING, layout="wide", initial_sidebar_state="collapsed")
    page = SCREENS / "rate.py"
    pages = [
        st.Page(page, title=RATING, url_path="session", default=True),
        st.Page(page, title=RATING, url_path="rate"),
    ]
    st.navigation(pages, position="hidden").run()


def house() -> None:
    st.set_page_config(page_title="Leapnote", layout="wide", initial_sidebar_state="collapsed")
    chosen = st.navigation(
        [
            st.Page(SCREENS / "write.py", title="Write", url_path="write", default=True),
            st.Page(SCREENS / "cases.py", title="Cases", url_path="cases"),
            st.Page(SCREENS / "review.py", title=REVIEW, url_path="review"),
            st.Page(SCREENS / "compare.py", title="Compare", url_path="compare"),
            st.Page(SCREENS / "graph.py", title="Graph", url_path="graph"),
            st.Page(SCREENS / "results.py", title="Results", url_path="results"),
            st.Page(SCREENS / "study.py", title="Studies", url_path="study"),
            st.Page(SCREENS / "settings.py", title="Settings", url_path="settings"),
            st.Page(SCREENS / "about.py", title="About", url_path="about"),
        ],
        position="top",
    )
    shell.draw_style()
    draw_pinned(patient(chosen.title == REVIEW))
    chosen.run()


def patient(reviewing: bool) -> dict[str, Any]:
    """The pinned line's values: of the case under review, or of the draft in the making. They may be two patients."""
    view = review_state.opened() if reviewing else None
    if view is None:
        return pinned.pinned(state.progress(), state.label(), state.house(), state.entry())
    return pinned.pinned(review_state.shown(), view.label, state.house(), Entry(note=view.draft.note.text))


main()
