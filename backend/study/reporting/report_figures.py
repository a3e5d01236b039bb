"""Figures for print: plotly values drawn with matplotlib, as SVG for HTML and as one page of PDF.

It draws what `score_figures` and `choice_figures` make: boxes, points with error bars, joined by lines or not, on an axis
of names and one of numbers; and a table of shaded cells. Groups differ by their marks and dashes, not by colour alone.
"""

import re
import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache
from io import BytesIO, StringIO
from textwrap import fill
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

Figure = dict[str, Any]
WIDTH, HEIGHT, LEAST = 8.6, 3.4, 1.9  # inches; the least height is that of one row
ROW = 0.26  # inches of a row of names
SMALL, TITLE = 8.0, 10.0  # points
LONGEST = 64  # characters of a name on an axis
LINE = 44  # characters of a line beside an axis that goes up
MOST_NAMES = 30  # on an axis from left to right; of more, every n-th is written
COLOURS = ("#0b5f86", "#8a5a00", "#4b4b4b", "#6a3d9a", "#1b7837", "#b35806", "#2166ac", "#762a83")
INK, RULE = "#17232b", "#c3ccd2"
MARKS = {
    "circle": "o",
    "square": "s",
    "diamond": "D",
    "cross": "P",
    "x": "X",
    "triangle-up": "^",
    "star": "*",
    "pentagon": "p",
}
DASHES: dict[str, Any] = {
    "solid": "-",
    "dash": "--",
    "dot": ":",
    "dashdot": "-.",
    "longdash": (0, (8, 3)),
    "longdashdot": (0, (8, 3, 2, 3)),
}


def as_svg(figure: Figure) -> str:
    """The figure as an SVG element whose words are text. It refers to nothing outside itself."""
    out = StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    drawing(figure).savefig(out, format="svg", metadata=nothing)
    text = out.getvalue()
    # groups are numbered alike in each figure, and an HTML page may hold an id once
    return re.sub(r'<g id="[^"]*"', "<g", text[text.index("<svg") :])


def as_pdf_page(figure: Figure, spelled: Callable[[str], str] = str) -> bytes:
    """The figure as a PDF of one page of its size. spelled: how a text is written that the font may lack."""
    out = BytesIO()
    drawing(figure, spelled).savefig(out, format="pdf", metadata=dict.fromkeys(("CreationDate", "Producer", "Creator")))
    return out.getvalue()


def drawing(figure: Figure, spelled: Callable[[str], str] = str) -> "Canvas":
    """The figure on a canvas of its own.

    Args:
        figure: plotly values with at least one trace; all traces of one kind.
        spelled: applied to every text.
    """
    from matplotlib.ticker import LogLocator, NullFormatter

    canvas: type[Canvas] = _library()
    layout, traces = figure["layout"], figure["data"]
    sideways = all(isinstance(y, str) for trace in traces for y in trace.get("y", ()))
    names = _names(figure, "y" if sideways else "x")
    made = canvas(figsize=(WIDTH, max(LEAST, 1.3 + ROW * len(names)) if sideways else HEIGHT), layout="constrained")
    axes = made.add_subplot()
    axes.set_title(spelled(str(layout["title"]["text"])), loc="left", fontsize=TITLE, fontweight="bold")
    axes.set_xlabel(spelled(_title_of(layout, "xaxis")))
    axes.set_ylabel(fill(spelled(_title_of(layout, "yaxis")), LINE))
    axes.spines[["top", "right"]].set_visible(False)
    if traces[0]["type"] == "heatmap":
        _draw_cells(axes, traces[0], spelled)
        return made
    log = layout.get("yaxis", {}).get("type") == "log"
    axes.grid(axis="x" if sideways else "y", color=RULE, linewidth=0.6)
    axes.set_axisbelow(True)
    if log:
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_minor_formatter(NullFormatter())
    for shape in layout.get("shapes", ()):
        axes.axvline(float(shape["x0"]), color=INK, linewidth=0.8, linestyle=":")
    for n, trace in enumerate(traces):
        if trace["type"] == "box":
            _draw_boxes(axes, trace, names, n, len(traces), log)
        else:
            _draw_points(axes, trace, names, n, sideways)
    _write_names(axes, [spelled(name) for name in names], sideways)
    labels = [
        spelled(_short(str(trace["name"]))) for trace in traces if trace.get("name") and _in_legend(trace, layout)
    ]
    if len(labels) > 1:
        handles = [
            axes.plot([], [], linestyle="none", label=label, **_mark(traces[n], n))[0] for n, label in enumerate(labels)
        ]
        made.legend(handles=handles, loc="outside lower left", ncols=min(len(labels), 4), frameon=False, fontsize=SMALL)
    return made


def _draw_boxes(axes: "Axes", trace: Figure, names: Sequence[str], n: int, of: int, log: bool) -> None:
    """Quartiles and median, whiskers to the least and the greatest; the mean is marked but on a logarithmic axis."""
    groups: dict[str, list[float]] = {}
    for x, y in zip(trace.get("x") or [trace.get("name", "")] * len(trace["y"]), trace["y"], strict=True):
        groups.setdefault(str(x), []).append(float(y))
    if not groups:
        return
    wide, aside = (0.7 / of, (n - (of - 1) / 2) * 0.7 / of) if trace.get("x") else (0.5, 0.0)
    colour = COLOURS[n % len(COLOURS)] if trace.get("x") else COLOURS[0]
    lines = {"color": colour, "linewidth": 1.0}
    axes.boxplot(
        list(groups.values()),
        positions=[names.index(name) + aside for name in groups],
        widths=wide * 0.8,
        whis=(0, 100),
        showmeans=not log,
        manage_ticks=False,
        boxprops=lines,
        whiskerprops=lines,
        capprops=lines,
        medianprops=lines | {"linewidth": 2.0},
        meanprops=_mark(trace, n) | {"color": colour},
    )


def _draw_points(axes: "Axes", trace: Figure, names: Sequence[str], n: int, sideways: bool) -> None:
    """Values with the error bars they have, joined where the trace says so."""
    named, values = (trace["y"], trace["x"]) if sideways else (trace["x"], trace["y"])
    places = [names.index(str(name)) for name in named]
    bars = trace.get("error_x" if sideways else "error_y", {})
    error = [bars["arrayminus"], bars["array"]] if bars.get("array") else None
    dash = DASHES[trace.get("line", {}).get("dash", "solid")] if "lines" in trace.get("mode", "") else "none"
    look = {**_mark(trace, n), "linestyle": dash, "linewidth": 1.2, "elinewidth": 1.2, "capsize": 2.5}
    if sideways:
        axes.errorbar(values, places, xerr=error, **look)
    else:
        axes.errorbar(places, values, yerr=error, **look)


def _draw_cells(axes: "Axes", trace: Figure, spelled: Callable[[str], str]) -> None:
    """Rows by columns, each cell with its words, the darker the higher its value."""
    from matplotlib.colors import LinearSegmentedColormap

    values = [[value or 0.0 for value in row] for row in trace["z"]]
    most = max((value for row in values for value in row), default=0.0) or 1.0
    shades = LinearSegmentedColormap.from_list("shades", [shade for _, shade in trace["colorscale"]])
    axes.pcolormesh(values, cmap=shades, vmin=0.0, vmax=most, edgecolors=RULE, linewidth=0.8)
    for row, words in enumerate(trace["text"]):
        for column, word in enumerate(words):
            axes.text(column + 0.5, row + 0.5, word, ha="center", va="center", fontsize=SMALL)
    rows, columns = ([spelled(_short(str(name))) for name in trace[axis]] for axis in ("y", "x"))
    axes.set_yticks([row + 0.5 for row in range(len(rows))], rows)
    axes.set_xticks([column + 0.5 for column in range(len(columns))], columns)
    axes.tick_params(length=0)
    axes.invert_yaxis()


def _write_names(axes: "Axes", names: Sequence[str], sideways: bool) -> None:
    if sideways:
        axes.set_yticks(range(len(names)), [_short(name) for name in names])
        axes.set_ylim(len(names) - 0.5, -0.5)
        return
    step = -(-len(names) // MOST_NAMES)
    shown = [(place, _short(name).replace("/", "/\n", 1)) for place, name in enumerate(names) if place % step == 0]
    room = 72 * WIDTH * 0.9 / max(len(shown), 1)
    longest = max((len(line) for _, name in shown for line in name.split("\n")), default=0)
    crowded = longest * SMALL * 0.6 > room
    look: dict[str, Any] = {"rotation": 30, "ha": "right", "rotation_mode": "anchor"} if crowded else {}
    axes.set_xticks([place for place, _ in shown], [name for _, name in shown], **look)
    axes.set_xlim(-0.5, len(names) - 0.5)


def _mark(trace: Figure, n: int) -> dict[str, Any]:
    """How a trace's points look."""
    symbol = trace.get("marker", {}).get("symbol", "circle")
    colour = COLOURS[n % len(COLOURS)]
    return {
        "marker": MARKS[symbol],
        "color": colour,
        "markerfacecolor": colour,
        "markeredgecolor": colour,
        "markersize": 5,
    }


def _names(figure: Figure, axis: str) -> list[str]:
    """The names of an axis, in the order the layout wants, or else as they come."""
    wanted = figure["layout"].get(f"{axis}axis", {}).get("categoryarray")
    found = [str(v) for t in figure["data"] for v in (t.get(axis) or ([t["name"]] if t["type"] == "box" else []))]
    return list(dict.fromkeys(wanted or found))


def _in_legend(trace: Figure, layout: Figure) -> bool:
    return bool(trace.get("showlegend", layout.get("showlegend", True)))


def _title_of(layout: Figure, axis: str) -> str:
    return str(layout.get(axis, {}).get("title", {}).get("text", ""))


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else "..." + name[-(LONGEST - 3) :]


@lru_cache(maxsize=1)
def _library() -> Any:
    """Matplotlib's Figure, with the settings of every figure here. Without pyplot: it keeps no figure and needs no screen."""
    import matplotlib as mpl
    from matplotlib.figure import Figure as Canvas

    mpl.rcParams.update(
        {
            "svg.fonttype": "none",  # words stay words
            "pdf.fonttype": 42,
            "svg.hashsalt": "leapnote",  # the same figure gives the same bytes
            "text.parse_math": False,  # a name may hold a dollar sign
            "font.family": "DejaVu Sans",
            "font.size": SMALL,
            "text.color": INK,
            "axes.labelcolor": INK,
            "axes.edgecolor": RULE,
            "xtick.color": INK,
            "ytick.color": INK,
        }
    )
    warnings.filterwarnings("ignore", message=r"Glyph \d+ .* missing from", category=UserWarning)
    return Canvas
