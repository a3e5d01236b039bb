"""Draws the analysis of a study, and its downloads."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from app.components.evaluation.charts import draw_figure
from app.components.evaluation.study_monitor import LARGEST_FILE
from app.components.shell.notices import plain
from app.components.tables import draw_rows
from app.view_data.study_form import when
from app.words.words import _, later
from backend.schemas.studies.estimates import Estimate
from backend.schemas.studies.study_analysis import Analysis
from backend.schemas.studies.study_judge import JudgeView
from backend.schemas.studies.study_rating import StudyEvent
from backend.schemas.studies.study_views import ReportFormat, StudyFile, StudyFormat


def draw_ask(blind: bool, again: bool, on_ask: Callable[[], None]) -> None:
    """The button that computes the analysis. blind: arms stand under codes. again: there is one already."""
    if blind:
        st.markdown(
            _(
                "The study is blind: arms stand under codes until it is closed and unlocked. Figures looked at while raters "
                "work tempt to stop early."
            )
        )
    st.button(_("Compute again") if again else _("Compute the analysis"), key="study_analyse", on_click=on_ask)


def draw_analysis(analysis: Analysis, charts: Sequence[Mapping[str, Any]]) -> None:
    """Every table and chart of an analysis."""
    for stamp in analysis.stamps:
        st.warning(plain(stamp.capitalize()), icon=":material/science:")
    codes = f" {_('Arms stand under codes.')}" if analysis.blind else ""
    words = _("{ratings} answers of {raters} raters about {cases} cases.")
    st.caption(words.format(ratings=analysis.ratings, raters=analysis.raters, cases=analysis.cases) + codes)
    for n, chart in enumerate(charts):
        draw_figure(chart, f"study_chart_{n}")
    _draw_table(_("Ratings by arm"), [
        {"question": s.question, "arm": s.arm, "ratings": s.ratings, "mean": interval_text(s.mean), "median": s.median,
         "range": f"{s.range[0]:g} to {s.range[1]:g}" if s.range else "", "cannot judge": s.cannot_judge}
        for s in analysis.summaries
    ])  # fmt: skip
    for title, planned in ((_("The planned test"), True), (_("Other tests, without correction"), False)):
        _draw_table(title, [
            {"question": c.question + (" (primary)" if c.primary else ""), "arms": f"{c.first} - {c.second}",
             "test": c.test.value.replace("_", " "), "cases": c.cases,
             "effects": "; ".join(f"{e.name} {interval_text(e.estimate)}" for e in c.effects),
             "p": f"{c.p:.3f}" if c.p is not None else c.reason,
             "p corrected": f"{c.p_adjusted:.3f}" if c.p_adjusted is not None else ""}
            for c in analysis.comparisons if c.planned == planned
        ])  # fmt: skip
    _draw_table(_("Preferences"), [
        {"question": p.question, "first": p.first, "second": p.second,
         "first / tie / second": f"{p.for_first} / {p.ties} / {p.for_second}", "share of first": interval_text(p.share)}
        for p in analysis.preferences
    ])  # fmt: skip
    _draw_table(_("Bradley-Terry strengths"), [
        {"question": s.question, "arm": one.arm, "log strength": interval_text(one.strength), "joined set": one.group + 1}
        for s in analysis.strengths for one in s.strengths
    ])  # fmt: skip
    _draw_table(_("Places"), [
        {"question": p.question, "arm": p.arm, "rankings": p.rankings, "mean place": interval_text(p.mean),
         "range": f"{p.range[0]:g} to {p.range[1]:g}" if p.range else ""}
        for p in analysis.places
    ])  # fmt: skip
    _draw_table(_("Leaning to a side"), [
        {"question": s.question, "rater": s.rater or "all", "choices": s.choices, "ties": s.ties,
         "share for the right or lower one": interval_text(s.share_later)}
        for s in analysis.sides
    ])  # fmt: skip
    _draw_table(_("Preference in the first and second half"), [
        {"question": h.question, "arms": f"{h.first} - {h.second}", "first half": interval_text(h.first_half),
         "second half": interval_text(h.second_half), "change": interval_text(h.change)}
        for h in analysis.halves
    ])  # fmt: skip
    _draw_table(_("Agreement between raters"), [
        {"question": a.question, "arm": a.arm or "all", "coefficient": a.coefficient.value.replace("_", " "),
         "value": interval_text(a.estimate), "drafts or pairs": a.items, "meaning": a.meaning}
        for a in analysis.agreement
    ])  # fmt: skip
    _draw_table(_("A judge model against people"), [
        {"judge": j.judge, "question": j.question, "drafts": j.drafts, "Spearman": interval_text(j.spearman),
         "weighted kappa": interval_text(j.kappa_quadratic), "judge minus people": interval_text(j.mean_excess),
         "bias with length": interval_text(j.by_length), "bias with order": interval_text(j.by_order)}
        for j in analysis.judges
    ])  # fmt: skip
    _draw_table(_("Adjudication: a third person where raters disagreed most"), [
        {"question": a.question, "case": a.case, "arm or pair": a.of, "raters gave": ", ".join(f"{v:g}" for v in a.raters),
         "third person": a.adjudicator, "gave": "cannot judge" if a.value is None else f"{a.value:g}"}
        for a in analysis.adjudicated
    ])  # fmt: skip
    _draw_table(_("Blinding: what raters guessed"), [
        {"arm": c.arm, "right": c.correct, "wrong": c.wrong, "did not know": c.unknown, "Bang's index": interval_text(c.bang)}
        for c in analysis.blinding.counts
    ])  # fmt: skip


def draw_judges(judges: Sequence[JudgeView], file_key: Callable[[str], str], on_add: Callable[[], None]) -> None:
    """The judge models' scores, and the form that adds some."""
    with st.expander(_("A judge model's scores"), key="study_judges"):
        st.caption(
            _(
                "They stand beside the raters' in the analysis: same order, same values, and whether the judge likes long or "
                "first drafts more than people do. No rating changes."
            )
        )
        rows = [
            {later("judge"): one.judge, later("scores"): one.scores, later("uploaded"): when(one.at), later("by"): one.author,
             later("in the analysis"): _("yes") if one.counts else _("no, replaced")}
            for one in judges
        ]  # fmt: skip
        if rows:
            draw_rows(rows)
        st.text_input(_("The judge, such as its model's name"), key="study_judge_name", max_chars=120, width=420)
        st.file_uploader(_("Scores (JSONL: question, case, arm, value; and place)"), key=file_key("study_judge_file"),
                         type=["jsonl", "json", "txt"], max_upload_size=LARGEST_FILE)  # fmt: skip
        st.button(_("Take the scores"), key="study_judge", on_click=on_add)


def _draw_table(title: str, rows: Sequence[Mapping[str, Any]]) -> None:
    if rows:
        st.markdown(f"**{title}**")
        draw_rows(rows)


def interval_text(estimate: Estimate) -> str:
    """A value with its 95 % interval, or why there is none."""
    if estimate.value is None:
        return f"undefined: {estimate.reason}"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.2f} (no interval: {estimate.reason.removeprefix('no interval: ')})"
    return f"{estimate.value:.2f} [{estimate.low:.2f}, {estimate.high:.2f}]"


def draw_files(study_id: str, unlocked: bool, export: Callable[[str], bytes], report: Callable[[str], bytes]) -> None:
    """Files are made when they are clicked; each leaves a line in the trail."""
    if not unlocked:
        st.caption(_("Ratings and report show which arm is which: they can be taken once the study is unlocked."))
    with st.container(horizontal=True):
        for form in StudyFormat:
            if unlocked or form == StudyFormat.DESIGN:
                _draw_file(form.file, partial(export, form.value), study_id, f"take_{form.value}")
        for kind in ReportFormat:
            if unlocked:
                _draw_file(kind.file, partial(report, kind.value), study_id, f"take_report_{kind.value}")


def _draw_file(form: StudyFile, make: Callable[[], bytes], study_id: str, key: str) -> None:
    """One button."""
    name = f"study-{study_id[:8]}.{form.suffix}"
    st.download_button(form.label, make, name, form.media_type, key=key, on_click="ignore")


def draw_trail(events: Sequence[StudyEvent]) -> None:
    """The study's audit trail."""
    rows = [
        {later("when"): f"{e.stamp.at:%Y-%m-%d %H:%M:%S}", later("who"): e.actor, later("what"): e.kind.value, later("item"): e.item_id,
         later("details"): ", ".join(f"{name}: {value}" for name, value in e.details.items())}
        for e in events
    ]  # fmt: skip
    draw_rows(rows)
