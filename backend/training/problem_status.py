"""Train the scorer of a problem's status: `python -m backend.training.problem_status`.

Learned are the shipped pieces of notes, in which what the note says stands behind each problem, and the half of the annotated notes that
may be read. The figures of the card are of pieces and notes that were not learned from.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from string import ascii_uppercase
from typing import Annotated, Any

import typer

from backend.knowledge.starter import read_starter
from backend.nlp.attributes.engine import read_attributes
from backend.nlp.document.parsed_note import parse_note
from backend.nlp.extraction.linker import DictionaryLinker
from backend.nlp.findings.course.problem_evidence import Judged, problem_evidence
from backend.nlp.findings.course.problem_scorer import MODEL
from backend.nlp.findings.course.told_status import CHRONIC, TOLD, Told, may_decide
from backend.nlp.findings.problems import judged_problems
from backend.nlp.lexicon.variants import stem
from backend.nlp.rules import RULES
from backend.settings import ROOT
from backend.training.status_chain import SHARED, Labelled, columns_of, decided_apart, fit, pieces, write_chain

PASSAGES = RULES / "findings" / "status_passages.txt"
NOTES = ROOT / "tests" / "benchmarks" / "clinic_notes"
LETTERS = {
    "P": Told.PRESENT, "O": Told.PAST, "D": Told.DENIED, "U": Told.UNCERTAIN, "I": Told.PLANNED, "F": Told.FAMILY, "K": Told.OTHER,
}  # fmt: skip
_OF_NOTES = {"active": Told.PRESENT, "chronic": Told.PRESENT}
_WORD = re.compile(r"[a-z0-9]+")
MARGIN = 0.4
Label = tuple[int, int, Told, frozenset[str]]
"""Half-open code points, the status, and the stems of the name that an annotator gave; none where the words are the name."""


def passages(path: Path = PASSAGES) -> Iterator[tuple[str, list[Label]]]:
    """The pieces as text, with the code points and the status of each labelled problem.

    Args:
        path: the file of pieces.

    Yields:
        A piece and its labels, in the order of the file.
    """
    for text, labels in pieces(path, LETTERS):
        yield text, [(start, end, told, frozenset()) for start, end, told in labels]


def shared(path: Path = SHARED) -> Iterator[tuple[str, list[Label]]]:
    """The pieces in which medicines are labelled too, with capitals.

    Args:
        path: the file of pieces.

    Yields:
        A piece and the labels of its problems, in the order of the file.
    """
    small = {letter.lower(): told for letter, told in LETTERS.items()}
    for text, labels in pieces(path, small, ascii_uppercase):
        yield text, [(start, end, told, frozenset()) for start, end, told in labels]


def annotated(folder: Path = NOTES) -> Iterator[tuple[str, list[Label]]]:
    """The notes of the half that may be read, with the code points of each quoted problem.

    Args:
        folder: of annotated notes.

    Yields:
        A note and its labels, by name.
    """
    for file in sorted(folder.glob("*.json"))[::2]:
        text = file.with_suffix(".txt").read_text(encoding="utf-8")
        labels = list[Label]()
        for one in json.loads(file.read_text(encoding="utf-8"))["problems"]:
            at = text.find(one["quote"])
            if at >= 0:
                told = _OF_NOTES.get(one["status"]) or Told(one["status"])
                labels.append((at, at + len(one["quote"]), told, _stems(one["name"])))
        yield text, labels


def examples() -> Iterator[Labelled[Told]]:
    """The labelled notes, pieces first."""
    linker = DictionaryLinker([row for row, _ in read_starter(ROOT / "assets" / "knowledge").concepts])
    group = 0
    for piece, source in ((True, passages()), (True, shared()), (False, annotated())):
        for text, labels in source:
            group += 1
            note = parse_note(text)
            mentions = linker.link(text).note.mentions
            judged = judged_problems(note, mentions, partial(read_attributes, note), lambda _: None)
            if judged:
                told = tuple(one.told for one in judged)
                yield Labelled(group, problem_evidence(note, judged), told, _labels(judged, labels), piece)


def _labels(judged: Sequence[Judged], labels: Sequence[Label]) -> tuple[Told | None, ...]:
    """Of each problem the label whose words hold it, of several in a quote the one whose name it shares."""
    found: list[Told | None] = [None] * len(judged)
    for start, end, told, name in labels:
        inside = [i for i, one in enumerate(judged) if _lies(one, start, end) and found[i] is None]
        named = [i for i in inside if not name or name & _stems(judged[i].statement.name)]
        for i in named[:1] if name else named:
            found[i] = told
    return tuple(found)


def _lies(one: Judged, start: int, end: int) -> bool:
    span = one.statement.spans[0]
    return span.start_char < end and start < span.end_char


def _stems(name: str) -> frozenset[str]:
    return frozenset(map(stem, _WORD.findall(name.lower())))


def figures(labelled: Sequence[Labelled[Told]], margin: float = MARGIN) -> dict[str, dict[str, float]]:
    """Shares of right statuses in notes that were not learned from, of the rows alone and with the scorer, by source.

    Args:
        labelled: the labelled notes.
        margin: by how much the verdict of the rows must be beaten.
    """
    counts: dict[str, Counter[str]] = {"pieces": Counter(), "notes": Counter()}
    for one, found in decided_apart(labelled, TOLD, margin):
        count = counts["pieces" if one.piece else "notes"]
        for label, verdict, told, known in zip(one.labels, one.verdicts, found, one.evidence.features, strict=True):
            if label is not None:
                runs = CHRONIC if f"runs:{CHRONIC}" in known else ""
                count["problems"] += 1
                count["rows"] += label is verdict
                count["scored"] += label is (told if may_decide(verdict, told, runs, known) else verdict)
    return {
        source: {
            "problems": count["problems"],
            "right_by_rows": round(count["rows"] / max(1, count["problems"]), 3),
            "right": round(count["scored"] / max(1, count["problems"]), 3),
        }
        for source, count in counts.items()
    }


def main(out: Annotated[Path, typer.Option("--out")] = MODEL) -> None:
    """Train the scorer of a problem's status, measure it by notes that were not learned from, and write it with its card."""
    labelled = list(examples())
    columns = columns_of(labelled)
    card: dict[str, Any] = {
        "about": "A chain over named features: which status a note gives a problem; the rows' verdict is one feature and stands unless beaten by the margin.",
        "made_by": "python -m backend.training.problem_status",
        "learned_from": [PASSAGES.name, SHARED.name, f"every other note of {NOTES.name}, from the first"],
        "figures_of_notes_kept_apart": figures(labelled),
        "limits": "Nine writers made the pieces; no clinician has checked a label. Whole notes are few.",
    }
    write_chain(out, card, columns, fit(labelled, columns, TOLD), MARGIN)
    print(json.dumps(card["figures_of_notes_kept_apart"]))


if __name__ == "__main__":
    typer.run(main)
