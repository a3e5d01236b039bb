"""The review part of one tab's session: the open case, what is typed into it, and the outcome of the last action.

Every function that asks the API is a callback: it stores its outcome and raises nothing. What is typed is cleared only
when the API has accepted it, so neither a refusal nor a newer version loses it.
"""

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st
from pydantic import ValidationError

from app.clients.api_errors import ApiError, SignatureRefusedError, StaleError
from app.jobs.draft_run import Progress
from app.jobs.event_run import Phase
from app.state.session import client
from app.view_data.review_text import completed
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.saved_case import (
    Acknowledgement,
    CaseView,
    Edit,
    EditKind,
    EditsRequest,
    SaveRequest,
    SignatureRequest,
)

NO_NAME = "Give your name first: it goes into the audit trail."
NO_REASON = "Give a reason for each flag you acknowledge."
UNFIT = "That could not be sent: a field is empty or too long."


class Outcome(NamedTuple):
    """The outcome of the last action: nothing to say, a message, a newer version, or a refused signature."""

    message: str = ""
    error: ApiError | None = None

    @property
    def stale(self) -> StaleError | None:
        """The newer version, if that was the reason."""
        return self.error if isinstance(self.error, StaleError) else None

    @property
    def refused(self) -> SignatureRefusedError | None:
        """The refused signature, if that was the reason."""
        return self.error if isinstance(self.error, SignatureRefusedError) else None


def outcome() -> Outcome:
    """The outcome of the last action."""
    found: Outcome = st.session_state.get("review_outcome", Outcome())
    return found


def forget_refusal() -> None:
    """Forget a message about the fields on a change of screen. A refusal of the API stays."""
    if outcome().error is None:
        _leave(Outcome())


def author() -> str:
    """The name typed for the audit trail."""
    return str(st.session_state.get("author", "")).strip()


def current() -> CaseView | None:
    """The open case as it was last loaded; None when the list is shown."""
    found: CaseView | None = st.session_state.get("case_view")
    return found


def shown() -> Progress | None:
    """The open case as the pinned line takes it: its patient and allergies, not those of the write screen."""
    view = current()
    if view is None:
        return None
    return Progress(Phase.DONE, DraftRequest(text=view.draft.note.text), draft=view.draft)


def open_case(case_id: str) -> None:
    """Load the newest version of a case."""
    _ask(lambda: _show(client().saved_case(case_id)))


def close_case() -> None:
    """Go back to the list."""
    st.session_state.pop("case_view", None)
    _leave(Outcome())


def label_field(draft: Draft, label: str) -> str:
    """The key of the field for the case's label, filled when it is first drawn."""
    key = f"save_label_{draft.id}"
    st.session_state.setdefault(key, label)
    return key


def saved_as(draft: Draft) -> str | None:
    """The id of the case that a draft was saved as in this session."""
    found: str | None = st.session_state.get("saved_drafts", {}).get(draft.id)
    return found


def save(draft: Draft) -> None:
    """Save a finished draft as a case and open it."""

    def ask() -> None:
        label = str(st.session_state.get(f"save_label_{draft.id}", ""))
        view = client().save_case(SaveRequest(label=label, draft=draft, author=author()))
        st.session_state["saved_drafts"] = {**st.session_state.get("saved_drafts", {}), draft.id: view.id}
        _show(view)

    _ask(ask, named=True)


def field(kind: str, name: str) -> str:
    """The key of what is typed for a sentence or flag of the open case. It holds through all versions."""
    view = current()
    return f"{kind}_{view.id if view else ''}_{name}"


def typed(kind: str, name: str) -> str:
    """What is typed for a sentence or flag."""
    return str(st.session_state.get(field(kind, name), ""))


def editor_open(kind: str, name: str) -> bool:
    """Whether the field of a kind is open for a sentence."""
    return bool(st.session_state.get(field(f"open_{kind}", name), False))


def open_editor(kind: str, name: str, text: str = "") -> None:
    """Open a field. kind: text to rewrite a sentence, insert for one after it, history for its earlier texts."""
    st.session_state[field(kind, name)] = text
    st.session_state[field(f"open_{kind}", name)] = True


def close_editor(kind: str, name: str) -> None:
    """Close a field and forget what is typed in it."""
    st.session_state.pop(field(kind, name), None)
    st.session_state.pop(field(f"open_{kind}", name), None)


def rewrite(sentence: str) -> None:
    """Replace a sentence by what is typed."""
    if _edit(EditKind.REPLACE, sentence, typed("text", sentence)):
        close_editor("text", sentence)


def insert(sentence: str) -> None:
    """Insert what is typed after a sentence."""
    if _edit(EditKind.INSERT_AFTER, sentence, typed("insert", sentence)):
        close_editor("insert", sentence)


def fill(sentence: str, text: str) -> None:
    """Complete the gap in a sentence. text: the sentence."""
    words = typed("gap", sentence)
    if not words.strip():
        _leave(Outcome("Type what belongs into the gap first."))
    elif _edit(EditKind.REPLACE, sentence, completed(text, words)):
        close_editor("gap", sentence)


def delete(sentence: str) -> None:
    """Delete a sentence."""
    _edit(EditKind.DELETE, sentence)


def restore(sentence: str | None = None) -> None:
    """Bring one sentence back, or without one undo the whole last change."""
    _edit(EditKind.RESTORE, sentence)


def judge(concept_id: str, kind: EditKind) -> None:
    """Confirm a condition or rule it out."""
    _edit(kind, concept_id=concept_id)


def sign() -> None:
    """Sign the version that is looked at, with the flags that were acknowledged."""
    view = current()
    if view is None:
        return
    ticked = [flag.id for flag in view.flags if st.session_state.get(field("ack", flag.id))]
    if any(not typed("reason", flag).strip() for flag in ticked):
        _leave(Outcome(NO_REASON))
        return

    def ask() -> None:
        acknowledged = tuple(Acknowledgement(flag=flag, reason=typed("reason", flag)) for flag in ticked)
        name, role = author(), str(st.session_state.get("role", ""))
        request = SignatureRequest(version=view.version, name=name, role=role, acknowledgements=acknowledged)
        _show(client().sign_case(view.id, request))

    _ask(ask, named=True)


def delete_case() -> None:
    """Delete the open case for good."""
    view = current()

    def ask() -> None:
        if view is not None:
            client().delete_case(view.id, author())
            others = {k: v for k, v in st.session_state.get("saved_drafts", {}).items() if v != view.id}
            st.session_state["saved_drafts"] = others
            close_case()

    _ask(ask, named=True)


def _edit(kind: EditKind, sentence: str | None = None, text: str = "", concept_id: str = "") -> bool:
    """Whether the API took the edit."""
    view = current()
    if view is None:
        return False

    def ask() -> None:
        edit = Edit(kind=kind, sentence=sentence, text=text, author=author(), concept_id=concept_id)
        _show(client().edit_case(view.id, EditsRequest(version=view.version, edits=(edit,))))

    return _ask(ask, named=True)


def _ask(ask: Callable[[], None], named: bool = False) -> bool:
    """Do what asks the API; store the outcome. A newer version is loaded beside the changes that the error names."""
    if named and not author():
        _leave(Outcome(NO_NAME))
        return False
    try:
        ask()
    except StaleError as error:
        _leave(Outcome(str(error), error))
        view = current()
        if view is not None:
            _reload(view.id)
        return False
    except ApiError as error:
        _leave(Outcome(str(error), error))
        return False
    except ValidationError:
        _leave(Outcome(UNFIT))
        return False
    _leave(Outcome())
    return True


def _reload(case_id: str) -> None:
    try:
        _show(client().saved_case(case_id))
    except ApiError as error:
        # the refusal stays in the message; the newest version cannot be shown
        _leave(Outcome(f"{outcome().message} {error}", outcome().error))


def _show(view: CaseView) -> None:
    st.session_state["case_view"] = view


def _leave(result: Outcome) -> None:
    st.session_state["review_outcome"] = result
