"""The page list and the shell around every screen: style, pinned line, then the screen chosen."""

import sys
from pathlib import Path

# Streamlit puts this file's folder on the path, not the repository's root
ROOT = str(Path(__file__).resolve().parent.parent)
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

import streamlit as st  # noqa: E402

from app import pinned, state  # noqa: E402
from app.views import shell  # noqa: E402
from app.views.pinned import draw_pinned  # noqa: E402

SCREENS = Path(__file__).parent / "screens"


def main() -> None:
    st.set_page_config(page_title="Leapnote", layout="wide", initial_sidebar_state="collapsed")
    chosen = st.navigation(
        [
            st.Page(SCREENS / "write.py", title="Write", url_path="write", default=True),
            st.Page(SCREENS / "cases.py", title="Cases", url_path="cases"),
            st.Page(SCREENS / "compare.py", title="Compare", url_path="compare"),
            st.Page(SCREENS / "graph.py", title="Graph", url_path="graph"),
            st.Page(SCREENS / "settings.py", title="Settings", url_path="settings"),
            st.Page(SCREENS / "about.py", title="About", url_path="about"),
        ],
        position="top",
    )
    shell.draw_style()
    draw_pinned(pinned.pinned(state.progress(), state.label(), state.house(), state.entry()))
    chosen.run()


main()
