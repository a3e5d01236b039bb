"""Figures of choices between drafts, and of rankings: who was preferred to whom, where, by whom, and whether that changed."""

from collections.abc import Sequence

from backend.schemas.studies.study_analysis import Analysis
from backend.study.statistics.comparison.preference_shares import directions, pair_name
from backend.study.statistics.rating_data import StudyData
from backend.study.statistics.score_figures import (
    DASHES,
    SYMBOLS,
    Figure,
    agreement_by_item,
    agreement_forest,
    figure_of,
    forest,
)

EVEN = 0.5
PALE, DARK = "#ffffff", "#8fbdd3"


def choice_figures(data: StudyData, analysis: Analysis, question: str) -> list[Figure]:
    """All that a question with choices or a ranking has. Those without a value are left to the caller to drop."""
    choices = [choice for choice in data.choices if choice.question == question]
    pairs = [pair_name(p.first, p.second) for p in analysis.preferences if p.question == question]
    return [
        preference_shares(analysis, question),
        strengths(analysis, question),
        wins(analysis, question),
        mean_places(analysis, question),
        places(analysis, question),
        agreement_forest(analysis, question),
        agreement_by_item(directions(choices, data.arms), pairs, "1 first, 0 tie, -1 second", "pair"),
        side_bias(analysis, question),
        preference_over_time(analysis, question),
    ]


def preference_shares(analysis: Analysis, question: str) -> Figure:
    """The share of each pair's first arm by cases, a tie half a choice, against one half."""
    found = [p for p in analysis.preferences if p.question == question]
    rows = [(pair_name(p.first, p.second), p.share_by_cases) for p in found]
    return forest("Preference", f"{question}: share that preferred the first, by cases; 0.5 is none", rows, EVEN)


def strengths(analysis: Analysis, question: str) -> Figure:
    """Bradley-Terry strengths with their intervals, the strongest on top."""
    found = [one for s in analysis.strengths if s.question == question for one in s.strengths]
    shown = sorted(found, key=lambda one: -(one.strength.value or 0.0))
    label = f"{question}: Bradley-Terry log strength; those of a joined set add up to 0"
    return forest("Strength of arms", label, [(one.arm, one.strength) for one in shown])


def wins(analysis: Analysis, question: str) -> Figure:
    """How often the arm of a row was preferred to that of a column, ties beside it."""
    counts: dict[tuple[str, str], tuple[int, int]] = {}
    for p in analysis.preferences:
        if p.question == question:
            counts[p.first, p.second] = (p.for_first, p.ties)
            counts[p.second, p.first] = (p.for_second, p.ties)
    cells = [[counts.get((row, column)) for column in analysis.arms] for row in analysis.arms]
    values = [[None if cell is None else float(cell[0]) for cell in row] for row in cells]
    texts = [["" if cell is None else f"{cell[0]} (ties {cell[1]})" for cell in row] for row in cells]
    return _matrix("Choices and ties", ("was preferred to", "arm"), (analysis.arms, analysis.arms), (values, texts))


def mean_places(analysis: Analysis, question: str) -> Figure:
    """The mean place of each arm with its interval, against the middle place."""
    found = [p for p in analysis.places if p.question == question]
    arms = max(len(found), 1)
    rows = [(p.arm, p.mean) for p in found]
    label = f"{question}: mean place by cases; 1 is the best, {(arms + 1) / 2:g} is chance"
    return forest("Mean place", label, rows, (arms + 1) / 2)


def places(analysis: Analysis, question: str) -> Figure:
    """How often each arm had each place; drafts placed equal share the mean of their places."""
    found = [p for p in analysis.places if p.question == question]
    known = sorted({count.value for p in found for count in p.distribution})
    counts = [{count.value: count.count for count in p.distribution} for p in found]
    values = [[float(row.get(place, 0)) for place in known] for row in counts]
    texts = [[f"{value:g}" for value in row] for row in values]
    names = ([p.arm for p in found], [f"place {place:g}" for place in known])
    return _matrix("Places", ("place, 1 the best", "arm"), names, (values, texts))


def side_bias(analysis: Analysis, question: str) -> Figure:
    """Of each rater: the share of choices for the draft on the right, or further down."""
    found = [s for s in analysis.sides if s.question == question]
    rows = [(f"rater {s.rater}" if s.rater else "all", s.share_later) for s in found]
    return forest("Leaning to a side", f"{question}: share for the right or lower one; 0.5 is no bias", rows, EVEN)


def preference_over_time(analysis: Analysis, question: str) -> Figure:
    """The share of each pair's first arm in the first and in the second half of raters' items."""
    traces = []
    for n, half in enumerate(h for h in analysis.halves if h.question == question):
        named = (("first half", half.first_half), ("second half", half.second_half))
        points = [(name, found, found.value) for name, found in named if found.value is not None]
        up = [0.0 if found.high is None else found.high - value for _, found, value in points]
        down = [0.0 if found.low is None else value - found.low for _, found, value in points]
        traces.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": pair_name(half.first, half.second),
                "x": [name for name, _, _ in points],
                "y": [value for _, _, value in points],
                "error_y": {"type": "data", "symmetric": False, "array": up, "arrayminus": down},
                "line": {"dash": DASHES[n % len(DASHES)]},
                "marker": {"symbol": SYMBOLS[n % len(SYMBOLS)]},
            }
        )
    return figure_of("Learning over time", "half of a rater's items", f"{question}: share of the first", traces)


def _matrix(
    title: str,
    axes: tuple[str, str],
    names: tuple[Sequence[str], Sequence[str]],
    cells: tuple[list[list[float | None]] | list[list[float]], list[list[str]]],
) -> Figure:
    """names: of the rows, of the columns. cells: values, and what is written in them; both rows by columns."""
    trace = {
        "type": "heatmap",
        "x": list(names[1]),
        "y": list(names[0]),
        "z": cells[0],
        "text": cells[1],
        "texttemplate": "%{text}",
        "showscale": False,
        "colorscale": [[0, PALE], [1, DARK]],
        "zmin": 0,
    }
    figure = figure_of(title, axes[0], axes[1], [trace], height=160 + 40 * len(names[0]))
    figure["layout"]["yaxis"] |= {"autorange": "reversed", "automargin": True}
    return figure
