"""Draws a study at work: cases, drafts, the freeze form, links and live progress. No answer and no result of an arm is here."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from app.components.shell.notices import plain
from app.components.tables import draw_rows
from app.view_data.study_form import when
from app.words.words import _, later, plural
from backend.schemas.studies.study_design import Correction, PrimaryTest
from backend.schemas.studies.study_frozen import Leak
from backend.schemas.studies.study_judge import CasesNeeded
from backend.schemas.studies.study_views import GivenLink, LeakReport, LinkView, RaterProgress, StudyProgress, StudyView

LARGEST_FILE = 7  # megabytes; the API takes 8 with what is around it
Call = Mapping[str, Callable[..., None]]
TESTS = {
    PrimaryTest.WILCOXON_CASE_MEANS: later("Wilcoxon's signed-rank test on case means"),
    PrimaryTest.SIGN_CASE_MEANS: later("sign test on case means"),
    PrimaryTest.ORDINAL_GEE: later("ordinal GEE, clustered by case"),
    PrimaryTest.MIXED_MODEL: later("linear mixed model, case and rater"),
    PrimaryTest.BRADLEY_TERRY: later("Bradley-Terry, for preferences"),
}
CORRECTIONS = {Correction.HOLM: "Holm", Correction.NONE: later("none (needs a reason)")}


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
    st.markdown(f"**{plural('{n} case', '{n} cases', len(view.cases))}**")
    if view.cases:
        rows = [
            {
                later("case"): case.id, later("label"): case.label, later("set"): case.set, later("role"): case.role.value,
                later("reference"): _("yes") if case.reference.strip() else _("no: omission cannot be judged"),
            }
            for case in view.cases
        ]  # fmt: skip
        draw_rows(rows, 7)
    if not open_to_change:
        return
    with st.expander(_("Add cases"), expanded=not view.cases, key="study_add_cases"):
        st.multiselect(
            _("Demonstration cases"), list(demonstration), key="study_demonstration",
            format_func=lambda name: demonstration[name], placeholder=_("Choose options"),
            help=_("A study on them is stamped “not an evaluation”."),
        )  # fmt: skip
        st.multiselect(
            _("Saved cases (their notes are copied into the study)"), list(saved), key="study_saved",
            format_func=lambda name: saved[name], disabled=not saved,
            placeholder=_("Choose options") if saved else _("There is no saved case"),
        )  # fmt: skip
        left, right = st.columns(2)
        left.file_uploader(
            _("A file: JSONL with id, text or question; and reference, set, role"), key=file_key("study_cases_file"),
            type=["jsonl", "json", "txt"], max_upload_size=LARGEST_FILE,
        )  # fmt: skip
        right.file_uploader(
            _("A folder: NAME.txt, and NAME.reference.txt where there is one"), key=file_key("study_cases_folder"),
            type=["txt"], accept_multiple_files="directory", max_upload_size=LARGEST_FILE,
        )  # fmt: skip
        st.button(_("Add these cases"), key="study_add", type="primary", on_click=call["add"])


def draw_drafts(progress: StudyProgress, view: StudyView, call: Call) -> None:
    """call: generate, retry, stop, upload."""
    count = progress.drafts
    ended = count.made + count.failed
    if count.wanted:
        st.progress(
            min(ended / count.wanted, 1.0),
            _("{made} drafts made, {failed} failed, of {all}").format(
                made=count.made, failed=count.failed, all=count.wanted
            ),
        )
    with st.container(horizontal=True):
        if progress.generating:
            st.button(_("Stop after this draft"), key="study_stop", on_click=call["stop"])
        elif ended < count.wanted:
            st.button(_("Write the missing drafts") if ended else _("Write all drafts"), key="study_generate", type="primary",
                      on_click=call["generate"])  # fmt: skip
        elif count.failed:
            st.button(_("Try the failed ones again"), key="study_retry", on_click=call["retry"])
    if view.failed:
        st.caption(_("A failed draft stays in the study with its reason; no rater sees it."))
        rows = [{later("case"): f.case_id, later("arm"): f.arm_id, later("why"): f.reason} for f in view.failed]
        draw_rows(rows)


def draw_upload(file_key: Callable[[str], str], call: Call) -> None:
    """The form that uploads drafts made elsewhere. call: upload."""
    with st.expander(_("Drafts made elsewhere"), key="study_uploads"):
        st.file_uploader(_("Drafts (JSONL: case, arm, text or failed; and evidence)"), key=file_key("study_drafts_file"),
                         type=["jsonl", "json", "txt"], max_upload_size=LARGEST_FILE)  # fmt: skip
        st.button(_("Upload"), key="study_upload", on_click=call["upload"])


def draw_leaks(report: LeakReport | None, call: Call) -> None:
    """call: check."""
    st.markdown(_("**What could tell raters which arm is which**"))
    st.button(_("Check the blinding"), key="study_check", on_click=call["check"])
    if report is None:
        return
    draw_found(report.leaks)
    for arm, removed in report.removed.items():
        words = ", ".join(f"{kind} {count}" for kind, count in removed.items()) or _("nothing")
        st.caption(plain(f"{_('Taken out of {arm}').format(arm=arm)}: {words}"))


def draw_found(leaks: Sequence[Leak]) -> None:
    """Each in full: a line of text that is cut off helps nobody to mend it."""
    if not leaks:
        st.markdown(_("✓ Nothing was found."))
    rows = [
        f"- {_('✕ **must be mended**') if leak.blocking else _('△ **warning**')}, {plain(leak.kind)}, {plain(leak.where)}: "
        f"{plain(leak.what)}"
        for leak in leaks
    ]
    with st.container(height=320 if len(rows) > 8 else "content", border=len(rows) > 8):
        st.markdown("\n".join(rows))


def draw_power(found: CasesNeeded | None, cases: int, on_ask: Callable[[], None]) -> None:
    """How many cases are needed, beside those there are."""
    with st.expander(_("How many cases are enough?"), key="study_power"):
        st.caption(
            _(
                "For a power of 0.8 at 0.05, two-sided, each case rated in both arms. The standard deviation is that of a "
                "case's difference of the two arms; a pilot gives it."
            )
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.number_input(_("Least difference that matters, points"), 0.01, 100.0, 0.5, 0.1, key="study_power_difference",
                            width=280, persist_state="session")  # fmt: skip
            st.number_input(_("Standard deviation, points"), 0.01, 100.0, 1.0, 0.1, key="study_power_sd",
                            width=240, persist_state="session")  # fmt: skip
            st.button(_("Compute"), key="study_power_ask", on_click=on_ask)
        if found is not None:
            enough = _("enough") if cases >= found.wilcoxon_cases else _("too few")
            st.markdown(
                _(
                    "To see {difference} points at a standard deviation of {sd}: **{t} cases** for the paired t-test, "
                    "**{wilcoxon}** for Wilcoxon's test (simulated). This study has {cases}: {enough}."
                ).format(
                    difference=f"{found.difference:g}",
                    sd=f"{found.sd:g}",
                    t=found.t_cases,
                    wilcoxon=found.wilcoxon_cases,
                    cases=cases,
                    enough=enough,
                )
            )


def draw_refused_leaks(leaks: Sequence[Leak]) -> None:
    """Why the study was not frozen."""
    if leaks:
        st.info(_("It was not frozen: raters could tell the arms apart by this."), icon=":material/visibility:")
        draw_found(leaks)


def draw_freeze(outcomes: Sequence[str], on_freeze: Callable[[], None]) -> None:
    """The form of the analysis plan. outcomes: what can be the primary outcome."""
    st.markdown(
        _("Once frozen nothing of the study changes: texts, order, and this plan. Its hash is in every export.")
    )
    with st.form("study_freeze_form"):
        st.selectbox(_("Primary outcome"), outcomes, key="plan_primary_outcome", persist_state="session")
        st.selectbox(_("Unit of analysis"), ["case"], key="plan_unit", persist_state="session", disabled=True,
                     help=_("Drafts of one case, and ratings of one draft, are not independent."))  # fmt: skip
        st.selectbox(
            _("Test"), list(TESTS), key="plan_test", persist_state="session", format_func=lambda one: _(TESTS[one])
        )
        st.text_area(
            _("Exclusions: which ratings would not count, decided now"),
            key="plan_exclusions",
            persist_state="session",
            height=80,
        )
        st.text_area(_("Reason for the sample size"), key="plan_sample_size_reason", persist_state="session", height=80)
        st.selectbox(_("Correction for several tests"), list(CORRECTIONS), key="plan_correction", persist_state="session",
                     format_func=lambda one: _(CORRECTIONS[one]))  # fmt: skip
        st.text_input(_("Reason, if there is no correction"), key="plan_correction_reason", persist_state="session")
        st.checkbox(
            _("Accept the warnings of the blinding check; it is recorded"),
            key="plan_accept_warnings",
            persist_state="session",
        )
        st.form_submit_button(_("Freeze for good"), type="primary", on_click=on_freeze)


def draw_invite(places: Sequence[str], on_invite: Callable[[], None]) -> None:
    """The form that makes a personal link. places: raters without one."""
    if not places:
        st.caption(_("Every place has a link. Withdraw one to give another."))
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(_("Place"), places, key="study_place", width=120)
        st.text_input(_("Whom it is for (kept here, in no export)"), key="study_place_label", width=320, max_chars=200)
        st.button(_("Make a link"), key="study_invite", type="primary", on_click=on_invite)


def draw_given(links: Sequence[GivenLink], address: Callable[[str], str]) -> None:
    """The new links; afterwards only their hashes are known."""
    for link in links:
        words = _("The personal link of {place}, shown only now. Send it to them alone.")
        st.info(words.format(place=link.rater_id), icon=":material/key:")
        st.code(address(link.token), language=None, wrap_lines=True)


def draw_links(links: Sequence[LinkView], on_withdraw: Callable[[str], None]) -> None:
    """Every link with its state, and the button that withdraws it."""
    for link in links:
        place, label, state, act = st.columns([1, 3, 4, 2], vertical_alignment="center")
        place.markdown(f"**{link.rater_id}**")
        label.markdown(plain(link.label) or _("no label"))
        if link.withdrawn_at:
            state.markdown(f"✕ {_('withdrawn')} {when(link.withdrawn_at)}")
            continue
        state.markdown(f"✓ {_('open, given')} {when(link.created_at)}")
        with act.popover(_("Withdraw")):
            st.markdown(_("It opens nothing from then on; what was rated stays."))
            st.button(_("Withdraw it"), key=f"withdraw_{link.id}", on_click=on_withdraw, args=(link.id,))


def draw_progress(progress: StudyProgress) -> None:
    """Ratings given so far, as a bar and a row a rater."""
    wanted = progress.ratings_wanted
    if wanted:
        st.progress(
            progress.ratings_done / wanted, _("{n} of {all} items rated").format(n=progress.ratings_done, all=wanted)
        )
    if progress.items_failed:
        words = _("{n} items cannot be shown, since a draft of them failed.")
        st.caption(words.format(n=progress.items_failed))
    draw_rows([_progress_row(row) for row in progress.raters])


def _progress_row(row: RaterProgress) -> dict[str, Any]:
    state = _("✓ finished") if row.finished else _("… at work") if row.done else _("○ not begun")
    return {
        later("place"): row.rater_id, later("role"): row.role.value, later("state"): state, later("items"): f"{row.done} of {row.total}",
        later("checks noticed"): row.noticed, later("checks missed"): row.missed, later("very quick"): row.too_fast,
        later("recognised a writer"): row.leaks, later("last"): when(row.last_at) if row.last_at else "",
    }  # fmt: skip


def draw_end(view: StudyView, call: Call) -> None:
    """The buttons that end a study. call: close, unlock, adjudicate."""
    with st.container(horizontal=True):
        if view.state == "frozen":
            with st.popover(_("Close the study")):
                st.markdown(_("No more ratings are taken. It stays blind until it is unlocked."))
                st.button(_("Close it"), key="study_close", on_click=call["close"])
        if view.state == "closed":
            with st.popover(_("Adjudication")):
                st.number_input(_("Items that disagree most"), 1, 500, 10, key="study_adjudicate_items")
                st.button(_("Make a place for a third person"), key="study_adjudicate", on_click=call["adjudicate"])
        if view.state == "closed" and view.unlocked_at is None:
            with st.popover(_("Unlock")):
                st.markdown(_("Show which arm is which, from now on. Who did it and why is recorded."))
                st.text_input(_("Reason"), key="study_unlock_reason", max_chars=1000)
                st.button(_("Unlock it"), key="study_unlock", on_click=call["unlock"])
