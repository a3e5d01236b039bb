"""What one tab knows of the API: systems, documents, who writes, and whether it answers at all."""

import time
from typing import Any

import streamlit as st

from app.clients.api_errors import ApiError
from app.state import session as state

SYSTEMS_AGE_S = 10.0
"""Seconds after which the API is asked anew who writes: a server may have come or gone meanwhile."""


def service() -> dict[str, Any] | None:
    """Systems, documents, the writer chosen here, and the knowledge's notice; None when the API does not answer.

    An answer is stored for the session. Whatever a starting or stopping server changes is asked anew after SYSTEMS_AGE_S;
    a failure is asked again next time, and the last answer stays.
    """
    held: dict[str, Any] | None = st.session_state.get("service")
    if held is None or time.monotonic() - st.session_state.get("service_at", 0.0) > SYSTEMS_AGE_S:
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
        st.session_state["service_error"] = str(error)
        return None
    st.session_state["service_at"] = time.monotonic()
    found: dict[str, Any] = st.session_state["service"]
    return found


def stages() -> tuple[dict[str, Any], ...]:
    """The stages of a draft as the API last listed them; none where it never answered."""
    return tuple(st.session_state.get("service", {}).get("stages", ()))


def api_error() -> str:
    """Why the API did not answer last."""
    return str(st.session_state.get("service_error", ""))
