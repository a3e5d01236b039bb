"""Draws a study at work: cases, drafts, the freeze form, links and live progress. No answer and no result of an arm is here."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from app.components.shell.notices import plain
from app.view_data.study_form import when
from backend.schemas.studies.study_design import Correction, PrimaryTest
from backend.schemas.studies.study_frozen import Leak
from backend.schemas.studies.study_judge import CasesNeeded
from backend.schemas.studies.study_views import GivenLink, LeakReport, LinkView, RaterProgress, StudyProgress, StudyView

LARGEST_FILE = 7  # megabytes; the API takes 8 with what is around it
Call = Mapping[str, Callable[..., None]]
TESTS = {
    PrimaryTest.WILCOXON_CASE_MEANS: "Wilcoxon's signed-rank test on case means",
    PrimaryTest.SIGN_CASE_MEANS: "sign test on case means",
    PrimaryTest.ORDINAL_GEE: "ordinal GEE, clustered by case",
    PrimaryTest.MIXED_MODEL: "linear mixed model, case and rater",
    PrimaryTest.BRADLEY_TERRY: "Bradley-Terry, for preferences",
}
CORRECTIONS = {Correction.HOLM: "Holm", Correction.NONE: "none (needs a reason)"}


def draw_cases(
    view: StudyView,
    demonstration: Mapping[str, str],
    saved: Mapping[str, str],
    open_to_change: bool,
    file_key: Callable[[str], str],
    call: Call,
) -> None:
    """The cases of a study, and the form that adds some.

    Args:
        view: the study.
        demonstration: labels of the demonstration cases, by name.
        saved: labels of the saved cases, by id.
        open_to_change: whether cases can be added.
        file_key: the key of a file field, by its name.
        call: add.
    """
    st.markdown(f"**{len(view.cases)} cases**")
    if view.cases:
        rows = [
            {
                "case": case.id, "label": case.label, "set": case.set, "role": case.role.value,
                "reference": "yes" if case.reference.strip() else "no: omission cannot be judged",
            }
            for case in view.cases
        ]  # fmt: skip
        st.dataframe(rows, hide_index=True, width="stretch", height=min(35 * (len(rows) + 1) + 3, 280))
    if not open_to_change:
        return
    with st.expander("Add cases", expanded=not view.cases, key="study_add_cases"):
        st.multiselect(
            "Demonstration cases", list(demonstration), key="study_demonstration",
            format_func=lambda name: demonstration[name],
            help="A study on them is stamped “not an evaluation”.",
        )  # fmt: skip
        st.multiselect(
            "Saved cases (their notes are copied into the study)", list(saved), key="study_saved",
            format_func=lambda name: saved[name], disabled=not saved,
            placeholder="Choose options" if saved else "There is no saved case",
        )  # fmt: skip
        left, right = st.columns(2)
        left.file_uploader(
            "A file: JSONL with id, text or question; and reference, set, role", key=file_key("study_cases_file"),
            type=["jsonl", "json", "txt"], max_upload_size=LARGEST_FILE,
        )  # fmt: skip
        right.file_uploader(
            "A folder: NAME.txt, and NAME.reference.txt where there is one", key=file_key("study_cases_folder"),
            type=["txt"], accept_multiple_files="directory", max_upload_size=LARGEST_FILE,
        )  # fmt: skip
        st.button("Add these cases", key="study_add", type="primary", on_click=call["add"])


def draw_drafts(progress: StudyProgress, view: StudyView, call: Call) -> None:
    """call: generate, retry, stop, upload."""
    count = progress.drafts
    ended = count.made + count.failed
    if count.wanted:
        st.progress(
            min(ended / count.wanted, 1.0), f"{count.made} drafts made, {count.failed} failed, of {count.wanted}"
        )
    with st.container(horizontal=True):
        if progress.generating:
            st.button("Stop after this draft", key="study_stop", on_click=call["stop"])
        elif ended < count.wanted:
            st.button("Write the missing drafts" if ended else "Write all drafts", key="study_generate", type="primary",
                      on_click=call["generate"])  # fmt: skip
        elif count.failed:
            st.button("Try the failed ones again", key="study_retry", on_click=call["retry"])
    if view.failed:
        st.caption("A failed draft stays in the study with its reason; no rater sees it.")
        rows = [{"case": f.case_id, "arm": f.arm_id, "why": f.reason} for f in view.failed]
        st.dataframe(rows, hide_index=True, width="stretch")


def draw_upload(file_key: Callable[[str], str], call: Call) -> None:
    """The form that uploads drafts made elsewhere. call: upload."""
    with st.expander("Drafts made elsewhere", key="study_uploads"):
        st.file_uploader("Drafts (JSONL: case, arm, text or failed; and evidence)", key=file_key("study_drafts_file"),
                         type=["jsonl", "json", "txt"], max_upload_size=LARGEST_FILE)  # fmt: skip
        st.button("Upload", key="study_upload", on_click=call["upload"])


def draw_leaks(report: LeakReport | None, call: Call) -> None:
    """call: check."""
    st.markdown("**What could tell raters which arm is which**")
    st.button("Check the blinding", key="study_check", on_click=call["check"])
    if report is None:
        return
    draw_found(report.leaks)
    for arm, removed in report.removed.items():
        words = ", ".join(f"{kind} {count}" for kind, count in removed.items()) or "nothing"
        st.caption(plain(f"Taken out of {arm}: {words}"))


def draw_found(leaks: Sequence[Leak]) -> None:
    """Each in full: a line of text that is cut off helps nobody to mend it."""
    if not leaks:
        st.markdown("✓ Nothing was found.")
    rows = [
        f"- {'✕ **must be mended**' if leak.blocking else '△ **warning**'}, {plain(leak.kind)}, {plain(leak.where)}: "
        f"{plain(leak.what)}"
        for leak in leaks
    ]
    with st.container(height=320 if len(rows) > 8 else "content", border=len(rows) > 8):
        st.markdown("\n".join(rows))


def draw_power(found: CasesNeeded | None, cases: int, on_ask: Callable[[], None]) -> None:
    """How many cases are needed, beside those there are."""
    with st.expander("How many cases are enough?", key="study_power"):
        st.caption(
            "For a power of 0.8 at 0.05, two-sided, each case rated in both arms. The standard deviation is that of a "
            "case's difference of the two arms; a pilot gives it."
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.number_input("Least difference that matters, points", 0.01, 100.0, 0.5, 0.1, key="study_power_difference",
                            width=280, persist_state="session")  # fmt: skip
            st.number_input("Standard deviation, points", 0.01, 100.0, 1.0, 0.1, key="study_power_sd",
                            width=240, persist_state="session")  # fmt: skip
            st.button("Compute", key="study_power_ask", on_click=on_ask)
        if found is not None:
            enough = "enough" if cases >= found.wilcoxon_cases else "fewer"
            st.markdown(
                f"To see {found.difference:g} points at a standard deviation of {found.sd:g}: **{found.t_cases} cases** for "
                f"the paired t-test, **{found.wilcoxon_cases}** for Wilcoxon's test (simulated). This study has {cases}: "
                f"{enough}."
            )


def draw_refused_leaks(leaks: Sequence[Leak]) -> None:
    """Why the study was not frozen."""
    if leaks:
        st.info("It was not frozen: raters could tell the arms apart by this.", icon=":material/visibility:")
        draw_found(leaks)


def draw_freeze(outcomes: Sequence[str], on_freeze: Callable[[], None]) -> None:
    """The form of the analysis plan. outcomes: what can be the primary outcome."""
    st.markdown("Once frozen nothing of the study changes: texts, order, and this plan. Its hash is in every export.")
    with st.form("study_freeze_form"):
        st.selectbox("Primary outcome", outcomes, key="plan_primary_outcome", persist_state="session")
        st.selectbox("Unit of analysis", ["case"], key="plan_unit", persist_state="session", disabled=True,
                     help="Drafts of one case, and ratings of one draft, are not independent.")  # fmt: skip
        st.selectbox("Test", list(TESTS), key="plan_test", persist_state="session", format_func=TESTS.__getitem__)
        st.text_area(
            "Exclusions: which ratings would not count, decided now",
            key="plan_exclusions",
            persist_state="session",
            height=80,
        )
        st.text_area("Reason for the sample size", key="plan_sample_size_reason", persist_state="session", height=80)
        st.selectbox("Correction for several tests", list(CORRECTIONS), key="plan_correction", persist_state="session",
                     format_func=CORRECTIONS.__getitem__)  # fmt: skip
        st.text_input("Reason, if there is no correction", key="plan_correction_reason", persist_state="session")
        st.checkbox(
            "Accept the warnings of the blinding check; it is recorded",
            key="plan_accept_warnings",
            persist_state="session",
        )
        st.form_submit_button("Freeze for good", type="primary", on_click=on_freeze)


def draw_invite(places: Sequence[str], on_invite: Callable[[], None]) -> None:
    """The form that makes a personal link. places: raters without one."""
    if not places:
        st.caption("Every place has a link. Withdraw one to give another.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox("Place", places, key="study_place", width=120)
        st.text_input("Whom it is for (kept here, in no export)", key="study_place_label", width=320, max_chars=200)
        st.button("Make a link", key="study_invite", type="primary", on_click=on_invite)


def draw_given(links: Sequence[GivenLink], address: Callable[[str], str]) -> None:
    """The new links; afterwards only their hashes are known."""
    for link in links:
        st.info(f"The personal link of {link.rater_id}, shown only now. Send it to them alone.", icon=":material/key:")
        st.code(address(link.token), language=None, wrap_lines=True)


def draw_links(links: Sequence[LinkView], on_withdraw: Callable[[str], None]) -> None:
    """Every link with its state, and the button that withdraws it."""
    for link in links:
        place, label, state, act = st.columns([1, 3, 4, 2], vertical_alignment="center")
        place.markdown(f"**{link.rater_id}**")
        label.markdown(plain(link.label) or "no label")
        if link.withdrawn_at:
            state.markdown(f"✕ withdrawn {when(link.withdrawn_at)}")
            continue
        state.markdown(f"✓ open, given {when(link.created_at)}")
        with act.popover("Withdraw"):
            st.markdown("It opens nothing from then on; what was rated stays.")
            st.button("Withdraw it", key=f"withdraw_{link.id}", on_click=on_withdraw, args=(link.id,))


def draw_progress(progress: StudyProgress) -> None:
    """Ratings given so far, as a bar and a row a rater."""
    wanted = progress.ratings_wanted
    if wanted:
        st.progress(progress.ratings_done / wanted, f"{progress.ratings_done} of {wanted} items rated")
    if progress.items_failed:
        st.caption(f"{progress.items_failed} items cannot be shown, since a draft of them failed.")
    st.dataframe([_progress_row(row) for row in progress.raters], hide_index=True, width="stretch")


def _progress_row(row: RaterProgress) -> dict[str, Any]:
    state = "✓ finished" if row.finished else "… at work" if row.done else "○ not begun"
    return {
        "place": row.rater_id, "role": row.role.value, "state": state, "items": f"{row.done} of {row.total}",
        "checks noticed": row.noticed, "checks missed": row.missed, "very quick": row.too_fast,
        "recognised a writer": row.leaks, "last": when(row.last_at) if row.last_at else "",
    }  # fmt: skip


def draw_end(view: StudyView, call: Call) -> None:
    """The buttons that end a study. call: close, unlock, adjudicate."""
    with st.container(horizontal=True):
        if view.state == "frozen":
            with st.popover("Close the study"):
                st.markdown("No more ratings are taken. It stays blind until it is unlocked.")
                st.button("Close it", key="study_close", on_click=call["close"])
        if view.state == "closed":
            with st.popover("Adjudication"):
                st.number_input("Items that disagree most", 1, 500, 10, key="study_adjudicate_items")
                st.button("Make a place for a third person", key="study_adjudicate", on_click=call["adjudicate"])
        if view.state == "closed" and view.unlocked_at is None:
            with st.popover("Unlock"):
                st.markdown("Show which arm is which, from now on. Who did it and why is recorded.")
                st.text_input("Reason", key="study_unlock_reason", max_chars=1000)
                st.button("Unlock it", key="study_unlock", on_click=call["unlock"])
