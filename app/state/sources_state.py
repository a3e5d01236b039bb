"""The sources' part of one tab's session: the import at work, and what came of the last change.

As in review_state, functions that ask the API are meant as callbacks: they leave their outcome behind and raise nothing.
"""

from typing import Any, cast

import streamlit as st

from app.clients.api_errors import ApiError
from app.clients.sources_client import SourcesClient
from app.jobs.sources_run import SourceRun
from app.state.access import access_state
from backend.settings import settings

FIELDS = ("kind", "path", "name", "source", "licence")
NO_PATH = "Give the file or folder to import, as the machine that serves sees it."


def sources_client() -> SourcesClient:
    """The client of this session; a test puts its own under the same key."""
    if "sources_client" not in st.session_state:
        st.session_state["sources_client"] = SourcesClient(settings(), login=access_state.bearer())
    return cast(SourcesClient, st.session_state["sources_client"])


def may_change() -> bool:
    """Whether the person at this tab may change the sources: anybody on this machine, coordinators where people log in."""
    return access_state.coordinates()


def field(name: str) -> str:
    """The key of a field of the import's form."""
    return f"import_{name}"


def kinds() -> list[dict[str, str]]:
    """What can be imported, asked once. Raises ApiError."""
    if "import_kinds" not in st.session_state:
        st.session_state["import_kinds"] = sources_client().kinds()
    return cast(list[dict[str, str]], st.session_state["import_kinds"])


def run() -> SourceRun | None:
    """The current import; None before the first."""
    return cast("SourceRun | None", st.session_state.get("import_run"))


def message() -> str:
    """Why the last change was refused; empty where it was not."""
    return str(st.session_state.get("import_message", ""))


def start() -> None:
    """Import what the form says."""
    typed = {name: str(st.session_state.get(field(name)) or "").strip() for name in FIELDS}
    st.session_state["import_message"] = "" if typed["path"] else NO_PATH
    if typed["path"]:
        client = sources_client()
        st.session_state["import_run"] = SourceRun(
            typed["name"] or typed["path"], lambda: client.import_collection(typed)
        )


def encode(name: str) -> None:
    """Encode a collection again with the encoder that is set."""
    client = sources_client()
    st.session_state["import_message"] = ""
    st.session_state["import_run"] = SourceRun(name, lambda: client.encode_collection(name))


def stop() -> None:
    """Stop the current import. A callback."""
    held = run()
    if held is not None:
        held.stop()


def remove(name: str) -> None:
    """Remove a collection. A callback."""
    try:
        sources_client().remove_collection(name)
        st.session_state["import_message"] = f"{name} is removed."
    except ApiError as error:
        st.session_state["import_message"] = str(error)


def fill(row: dict[str, Any]) -> None:
    """Put a collection's values into the form, so that importing again replaces it."""
    for name, value in (
        ("kind", row["kind"]),
        ("name", row["name"]),
        ("source", row["source"]),
        ("licence", row["licence"]),
    ):
        st.session_state[field(name)] = value
