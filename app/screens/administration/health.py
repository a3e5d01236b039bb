"""Health: what is up, versions, disk, models."""

import streamlit as st

from app.clients.api_errors import ApiError
from app.components.shell.health_view import draw_disk, draw_parts, draw_versions
from app.components.shell.unreachable import draw_error
from app.state.access import people_state
from app.words.words import _


def screen() -> None:
    """Draw the page."""
    st.title(_("Health"))
    try:
        status = people_state.client().service_status()
    except ApiError as error:
        draw_error(error)
        return
    draw_parts(status)
    st.button(_("Look again"), key="health_again", icon=":material/refresh:")
    draw_versions(status)
    draw_disk(status.disk)


screen()
