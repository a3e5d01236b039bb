"""evaluate planted: wrong statements planted in true sentences, and how many the verifier tells from them."""

import argparse
import json
import random
from pathlib import Path
from typing import Any

from backend.cli.evaluate.evaluate_parts import Shown, opened_container


def add_planted(actions: Any) -> None:
    parser = actions.add_parser("planted", help="wrong statements planted in true sentences, judged by the verifier")
    parser.add_argument(
        "--notes",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="ACI-Bench's CSV or PriMock57's folder of notes; may be repeated; default: drafts of the demonstration cases",
    )
    parser.add_argument(
        "--corpus",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="PubTator file; its names that the vocabulary does not know are put in as well",
    )
    parser.add_argument(
        "--vignettes",
        type=Path,
        nargs="*",
        metavar="FILE",
        help="made-up cases with one wrong statement and nothing cited, instead; without a file those that ship",
    )
    parser.add_argument(
        "--texts",
        type=Path,
        metavar="FILE",
        help="CSV of whole texts of which some have a wrong sentence, by its number, instead: nothing cited",
    )
    parser.add_argument("--half", choices=["tune", "held", "all"], default="held", help="which notes, by their names")
    parser.add_argument("--limit", type=int, metavar="N", help="at most so many notes, drawn by the seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.set_defaults(run=run_planted)


def run_planted(args: argparse.Namespace) -> None:
    from backend.evaluation.planted.planted_run import PlantedOptions, evaluate_planted, told

    if args.vignettes is not None:
        run_vignettes(args)
        return
    if args.texts is not None:
        run_texts(args)
        return
    options = PlantedOptions(tuple(args.notes), tuple(args.corpus), args.half, args.limit, args.seed, Shown())
    with opened_container() as container:
        found = evaluate_planted(container, container.assembly.verifier(container.models.chosen()), options)
    print(json.dumps([figure._asdict() for figure in found]) if args.json else told(found))


def run_vignettes(args: argparse.Namespace) -> None:
    """A table a file, or one JSON object with a list a file."""
    from backend.evaluation.planted.planted_vignettes import SHIPPED, figures_of, told_vignettes

    shown = Shown()
    with opened_container() as container:
        found = {
            path: figures_of(container, path, args.half, args.seed, lambda done, total: shown(done, total, "vignettes"))
            for path in args.vignettes or SHIPPED
        }
    if args.json:
        print(json.dumps({path.name: [figure._asdict() for figure in rows] for path, rows in found.items()}))
    else:
        print("\n\n".join(f"{path.name}\n\n{told_vignettes(rows)}" for path, rows in found.items()))


def run_texts(args: argparse.Namespace) -> None:
    from backend.evaluation.planted.planted_marked import marked_figures, read_marked, told_marked
    from backend.verification.consistency.consistency import TextConsistency

    texts, shown = read_marked(args.texts), Shown()
    if args.limit is not None:
        texts = random.Random(args.seed).sample(texts, min(args.limit, len(texts)))
    with opened_container() as container:
        checker = TextConsistency(container.linker, container.graph)
        found = marked_figures(
            texts, container.linker, checker, args.seed, lambda done, total: shown(done, total, "texts")
        )
    print(
        json.dumps(found._asdict() | {"rows": [row._asdict() for row in found.rows]})
        if args.json
        else told_marked(found)
    )
