"""What the evaluate commands share: common options, the container they open, progress, and how a result is printed."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from backend.cli.cli_options import DropSource, Seed, Sources
from backend.cli.progress import ProgressLine
from backend.errors import InputError
from backend.schemas.evaluation_results import Result
from backend.schemas.vocabulary import Source
from backend.settings import settings

if TYPE_CHECKING:
    from backend.evaluation.reports.evaluation_run import RunOptions

KEEPER = "an evaluation"


Limit = Annotated[int | None, typer.Option("--limit", metavar="N", help="at most so many, drawn by the seed")]
Split = Literal["train", "validation", "test", "all"]


@dataclass(frozen=True, kw_only=True)
class EvaluationOptions:
    """What every evaluation takes."""

    limit: Limit = None
    seed: Seed = 0
    resamples: Annotated[int, typer.Option("--resamples", help="of the bootstrap")] = 2000
    out: Annotated[Path | None, typer.Option("--out", metavar="FOLDER", help="default: LEAPNOTE_DATA/results")] = None
    html: Annotated[bool, typer.Option("--html", help="also write charts.html, which needs nothing else")] = False
    as_json: Annotated[bool, typer.Option("--json", help="print the result as JSON")] = False

    def run(self) -> "RunOptions":
        """The same for an evaluation, dated today."""
        from backend.evaluation.reports.evaluation_run import RunOptions

        root = self.out or settings().data / "results"
        return RunOptions(root, date.today().isoformat(), self.seed, self.limit, self.resamples, ProgressLine())


@dataclass(frozen=True, kw_only=True)
class SearchedOptions(EvaluationOptions):
    """Those of evaluations that can leave sources out, as `draft` does."""

    sources: Sources = field(default_factory=list)
    drop_source: DropSource = field(default_factory=list)

    def allowed(self) -> tuple[Source, ...]:
        """The sources that may be searched; none named where all may. Raises InputError for a name that is none."""
        from backend.planning.source_plan import source_choice

        return source_choice(self.sources, self.drop_source).sources if self.sources or self.drop_source else ()


Vary = Annotated[
    list[str],
    typer.Option(
        "--vary",
        metavar="NAME=A,B",
        help="also with a setting at each of these values, compared with the same cell unvaried; may be repeated",
    ),
]


def names_option(flag: str, about: str) -> Any:
    """An option that takes names separated by commas; its value is the text, which `comma_list` takes apart."""
    return typer.Option(flag, metavar="A,B", help=about)


def named_files(given: Sequence[str] | None, flag: str, last: bool = False) -> tuple[tuple[str, Path], ...]:
    """NAME=FILE each.

    Args:
        given: what stands after the flag, each time.
        flag: for who reads the error.
        last: whether the name may hold "=" itself, as NAME@G=5 does; the file may then not.

    Raises:
        InputError: one that is not of that form.
    """
    found = []
    for text in given or ():
        name, mark, path = text.rpartition("=") if last else text.partition("=")
        if not (name and mark and path):
            raise InputError(f"{flag} {text!r} is not NAME=FILE.")
        found.append((name, Path(path)))
    return tuple(found)


@contextmanager
def evaluation_container(graph: Path | None = None) -> Iterator[Any]:
    """The container, with Chroma where no other process holds it; closed at the end.

    Yields:
        The container, by the settings or with another graph.
    """
    from backend.container import Container

    chosen = settings() if graph is None else settings().model_copy(update={"graph": str(graph)})
    container = Container(chosen, keeper=KEEPER)
    try:
        yield container
    finally:
        container.close()


def print_result(
    found: tuple[Result, Path], options: EvaluationOptions, table: Callable[[Result], str] | None = None
) -> None:
    """Print a result, and say where it is kept.

    Args:
        found: the result and its folder.
        options: how it is printed.
        table: what makes the printed table; the whole one is then a file beside the result. None prints the whole one.
    """
    from backend.evaluation.reports.result_report import as_html, as_table

    result, folder = found
    if options.html:
        (folder / "charts.html").write_text(as_html(result), encoding="utf-8")
    whole = folder / "table.md"
    if table is not None:
        whole.write_text(as_table(result), encoding="utf-8")
    if options.as_json:
        print(result.model_dump_json())
    elif table is None:
        print(as_table(result))
    else:
        print(f"{table(result)}\n\nAll figures and differences: {whole}")
    print(f"kept in {folder}", file=sys.stderr)
