"""The study part of one tab's session: the coordinator's open study, and a rater's page.

As in review_state, functions that ask the API are callbacks: they store their outcome and raise nothing.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

import streamlit as st
from pydantic import ValidationError

from app.clients.api_errors import ApiError
from app.clients.rater_client import RefusedError
from app.clients.study_client import StudyClient
from app.state.access import access_state
from app.state.rater_page import RaterPage, Screen
from backend.schemas.studies.study_views import GivenLink, StudyView
from backend.settings import settings

NO_NAME = "Give your name first: it goes into the study's trail."
NOT_GIVEN = "not given"
TOKENS = ("token", "link")  # how a personal link may name it
Value = TypeVar("Value")


class UnfitError(Exception):
    """A value in a form or file does not fit; the message says where."""


def study_client() -> StudyClient:
    """The client of this session; a test puts its own under the same key."""
    if "study_client" not in st.session_state:
        login = "" if token() else access_state.bearer()  # a rater has a link and no login
        st.session_state["study_client"] = StudyClient(settings(), login=login)
    return cast(StudyClient, st.session_state["study_client"])


# ---- a rater


def token() -> str:
    """The token of the personal link that current this page."""
    return str(next((st.query_params[name] for name in TOKENS if name in st.query_params), ""))


def rater() -> RaterPage:
    """The rater's page of this tab's link; another link has another page."""
    held = st.session_state.get("rater_page")
    if not isinstance(held, RaterPage) or held.token != token():
        held = RaterPage(study_client(), token())
        held.open()
        st.session_state["rater_page"] = held
    elif held.screen == Screen.NO_SERVER:
        held.open()
    return held


def give_profile() -> None:
    """Send what stands in the profile's fields."""
    found = {name: st.session_state.get(f"rate_{name}") for name in ("profession", "specialty", "years", "conflicts")}
    years = found["years"]
    rater().give_profile(
        str(found["profession"] or ""),
        str(found["specialty"] or ""),
        float(years) if years is not None else None,
        str(found["conflicts"] or ""),
    )


def acted(key: str) -> None:
    """Take what the rating form of that key sent."""
    value = getattr(st.session_state.get(key), "act", None)
    if isinstance(value, Mapping):
        rater().act(value)


# ---- the coordinator


def author() -> str:
    """The name typed for the study's trail."""
    return str(st.session_state.get("author", "")).strip()


def message() -> tuple[str, bool, str]:
    """The message of the last action, whether the API could not be reached, and the form it belongs to, if any."""
    found: tuple[str, bool, str] = st.session_state.get("study_message", ("", False, ""))
    return found


def refused_leaks() -> tuple[Any, ...]:
    """What would reveal an arm, if that is why the study was not frozen."""
    found: tuple[Any, ...] = st.session_state.get("study_leaks", ())
    return found


def current() -> StudyView | None:
    """The open study as it was last loaded; None when the list is shown."""
    found: StudyView | None = st.session_state.get("study_view")
    return found


def open_study(study_id: str) -> None:
    """Load a study and open it."""
    show_message("")
    st.session_state.pop("study_links", None)
    st.session_state.pop("study_found", None)
    attempt(lambda: show(study_client().study(study_id)))


def close_study() -> None:
    """Go back to the list."""
    for name in ("study_view", "study_links", "study_leaks", "study_found"):
        st.session_state.pop(name, None)
    show_message("")


def refresh() -> None:
    """Load the open study again."""
    view = current()
    if view is not None:
        attempt(lambda: show(study_client().study(view.id)))


def show(view: StudyView) -> None:
    """Make a study the open one."""
    st.session_state["study_view"] = view


def given_links() -> tuple[GivenLink, ...]:
    """The links made in this session, whose tokens are shown as long as the study is open here."""
    found: tuple[GivenLink, ...] = st.session_state.get("study_links", ())
    return found


def add_links(links: tuple[GivenLink, ...]) -> None:
    """Remember new links, to show their tokens."""
    st.session_state["study_links"] = (*given_links(), *links)


def cached(name: str, make: Callable[[], Value]) -> Value | None:
    """A value looked up once for the open study, such as its analysis; None when it cannot be had, with a message."""
    held = st.session_state.setdefault("study_found", {})
    if name not in held and not attempt(lambda: held.update({name: make()})):
        return None
    return cast(Value, held[name])


def found(name: str) -> Any:
    """The value that `cached` holds under that name; None when it was not looked up."""
    return st.session_state.get("study_found", {}).get(name)


def forget(name: str) -> None:
    """Forget a value that `cached` holds."""
    st.session_state.get("study_found", {}).pop(name, None)


def field(name: str, default: Value) -> Value:
    """What stands in a widget."""
    return cast(Value, st.session_state.get(name, default))


def setdefault(name: str, value: Any) -> None:
    """Set a widget's value if it has none."""
    st.session_state.setdefault(name, value)


def round_of(name: str) -> int:
    """How often the files of that name were submitted: part of the field's key, since only a new field is empty."""
    return int(st.session_state.get(f"study_round_{name}", 0))


def next_round(name: str) -> None:
    """Empty the file field of that name by giving it a new key."""
    st.session_state[f"study_round_{name}"] = round_of(name) + 1


def file_key(name: str) -> str:
    """The key of the field that takes files of that name."""
    return f"{name}_{round_of(name)}"


def step_key(study_id: str) -> str:
    """The key of the control that chooses the step of a study."""
    return f"study_step_{study_id}"


def fill(values: Mapping[str, Any]) -> None:
    """Set the values of widgets."""
    for name, value in values.items():
        st.session_state[name] = value


def drop(prefix: str) -> None:
    """Forget every field whose name begins so."""
    for name in [key for key in st.session_state if str(key).startswith(prefix)]:
        st.session_state.pop(name)


def show_message(words: str, unreachable: bool = False, form: str = "") -> None:
    """Store the message for the next drawing. form: the form at which it is shown."""
    st.session_state["study_message"] = (words, unreachable, form)


def attempt(ask: Callable[[], Any], named: bool = False, form: str = "") -> bool:
    """Do what asks the API, and store the message if it fails.

    Args:
        ask: asks the API.
        named: refuse without the coordinator's name.
        form: the form whose button it is.

    Returns:
        Whether it succeeded.
    """
    st.session_state["study_leaks"] = ()
    if named and not author():
        show_message(NO_NAME, form=form)
        return False
    try:
        ask()
    except RefusedError as error:
        show_message(str(error), form=form)
        st.session_state["study_leaks"] = error.leaks
        return False
    except ApiError as error:
        show_message(str(error), error.unreachable, form)
        return False
    except UnfitError as error:
        show_message(str(error), form=form)
        return False
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        show_message(f"That does not fit: {where + ': ' if where else ''}{first['msg']}.", form=form)
        return False
    show_message("")
    return True


def rate_address(link_token: str) -> str:
    """The personal link of a token, at the address by which this page was current."""
    here = urlsplit(str(st.context.url or f"http://{settings().host}:{settings().page_port}/study"))
    folder = here.path.rstrip("/").rpartition("/")[0]
    return f"{here.scheme}://{here.netloc}{folder}/rate?token={link_token}"
