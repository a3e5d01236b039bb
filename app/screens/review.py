"""The review screen: the saved cases, and one of them to be read, corrected, signed and exported."""

import streamlit as st

from app.clients.api_errors import ApiError
from app.components.drafts.case_list import (
    PAGE,
    draw_filter,
    draw_head,
    draw_list,
    draw_page_choice,
    draw_sentences,
    draw_stale,
)
from app.components.drafts.signing import (
    draw_conditions,
    draw_copies,
    draw_delete,
    draw_flags,
    draw_history,
    draw_refused_signature,
    draw_signing,
)
from app.components.drafts.writing_notices import draw_writing
from app.components.shell.notices import draw_heard, draw_refused, draw_unreachable
from app.components.shell.unreachable import draw_error
from app.state import review_state
from app.state import session as state
from app.view_data.pinned_data import writer
from backend.schemas.patients.saved_case import AuditEntry, CaseView

STALE = "Another changed this case meanwhile: see the top of the page. What you typed is kept."
NOT_GIVEN = "not given"  # what the audit trail has for a name that nobody gave


def screen() -> None:
    """Draw the page."""
    view = review_state.current()
    if view is None:
        draw_all()
    else:
        draw_case(view)


def draw_all() -> None:
    """The list of saved cases."""
    st.title("Review saved cases")
    draw_outcome(None)
    wanted = draw_filter()
    try:
        total = state.client().saved_cases(1, 0, wanted).total
        page = state.client().saved_cases(PAGE, draw_page_choice(total) * PAGE, wanted)
    except ApiError as error:
        draw_error(error)
        return
    draw_list(page, review_state.open_case)


def draw_case(view: CaseView) -> None:
    """Sentences on the left; what stands for or against a signature on the right."""
    draw_head(
        view,
        {"undo": review_state.restore, "refresh": review_state.open_case, "close": review_state.close_case},
    )
    draw_outcome(view)
    text, beside = st.columns([5, 3], gap="large")
    with text, st.container(key="case_text"):
        draw_sentences(
            view.sentences,
            review_state.field,
            review_state.editor_open,
            {
                "open_editor": review_state.open_editor,
                "close_editor": review_state.close_editor,
                "rewrite": review_state.rewrite,
                "insert": review_state.insert,
                "delete": review_state.delete,
                "fill": review_state.fill,
                "restore": review_state.restore,
            },
        )
        with st.expander("The note", key="case_note"):
            st.code(view.draft.note.text, language=None, wrap_lines=True)
        with st.expander("How the draft was written", key="case_writing"):
            draw_writing(view.draft, writer(review_state.shown(), None))
    with beside:
        draw_flags(view, review_state.field)
        draw_conditions(view.draft.conditions, review_state.judge)
        refused = review_state.outcome().refused
        if refused is not None:
            draw_refused_signature(refused.flags, refused.gaps)
        draw_signing(view, review_state.sign)
        # a file is made in another thread, where the session cannot be asked
        api, author = state.client(), review_state.author() or NOT_GIVEN
        draw_copies(view, lambda file_format, copy: api.export_case(view.id, file_format, copy, view.version, author))
        draw_history(view.edits, lambda: trail(view.id))
        draw_delete(review_state.delete_case)


def trail(case_id: str) -> tuple[AuditEntry, ...]:
    """The audit trail; nothing when it cannot be had, with the reason shown."""
    try:
        return state.client().case_audit(case_id)
    except ApiError as error:
        draw_refused(str(error))
        return ()


def draw_outcome(view: CaseView | None) -> None:
    """What the last action led to, if it failed; a refused signature is shown beside its button."""
    result = review_state.outcome()
    if result.stale is not None and view is not None:
        gone = [(s.id, review_state.typed("text", s.id)) for s in view.sentences if s.deleted]
        draw_stale(result.message, result.stale.changed, [(name, text) for name, text in gone if text])
        draw_heard(STALE)
    elif result.error is not None and result.error.unreachable:
        draw_unreachable(result.message)
    elif result.message and result.refused is None:
        draw_refused(result.message)
        draw_heard(result.message)


screen()
