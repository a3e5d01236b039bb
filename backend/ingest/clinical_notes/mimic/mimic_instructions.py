"""MIMIC-IV-Note-Ext-DI (Hegselmann et al., PhysioNet ann-pt-summ): whole notes before the discharge instructions, and cleaned instructions.

A folder of train.json, valid.json and test.json, one object a line with `text` and `summary`. The note of a pair is made of the text as
it is of discharge.csv: allergies, chief complaint and history. The rows name no patient, and were divided by row.
"""

import hashlib
import heapq
import json
from collections.abc import Iterator
from pathlib import Path

from backend.errors import InputError
from backend.ingest.clinical_notes.deidentification import normal_form
from backend.ingest.clinical_notes.mimic.mimic_course import CourseScope, course_scope
from backend.ingest.clinical_notes.mimic.mimic_notes import MimicSettings, Progress, marked, missing, summary
from backend.ingest.clinical_notes.note_pairs import Pair
from backend.ingest.documents.import_report import ImportReport

FILES = {"test": "test.json", "validation": "valid.json", "train": "train.json"}
FULL_NOTES = Path("mimic-iv-note-ext-di") / "dataset"
"""Where the release has the notes in full; its other half holds the hospital course alone."""
PATIENT_UNKNOWN = "patient_unknown"
_STEP = 1000  # rows between two reports of progress


def read_instruction_folder(
    path: Path, settings: MimicSettings, progress: Progress | None = None, report: ImportReport | None = None
) -> Iterator[Pair]:
    """The chosen pairs of the release's own splits: test, validation, train, each in the order of the seed.

    Sizes of 0, 0 and 0 take every usable row of all three files. A pair's id is its split and line, and so is its patient's: the rows
    name none. Each pair has the notice `patient_unknown`.

    Args:
        path: the folder of the three files, or the release's folder, whose full notes are then read.
        settings: sizes, seed, fewest words and whether histories that tell the stay are left out.
        progress: called with rows read, rows of the file and the file's name.
        report: filled along the way.

    Yields:
        The pairs.

    Raises:
        InputError: a file is missing or no such file, or a split has too few usable rows.
    """
    report = report if report is not None else ImportReport()
    folder = path / FULL_NOTES if (path / FULL_NOTES).is_dir() else path
    sizes = {"test": settings.n_test, "validation": settings.n_validation, "train": settings.n_train}
    every = not any(sizes.values())
    seen: set[bytes] = set()
    for split, size in sizes.items():
        if not size and not every:
            continue
        usable = _usable(folder / FILES[split], split, settings, seen, progress, report)
        if every:
            chosen, count = list(usable), 0
        else:
            chosen, count = _drawn(usable, size, settings.seed)
            if count < size:
                raise InputError(
                    f"{FILES[split]} has {count:,} usable rows, too few for {size:,} pairs of {split}. Ask for fewer. {_reasons(report)}"
                )
            report.skip("usable, but not drawn for a split", count=count - size)
        report.keep(len(chosen))
        yield from (marked(pair)._replace(notices=(*marked(pair).notices, PATIENT_UNKNOWN)) for pair in chosen)


def _drawn(pairs: Iterator[Pair], size: int, seed: int) -> tuple[list[Pair], int]:
    """So many of them in the order of the seed, which does not follow from the order of the file; and how many there were."""
    count = 0

    def counted() -> Iterator[Pair]:
        nonlocal count
        for pair in pairs:
            count += 1
            yield pair

    return heapq.nsmallest(size, counted(), key=lambda pair: _mark(f"{seed}/{pair.note}/{pair.text}")), count


def _usable(
    path: Path,
    split: str,
    settings: MimicSettings,
    seen: set[bytes],
    progress: Progress | None,
    report: ImportReport,
) -> Iterator[Pair]:
    """Every row that makes a pair, in file order; the others are counted with their reason.

    Yields:
        Pair: one at a time.
    """
    for line, text, instructions in _rows(path, progress, report):
        place = f"{path.name}, line {line}"
        parts = summary(text)._replace(instructions=normal_form(instructions).strip())
        own = _mark(f"{parts.note}/{parts.instructions}")
        if reason := missing(parts, settings.minimum_words):
            report.skip(reason, place)
        elif own in seen:
            report.skip("the same note and instructions as a row before", place)
        elif settings.drop_course and course_scope(parts.history) is CourseScope.STAY:
            report.skip("the history tells the stay", place)
        else:
            seen.add(own)
            yield Pair(f"{split}-{line}", f"{split}-{line}", split, parts.note, parts.instructions)


def _rows(path: Path, progress: Progress | None, report: ImportReport) -> Iterator[tuple[int, str, str]]:
    """Line, text and summary; a line that has not both is counted.

    Yields:
        the three values of a row.

    Raises:
        InputError: there is no such file, or it is not UTF-8.
    """
    if not path.is_file():
        raise InputError(
            f"There is no file {path.name!r} in {path.parent.name!r}. Give the folder of train.json, valid.json and test.json of "
            f"MIMIC-IV-Note-Ext-DI ({FULL_NOTES.as_posix()})."
        )
    with path.open(encoding="utf-8-sig") as lines:
        try:
            for number, line in enumerate(lines, start=1):
                if progress and number % _STEP == 0:
                    progress(number, number, path.name)
                if not line.strip():
                    continue
                report.seen()
                row = _object(line)
                text, instructions = row.get("text"), row.get("summary")
                if isinstance(text, str) and isinstance(instructions, str):
                    yield number, text, instructions
                else:
                    report.skip("no JSON object with the texts text and summary", f"{path.name}, line {number}")
        except UnicodeDecodeError:
            raise InputError(f"{path.name} is not UTF-8. Copy it again: it is damaged.") from None


def _object(line: str) -> dict[str, object]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return row if isinstance(row, dict) else {}


def _reasons(report: ImportReport) -> str:
    """Why rows were left out; where none has an admission's parts the hospital course alone may have been given."""
    said = ", ".join(f"{reason}: {count:,}" for reason, count in report.skipped.items()) or "none"
    return f"Left out: {said}. Rows of the hospital course alone (…-di-bhc) have no allergies and no history: give {FULL_NOTES.as_posix()}."


def _mark(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
