"""Evaluation results as rows for tables: figures by what they are about, differences, and what a run was on."""

from collections.abc import Sequence

from app.words.words import _
from backend.schemas.evaluation_results import Difference, Figure, Order, Result
from backend.schemas.vocabulary import GROUP_NAMES, SemanticGroup

Row = dict[str, str]


def name_of(result: Result) -> str:
    """A run in a list: date, kind, data, number of items, and the end of its id."""
    if result.problem or result.data is None or result.kind is None:
        return f"{result.id} (not readable)"
    synthetic = ", synthetic" if result.data.synthetic else ""
    return f"{result.date}, {result.kind.value}, {result.data.name}, {result.data.items} items{synthetic} ({result.id[-8:]})"


def about(result: Result) -> list[str]:
    """What the run was on, one line each."""
    lines = []
    if result.data is not None:
        split = f", split {result.data.split}" if result.data.split else ""
        lines.append(f"Data: {result.data.name}{split}, {result.data.items} items, sha256 {result.data.sha256[:16]}")
        lines += [f"Left out: {n}, since {why}" for why, n in result.data.left_out.items()]
        lines += [f"Marked {notice.replace('_', ' ')}: {n}" for notice, n in result.data.notices.items()]
    lines.append(f"Graph {result.graph or 'none'}, seed {result.seed}")
    lines.append("Versions: " + ", ".join(f"{name} {version}" for name, version in result.versions.items()))
    return lines


def sections(figures: Sequence[Figure]) -> dict[str, list[Figure]]:
    """The figures by order and budget, and those by semantic group, in the order they come."""
    found: dict[str, list[Figure]] = {}
    for figure in figures:
        parts = [f"{figure.budget} concepts"] if figure.budget is not None else []
        parts += ["own order" if figure.order == Order.OWN else "common order"] if figure.order else []
        parts += ["by semantic group"] if figure.group else []
        found.setdefault(", ".join(parts) or "all", []).append(figure)
    return found


def figure_rows(figures: Sequence[Figure]) -> list[Row]:
    """One row a system (and group), one column a measure; a value with its interval, or why there is none."""
    rows: dict[tuple[str, str], Row] = {}
    for figure in figures:
        row = rows.setdefault((figure.system, figure.group), {"system": figure.system})
        if figure.group:
            row["group"] = _(GROUP_NAMES[SemanticGroup(figure.group)])
        text = shown(figure.value, figure.low, figure.high)
        row[figure.measure.replace("_", " ")] = text or f"not available: {figure.reason}"
        row["n"] = str(figure.n)
    return [{name: value for name, value in row.items() if name != "n"} | {"n": row["n"]} for row in rows.values()]


def difference_rows(differences: Sequence[Difference]) -> list[Row]:
    """One row a comparison, with a word for whether the interval leaves 0 out."""
    return [
        {
            "system": one.system,
            "baseline": one.baseline,
            "measure": one.measure.replace("_", " "),
            "concepts": "" if one.budget is None else str(one.budget),
            "order": one.order.value if one.order else "",
            "difference": shown(one.value, one.low, one.high),
            "beyond chance": _verdict(one),
        }
        for one in differences
    ]


def _verdict(one: Difference) -> str:
    if one.low is None or one.high is None:
        return "no interval"
    if one.low > 0:
        return "yes, higher"
    return "yes, lower" if one.high < 0 else "no"


def shown(value: float | None, low: float | None, high: float | None) -> str:
    """A value with its 95 % interval to three digits; empty when there is none."""
    if value is None:
        return ""
    return f"{value:.3f}" if low is None or high is None else f"{value:.3f} [{low:.3f}, {high:.3f}]"
