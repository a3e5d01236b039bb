"""Figures of an analysis as plain plotly values, so that no plotly is needed to make them. The page or a report draws them.

Arms differ by dash, symbol or pattern as well as by colour, so that nothing is shown by colour alone.
"""

from collections.abc import Sequence
from typing import Any

from backend.schemas.studies.estimates import Coefficient, Estimate
from backend.schemas.studies.study_analysis import Analysis
from backend.study.statistics.rating_data import Score, StudyData, case_means, rating_table, scores_by_question

Figure = dict[str, Any]
SYMBOLS = ("circle", "square", "diamond", "cross", "x", "triangle-up", "star", "pentagon")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "solid", "dash")


def box_plots(data: StudyData) -> Figure:
    """Single ratings of every question, one box an arm (as ReinRAG's Figure 5), with the mean dashed in."""
    questions = scores_by_question(data)
    traces = []
    for n, arm in enumerate(data.arms):
        rated = [(s.question, s.value) for scores in questions.values() for s in scores if s.arm == arm]
        given = [(question, value) for question, value in rated if value is not None]
        traces.append(
            {
                "type": "box",
                "name": arm,
                "x": [question for question, _ in given],
                "y": [value for _, value in given],
                "boxmean": True,
                "marker": {"symbol": SYMBOLS[n % len(SYMBOLS)]},
                "line": {"width": 1 + n % 2},
            }
        )
    return figure_of("Ratings by arm", "question", "rating", traces, boxmode="group")


def agreement_by_item(scores: Sequence[Score], groups: Sequence[str], rated: str, of: str = "draft") -> Figure:
    """Each item's lowest and highest rating, items in the order of their mean: long lines are where raters differ.

    scores: of one question. groups: what stands as the arm of the scores: arms, or pairs of arms. rated: what is rated.
    """
    import numpy as np

    table = rating_table(scores)
    if not len(table.drafts):
        return figure_of(f"Agreement by {of}", of, rated, [])
    means = np.nanmean(table.values, axis=1)
    order = np.argsort(means, kind="stable")
    low, high = np.nanmin(table.values, axis=1), np.nanmax(table.values, axis=1)
    traces = []
    for n, group in enumerate(groups):
        mine = [i for i in order if table.drafts[i][1] == group]
        bars: Figure = {
            "type": "data",
            "symmetric": False,
            "array": [float(high[i] - means[i]) for i in mine],
            "arrayminus": [float(means[i] - low[i]) for i in mine],
        }
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": group,
                "x": [f"{table.drafts[i][0]} {group}" for i in mine],
                "y": [float(means[i]) for i in mine],
                "error_y": bars,
                "marker": {"symbol": SYMBOLS[n % len(SYMBOLS)]},
            }
        )
    ordered = [" ".join(table.drafts[i]) for i in order]
    figure = figure_of(f"Agreement by {of}", f"{of} (case and arm)", f"{rated}: mean, lowest, highest", traces)
    figure["layout"]["xaxis"] |= {"categoryorder": "array", "categoryarray": ordered}
    return figure


def agreement_forest(analysis: Analysis, question: str) -> Figure:
    """A question's coefficients over all arms, with their intervals."""
    found = [a for a in analysis.agreement if a.question == question and not a.arm and a.estimate.value is not None]
    rows = [(_coefficient(a.coefficient), a.estimate) for a in found]
    return forest("Agreement", f"{question}: 1 is full agreement, 0 is chance", rows)


def rater_severity(analysis: Analysis, question: str) -> Figure:
    """Each rater's mean deviation from the others on the same drafts; to the right is milder."""
    rows = [
        (s.rater, s.deviation) for s in analysis.severity if s.question == question and s.deviation.value is not None
    ]
    return forest("Rater severity", f"{question}: points above the other raters of the same drafts", rows)


def differences(analysis: Analysis) -> Figure:
    """The mean difference of each pair of arms on each question, by cases."""
    rows = []
    for c in analysis.comparisons:
        gain = next((e.estimate for e in c.effects if e.name == "mean difference"), None)
        if c.test == "wilcoxon_case_means" and gain is not None and gain.value is not None:
            rows.append((f"{c.question}: {c.first} - {c.second}", gain))
    return forest("Differences of arms", "points, first minus second", rows)


def learning_over_time(data: StudyData, question: str) -> Figure:
    """Mean of case means by arm in the first and in the second half of raters' items."""
    import numpy as np

    scores = scores_by_question(data)[question]
    traces = []
    for n, arm in enumerate(data.arms):
        points = []
        for period, name in ((1, "first half"), (2, "second half")):
            means = case_means([s for s in scores if s.arm == arm and s.period == period], (arm,)).means
            if len(means):
                points.append((name, float(np.mean(means))))
        traces.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": arm,
                "x": [name for name, _ in points],
                "y": [mean for _, mean in points],
                "line": {"dash": DASHES[n % len(DASHES)]},
                "marker": {"symbol": SYMBOLS[n % len(SYMBOLS)]},
            }
        )
    return figure_of("Learning over time", "half of a rater's items", f"{question}: mean", traces)


def time_on_item(data: StudyData) -> Figure:
    """Seconds on each item by rater, on a logarithmic axis, since times are skewed."""
    traces = [
        {"type": "box", "name": rater, "y": [t.seconds for t in data.times if t.rater == rater]}
        for rater in sorted({t.rater for t in data.times})
    ]
    figure = figure_of("Time on item", "rater", "seconds", traces, showlegend=False)
    figure["layout"]["yaxis"]["type"] = "log"
    return figure


def forest(title: str, x: str, rows: Sequence[tuple[str, Estimate]], none: float = 0.0) -> Figure:
    """One line a row: the value with its interval. none: where no effect is, a dotted line."""
    shown = [(label, estimate, estimate.value) for label, estimate in rows if estimate.value is not None]
    up = [0.0 if e.high is None else e.high - value for _, e, value in shown]
    down = [0.0 if e.low is None else value - e.low for _, e, value in shown]
    trace = {
        "type": "scatter",
        "mode": "markers",
        "x": [value for _, _, value in shown],
        "y": [label for label, _, _ in shown],
        "error_x": {"type": "data", "symmetric": False, "array": up, "arrayminus": down},
        "showlegend": False,
    }
    zero = {"type": "line", "x0": none, "x1": none, "yref": "paper", "y0": 0, "y1": 1}
    zero["line"] = {"dash": "dot", "width": 1}
    figure = figure_of(title, x, "", [trace], shapes=[zero], height=160 + 24 * len(shown))
    figure["layout"]["yaxis"] |= {"autorange": "reversed", "automargin": True}
    return figure


def figure_of(title: str, x: str, y: str, traces: list[Figure], **layout: Any) -> Figure:
    """A plotly figure of these traces with a title and the names of its axes."""
    axes = {"title": {"text": title}, "xaxis": {"title": {"text": x}}, "yaxis": {"title": {"text": y}}}
    return {"data": traces, "layout": {**axes, **layout}}


def _coefficient(coefficient: Coefficient) -> str:
    return coefficient.value.replace("_", " ")
