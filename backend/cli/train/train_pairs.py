"""pairs mimic, mimic-di, visits, synthetic, statistics, check: files of notes and the documents of the same stay (docs/training.md)."""

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from backend.cli.cli_options import Json, Seed, count_option
from backend.cli.program import CommandLine
from backend.cli.progress import ProgressLine
from backend.errors import InputError
from backend.settings import ROOT

if TYPE_CHECKING:
    from backend.ingest.clinical_notes.mimic.mimic_notes import MimicSettings
    from backend.ingest.clinical_notes.note_pairs import Pair

SCENARIOS = ROOT / "assets" / "training" / "scenarios"
MOST_FAULTS = 50
_STEP = 50  # pairs between two reports of progress
app = CommandLine("make and look into pairs of note and document, for training")
PairsFile = Annotated[Path, typer.Argument(metavar="FILE", show_default=False)]
Out = Annotated[Path, typer.Option("--out", metavar="FILE", help="JSONL to write; an old one is replaced")]
MadeJson = Annotated[bool, typer.Option("--json", help="print what was made as JSON")]
OF_MIMIC = (
    "Reads the file as a stream and writes all pairs at once (docs/sources.md). Stopped, it leaves the old file as it was; run "
    "it again. Sizes of 0, 0 and 0 take every usable note."
)
OF_INSTRUCTIONS = (
    "The folder mimic-iv-note-ext-di/dataset of PhysioNet's ann-pt-summ: train.json, valid.json and test.json, whose splits stay. "
    "Of each split as many pairs are drawn as asked for; sizes of 0, 0 and 0 take every usable row. The rows name no patient, so "
    "that one may be in two splits."
)
OF_VISITS = (
    "ACI-Bench's train.csv or valid.csv, or PriMock57's folder of notes: the plan of a visit stands in place of a discharge document, so "
    "the pairs are for retrieval of concepts alone."
)
OF_SYNTHETIC = (
    "No real patient stands behind these pairs. The same seed gives the same pairs; pair i is the same whatever N is."
)


@app.add("mimic", "from discharge.csv or discharge.csv.gz of MIMIC-IV-Note", help=OF_MIMIC)
def mimic(
    source: Annotated[Path, typer.Option("--from", metavar="FILE", help="discharge.csv or discharge.csv.gz")],
    out: Out,
    train: Annotated[int, count_option("--train", "pairs to train with")] = 3000,
    validation: Annotated[int, count_option("--validation", "pairs to stop by")] = 0,
    test: Annotated[int, count_option("--test", "pairs to test with")] = 1000,
    seed: Annotated[int, typer.Option("--seed", help="of the split, which is by patient")] = 0,
    minimum_words: Annotated[int, count_option("--minimum-words", "of the instructions")] = 10,
    drop_course: Annotated[
        bool, typer.Option("--drop-course", help="leave out histories that already state the stay")
    ] = False,
    as_json: MadeJson = False,
) -> None:
    """Write the pairs and print how many of each split."""
    from backend.ingest.clinical_notes.mimic.mimic_notes import MimicSettings, read_discharge_csv

    _draw(
        source,
        out,
        MimicSettings(train, validation, test, seed, minimum_words, drop_course),
        read_discharge_csv,
        "bytes",
        as_json,
    )


@app.add(
    "mimic-di", "from the JSON of MIMIC-IV-Note-Ext-DI, whole notes with cleaned instructions", help=OF_INSTRUCTIONS
)
def mimic_di(
    source: Annotated[Path, typer.Option("--from", metavar="FOLDER", help="of train.json, valid.json and test.json")],
    out: Out,
    train: Annotated[int, count_option("--train", "pairs of train.json")] = 3000,
    validation: Annotated[int, count_option("--validation", "pairs of valid.json")] = 0,
    test: Annotated[int, count_option("--test", "pairs of test.json")] = 1000,
    seed: Annotated[int, typer.Option("--seed", help="of the draw within each split")] = 0,
    minimum_words: Annotated[int, count_option("--minimum-words", "of the instructions")] = 10,
    drop_course: Annotated[
        bool, typer.Option("--drop-course", help="leave out histories that already state the stay")
    ] = False,
    as_json: MadeJson = False,
) -> None:
    """Write the pairs and print how many of each split."""
    from backend.ingest.clinical_notes.mimic.mimic_instructions import read_instruction_folder
    from backend.ingest.clinical_notes.mimic.mimic_notes import MimicSettings

    chosen = MimicSettings(train, validation, test, seed, minimum_words, drop_course)
    _draw(source, out, chosen, read_instruction_folder, "rows", as_json)


@app.add("visits", "from notes of visits: what is told, and what is decided", help=OF_VISITS)
def visits(
    source: Annotated[list[Path], typer.Option("--from", metavar="FILE", help="a table or a folder; may be repeated")],
    out: Out,
    split: Annotated[
        Literal["train", "validation", "test", ""],
        typer.Option("--split", help="of all pairs; default: 80, 10 and 10 by a hash of the name"),
    ] = "",
    as_json: MadeJson = False,
) -> None:
    """Write the pairs and print how many of each split."""
    from backend.ingest.clinical_notes.visit_pairs import read_visit_notes, visit_pairs

    notes = [note for path in source for note in read_visit_notes(path)]
    splits: Counter[str] = Counter()
    _write(out, _counted(visit_pairs(notes, split), splits))
    _print_made(out, splits, {"notes": len(notes)}, as_json)


@app.add("synthetic", "invented ones, from the scenarios that ship", help=OF_SYNTHETIC)
def synthetic(
    n: Annotated[int, count_option("--n", "how many")],
    out: Out,
    seed: Seed = 0,
    hold_out: Annotated[
        list[str] | None,
        typer.Option(
            "--hold-out",
            metavar="SCENARIO ...",
            help="scenarios whose pairs all go to the split test; may be repeated",
        ),
    ] = None,
    as_json: MadeJson = False,
) -> None:
    """Write the pairs and print how many of each split.

    Raises:
        InputError: for none.
    """
    from backend.training.synthetic.synthetic_pairs import synthetic_pairs

    held_out = hold_out or []
    if not n:
        raise InputError("No pairs are to be made. Give --n 1 or more.")
    line = ProgressLine()
    splits: Counter[str] = Counter()
    try:
        pairs = synthetic_pairs(SCENARIOS, n, seed, held_out)
        _write(out, _shown(_counted(pairs, splits), n, line))
    finally:
        line.end()
    _print_made(out, splits, {"seed": seed, "held_out": held_out}, as_json)


@app.add("statistics", "words and type-token ratio, by split, as ReinRAG's Table 4")
def statistics(file: PairsFile, as_json: Json = False) -> None:
    """Print them for all pairs and for each split."""
    from backend.ingest.clinical_notes.note_pairs import SPLITS, read_pairs
    from backend.ingest.clinical_notes.note_statistics import pair_statistics

    pairs = list(read_pairs(file))
    parts = {"all": pairs} | {split: [pair for pair in pairs if pair.split == split] for split in SPLITS}
    for name, part in parts.items():
        if not part and name != "all":
            continue
        found = pair_statistics(part)
        if as_json:
            print(json.dumps({"split": name, **found.as_json()}))
        else:
            print(f"{name}\n  " + found.as_text().replace("\n", "\n  "))


@app.add("check", "every line that is no pair, and patients in two splits")
def check(file: PairsFile, as_json: Json = False) -> int:
    """0 when every line is a pair and no patient is in two splits, else 2."""
    from backend.ingest.clinical_notes.note_pairs import PairFault, pairs_and_faults

    splits, notices = Counter[str](), Counter[str]()
    patients: dict[str, set[str]] = defaultdict(set)
    faults: list[PairFault] = []
    for found in pairs_and_faults(file):
        if isinstance(found, PairFault):
            faults.append(found)
            continue
        splits[found.split] += 1
        notices.update(found.notices)
        patients[found.patient_id].add(found.split)
    shared = sorted(patient for patient, where in patients.items() if len(where) > 1)
    figures = {
        "pairs": sum(splits.values()),
        "splits": dict(splits),
        "patients": len(patients),
        "notices": dict(notices),
    }
    if as_json:
        listed = [fault._asdict() for fault in faults[:MOST_FAULTS]]
        print(
            json.dumps(
                {**figures, "faulty_lines": len(faults), "faults": listed, "patients_in_two_splits": len(shared)}
            )
        )
    else:
        for fault in faults[:MOST_FAULTS]:
            print(f"line {fault.line}: {fault.what}")
        if len(faults) > MOST_FAULTS:
            print(f"… and {len(faults) - MOST_FAULTS} further lines")
        if shared:
            print(f"{len(shared)} patients are in more than one split. Keep all pairs of a patient in one.")
        print(f"{figures['pairs']} pairs of {len(patients)} patients: {_parts(splits)}; {len(faults)} faulty lines")
        for notice, count in sorted(notices.items()):
            print(f"  {count} marked {notice}")
    return 2 if faults or shared else 0


def _draw(
    source: Path, out: Path, settings: "MimicSettings", read: "Callable[..., Iterator[Pair]]", unit: str, as_json: bool
) -> None:
    """Write the pairs that a reader of MIMIC gives, and print what it kept and left out."""
    from backend.ingest.documents.import_report import ImportReport

    line, report = ProgressLine(), ImportReport()
    splits: Counter[str] = Counter()
    try:
        pairs = read(source, settings, lambda done, total, what: line(done, total, f"{unit} of {what}"), report)
        _write(out, _counted(pairs, splits))
    finally:
        line.end()
    print(report.as_text(), file=sys.stderr if as_json else sys.stdout)
    _print_made(out, splits, {"report": report.as_json()}, as_json)


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


def _print_made(out: Path, splits: Counter[str], more: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print(json.dumps({"file": str(out), "pairs": sum(splits.values()), "splits": dict(splits), **more}))
    else:
        print(f"{sum(splits.values())} pairs written to {out}: {_parts(splits)}")


def _parts(splits: Counter[str]) -> str:
    return ", ".join(f"{count} {split}" for split, count in sorted(splits.items())) or "none"
