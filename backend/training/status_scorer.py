"""Train the scorer of a medicine's status: `python -m backend.training.status_scorer`.

Learned are the shipped pieces of notes, in which what the note says stands behind each medicine, and the half of the annotated notes
that may be read. The figures of the card
are of notes that were not learned from.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from backend.knowledge.starter import read_starter
from backend.nlp.attributes.engine import read_attributes
from backend.nlp.document.parsed_note import parse_note
from backend.nlp.extraction.linker import DictionaryLinker
from backend.nlp.medications.medicine_names import named_medicines
from backend.nlp.medications.medicine_runs import StatedMedicine, stated_medicines
from backend.nlp.medications.statements import verdicts
from backend.nlp.medications.status.status_features import status_evidence
from backend.nlp.medications.status.status_scorer import MODEL, TOLD, Told
from backend.nlp.people.encounter import encounter_statement
from backend.nlp.rules import RULES
from backend.schemas.record import Setting
from backend.settings import ROOT
from backend.training.status_chain import Labelled, columns_of, decided_apart, fit, pieces, write_chain

PASSAGES = RULES / "medications" / "status_passages.txt"
NOTES = ROOT / "tests" / "benchmarks" / "clinic_notes"
LETTERS = {
    "H": Told.HOME, "G": Told.GIVEN, "N": Told.STARTED, "I": Told.PLANNED, "X": Told.HELD, "Z": Told.STOPPED,
    "O": Told.PAST, "R": Told.NOT_TAKEN, "K": Told.OTHER,
}  # fmt: skip
MARGIN = 0.35
_SAME = frozenset({Told.STARTED, Told.PLANNED})
"""The record has one status for both where no hospital is: intended."""


def passages(path: Path = PASSAGES) -> Iterator[tuple[str, list[tuple[int, int, Told]]]]:
    """The pieces as text, with the code points and the status of each labelled medicine.

    Yields:
        A piece and its labels, in the order of the file.
    """
    yield from pieces(path, LETTERS)


def annotated(folder: Path = NOTES) -> Iterator[tuple[str, list[tuple[int, int, Told]]]]:
    """The notes of the half that may be read, with the code points of each quoted medicine."""
    for file in sorted(folder.glob("*.json"))[::2]:
        text = file.with_suffix(".txt").read_text(encoding="utf-8")
        labels = []
        for one in json.loads(file.read_text(encoding="utf-8"))["medicines"]:
            at = text.find(one["quote"])
            if at >= 0:
                labels.append((at, at + len(one["quote"]), Told(one["status"])))
        yield text, labels


def examples() -> Iterator[Labelled[Told]]:
    """The labelled notes, pieces first."""
    linker = DictionaryLinker([row for row, _ in read_starter(ROOT / "assets" / "knowledge").concepts])
    group = 0
    for piece, source in ((True, passages()), (False, annotated())):
        for text, labels in source:
            group += 1
            yield from _labelled(linker, text, labels, piece, group)


def _labelled(
    linker: DictionaryLinker, text: str, labels: Sequence[tuple[int, int, Told]], piece: bool, group: int
) -> Iterator[Labelled[Told]]:
    note = parse_note(text)
    mentions = linker.link(text).note.mentions
    attributes_of = partial(read_attributes, note)
    named = named_medicines(note, mentions)
    setting = encounter_statement(note, mentions, attributes_of).setting
    # A note is read once more as if its setting were not known, since that of a new note is often not found.
    for known in (setting, Setting.UNKNOWN)[: 2 if named and setting is not Setting.UNKNOWN else bool(named)]:
        stated = stated_medicines(note, named, known)
        attributes = attributes_of([(one.named.start_char, one.named.end_char) for one in stated])
        told = tuple(one.told for one in verdicts(note, stated, attributes))
        evidence = status_evidence(note, stated, attributes, known)
        yield Labelled(group, evidence, told, _labels(stated, labels), piece)


def _labels(stated: Sequence[StatedMedicine], labels: Sequence[tuple[int, int, Told]]) -> tuple[Told | None, ...]:
    """Of each medicine the label whose words hold it; of several medicines in them the first that has none."""
    found: list[Told | None] = [None] * len(stated)
    for start, end, told in labels:
        inside = [i for i, one in enumerate(stated) if one.named.start_char < end and start < one.named.end_char]
        free = [i for i in inside if found[i] is None]
        if free:
            found[free[0]] = told
    return tuple(found)


def figures(labelled: Sequence[Labelled[Told]]) -> dict[str, dict[str, float]]:
    """Shares of right statuses in notes that were not learned from, of the triggers alone and with the scorer, by source."""
    counts: dict[str, Counter[str]] = {"pieces": Counter(), "notes": Counter()}
    for one, found in decided_apart(labelled, TOLD, MARGIN):
        count = counts["pieces" if one.piece else "notes"]
        for label, verdict, told in zip(one.labels, one.verdicts, found, strict=True):
            if label is None:
                continue
            count["medicines"] += 1
            count["triggers"] += _right(label, verdict)
            count["scored"] += _right(label, told)
            if label in (Told.GIVEN, Told.STARTED):
                count["hospital"] += 1
                count["triggers_as_home"] += verdict is Told.HOME
                count["scored_as_home"] += told is Told.HOME
    return {
        source: {
            "medicines": count["medicines"],
            "right_by_triggers": round(count["triggers"] / max(1, count["medicines"]), 3),
            "right": round(count["scored"] / max(1, count["medicines"]), 3),
            "hospital_as_home_by_triggers": round(count["triggers_as_home"] / max(1, count["hospital"]), 3),
            "hospital_as_home": round(count["scored_as_home"] / max(1, count["hospital"]), 3),
        }
        for source, count in counts.items()
    }


def main(out: Annotated[Path, typer.Option("--out")] = MODEL) -> None:
    """Train the scorer of a medicine's status, measure it by notes that were not learned from, and write it with its card."""
    labelled = list(examples())
    columns = columns_of(labelled)
    fitted = fit(labelled, columns, TOLD)
    card: dict[str, Any] = {
        "about": "A chain over named features: which status a note gives a medicine; the triggers' verdict is one feature and stands unless beaten by the margin.",
        "made_by": "python -m backend.training.status_scorer",
        "learned_from": [PASSAGES.name, f"every other note of {NOTES.name}, from the first"],
        "figures_of_notes_kept_apart": figures(labelled),
        "limits": "One writer made the pieces; no clinician has checked a label. Whole notes are few.",
    }
    write_chain(out, card, columns, fitted, MARGIN)
    print(json.dumps(card["figures_of_notes_kept_apart"]))


def _right(label: Told, told: Told) -> bool:
    return label is told or {label, told} <= _SAME


if __name__ == "__main__":
    typer.run(main)
