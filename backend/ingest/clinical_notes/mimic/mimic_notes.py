"""MIMIC-IV-Note: discharge.csv or discharge.csv.gz to pairs of pre-admission note and discharge instructions.

The note is made of allergies, chief complaint and history of present illness; the text is the discharge instructions
(ReinRAG, section 4 and Table 3). Reads the file once, as a stream. docs/sources.md says what is left out.
"""

import csv
import gzip
import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from backend.errors import InputError
from backend.ingest.clinical_notes.deidentification import has_content, normal_form
from backend.ingest.clinical_notes.mimic.mimic_course import CourseScope, course_scope
from backend.ingest.clinical_notes.mimic.mimic_split import PatientSplit
from backend.ingest.clinical_notes.note_pairs import Pair
from backend.ingest.clinical_notes.note_statistics import words
from backend.ingest.documents.import_report import ImportReport

# Headers of the form, as written. Those with a value are the parts that a pair needs.
_PARTS = {
    "allergies": "allergies",
    "chief complaint": "complaint",
    "history of present illness": "history",
    "discharge instructions": "instructions",
}
HISTORY = "History of Present Illness:"
# Short names that some notes write; they open a part only where the note has the full name nowhere.
_SHORT = {"cc": "complaint", "hpi": "history"}
_OTHERS = (
    "name|unit no|admission date|discharge date|date of birth|sex|service|attending|"
    "major surgical or invasive procedures?|major surgical|past medical history|past medical/surgical history|"
    "past surgical history|pmh|pmhx|past medical hx|social history|family history|physical exam|physical examination|"
    "physical exam on admission|admission physical exam|pertinent results|brief hospital course|hospital course|"
    "medications on admission|admission medications|home medications|discharge medications|discharge disposition|"
    "facility|discharge diagnosis|discharge diagnoses|discharge condition|followup instructions|"
    "follow-up instructions|follow up instructions"
)
_WORDS = "|".join([*_PARTS, *_SHORT, _OTHERS]).replace(" ", r"[ \t]+")
_HEADER = re.compile(rf"^[ \t]*({_WORDS})[ \t]*:[ \t]*", re.IGNORECASE | re.MULTILINE)
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n){2,}")


class Summary(NamedTuple):
    """The four parts, blanks in normal form; empty where the note has no such part."""

    allergies: str
    complaint: str
    history: str
    instructions: str

    @property
    def note(self) -> str:
        """What was known before admission, as a note with three sections."""
        return f"Allergies: {self.allergies}\n\nChief Complaint: {self.complaint}\n\n{HISTORY} {self.history}"


def summary(text: str) -> Summary:
    """The parts of one discharge summary.

    Of several parts of one name the first that is not empty counts, but the last for the instructions: a course may quote
    earlier ones, and the form has its own near the end.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    heads = [(found, " ".join(found[1].lower().split())) for found in _HEADER.finditer(text)]
    full = {_PARTS[name] for _, name in heads if name in _PARTS}
    # A short name inside the part itself, as "CC:" in a history that has its chief complaint elsewhere, is running text.
    heads = [(found, name) for found, name in heads if name not in _SHORT or _SHORT[name] not in full]
    ends = [found.start() for found, _ in heads[1:]] + [len(text)]
    parts: dict[str, str] = {}
    for (found, name), end in zip(heads, ends, strict=True):
        part = _PARTS.get(name) or _SHORT.get(name)
        if part and (part == "instructions" or part not in parts) and (body := _tidy(text[found.end() : end])):
            parts[part] = body
    return Summary(*(parts.get(part, "") for part in Summary._fields))


def _tidy(body: str) -> str:
    """Without spaces at line ends and with at most one empty line in a row; line breaks stay, they carry lists."""
    lines = "\n".join(line.rstrip() for line in normal_form(body).split("\n"))
    return _BLANK_LINES.sub("\n\n", lines).strip()


Progress = Callable[[int, int, str], None]
HOLDS_COURSE, HOLDS_EMERGENCY = "hpi_tells_course", "hpi_tells_emergency"
COLUMNS = ("note_id", "subject_id", "note_type", "text")
_STEP = 1000  # notes between two reports of progress
_LONGEST = 1 << 24  # characters of one cell; the longest notes have some 60,000
_UNREADABLE = re.compile("[\udc80-\udcff]")  # how bytes that are no UTF-8 come through
_NEEDED = (
    ("allergies", "no allergies"),
    ("complaint", "no chief complaint"),
    ("history", "no history of present illness"),
    ("instructions", "no discharge instructions"),
)


@dataclass(frozen=True)
class MimicSettings:
    """Choices of one import; equal settings and an equal file, in any order of its rows, give equal pairs.

    n_train, n_validation, n_test: pairs of each split (the paper's 3,000 and 1,000); with all three 0 every usable note
    becomes a pair of `train`. seed: of the split. minimum_words: fewest words of the instructions, blanks not counted.
    drop_course: leave out the pairs whose history already tells the stay, which are otherwise only marked.
    """

    n_train: int = 3000
    n_validation: int = 0
    n_test: int = 1000
    seed: int = 0
    minimum_words: int = 10
    drop_course: bool = False


def read_discharge_csv(
    path: Path, settings: MimicSettings, progress: Progress | None = None, report: ImportReport | None = None
) -> Iterator[Pair]:
    """The chosen pairs: test, validation, train, each in the order of the seed. pair_id is the note_id.

    The whole file is read before the first pair comes. report is filled along the way; kept counts the pairs given.
    Raises InputError when the file is no such CSV or holds too few usable notes for the sizes asked for.

    Yields:
        Pair: one at a time.
    """
    report = report if report is not None else ImportReport()
    sizes = {"test": settings.n_test, "validation": settings.n_validation, "train": settings.n_train}
    if not any(sizes.values()):
        for pair in _usable(path, settings, progress, report):
            report.keep()
            yield marked(pair)
        return
    split = PatientSplit({name: size for name, size in sizes.items() if size > 0}, settings.seed)
    for pair in _usable(path, settings, progress, report):
        split.add(pair)
    chosen = list(split.deal())
    report.keep(len(chosen))
    if split.offered > len(chosen):
        report.skip("usable, but not drawn for a split", count=split.offered - len(chosen))
    for pair in chosen:
        yield marked(pair)


def marked(pair: Pair) -> Pair:
    """The pair with what a reader should know of its history. Only pairs that are given out are marked."""
    found = course_scope(pair.note.partition(HISTORY)[2])
    return pair._replace(
        notices={CourseScope.STAY: (HOLDS_COURSE,), CourseScope.EMERGENCY: (HOLDS_EMERGENCY,), CourseScope.BEFORE: ()}[
            found
        ]
    )


def _usable(path: Path, settings: MimicSettings, progress: Progress | None, report: ImportReport) -> Iterator[Pair]:
    """Every note that makes a pair, in file order, all of split `train`; the others are counted with their reason.

    Yields:
        Pair: one at a time.
    """
    seen: set[str] = set()
    for line, note_id, subject, note_type, text in _rows(path, progress, report):
        if note_type != "DS":
            report.skip("another note type than DS", line)
        elif not note_id or not subject:
            report.skip("no note_id or subject_id", line)
        elif _UNREADABLE.search(text):
            report.skip("not UTF-8", line)
        elif note_id in seen:
            report.skip("a note_id that came before", line)
        else:
            seen.add(note_id)
            parts = summary(text)
            if reason := missing(parts, settings.minimum_words):
                report.skip(reason, line)
            elif settings.drop_course and course_scope(parts.history) is CourseScope.STAY:
                report.skip("the history tells the stay", line)
            else:
                yield Pair(note_id, subject, "train", parts.note, parts.instructions)


def missing(parts: Summary, minimum_words: int) -> str:
    """Why the parts make no pair; the first reason counts. Empty when they do."""
    for part, reason in _NEEDED:
        if not has_content(getattr(parts, part)):
            return reason
    return f"instructions of fewer than {minimum_words} words" if len(words(parts.instructions)) < minimum_words else ""


def _rows(path: Path, progress: Progress | None, report: ImportReport) -> Iterator[tuple[int, str, str, str, str]]:
    """Line where the row ends, note_id, subject_id, note_type, text.

    Yields:
        the five values of a row.

    Raises:
        InputError: a column is missing, or the file is damaged.
    """
    size = path.stat().st_size if path.is_file() else 0
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST))
    with _open_rows(path) as (lines, place):
        reader = csv.reader(lines, strict=True)
        try:
            header = [name.strip().lower() for name in next(reader, [])]
            if lacking := [name for name in COLUMNS if name not in header]:
                raise InputError(
                    f"{path.name} has no column {', '.join(lacking)}. Give discharge.csv or discharge.csv.gz of MIMIC-IV-Note."
                )
            columns = [header.index(name) for name in COLUMNS]
            for count, row in enumerate(reader, start=1):
                report.seen()
                if progress and count % _STEP == 0:
                    progress(min(place(), size), size, path.name)
                if len(row) != len(header):
                    report.skip("wrong number of cells", reader.line_num)
                    continue
                note_id, subject, note_type, text = (row[column] for column in columns)
                yield reader.line_num, note_id.strip(), subject.strip(), note_type.strip(), text
        except csv.Error as error:
            raise InputError(
                f"{path.name} cannot be read as CSV at line {reader.line_num} ({error}). It is damaged or cut short."
            ) from None
        except (EOFError, gzip.BadGzipFile):
            raise InputError(f"{path.name} cannot be unpacked. Copy it again: it is cut short or damaged.") from None
    if progress:
        progress(size, size, path.name)


@contextmanager
def _open_rows(path: Path) -> Iterator[tuple[io.TextIOWrapper, Callable[[], int]]]:
    """The lines of a plain or packed file, and how many of its bytes have been read.

    Yields:
        the lines, and what gives the number of bytes read.

    Raises:
        InputError: there is no such file.
    """
    if not path.is_file():
        raise InputError(f"There is no file {path.name!r}. Give discharge.csv or discharge.csv.gz of MIMIC-IV-Note.")
    with path.open("rb") as raw:
        unpacked = gzip.GzipFile(fileobj=raw) if path.suffix == ".gz" else raw
        with io.TextIOWrapper(unpacked, encoding="utf-8-sig", errors="surrogateescape", newline="") as lines:
            yield lines, lambda: 0 if raw.closed else raw.tell()
