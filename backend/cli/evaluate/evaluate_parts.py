"""What the evaluate commands share: common arguments, the house they open, progress, and how a result is printed."""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.errors import InputError
from backend.schemas.evaluation_results import Result
from backend.settings import settings

if TYPE_CHECKING:
    from backend.evaluation.reports.evaluation_run import RunOptions

PROGRESS_EVERY_S = 5.0
KEEPER = "an evaluation"


class Shown:
    """Prints progress to standard error, at most every few seconds, and when a part is done."""

    def __init__(self) -> None:
        self._last = 0.0

    def __call__(self, done: int, total: int, what: str) -> None:
        now = time.monotonic()
        if done >= total or now - self._last >= PROGRESS_EVERY_S:
            self._last = now
            print(f"{what}: {done} of {total}", file=sys.stderr, flush=True)


def add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--limit", type=int, metavar="N", help="at most so many, drawn by the seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--resamples", type=int, default=2000, help="of the bootstrap")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="default: LEAPNOTE_DATA/results")
    parser.add_argument("--html", action="store_true", help="also write charts.html, which needs nothing else")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def comma_list(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def named_files(given: Sequence[str] | None, flag: str) -> tuple[tuple[str, Path], ...]:
    """NAME=FILE each. Raises InputError."""
    found = []
    for text in given or ():
        name, mark, path = text.partition("=")
        if not (name and mark and path):
            raise InputError(f"{flag} {text!r} is not NAME=FILE.")
        found.append((name, Path(path)))
    return tuple(found)


def run_options(args: argparse.Namespace) -> "RunOptions":
    from backend.evaluation.reports.evaluation_run import RunOptions

    root = args.out or settings().data / "results"
    return RunOptions(root, date.today().isoformat(), args.seed, args.limit, args.resamples, Shown())


@contextmanager
def opened_container(graph: Path | None = None) -> Iterator[Any]:
    """The house, with Chroma where no other process holds it; closed at the end."""
    from backend.container import Container

    chosen = settings() if graph is None else settings().model_copy(update={"graph": str(graph)})
    container = Container(chosen, keeper=KEEPER)
    try:
        yield container
    finally:
        container.close()


def kept(args: argparse.Namespace, found: tuple[Result, Path]) -> None:
    """Print the result, and say where it lies."""
    from backend.evaluation.reports.result_report import as_html, as_table

    result, folder = found
    if args.html:
        (folder / "charts.html").write_text(as_html(result), encoding="utf-8")
    print(result.model_dump_json() if args.json else as_table(result))
    print(f"kept in {folder}", file=sys.stderr)
