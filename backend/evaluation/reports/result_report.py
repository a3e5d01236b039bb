"""A result as a Markdown table, and its charts as one HTML file that needs nothing else."""

import hashlib
import html
import json
from collections.abc import Iterator, Sequence
from typing import Any

from backend.schemas.evaluation_results import Difference, Figure, Order, Result

MOST_COLUMNS = 12
SUMMARY_LINES = 8
RECALL, WRITTEN = "recall", "written"
DECIDED = ("Go for", "No go for")


def as_table(result: Result) -> str:
    """What the run was on, a table for each budget and order, the differences, and what to bear in mind."""
    lines = [f"# {result.id}", "", *_about(result), ""]
    for title, figures in sections(result.figures):
        lines += [f"## {title}", "", *_figures(figures), ""]
    if result.differences:
        lines += ["## Differences, system minus baseline", "", *_differences(result.differences), ""]
    if result.not_available:
        lines += ["## Not available", "", *(f"- {one.name}: {one.reason}" for one in result.not_available), ""]
    lines += ["## What is measured", "", *(f"- {name}: {what}" for name, what in result.measures.items()), ""]
    lines += ["## What was compared", "", *(f"- {name}: {what}" for name, what in result.systems.items()), ""]
    return "\n".join(lines)


def paths_summary(result: Result) -> str:
    """What was measured and the best it was compared with, in ten lines with intervals.

    Recall of new concepts in own and common order, then of those that a document writes about, in own order. Policies of several
    training seeds (NAME#SEED) are told by their mean; what was decided on them beforehand stands below.
    """
    held = {
        (one.measure, one.system, one.order, one.budget): one
        for one in result.figures
        if not one.group and one.budget is not None
    }
    names = list(dict.fromkeys(name for measure, name, _, _ in held if measure == RECALL))
    budgets = sorted({budget for _, _, _, budget in held if budget is not None})
    means = {name.partition("#")[0] for name in names if "#" in name} & set(names)
    told = [name for name in names if name.partition("#")[0] not in means or "#" not in name]
    subjects = [name for name in dict.fromkeys(one.system for one in result.differences) if name in told]
    plain = [name for name in told if "@" not in name and name not in subjects]
    best = sorted(plain, key=lambda name: -(held[RECALL, name, Order.OWN, budgets[-1]].value or 0.0))
    columns = {f"{order.value} {budget}": (RECALL, order, budget) for order in Order for budget in budgets}
    columns |= {f"{WRITTEN} {budget}": (WRITTEN, Order.OWN, budget) for budget in budgets}
    lines = [f"| system | {' | '.join(columns)} |", f"|---|{'---|' * len(columns)}"]
    for name in [*subjects, *best][:SUMMARY_LINES]:
        cells = [held.get((measure, name, order, budget)) for measure, order, budget in columns.values()]
        lines.append(f"| {name} | {' | '.join(shown(one.value, one.low, one.high) if one else '–' for one in cells)} |")
    items = result.data.items if result.data else 0
    decided = [caveat for caveat in result.caveats if caveat.startswith(DECIDED)]
    title = f"{result.id}: new-concept recall with 95 % intervals, {items} notes; {WRITTEN}: of what documents write about, own order"
    return "\n".join([title, *lines, *decided])


def sections(figures: Sequence[Figure]) -> list[tuple[str, list[Figure]]]:
    """The figures by what they are about: order and budget, or a semantic group; titles in the order of the figures."""
    found: dict[str, list[Figure]] = {}
    for figure in figures:
        parts = ["by semantic group" if figure.group else "all groups"]
        parts += [f"{figure.order.value} order"] if figure.order else []
        parts += [f"{figure.budget} concepts"] if figure.budget is not None else []
        found.setdefault(", ".join(parts), []).append(figure)
    return list(found.items())


def shown(value: float | None, low: float | None, high: float | None) -> str:
    """A value with its interval to three digits, or a dash."""
    if value is None:
        return "–"
    return f"{value:.3f}" if low is None or high is None else f"{value:.3f} [{low:.3f}, {high:.3f}]"


def as_html(result: Result) -> str:
    """Every chart and the table, with plotly's script inside (4 MB): it opens without a network."""
    import plotly.io

    parts = [
        plotly.io.to_html(chart.figure, full_html=False, include_plotlyjs=first, validate=False)
        for first, chart in zip([True] + [False] * len(result.charts), result.charts, strict=False)
    ]
    title = html.escape(result.id)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title></head><body>'
        f"{''.join(parts)}<pre>{html.escape(as_table(result))}</pre></body></html>"
    )


def _about(result: Result) -> list[str]:
    lines = []
    if result.data is not None:
        split = f", split {result.data.split}" if result.data.split else ""
        lines.append(f"- data: {result.data.name}{split}, {result.data.items} items, sha256 {result.data.sha256[:16]}")
        lines += [f"- left out: {n}, {why}" for why, n in result.data.left_out.items()]
        lines += [f"- {n} items marked {notice}" for notice, n in result.data.notices.items()]
    lines.append(f"- graph {result.graph or 'none'}; seed {result.seed}; {result.date}")
    lines.append("- " + ", ".join(f"{name} {version}" for name, version in result.versions.items()))
    lines += [f"- {line}" for line in _identity_lines(result.identity)]
    lines.append("- 95 % intervals of a paired bootstrap over the items")
    return lines + [f"- **{caveat}**" for caveat in result.caveats]


def _figures(figures: Sequence[Figure]) -> list[str]:
    """One line a system (and group), one column a measure; the other way round where there are many measures."""
    measures = list(dict.fromkeys(figure.measure for figure in figures))
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for figure in figures:
        row = cells.setdefault((figure.system, figure.group), {})
        row[figure.measure] = shown(figure.value, figure.low, figure.high)
    grouped = any(group for _, group in cells)
    head = ["system", *(["group"] if grouped else []), *measures]
    table = [head]
    for (system, group), row in cells.items():
        table.append([system, *([group] if grouped else []), *(row.get(measure, "–") for measure in measures)])
    if len(measures) > MOST_COLUMNS:
        table = [list(column) for column in zip(*table, strict=True)]
    lines = ["| " + " | ".join(row) + " |" for row in table]
    return [lines[0], "|" + "---|" * len(table[0]), *lines[1:]]


def _differences(differences: Sequence[Difference]) -> list[str]:
    lines = [
        "| system | baseline | measure | order | budget | difference | beyond chance |",
        "|---|---|---|---|---|---|---|",
    ]
    for one in differences:
        beyond = _beyond(one)
        order, budget = one.order.value if one.order else "", one.budget if one.budget is not None else ""
        interval_text = shown(one.value, one.low, one.high)
        lines.append(
            f"| {one.system} | {one.baseline} | {one.measure} | {order} | {budget} | {interval_text} | {beyond} |"
        )
    return lines


def _beyond(one: Difference) -> str:
    """Whether the interval leaves 0 out, and on which side."""
    if one.reason:
        return one.reason
    if one.low is None or one.high is None:
        return "no interval"
    if one.low > 0:
        return "yes, higher"
    return "yes, lower" if one.high < 0 else "no"


def _identity_lines(found: dict[str, Any]) -> Iterator[str]:
    """An identity for a reader: a line a part, digests cut to 12 digits."""
    for name, value in found.items():
        if name in ("settings", "prompts"):
            yield f"{name}: {len(value)}, together {_digest(value)}"
        elif isinstance(value, dict):
            yield f"{name}: " + ", ".join(f"{key} {_short(held)}" for key, held in value.items())
        else:
            yield f"{name}: {_short(value)}"


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return "(" + ", ".join(f"{key} {_short(held)}" for key, held in value.items()) + ")"
    words = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return " ".join(word[:12] if len(word) == 64 and word.isalnum() else word for word in words.split(" "))


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:12]
