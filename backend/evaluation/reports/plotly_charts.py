"""Plotly figures as plain JSON values, so that no plotly is needed to make them. The page and the HTML file draw them.

Colours and fonts are left to whoever draws; marks differ by shape and dash too, so that nothing is told by colour alone.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from backend.schemas.evaluation_results import Chart, Figure

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
SYMBOLS = ("circle", "square", "diamond", "cross", "x", "triangle-up", "triangle-down", "star", "pentagon", "hexagon")
VARIANT = re.compile(r"(?P<base>.+)@(?P<setting>[\w-]+)=(?P<value>[\d.]+)")
SETTINGS = {"G": "rollouts a note in training (G)", "paths": "reasoning paths a note (N_P)"}
Standing = Mapping[str, Mapping[str, float]]
"""By arm that is not varied, the values at which its settings stand."""


class Point(NamedTuple):
    """x is a number or a category; low and high bound the interval, or are None."""

    x: float | str
    y: float | None
    low: float | None = None
    high: float | None = None


Series = Mapping[str, Sequence[Point]]


def line_chart(name: str, title: str, x: str, y: str, series: Series) -> Chart:
    """One line a system, with its interval as error bars."""
    traces = [
        {
            **_trace(label, points),
            "type": "scatter",
            "mode": "lines+markers",
            "line": {"dash": DASHES[i % len(DASHES)]},
            "marker": {"symbol": SYMBOLS[i % len(SYMBOLS)], "size": 8},
        }
        for i, (label, points) in enumerate(series.items())
    ]
    return Chart(name=name, title=title, figure={"data": traces, "layout": _layout(title, x, y)})


def setting_charts(
    figures: Sequence[Figure],
    name: str,
    measured: str,
    label: Callable[[str, Figure], str],
    standing: Standing | None = None,
) -> list[Chart]:
    """A line chart for each setting that some arms vary, NAME@SETTING=NUMBER (ReinRAG Figure 3); none where none does.

    Args:
        figures: of one measure.
        name: of the charts, before the setting's.
        measured: the measure, in words.
        label: of a line, from the arm unvaried and a figure.
        standing: where arms that are not varied stand, so that they are points of their own lines.
    """
    found: dict[str, dict[str, list[Point]]] = {}
    for figure in figures:
        if named := VARIANT.fullmatch(figure.system):
            point = Point(float(named["value"]), figure.value, figure.low, figure.high)
            found.setdefault(named["setting"], {}).setdefault(label(named["base"], figure), []).append(point)
    for figure in figures:
        for setting, value in (standing or {}).get(figure.system, {}).items():
            if (line := found.get(setting, {}).get(label(figure.system, figure))) is not None:
                line.append(Point(value, figure.value, figure.low, figure.high))
    return [_setting_chart(name, measured, setting, series) for setting, series in found.items()]


def bar_chart(name: str, title: str, x: str, y: str, series: Series) -> Chart:
    """Grouped bars, one colour and pattern a system."""
    patterns = ("", "/", "x", ".", "-", "+", "|", "\\")
    traces = [
        {**_trace(label, points), "type": "bar", "marker": {"pattern": {"shape": patterns[i % len(patterns)]}}}
        for i, (label, points) in enumerate(series.items())
    ]
    return Chart(
        name=name, title=title, figure={"data": traces, "layout": {**_layout(title, x, y), "barmode": "group"}}
    )


def forest_chart(name: str, title: str, x: str, rows: Sequence[tuple[str, Point]]) -> Chart:
    """Differences with their intervals, one a line, and a rule at 0. Each row: its label, and a point whose y is the value."""
    labels = [label for label, _ in rows]
    values = [point.y for _, point in rows]
    up = [_length(point.y, point.high) for _, point in rows]
    down = [_length(point.low, point.y) for _, point in rows]
    trace = {
        "type": "scatter",
        "mode": "markers",
        "x": values,
        "y": labels,
        "marker": {"size": 8},
        "error_x": {"type": "data", "symmetric": False, "array": up, "arrayminus": down},
        "showlegend": False,
    }
    layout = _layout(title, x, "")
    layout["yaxis"] = {"automargin": True, "autorange": "reversed"}
    layout["shapes"] = [
        {"type": "line", "x0": 0, "x1": 0, "yref": "paper", "y0": 0, "y1": 1, "line": {"dash": "dot", "width": 1}}
    ]
    layout["height"] = 160 + 24 * len(rows)
    return Chart(name=name, title=title, figure={"data": [trace], "layout": layout})


def _setting_chart(name: str, measured: str, setting: str, series: Series) -> Chart:
    words = SETTINGS.get(setting, setting)
    in_order = {label: sorted(points, key=lambda point: float(point.x)) for label, points in series.items()}
    return line_chart(
        f"{name}-{setting}", f"{measured[:1].upper()}{measured[1:]} by {words}", words, measured, in_order
    )


def _trace(label: str, points: Sequence[Point]) -> dict[str, Any]:
    trace: dict[str, Any] = {"name": label, "x": [point.x for point in points], "y": [point.y for point in points]}
    if any(point.low is not None for point in points):
        trace["error_y"] = {
            "type": "data",
            "symmetric": False,
            "array": [_length(point.y, point.high) for point in points],
            "arrayminus": [_length(point.low, point.y) for point in points],
            "thickness": 1,
        }
    return trace


def _length(start: float | None, end: float | None) -> float:
    return 0.0 if start is None or end is None else max(0.0, end - start)


def _layout(title: str, x: str, y: str) -> dict[str, Any]:
    return {
        "title": {"text": title},
        "xaxis": {"title": {"text": x}, "automargin": True},
        "yaxis": {"title": {"text": y}, "automargin": True, "rangemode": "tozero"},
        "legend": {"orientation": "h", "y": -0.25},
        "margin": {"t": 48, "r": 16},
    }
