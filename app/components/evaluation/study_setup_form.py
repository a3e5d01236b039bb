"""Draws the list of studies and the form of a setup."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from app.components.shell.notices import plain
from app.view_data.study_form import document_name, when
from app.words.words import _, later
from backend.schemas.studies.study_design import EvidenceShown, Factor, StudyState
from backend.schemas.studies.study_instrument import Design, Instrument
from backend.schemas.studies.study_views import StudySummary, StudyView

STATES = {
    StudyState.DRAFT: later("○ draft"),
    StudyState.GENERATING: later("◔ drafts are missing"),
    StudyState.READY: later("◑ ready to freeze"),
    StudyState.FROZEN: later("◕ frozen, raters work"),
    StudyState.CLOSED: later("● closed"),
}
DESIGNS = {
    Design.SINGLE: later("one draft at a time"),
    Design.PAIRWISE: later("two side by side"),
    Design.RANKING: later("all in order"),
}
FACTORS = {
    Factor.SYSTEM: later("systems, with one writer for all"),
    Factor.GENERATOR: later("writers, with one system for all"),
    Factor.UPLOAD: later("drafts made elsewhere (uploaded)"),
}
EVIDENCE = {
    EvidenceShown.NEVER: later("never"),
    EvidenceShown.ALWAYS: later("always"),
    EvidenceShown.AFTER_FIRST: later("after a first blind rating"),
}
BY_HAND = ""


def draw_list(studies: Sequence[StudySummary], on_open: Callable[[str], None]) -> None:
    """The studies, each with a button that opens it."""
    if not studies:
        st.markdown(_("There is no study yet. Make one below, from a published design or by hand."))
        return
    for study in studies:
        name, state, time, act = st.columns([4, 2.5, 3, 1], vertical_alignment="center")
        name.markdown(f"**{plain(study.name)}**")
        state.markdown(_state_words(study))
        time.markdown(f"{_('changed')} {when(study.updated_at)}")
        act.button(_("Open"), key=f"open_study_{study.id}", on_click=on_open, args=(study.id,))


def _state_words(study: StudySummary) -> str:
    return _(STATES[study.state]) + (f", {_('unlocked')}" if study.unlocked_at else "")


def draw_head(view: StudyView, on_close: Callable[[], None], on_refresh: Callable[[], None]) -> None:
    """Name, state and version of a study."""
    st.header(plain(view.name), anchor=False)
    for stamp in view.stamps:
        st.warning(plain(stamp.capitalize()), icon=":material/science:")
    state = f"**{_state_words(view)}**, {_('version')} {view.version}, {_('changed')} {when(view.updated_at)}"
    st.markdown(state + (f"  \nsha256 `{view.sha256}`" if view.sha256 else ""))
    with st.container(horizontal=True):
        st.button(_("All studies"), key="study_all", on_click=on_close)
        st.button(_("Load again"), key="study_refresh", on_click=on_refresh)


def draw_template_choice(templates: Sequence[Mapping[str, Any]], on_choose: Callable[[], None]) -> None:
    """By hand, or as a published design; that fills the form."""
    names = {BY_HAND: _("By hand"), **{str(one["id"]): str(one["title"]) for one in templates}}
    name = st.selectbox(
        _("Design"), list(names), key="new_template", format_func=names.__getitem__, on_change=on_choose
    )
    chosen = next((one for one in templates if one["id"] == name), None)
    if chosen:
        st.caption(plain(f"{chosen['about']} {chosen['departs']}"))


def draw_setup(
    key: Callable[[str], str],
    systems: Sequence[str],
    documents: Sequence[str],
    instruments: Sequence[Instrument],
    locked: bool = False,
) -> None:
    """The form of a setup.

    Args:
        key: the key of a field's widget, which holds its value.
        systems: the systems of the API.
        documents: the documents of the API.
        instruments: what can be asked.
        locked: drafts exist that rest on the fields that are disabled.
    """
    left, right = st.columns(2, gap="large")
    with left:
        st.text_input(
            _("Name"), key=key("name"), persist_state="session", max_chars=200, help=_("Raters do not see it.")
        )
        factor = st.selectbox(
            _("What differs between the arms"), list(FACTORS), key=key("factor"), persist_state="session",
            format_func=lambda one: _(FACTORS[one]), disabled=locked,
        )  # fmt: skip
        _draw_arms(Factor(factor), key, systems, locked)
        st.text_area(
            _("What raters guess at the end, one line an arm"), key=key("labels"), persist_state="session", height=80,
            placeholder=_("no-retrieval = Written from the note alone"),
        )  # fmt: skip
        st.selectbox(
            _("Raters see"),
            list(DESIGNS),
            key=key("design"),
            persist_state="session",
            format_func=lambda one: _(DESIGNS[one]),
        )
        st.multiselect(
            _("Instruments"), [one.id for one in instruments], key=key("instruments"), persist_state="session",
            format_func={one.id: one.title for one in instruments}.__getitem__, placeholder=_("Choose options"),
        )  # fmt: skip
        own = st.file_uploader(_("An instrument of your own (JSON)"), type="json", key=key("own_file"))
        if own is not None:
            st.caption(_("It is taken when you save."))
        st.selectbox(
            _("Document"), documents, key=key("document"), persist_state="session", disabled=locked,
            format_func=document_name,
        )  # fmt: skip
        st.selectbox(
            _("Evidence is shown"),
            list(EVIDENCE),
            key=key("evidence"),
            persist_state="session",
            format_func=lambda one: _(EVIDENCE[one]),
        )
    with right:
        st.text_input(
            _("What raters see as the title"), key=key("public_title"), persist_state="session", max_chars=200
        )
        st.text_area(
            _("What raters read first"), key=key("instructions"), persist_state="session", height=120, max_chars=2000
        )
        one, two = st.columns(2)
        with one:
            st.number_input(_("Raters"), 1, 200, key=key("raters"), persist_state="session")
            st.number_input(
                _("Cases rated (empty: all)"),
                1,
                5000,
                None,
                key=key("rated_cases"),
                persist_state="session",
                disabled=locked,
            )
            st.number_input(_("Attention checks"), 0, 20, key=key("attention_checks"), persist_state="session")
            st.number_input(_("Items between two of one case"), 0, 50, key=key("spacing"), persist_state="session")
        with two:
            st.number_input(_("Raters for each item"), 1, 200, key=key("overlap"), persist_state="session")
            st.number_input(
                _("Calibration items"), 0, 20, key=key("calibration_items"), persist_state="session", disabled=locked
            )
            st.number_input(_("Items to guess at the end"), 0, 50, key=key("guess_items"), persist_state="session")
            st.number_input(
                _("Seed (order, assignment)"), 0, 2**31 - 1, key=key("seed"), persist_state="session", disabled=locked
            )
        st.text_area(
            _("More words to take out of all arms, one a line"),
            key=key("extra_terms"),
            persist_state="session",
            height=80,
        )
        st.text_area(
            _("More headings to take out, one a line"), key=key("extra_headings"), persist_state="session", height=80
        )
    if locked:
        st.caption(_("Drafts exist that rest on the fields that are grey. Make a new study to change those."))


def _draw_arms(factor: Factor, key: Callable[[str], str], systems: Sequence[str], locked: bool) -> None:
    match factor:
        case Factor.SYSTEM:
            st.multiselect(_("Systems"), systems, key=key("systems"), persist_state="session", disabled=locked,
                           placeholder=_("Choose options"))  # fmt: skip
            st.text_input(_("Writer for all arms"), key=key("generator"), persist_state="session", disabled=locked,
                          placeholder=_("empty: the writer of the settings"))  # fmt: skip
        case Factor.GENERATOR:
            st.selectbox(_("System for all arms"), systems, key=key("system"), persist_state="session", disabled=locked)
            st.text_area(_("Writers, one a line"), key=key("generators"), persist_state="session", height=100, disabled=locked,
                         placeholder="vllm:Qwen/Qwen2.5-7B-Instruct\ncomposer")  # fmt: skip
        case Factor.UPLOAD:
            st.text_area(_("Arms, one a line"), key=key("uploads"), persist_state="session", height=100, disabled=locked,
                         placeholder="theirs\nours")  # fmt: skip
