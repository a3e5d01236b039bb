"""pairs mimic, synthetic, statistics, check: files of notes and the documents of the same stay (docs/training.md)."""

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.cli.progress import ProgressLine
from backend.errors import InputError
from backend.settings import ROOT

if TYPE_CHECKING:
    from backend.ingest.clinical_notes.note_pairs import Pair

SCENARIOS = ROOT / "assets" / "training" / "scenarios"
MOST_FAULTS = 50
_STEP = 50  # pairs between two reports of progress


def add_to(commands: Any) -> None:
    """The parsers of this family."""
    parser = commands.add_parser("pairs", help="make and look into pairs of note and document, for training")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    mimic = actions.add_parser(
        "mimic",
        help="from discharge.csv or discharge.csv.gz of MIMIC-IV-Note",
        description="Reads the file as a stream and writes all pairs at once (docs/mimic.md). Stopped, it leaves the old "
        "file as it was; run it again. Sizes of 0, 0 and 0 take every usable note.",
    )
    mimic.add_argument("--from", dest="source", type=Path, required=True, metavar="FILE", help="discharge.csv[.gz]")
    _out(mimic)
    mimic.add_argument("--train", type=_count, default=3000, metavar="N", help="pairs to train with (3000)")
    mimic.add_argument("--validation", type=_count, default=0, metavar="N", help="pairs to stop by (0)")
    mimic.add_argument("--test", type=_count, default=1000, metavar="N", help="pairs to test with (1000)")
    mimic.add_argument("--seed", type=int, default=0, help="of the split, which is by patient (0)")
    mimic.add_argument("--minimum-words", type=_count, default=10, metavar="N", help="of the instructions (10)")
    mimic.add_argument("--drop-course", action="store_true", help="leave out histories that already tell the stay")
    mimic.set_defaults(run=run_mimic)
    synthetic = actions.add_parser(
        "synthetic",
        help="invented ones, from the scenarios that ship",
        description="No real patient stands behind these pairs. The same seed gives the same pairs; pair i is the same "
        "whatever N is.",
    )
    synthetic.add_argument("--n", type=_count, required=True, metavar="N", help="how many")
    synthetic.add_argument("--seed", type=int, default=0)
    _out(synthetic)
    synthetic.add_argument(
        "--hold-out",
        nargs="+",
        action="extend",
        default=[],
        metavar="SCENARIO",
        help="scenarios whose pairs all go to the split test; may be repeated",
    )
    synthetic.set_defaults(run=run_synthetic)
    statistics = actions.add_parser("statistics", help="words and type-token ratio, by split, as ReinRAG's Table 4")
    statistics.add_argument("file", type=Path, metavar="FILE")
    statistics.add_argument("--json", action="store_true")
    statistics.set_defaults(run=run_statistics)
    check = actions.add_parser("check", help="every line that is no pair, and patients in two splits")
    check.add_argument("file", type=Path, metavar="FILE")
    check.add_argument("--json", action="store_true")
    check.set_defaults(run=run_check)


def run_mimic(args: argparse.Namespace) -> None:
    from backend.ingest.clinical_notes.mimic_notes import MimicSettings, read_discharge_csv
    from backend.ingest.documents.import_report import ImportReport

    chosen = MimicSettings(args.train, args.validation, args.test, args.seed, args.minimum_words, args.drop_course)
    line, report = ProgressLine(), ImportReport()
    splits: Counter[str] = Counter()
    try:
        pairs = read_discharge_csv(
            args.source, chosen, lambda done, total, what: line(done, total, f"bytes of {what}"), report
        )
        _write(args.out, _counted(pairs, splits))
    finally:
        line.end()
    _print(args, splits, {"report": report.as_json()}, report.as_text())


def run_synthetic(args: argparse.Namespace) -> None:
    from backend.training.synthetic.synthetic_pairs import synthetic_pairs

    if not args.n:
        raise InputError("No pairs are to be made. Give --n 1 or more.")
    line = ProgressLine()
    splits: Counter[str] = Counter()
    try:
        pairs = synthetic_pairs(SCENARIOS, args.n, args.seed, args.hold_out)
        _write(args.out, _shown(_counted(pairs, splits), args.n, line))
    finally:
        line.end()
    _print(args, splits, {"seed": args.seed, "held_out": args.hold_out}, "")


def run_statistics(args: argparse.Namespace) -> None:
    from backend.ingest.clinical_notes.note_pairs import SPLITS, read_pairs
    from backend.ingest.clinical_notes.note_statistics import pair_statistics

    pairs = list(read_pairs(args.file))
    parts = {"all": pairs} | {split: [pair for pair in pairs if pair.split == split] for split in SPLITS}
    for name, part in parts.items():
        if not part and name != "all":
            continue
        found = pair_statistics(part)
        if args.json:
            print(json.dumps({"split": name, **found.as_json()}))
        else:
            print(f"{name}\n  " + found.as_text().replace("\n", "\n  "))


def run_check(args: argparse.Namespace) -> int:
    """0 when every line is a pair and no patient is in two splits, else 2."""
    from backend.ingest.clinical_notes.note_pairs import PairFault, pairs_and_faults

    splits, notices = Counter[str](), Counter[str]()
    patients: dict[str, set[str]] = defaultdict(set)
    faults: list[PairFault] = []
    for found in pairs_and_faults(args.file):
        if isinstance(found, PairFault):
            faults.append(found)
            continue
        splits[found.split] += 1
        notices.update(found.notices)
        patients[found.patient_id].add(found.split)
    shared = sorted(patient for patient, where in patients.items() if len(where) > 1)
    told = {"pairs": sum(splits.values()), "splits": dict(splits), "patients": len(patients), "notices": dict(notices)}
    if args.json:
        listed = [fault._asdict() for fault in faults[:MOST_FAULTS]]
        print(
            json.dumps({**told, "faulty_lines": len(faults), "faults": listed, "patients_in_two_splits": len(shared)})
        )
    else:
        for fault in faults[:MOST_FAULTS]:
            print(f"line {fault.line}: {fault.what}")
        if len(faults) > MOST_FAULTS:
            print(f"… and {len(faults) - MOST_FAULTS} further lines")
        if shared:
            print(f"{len(shared)} patients are in more than one split. Keep all pairs of a patient in one.")
        print(f"{told['pairs']} pairs of {len(patients)} patients: {_parts(splits)}; {len(faults)} faulty lines")
        for notice, count in sorted(notices.items()):
            print(f"  {count} marked {notice}")
    return 2 if faults or shared else 0


def _out(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="JSONL to write; an old one is replaced"
    )
    parser.add_argument("--json", action="store_true", help="print what was made as JSON")


def _count(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise argparse.ArgumentTypeError(f"{text!r} is no count; give 0 or more")
    return int(text)


def _counted(pairs: "Iterable[Pair]", splits: Counter[str]) -> "Iterator[Pair]":
    for pair in pairs:
        splits[pair.split] += 1
        yield pair


def _shown(pairs: "Iterable[Pair]", total: int, line: ProgressLine) -> "Iterator[Pair]":
    for done, pair in enumerate(pairs, start=1):
        yield pair
        if done % _STEP == 0 or done == total:
            line(done, total, "pairs")


def _write(path: Path, pairs: "Iterable[Pair]") -> None:
    from backend.ingest.clinical_notes.note_pairs import write_pairs

    try:
        write_pairs(path, pairs)
    except OSError as error:
        raise InputError(
            f"{path} cannot be written ({error.strerror}). Name a file in a folder that takes it."
        ) from None


def _print(args: argparse.Namespace, splits: Counter[str], more: dict[str, Any], text: str) -> None:
    if text:
        print(text, file=sys.stderr if args.json else sys.stdout)
    if args.json:
        print(json.dumps({"file": str(args.out), "pairs": sum(splits.values()), "splits": dict(splits), **more}))
    else:
        print(f"{sum(splits.values())} pairs written to {args.out}: {_parts(splits)}")


def _parts(splits: Counter[str]) -> str:
    return ", ".join(f"{count} {split}" for split, count in sorted(splits.items())) or "none"
