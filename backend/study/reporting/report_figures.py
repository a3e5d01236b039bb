"""Figures for print: plotly values drawn with reportlab, which gives the same picture as SVG for HTML and in a PDF.

It knows boxes and points with error bars, joined by lines or not, on axes of numbers or names, and a table of shaded cells:
what `statistics.plots` and `choice_plots` make.
"""

from collections.abc import Sequence
from typing import Any

from backend.study.reporting.report_plot import LINE, LONGEST, SMALL, Figure, Plot, short, title_of

WIDTH, HEIGHT = 480.0, 230.0  # points
LEFT, RIGHT, TOP, BOTTOM = 46.0, 12.0, 34.0, 62.0
CELL = 30.0  # height of a table's cell


def drawing(figure: Figure) -> Any:
    """A reportlab drawing. Traces differ by the shape at their name and by place, not by colour alone."""
    from reportlab.graphics.shapes import Drawing

    layout, traces = figure["layout"], figure["data"]
    if traces[0]["type"] == "heatmap":
        return _cells(traces[0], layout)
    sideways = all(isinstance(y, str) for trace in traces for y in trace.get("y", ()))
    names = _names(figure, "y" if sideways else "x")
    height = max(HEIGHT, 90 + 15.0 * len(names)) if sideways else HEIGHT
    made = Drawing(WIDTH, height)
    left = LEFT + (150 if sideways else 0)
    marked = [float(shape["x0"]) for shape in layout.get("shapes", ())] if sideways else []
    span = _range(traces, sideways, marked)
    plot = Plot(made, (left, BOTTOM, WIDTH - RIGHT, height - TOP), names, span, sideways)
    log = layout.get("yaxis", {}).get("type") == "log"
    plot.frame(layout, log)
    plot.marks(marked)
    for n, trace in enumerate(traces):
        if trace["type"] == "box":
            plot.boxes(trace, n, len(traces), log)
        else:
            plot.points(trace, n)
    plot.legend([str(t["name"]) for t in traces if t.get("name") and t.get("showlegend", True)])
    return made


def as_svg(figure: Figure) -> str:
    """The drawing as an SVG element."""
    from reportlab.graphics import renderSVG

    text: str = renderSVG.drawToString(drawing(figure))
    return text[text.index("<svg") :]


def _names(figure: Figure, axis: str) -> list[str]:
    wanted = figure["layout"].get(f"{axis}axis", {}).get("categoryarray")
    found = [str(v) for t in figure["data"] for v in (t.get(axis) or ([t["name"]] if t["type"] == "box" else []))]
    return list(dict.fromkeys(wanted or found))


def _cells(trace: Figure, layout: Figure) -> Any:
    """Rows by columns, each cell with its words, the darker the higher its value."""
    from reportlab.graphics.shapes import Drawing, Rect
    from reportlab.lib.colors import linearlyInterpolatedColor, toColor

    rows, columns = trace["y"], trace["x"]
    height = TOP + BOTTOM + CELL * len(rows)
    made = Drawing(WIDTH, height)
    x0, y1 = LEFT + 150, height - TOP
    plot = Plot(made, (x0, BOTTOM, WIDTH - RIGHT, y1), rows, (0.0, 1.0), True)
    plot.text(12, y1 + 18, str(layout["title"]["text"]), 9.5, bold=True)
    plot.text(x0, BOTTOM - 26, title_of(layout, "xaxis")[:90], SMALL)
    wide = (WIDTH - RIGHT - x0) / max(len(columns), 1)
    most = max((value for row in trace["z"] for value in row if value is not None), default=0.0) or 1.0
    colours = [toColor(shade) for _, shade in trace["colorscale"]]
    for i, (name, values, words) in enumerate(zip(rows, trace["z"], trace["text"], strict=True)):
        bottom = y1 - CELL * (i + 1)
        plot.text(x0 - 4, bottom + CELL / 2 - 2.5, short(name, 40), SMALL, anchor="end")
        for n, (value, word) in enumerate(zip(values, words, strict=True)):
            fill = linearlyInterpolatedColor(*colours, 0, most, value or 0.0)
            made.add(
                Rect(x0 + n * wide, bottom, wide, CELL, fillColor=fill, strokeColor=toColor(LINE), strokeWidth=0.8)
            )
            plot.text(x0 + (n + 0.5) * wide, bottom + CELL / 2 - 2.5, word, SMALL, anchor="middle")
    for n, name in enumerate(columns):
        plot.text(x0 + (n + 0.5) * wide, BOTTOM - 10, short(name, LONGEST), SMALL, anchor="middle")
    return made


def _range(traces: Sequence[Figure], sideways: bool, marked: Sequence[float]) -> tuple[float, float]:
    """Of the values with their error bars and the marked ones, and a little more."""
    found: list[float] = []
    for trace in traces:
        values = [float(v) for v in trace["x" if sideways else "y"]]
        bars = trace.get("error_x" if sideways else "error_y", {})
        up, down = bars.get("array") or [0.0] * len(values), bars.get("arrayminus") or [0.0] * len(values)
        found += [v + u for v, u in zip(values, up, strict=True)] + [v - d for v, d in zip(values, down, strict=True)]
    if not found:
        return (0.0, 1.0)
    low, high = min([*found, *marked]), max([*found, *marked])
    room = (high - low or 1.0) * 0.06
    return (low - room if low <= 0 or sideways else max(low - room, low * 0.9), high + room)
