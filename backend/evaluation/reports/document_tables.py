"""Tables of documents, written from docs/results between `<!-- table: NAME -->` and `<!-- end -->`.

`python -m backend.evaluation.reports.document_tables` writes them; with --check it only says which are out of date. NAME is
a file of docs/results without its ending, or several by `*`; `card-POLICY` is the card of a shipped checkpoint.
"""

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from backend.errors import InputError, LeapnoteError
from backend.evaluation.reports.cell_use import COSTS, TIMES, says_what_ran
from backend.evaluation.reports.kept_figures import RESULTS, FirstSight, KeptFigures, read_kept
from backend.evaluation.reports.result_report import DECIDED, shown
from backend.schemas.evaluation_results import Figure, Result, ResultKind
from backend.settings import ROOT

MARKED = re.compile(r"(<!-- table: ([a-z0-9*-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
BENCH_HEAD = (
    "row",
    "target ms",
    "median ms",
    "p95 ms",
    "processor ms",
    "MB",
    "n",
    "load",
    "peer: median ms",
    "peer / ours",
)
CARDS = "card-"
BEFOREHAND = "by the rule set beforehand"
RANKING = "ranking-card"
"""The table of the card that the weights of the passage ranking have."""
NOT_MEASURED = "Not measured for this version."
Rows = list[list[str]]


def documents() -> list[Path]:
    """Every document that may hold such a table."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def with_tables(text: str, results: Path = RESULTS) -> str:
    """A document's text with each marked table as the files of results have it."""
    return MARKED.sub(lambda found: f"{found[1]}{table(found[2], results)}\n{found[3]}", text)


def named(text: str) -> list[str]:
    """The names in a document's markers."""
    return [found[2] for found in MARKED.finditer(text)]


def table(name: str, results: Path = RESULTS) -> str:
    """The table of a file, or of all files that a name with `*` covers, and under it how it was measured.

    Where there is no such file the text says that nothing was measured.

    Raises:
        InputError: figures that have no table, or not the columns of the others.
    """
    if name == RANKING:
        return ranking_table(ROOT / "models" / "passages" / "card.json")
    if name.startswith(CARDS):
        return card_table(ROOT / "models" / "checkpoints" / name.removeprefix(CARDS) / "card.json")
    files = {path.stem: read_kept(path) for path in sorted(results.glob(f"{name}.json"))}
    if not files:
        return NOT_MEASURED
    several = len(files) > 1 and "bench-" not in name
    head, body = [""], Rows()
    for stem, file in files.items():
        columns, *rows = _rows(file)
        if body and columns != head:
            raise InputError(f"The figures of {stem} have other columns than those before it in {name!r}.")
        head = columns
        body += [[stem.removeprefix(name.partition("*")[0]), *row] for row in rows] if several else rows
    notes = (line for file in files.values() for line in [*_told(file), _provenance(file)])
    return "\n".join([*_markdown(["of", *head] if several else head, body), "", *notes])


def card_table(card: Path) -> str:
    """New-concept recall of a checkpoint and of all it is compared with, as its card holds it, in own and in common order.

    Raises:
        InputError: there is no such card, or it holds no figures.
    """
    entries = json.loads(card.read_text(encoding="utf-8")).get("figures", ()) if card.is_file() else ()
    if not entries:
        raise InputError(
            f"The card of {card.parent.name!r} holds no figures. Add them with: evaluate paths --into-card"
        )
    lines: list[str] = []
    for entry in entries:
        budgets = [str(budget) for budget in entry["budgets"]]
        orders = {"recall": "recall", "recall_common": "common order"}
        columns = [(key, budget) for key in orders if key in entry for budget in budgets]
        body = [
            [f"`{system}`", *(shown(*cell) if (cell := entry[key][system].get(at)) else "" for key, at in columns)]
            for system in entry["recall"]
        ]
        lines += _markdown(["system", *(f"{orders[key]} at {budget}" for key, budget in columns)], body)
        data = entry["data"]
        lines += [
            "",
            f"{entry['date']}, {data['items']} notes of {data['name']} ({data['sha256'][:8]}). {entry['note']}",
            "",
        ]
    return "\n".join(lines[:-1])


def ranking_table(card: Path) -> str:
    """What the ranking reaches on each set of questions under weights fitted on all other sets, as its card holds it.

    Raises:
        InputError: there is no such card, or it holds no such figures.
    """
    held = json.loads(card.read_text(encoding="utf-8")) if card.is_file() else {}
    crossed, counts = held.get("ndcg_10_of_each_set_under_weights_of_the_others", {}), held.get("questions", {})
    if not crossed:
        raise InputError(f"The card {card.name!r} holds no figures of each set. Fit it with: train ranking")
    body = [[f"`{name}`", str(counts[name]), f"{value:.3f}"] for name, value in crossed.items()]
    whole = sum(counts[name] * value for name, value in crossed.items()) / sum(counts[name] for name in crossed)
    body.append(["all questions", str(sum(counts[name] for name in crossed)), f"{whole:.3f}"])
    weights = ", ".join(f"{name} {value:g}" for name, value in held["weights"].items())
    lines = _markdown(["questions", "n", "ndcg@10 of the candidates"], body)
    return "\n".join([*lines, "", f"Fitted {held['fitted']}; weights: {weights}."])


def _rows(kept: KeptFigures) -> Rows:
    """Head and body of one file's table, by what its figures are."""
    first = kept.figures[0]
    if isinstance(first, dict) and "target_ms" in first:
        return [list(BENCH_HEAD), *(_bench(row) for row in kept.figures)]
    if isinstance(first, dict) and "kind" in first and "figures" in first:
        result = Result.model_validate(first)
        if result.kind is ResultKind.SAFETY:
            return _by_measure(result)
        return _reading(result, kept.first_sight) if result.kind is ResultKind.READING else _result(result)
    if isinstance(first, list) and first and all(isinstance(row, dict) for row in first):
        return [list(first[0]), *([_cell(value) for value in row.values()] for row in first)]
    if isinstance(first, dict) and first and all(isinstance(rows, list) and rows for rows in first.values()):
        head = ["of", *next(iter(first.values()))[0]]
        return [head, *([name, *map(_cell, row.values())] for name, rows in first.items() for row in rows)]
    raise InputError(f"The figures of {kept.command!r} have no table.")


def _bench(row: dict[str, Any]) -> list[str]:
    peer = row["peer"]
    against = [_ms(peer["median_ms"]), f"{peer['median_ms'] / row['median_ms']:.1f}"] if peer else ["", ""]
    times = [_ms(row[name]) for name in ("target_ms", "median_ms", "p95_ms", "cpu_ms")]
    return [f"`{row['name']}`", *times, _ms(row["rss_mb"]), str(row["n"]), f"{row['load']:g}", *against]


def _result(result: Result) -> Rows:
    """One line a system (and group or budget), one column a measure.

    Left out are times, costs where no model was asked, and of paths the semantic groups, which a chart of the result shows.
    """
    spent = {figure.measure for figure in result.figures if figure.measure in COSTS and figure.value}
    left_out = TIMES | (COSTS.keys() - spent)
    measures = list(dict.fromkeys(one.measure for one in result.figures if one.measure not in left_out))
    found: dict[tuple[str, ...], dict[str, Figure]] = {}
    for figure in result.figures:
        if figure.group and result.kind is ResultKind.PATHS:
            continue
        found.setdefault((figure.system, _about(figure)), {})[figure.measure] = figure
    about = any(key[1] for key in found)
    rows = [["system", *(["of"] if about else []), "n", *measures]]
    for key, row in found.items():
        values = [shown(one.value, one.low, one.high) if (one := row.get(name)) else "" for name in measures]
        rows.append([f"`{key[0]}`", *([key[1]] if about else []), str(max(one.n for one in row.values())), *values])
    return rows


def _reading(result: Result, first: FirstSight | None) -> Rows:
    """One line a measure, over everything that was read; beside it the first measurement where one is kept."""
    figures = [one for one in result.figures if one.system == result.figures[0].system]
    rows = [["measure", "value", "n"], *([f"`{o.measure}`", shown(o.value, o.low, o.high), str(o.n)] for o in figures)]
    if first is None:
        return rows
    seen = [shown(first.measures.get(one.measure), None, None) for one in figures]
    return [[*row, cell] for row, cell in zip(rows, [f"first sight, {first.date}", *seen], strict=True)]


def _by_measure(result: Result) -> Rows:
    """One line a measure of each system, where the systems have different ones."""
    measured = [one for one in result.figures if one.value is not None]
    lines = [[o.system, f"`{o.measure}`", shown(o.value, o.low, o.high), str(o.n)] for o in measured]
    return [["of", "measure", "value", "n"], *lines]


def _about(figure: Figure) -> str:
    parts = [figure.group, figure.order.value if figure.order else ""]
    return ", ".join([*filter(None, parts), *([f"{figure.budget} concepts"] if figure.budget is not None else [])])


def _provenance(kept: KeptFigures) -> str:
    data = "imported sources" if kept.own_data else "starter knowledge alone"
    return (
        f"`{kept.command}`: {kept.date}, version {kept.version}, {kept.cores} cores, load {kept.load[0]:g} to "
        f"{kept.load[1]:g}, {data}.  "
    )


def _told(kept: KeptFigures) -> list[str]:
    """What was decided on a run by a rule that stood beforehand, and what its cells really ran, a line each."""
    first = kept.figures[0]
    said = first.get("caveats", ()) if isinstance(first, dict) else ()
    return [f"{line}  " for line in said if line.startswith(DECIDED) or BEFOREHAND in line or says_what_ran(line)]


def _markdown(head: Sequence[str], body: Sequence[Sequence[str]]) -> list[str]:
    return [_line(head), "|" + "---|" * len(head), *(_line(row) for row in body)]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list):  # a value with its interval
        return shown(*value)
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _ms(value: float | None) -> str:
    """Three significant digits."""
    return "" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def main(
    check: Annotated[bool, typer.Option("--check", help="write nothing; say which documents are out of date")] = False,
) -> None:
    """Write the tables of the documents from docs/results.

    Raises:
        Exit: 1 with --check where a document is out of date, 2 where a table cannot be made.
    """
    stale = []
    for path in documents():
        text = path.read_text(encoding="utf-8")
        try:
            made = with_tables(text)
        except LeapnoteError as error:
            print(f"{path.relative_to(ROOT)}: {error}", file=sys.stderr)
            raise typer.Exit(2) from None
        if made != text:
            stale.append(path)
            if not check:
                path.write_text(made, encoding="utf-8")
    for path in stale:
        print(f"{path.relative_to(ROOT)} {'is out of date' if check else 'written'}")
    if stale and check:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
