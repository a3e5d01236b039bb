"""Help: what Leapnote is and is not, how its marks are read, keys, where the text goes, samples."""

import streamlit as st

from app.clients.api_errors import ApiError
from app.components.drafts.demonstrations import draw_cases
from app.components.shell.unreachable import draw_error
from app.state import demonstration_state as state
from app.words.words import _, later

WORKSPACE, TOUR, KNOWLEDGE = (
    "screens/clinical/workspace.py",
    "screens/clinical/tour.py",
    "screens/administration/knowledge.py",
)
WHAT = later(
    "Leapnote drafts discharge instructions, a progress note, or an answer to a question from an admission note. Every sentence "
    "shows what it rests on, so that you can check it before anyone uses it."
)
LIMITS = (
    later(
        "**It is no medical device and makes no diagnosis.** Conditions that fit the findings are for you to confirm or rule out."
    ),
    later("**It does not know the stay.** What only you know stays open: “Add: …”."),
    later("**It tells no patient to start, stop or dose a medicine** unless the patient's own notes say so."),
    later(
        "**Its medical knowledge is a starter:** written for Leapnote, for adults, no guideline. Knowledge shows what your clinicians reviewed."
    ),
    later("**“No conflict found” is not “safe”.** Under Safety you see what was compared, and what could not be."),
)
MARKS = (
    (later("no mark"), later("its words were found in its source. That does not make it correct")),
    (later("partly found in source"), later("the source says a part of it")),
    (later("not found in source"), later("check it, or delete it")),
    (later("unconfirmed"), later("it rests on a diagnosis that nobody has confirmed")),
    (later("may not fit this patient"), later("the record says otherwise, or does not say")),
    (later("Can't miss"), later("dangerous if overlooked, even if unlikely")),
    (later("Add: …"), later("only you know it; fill it in")),
)
KEYS = (
    ("j, k", later("next and previous sentence")),
    ("e", later("edit the sentence")),
    ("c", later("mark it as checked")),
    ("a, d", later("add a sentence after it, delete it")),
    ("u", later("undo")),
    ("Ctrl+Enter", later("draft; in a letter: sign")),
    ("?", later("all keys")),
)
WHERE = later(
    "Notes and letters stay on this computer, unless a language model on another machine is set: then the page says so before you "
    "draft. Letters are kept until the date shown under My letters. Logs hold counts and times, never a note's text."
)


def screen() -> None:
    """Draw the page."""
    st.title(_("Help"))
    with st.container(key="prose"):
        st.markdown(_(WHAT))
        with st.container(horizontal=True, key="help_links"):
            st.page_link(TOUR, label=_("Watch the two-minute tour"), icon=":material/play_circle:")
            st.page_link(KNOWLEDGE, label=_("Review the medical knowledge"), icon=":material/menu_book:")
        st.header(_("What it is not"), anchor=False)
        st.markdown("\n".join(f"- {_(one)}" for one in LIMITS))
        st.header(_("How to read the marks"), anchor=False)
        st.markdown(_table(_("Mark"), _("Meaning"), [(_(mark), _(words)) for mark, words in MARKS]))
        st.header(_("Keys"), anchor=False)
        st.markdown(_table(_("Key"), _("What it does"), [(f"`{key}`", _(words)) for key, words in KEYS]))
        st.header(_("Where the text goes"), anchor=False)
        st.markdown(_(WHERE))
    st.header(_("Samples"), anchor=False)
    try:
        chosen = draw_cases(state.samples())
    except ApiError as error:
        draw_error(error)
        return
    if chosen is not None:
        st.switch_page(WORKSPACE, query_params={"sample": chosen.name})


def _table(left: str, right: str, rows: list[tuple[str, str]]) -> str:
    return "\n".join([f"| {left} | {right} |", "|---|---|", *(f"| {one} | {words} |" for one, words in rows)])


screen()
