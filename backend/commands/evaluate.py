"""evaluate paths, notes, linking: measure, and keep what was found under LEAPNOTE_DATA/results."""

import argparse
import sys
import time
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.errors import InputError
from backend.schemas.results import Result
from backend.schemas.vocabulary import SemanticGroup
from backend.settings import settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from backend.evaluation.paths_run import Loaded
    from backend.evaluation.run import RunOptions
    from backend.ingest.pairs import Pair
    from backend.interfaces import Encoder
    from models.rollouts import Example

PROGRESS_EVERY_S = 5.0


def add_to(commands: Any) -> None:
    """The parsers of this family."""
    parser = commands.add_parser("evaluate", help="measure retrieval, written documents and the linker")
    actions = parser.add_subparsers(dest="action", required=True, metavar="WHAT")
    paths = actions.add_parser("paths", help="retrievers of concepts side by side, at equal budgets")
    _pairs(paths)
    paths.add_argument("--graph", type=Path, metavar="FOLDER", help="an imported graph; default: LEAPNOTE_GRAPH")
    paths.add_argument(
        "--policy",
        action="append",
        metavar="[NAME=]FOLDER",
        help="a trained policy, may be repeated; default: those that ship. NAME@G=5 plots it by G",
    )
    paths.add_argument("--no-variants", action="store_true", help="leave out uniform, shuffled, ablations and the like")
    paths.add_argument("--training", type=Path, metavar="FILE", help="pairs of the split train; default: the same file")
    paths.add_argument("--retrievers", nargs="+", metavar="NAME", help="only these comparisons; default: all")
    paths.add_argument("--budgets", nargs="+", type=int, default=[10, 20, 30, 50], metavar="N")
    paths.add_argument("--pool", type=int, default=100, help="concepts of each retriever that the common order ranks")
    paths.add_argument("--baseline", help="default: each policy is compared with all others, else all with sim1hop")
    paths.set_defaults(run=run_paths)
    notes = actions.add_parser("notes", help="written documents against those that were really written")
    _pairs(notes)
    notes.add_argument("--systems", type=_names, default=[], metavar="A,B", help="default: all systems")
    notes.add_argument("--generators", type=_names, default=["composer"], metavar="A,B")
    notes.add_argument("--baseline", default="no-retrieval", help="a system, or system+generator")
    notes.set_defaults(run=run_notes)
    linking = actions.add_parser("linking", help="mentions, concepts and assertions against labelled texts")
    linking.add_argument("--data", type=Path, required=True, metavar="FILE", help="labelled JSONL, or PubTator; or .gz")
    linking.add_argument(
        "--groups",
        type=_names,
        default=[],
        metavar="A,B",
        help="only mentions of these semantic groups; default: those labelled",
    )
    _common(linking)
    linking.set_defaults(run=run_linking)


def run_paths(args: argparse.Namespace) -> None:
    from backend.evaluation.paths_run import PathsOptions, evaluate_paths

    house = _house(args.graph)
    options = PathsOptions(
        pairs=args.pairs,
        split=args.split,
        run=_options(args),
        policies=tuple(args.policy or ()),
        variants=not args.no_variants,
        training=args.training,
        retrievers=tuple(args.retrievers or ()),
        budgets=tuple(args.budgets),
        pool=args.pool,
        baseline=args.baseline or "",
    )
    _print(args, evaluate_paths(house, options, lambda *given: _examples(house.encoder, *given)))


def run_notes(args: argparse.Namespace) -> None:
    from backend.evaluation.notes_run import NotesOptions, evaluate_notes

    options = NotesOptions(
        args.pairs, args.split, _options(args), tuple(args.systems), tuple(args.generators), args.baseline
    )
    _print(args, evaluate_notes(_house(), options))


def run_linking(args: argparse.Namespace) -> None:
    from backend.evaluation.linking_run import LinkingOptions, evaluate_linking

    known = {group.value for group in SemanticGroup}
    if unknown := set(args.groups) - known:
        raise InputError(f"There is no semantic group {sorted(unknown)[0]!r}. Choose from: {', '.join(sorted(known))}")
    groups = tuple(SemanticGroup(name) for name in args.groups)
    _print(args, evaluate_linking(_house(), LinkingOptions(args.data, _options(args), groups)))


def _options(args: argparse.Namespace) -> "RunOptions":
    from backend.evaluation.run import RunOptions

    root = args.out or settings().data / "results"
    return RunOptions(root, date.today().isoformat(), args.seed, args.limit, args.resamples, Shown())


def _examples(encoder: "Encoder", pairs: "Iterable[Pair]", loaded: "Loaded", encode: bool) -> "Iterator[Example]":
    from backend.training.examples import examples_of

    return examples_of(pairs, loaded.linker, loaded.graph.index, loaded.allowed, encoder if encode else None)


class Shown:
    """Prints progress to standard error, at most every few seconds, and when a part is done."""

    def __init__(self) -> None:
        self._last = 0.0

    def __call__(self, done: int, total: int, what: str) -> None:
        now = time.monotonic()
        if done >= total or now - self._last >= PROGRESS_EVERY_S:
            self._last = now
            print(f"{what}: {done} of {total}", file=sys.stderr, flush=True)


def _pairs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--pairs", type=Path, required=True, metavar="FILE", help="JSONL with note and text")
    parser.add_argument("--split", default="test", choices=["train", "validation", "test", "all"])
    _common(parser)


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--limit", type=int, metavar="N", help="at most so many, drawn by the seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--resamples", type=int, default=2000, help="of the bootstrap")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="default: LEAPNOTE_DATA/results")
    parser.add_argument("--html", action="store_true", help="also write charts.html, which needs nothing else")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _house(graph: Path | None = None) -> Any:
    from backend.assembly import House

    return House(settings() if graph is None else settings().model_copy(update={"graph": str(graph)}))


def _print(args: argparse.Namespace, found: tuple[Result, Path]) -> None:
    from backend.evaluation.report import as_html, as_table

    result, folder = found
    if args.html:
        (folder / "charts.html").write_text(as_html(result), encoding="utf-8")
    print(result.model_dump_json() if args.json else as_table(result))
    print(f"kept in {folder}", file=sys.stderr)
