"""evaluate: measure, and keep what was found under LEAPNOTE_DATA/results. Paths, notes and linking here, the rest beside."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.cli.evaluate import evaluate_more, evaluate_planted
from backend.cli.evaluate.evaluate_parts import add_common, comma_list, kept, opened_container, run_options
from backend.errors import InputError
from backend.schemas.vocabulary import SemanticGroup

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from backend.evaluation.paths.paths_run import Loaded
    from backend.ingest.clinical_notes.note_pairs import Pair
    from backend.interfaces import Encoder
    from models.policy.rollouts import Example


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
    paths.add_argument(
        "--into-card",
        type=Path,
        action="append",
        metavar="FOLDER",
        help="keep the figures on this checkpoint's card as well; the policy that has its name is the one measured",
    )
    paths.add_argument("--card-note", default="", metavar="TEXT", help="what else a reader of that card must know")
    paths.set_defaults(run=run_paths)
    notes = actions.add_parser("notes", help="written documents against those that were really written")
    _pairs(notes, required=False)
    notes.add_argument("--systems", type=comma_list, default=[], metavar="A,B", help="default: all systems")
    notes.add_argument("--generators", type=comma_list, default=["composer"], metavar="A,B")
    notes.add_argument("--baseline", default="no-retrieval", help="a system, or system+generator")
    evaluate_more.add_soap(notes)
    notes.set_defaults(run=run_notes)
    evaluate_planted.add_planted(actions)
    linking = actions.add_parser("linking", help="mentions, concepts and assertions against labelled texts")
    linking.add_argument("--data", type=Path, required=True, metavar="FILE", help="labelled JSONL, or PubTator; or .gz")
    linking.add_argument(
        "--groups",
        type=comma_list,
        default=[],
        metavar="A,B",
        help="only mentions of these semantic groups; default: those labelled",
    )
    add_common(linking)
    linking.set_defaults(run=run_linking)
    evaluate_more.add_retrieval(actions)
    evaluate_more.add_answers(actions)
    evaluate_more.add_plans(actions)


def run_paths(args: argparse.Namespace) -> None:
    from backend.evaluation.paths.path_cards import card_targets, into_card
    from backend.evaluation.paths.paths_run import PathsOptions, evaluate_paths, read_policies

    options = PathsOptions(
        pairs=args.pairs,
        split=args.split,
        run=run_options(args),
        policies=tuple(args.policy or ()),
        variants=not args.no_variants,
        training=args.training,
        retrievers=tuple(args.retrievers or ()),
        budgets=tuple(args.budgets),
        pool=args.pool,
        baseline=args.baseline or "",
    )
    with opened_container(args.graph) as container:
        targets = (
            card_targets(args.into_card, read_policies(options.policies, container).named) if args.into_card else ()
        )
        found = evaluate_paths(container, options, lambda *given: _examples(container.encoder, *given))
        for target in targets:
            into_card(target, found[0], args.card_note)
        kept(args, found)


def run_notes(args: argparse.Namespace) -> None:
    from backend.evaluation.drafts.notes_run import NotesOptions, evaluate_notes

    if args.document == "progress_note":
        evaluate_more.run_soap(args)
        return
    if args.pairs is None:
        raise InputError("Give the pairs of notes and documents with --pairs FILE.jsonl")

    options = NotesOptions(
        args.pairs, args.split, run_options(args), tuple(args.systems), tuple(args.generators), args.baseline
    )
    with opened_container() as container:
        kept(args, evaluate_notes(container, options))


def run_linking(args: argparse.Namespace) -> None:
    from backend.evaluation.reading.linking_run import LinkingOptions, evaluate_linking

    known = {group.value for group in SemanticGroup}
    if unknown := set(args.groups) - known:
        raise InputError(f"There is no semantic group {sorted(unknown)[0]!r}. Choose from: {', '.join(sorted(known))}")
    groups = tuple(SemanticGroup(name) for name in args.groups)
    with opened_container() as container:
        kept(args, evaluate_linking(container, LinkingOptions(args.data, run_options(args), groups)))


def _examples(encoder: "Encoder", pairs: "Iterable[Pair]", loaded: "Loaded", encode: bool) -> "Iterator[Example]":
    from backend.training.gro.linked_examples import examples_of

    return examples_of(pairs, loaded.linker, loaded.graph.index, loaded.allowed, encoder if encode else None)


def _pairs(parser: argparse.ArgumentParser, required: bool = True) -> None:
    parser.add_argument("--pairs", type=Path, required=required, metavar="FILE", help="JSONL with note and text")
    parser.add_argument("--split", default="test", choices=["train", "validation", "test", "all"])
    add_common(parser)
