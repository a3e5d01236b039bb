"""The review of the knowledge in one tab's session: what is looked at, and what came of the last decision.

Functions that ask the API are meant as callbacks: they leave their outcome behind and raise nothing.
"""

from typing import cast

import streamlit as st

from app.clients.api_errors import ApiError
from app.clients.review_client import ReviewClient
from app.state.access import access_state
from app.words.words import _
from backend.settings import settings

KIND, STATE, WORDS, PAGE = "knowledge_kind", "knowledge_state", "knowledge_words", "knowledge_page"
REVIEWER = "knowledge_reviewer"
PART, ITEMS, JOURNAL = "knowledge_part", "items", "journal"
TABLES = ("formulary", "instructions")
JOURNAL_ROWS = 200
PAGE_ITEMS = 12
_TYPED = "knowledge_typed"
_ITEM, _MESSAGE, _REFUSED = "knowledge_item", "knowledge_message", "knowledge_refused"


def client() -> ReviewClient:
    """The client of this session; a test puts its own under the same key."""
    if "review_client" not in st.session_state:
        st.session_state["review_client"] = ReviewClient(settings(), login=access_state.bearer())
    return cast(ReviewClient, st.session_state["review_client"])


def value(key: str) -> str:
    """What a field holds."""
    return str(st.session_state.get(key) or "")


def page() -> int:
    """The page of the list, counted from 0."""
    return int(st.session_state.get(PAGE, 0))


def keep_filters() -> None:
    """Keep the filters and the name while their fields are not on the page: Streamlit forgets a field that is not drawn."""
    for key in (KIND, STATE, WORDS, REVIEWER):
        if key in st.session_state:
            st.session_state[key] = st.session_state[key]


def first_page() -> None:
    """Begin the list anew. A callback of its filters."""
    st.session_state[PAGE] = 0


def turn(by: int) -> None:
    """Go on or back in the list. A callback."""
    st.session_state[PAGE] = max(0, page() + by)


def opened() -> str:
    """The id of the item that is looked at; empty for none."""
    return value(_ITEM)


def open_item(item: str) -> None:
    """Look at an item; an empty id closes it. A callback."""
    st.session_state[_ITEM] = item
    st.session_state[_MESSAGE] = ""


def text_key(item: str) -> str:
    """The key of the field that holds an item's changed text."""
    return f"knowledge_text_{item}"


def reason_key(item: str) -> str:
    """The key of the field that holds the reason for a decision about an item."""
    return f"knowledge_reason_{item}"


def sources_key(item: str) -> str:
    """The key of the field that holds what was consulted for a decision about an item."""
    return f"knowledge_sources_{item}"


def keep(key: str) -> None:
    """Keep what was typed into a field while the field is not on the page. A callback of the field."""
    st.session_state.setdefault(_TYPED, {})[key] = value(key)


def typed(key: str, otherwise: str = "") -> str:
    """What was typed into a field and not sent yet; `otherwise` where nothing was."""
    return str(st.session_state.get(_TYPED, {}).get(key, otherwise))


def message() -> tuple[str, bool]:
    """What came of the last decision, and whether it was refused."""
    return value(_MESSAGE), bool(st.session_state.get(_REFUSED))


def part() -> str:
    """The part of the page that is looked at: items, a table of the hospital's own, or the journal."""
    return value(PART) or ITEMS


def clear_message() -> None:
    """Forget what came of the last thing done. A callback of the parts."""
    st.session_state[_MESSAGE] = ""


def who() -> str:
    """Who acts: the person who is logged in, else the name that was typed."""
    person = access_state.person() if access_state.needed() else None
    return person.name if person is not None else value(REVIEWER)


def do_table(action: str, table: str, digest: str = "") -> None:
    """Check, install, remove or bring back a table of the hospital's own. A callback of its buttons; the file is what was chosen.

    digest: of the table to bring back.
    """
    file = st.session_state.get(file_key(table))
    outcome, refused = "", True
    try:
        if action == "remove":
            client().remove_table(table, who())
            outcome, refused = _("Removed from the next start on. It is kept, and can be brought back."), False
        elif action == "restore":
            found = client().restore_table(table, digest, who())
            outcome = _("{rows} rows installed. They hold from the next start on.").format(rows=len(found["rows"]))
            refused = False
        elif file is None:
            outcome = _("Choose a file first.")
        else:
            body = {"text": file.getvalue().decode("utf-8-sig"), "name": file.name}
            if action == "check":
                found = client().check_table(table, body)
                counts = {"rows": len(found["rows"]), "faults": len(found["faults"])}
                outcome = "\n\n".join(
                    (_("{rows} rows are right, {faults} are not.").format(**counts), *found["faults"])
                )
                refused = bool(found["faults"])
            else:
                found = client().install_table(table, body | {"reviewer": who()})
                outcome = _("{rows} rows installed. They hold from the next start on.").format(rows=len(found["rows"]))
                refused = False
    except UnicodeDecodeError:
        outcome = _("The file is no UTF-8 text. Save it as tab-separated UTF-8.")
    except ApiError as error:
        outcome = str(error)
    st.session_state[_MESSAGE], st.session_state[_REFUSED] = outcome, refused


def file_key(table: str) -> str:
    """The key of the field that holds a table's file."""
    return f"knowledge_file_{table}"


def decide(item: str, verdict: str) -> None:
    """Send a decision about an item as the fields have it. A callback."""
    body = {"item": item, "verdict": verdict, "reason": value(reason_key(item)), "reviewer": who()}
    body["sources"] = value(sources_key(item))
    if verdict == "changed":
        body["text"] = value(text_key(item))
    try:
        made = client().decide(body)
        outcome, refused = f"{item}: {made['verdict']} by {made['reviewer']}. It holds from the next start on.", False
        for key in (text_key(item), reason_key(item), sources_key(item)):
            st.session_state.get(_TYPED, {}).pop(key, None)
            st.session_state.pop(key, None)
    except ApiError as error:
        outcome, refused = str(error), True
    st.session_state[_MESSAGE], st.session_state[_REFUSED] = outcome, refused
