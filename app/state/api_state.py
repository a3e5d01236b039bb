"""What one tab knows of the API it speaks to: systems, documents, who writes, and whether it answers at all."""

import time
from typing import Any

import streamlit as st

from app.clients.api_errors import ApiError
from app.state import session as state

HOUSE_S = 10.0
"""Seconds after which the API is asked anew who writes: a server may have come or gone meanwhile."""


def service() -> dict[str, Any] | None:
    """Systems, documents, who writes as chosen here, and the knowledge's notice; None when the API does not answer.

    An answer is kept for the session, but for what a server that comes or goes changes: that is asked anew after
    HOUSE_S. A failure is asked again next time; what was known before stays.
    """
    held: dict[str, Any] | None = st.session_state.get("service")
    if held is None or time.monotonic() - st.session_state.get("house_at", 0.0) > HOUSE_S:
        held = look_again() or held
    if held is None:
        return None
    chosen = next(
        (dict(row) for row in held.get("generators", ()) if row["setting"] == state.generator()), held["generator"]
    )
    return {**held, "generator": chosen}


def look_again() -> dict[str, Any] | None:
    """Ask the API anew who writes; None when it does not answer."""
    held: dict[str, Any] = st.session_state.get("service", {})
    try:
        notice = held["notice"] if held else state.client().knowledge().get("notice", "")
        st.session_state["service"] = {**state.client().systems(), "notice": notice}
    except ApiError as error:
        st.session_state["house_error"] = str(error)
        return None
    st.session_state["house_at"] = time.monotonic()
    found: dict[str, Any] = st.session_state["service"]
    return found


def api_error() -> str:
    return str(st.session_state.get("house_error", ""))
