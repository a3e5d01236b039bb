"""The workspace: from the pasted note to the signed letter on one screen. It is drawn once; nothing here runs while a person works."""

import streamlit as st

from app.components.workspace.workspace import draw_workspace
from app.state.access import access_state
from app.view_data.workspace_data import workspace_data
from app.words.words import spoken, table

STYLE = """
<style>
@media print {
  [data-testid="stHeader"], [data-testid="stToastContainer"], [data-testid="stSidebar"] { display: none !important; }
  .stApp, .stMain, .stMainBlockContainer, [data-testid="stAppViewContainer"] { position: static !important; overflow: visible !important; height: auto !important;
    padding: 0 !important; display: block !important; }
}
</style>
"""


def screen() -> None:
    """Draw the page."""
    st.html(STYLE)
    draw_workspace(workspace_data(access_state.owner(), table(spoken()), spoken()))


screen()
