"""Train the scorer of a medicine's status: `python -m backend.training.status_scorer`.

Learned are the shipped pieces of notes, in which what the note says stands behind each medicine, and the half of the annotated notes
that may be read. The chain is fitted by its likelihood with a ridge; medicines without a label are summed out. The figures of the card
are of notes that were not learned from. The pieces hold more that is unusual than whole notes do: they have a bias of their own.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from backend.errors import InputError
from backend.knowledge.starter import read_starter
from backend.nlp.attributes.engine import read_attributes
from backend.nlp.document.parsed_note import parse_note
from backend.nlp.extraction.linker import DictionaryLinker
from backend.nlp.medications.medicine_names import named_medicines
from backend.nlp.medications.medicine_runs import StatedMedicine, stated_medicines
from backend.nlp.medications.statements import verdicts
from backend.nlp.medications.status_features import BONDS, Evidence, status_evidence
from backend.nlp.medications.status_scorer import MODEL, TOLD, Floats, StatusScorer, Told
from backend.nlp.people.encounter import encounter_statement
from backend.nlp.rules import RULES
from backend.schemas.record import Setting
from backend.settings import ROOT
from backend.training.cards import write_card

PASSAGES = RULES / "medications" / "status_passages.txt"
NOTES = ROOT / "tests" / "benchmarks" / "clinic_notes"
PIECE = "source:piece"
LETTERS = {
    "H": Told.HOME, "G": Told.GIVEN, "N": Told.STARTED, "I": Told.PLANNED, "X": Told.HELD, "Z": Told.STOPPED,
    "O": Told.PAST, "R": Told.NOT_TAKEN, "K": Told.OTHER,
}  # fmt: skip
_LABEL = re.compile(r"\[([^\]]+)\]/([A-Z])")
_FOLDS, _LEAST, _RIDGE, _STEPS = 5, 3, 2.0, 120
MARGIN = 0.35
_SAME = frozenset({Told.STARTED, Told.PLANNED})
"""The record has one status for both where no hospital is: intended."""


class Labelled(NamedTuple):
    """The medicines of a note in order: their evidence, the triggers' verdicts, and what the note says where it is labelled. group: of a note's readings."""

    group: int
    evidence: Evidence
    verdicts: tuple[Told, ...]
    labels: tuple[Told | None, ...]
    piece: bool


def passages(path: Path = PASSAGES) -> Iterator[tuple[str, list[tuple[int, int, Told]]]]:
    """The pieces as text, with the code points and the status of each labelled medicine.

    Yields:
        A piece and its labels, in the order of the file.

    Raises:
        InputError: a letter is none of those that the file explains.
    """
    for block in re.split(r"\n\s*\n", path.read_text(encoding="utf-8").strip()):
        if block.startswith("#"):
            continue
        text, labels, at = "", [], 0
        for found in _LABEL.finditer(block):
            if found[2] not in LETTERS:
                raise InputError(f"{path.name} has the letter '{found[2]}'. Use one of {', '.join(LETTERS)}.")
            text += block[at : found.start()]
            labels.append((len(text), len(text) + len(found[1]), LETTERS[found[2]]))
            text, at = text + found[1], found.end()
        yield text + block[at:], labels


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


def examples() -> Iterator[Labelled]:
    """The labelled notes, pieces first."""
    linker = DictionaryLinker([row for row, _ in read_starter(ROOT / "assets" / "knowledge").concepts])
    group = 0
    for piece, source in ((True, passages()), (False, annotated())):
        for text, labels in source:
            group += 1
            yield from _labelled(linker, text, labels, piece, group)


def _labelled(
    linker: DictionaryLinker, text: str, labels: Sequence[tuple[int, int, Told]], piece: bool, group: int
) -> Iterator[Labelled]:
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


def columns_of(learned: Sequence[Labelled]) -> dict[str, int]:
    """The column of each feature that enough labelled medicines hold; the bias is the first."""
    counts = Counter(
        feature
        for one in learned
        for at, features in enumerate(_features(one))
        if one.labels[at] is not None
        for feature in features
    )
    return {feature: i for i, feature in enumerate(sorted(f for f, n in counts.items() if n >= _LEAST), 1)}


def fit(learned: Sequence[Labelled], columns: Mapping[str, int]) -> tuple[Floats, Floats]:
    """Weights of features (columns and the bias, statuses) and of what follows what (bonds, statuses, statuses)."""
    chains = _Chains.of(learned, columns)
    width, many = len(columns) + 1, len(TOLD)

    def loss(values: Floats) -> tuple[float, Floats]:
        weights = values[: width * many].reshape(width, many)
        follows = values[width * many :].reshape(len(BONDS), many, many)
        scores = np.zeros(chains.clamps.shape)
        scores[chains.held] = chains.matrix @ weights
        free, kept = chains.sums(scores, follows), chains.sums(scores + chains.clamps, follows)
        down = chains.matrix.T @ (free[1] - kept[1])[chains.held]
        down[1:] += _RIDGE * weights[1:]
        ridge = _RIDGE / 2 * (float((weights[1:] ** 2).sum()) + float((follows**2).sum()))
        return free[0] - kept[0] + ridge, np.concatenate([down.ravel(), (free[2] - kept[2] + _RIDGE * follows).ravel()])

    start = np.zeros(width * many + len(BONDS) * many * many)
    values = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS}).x
    return values[: width * many].reshape(width, many), values[width * many :].reshape(len(BONDS), many, many)


class _Chains(NamedTuple):
    """All chains side by side, the longest first, so that the first `running[i]` of them have a place i.

    matrix: a row of features for each medicine. held (chains, places): where one stands. bonds (chains, places): what parts it from
    the next. clamps (chains, places, statuses): what forbids every status but the label. lengths: of each chain.
    """

    matrix: csr_matrix
    held: NDArray[np.bool_]
    bonds: NDArray[np.intp]
    clamps: Floats
    lengths: NDArray[np.intp]
    running: tuple[int, ...]

    @classmethod
    def of(cls, learned: Sequence[Labelled], columns: Mapping[str, int]) -> "_Chains":
        """The chains of labelled notes."""
        ordered = sorted(learned, key=lambda one: -len(one.verdicts))
        lengths = np.array([len(one.verdicts) for one in ordered])
        longest = int(lengths[0])
        bonds = np.zeros((len(ordered), longest), dtype=np.intp)
        clamps = np.zeros((len(ordered), longest, len(TOLD)))
        places, ends = [], [0]
        for number, one in enumerate(ordered):
            bonds[number, : len(one.evidence.bonds)] = [BONDS.index(bond) for bond in one.evidence.bonds]
            for at, (label, features) in enumerate(zip(one.labels, _features(one), strict=True)):
                places += [0, *sorted({columns[feature] for feature in features if feature in columns})]
                ends.append(len(places))
                if label is not None:
                    clamps[number, at] = -1e3
                    clamps[number, at, TOLD.index(label)] = 0
        matrix = csr_matrix((np.ones(len(places)), places, ends), shape=(len(ends) - 1, len(columns) + 1))
        held = np.arange(longest)[None, :] < lengths[:, None]
        return cls(matrix, held, bonds, clamps, lengths, tuple(int((lengths > at).sum()) for at in range(longest)))

    def sums(self, scores: Floats, follows: Floats) -> tuple[float, Floats, Floats]:
        """The logarithm of the sum over all statuses of all chains, the chance of each status, and of each pair side by side by bond."""
        before, after, pairs = scores.copy(), np.zeros_like(scores), np.zeros_like(follows)
        for at, run in enumerate(self.running[1:], 1):
            step = before[:run, at - 1, :, None] + follows[self.bonds[:run, at - 1]]
            before[:run, at] += log_sum(step, axis=1)
        whole = log_sum(before[np.arange(len(self.lengths)), self.lengths - 1], axis=1)
        for at in range(len(self.running) - 2, -1, -1):
            run = self.running[at + 1]
            bonds = self.bonds[:run, at]
            step = follows[bonds] + (scores[:run, at + 1] + after[:run, at + 1])[:, None, :]
            after[:run, at] = log_sum(step, axis=2)
            np.add.at(pairs, bonds, np.exp(before[:run, at, :, None] + step - whole[:run, None, None]))
        return float(whole.sum()), np.exp(before + after - whole[:, None, None]), pairs


def figures(labelled: Sequence[Labelled]) -> dict[str, dict[str, float]]:
    """Shares of right statuses in notes that were not learned from, of the triggers alone and with the scorer, by source."""
    order = np.random.default_rng(0).permutation(max(one.group for one in labelled) + 1)
    counts: dict[str, Counter[str]] = {"pieces": Counter(), "notes": Counter()}
    for fold in range(_FOLDS):
        apart = {int(i) for i in order[fold::_FOLDS]}
        learned = [one for one in labelled if one.group not in apart]
        columns = columns_of(learned)
        scorer = StatusScorer(columns, *fit(learned, columns), MARGIN)
        for one in (one for one in labelled if one.group in apart):
            count = counts["pieces" if one.piece else "notes"]
            found = scorer.decide(one.evidence, one.verdicts)
            for label, verdict, (told, _) in zip(one.labels, one.verdicts, found, strict=True):
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
    weights, follows = fit(labelled, columns)
    card: dict[str, Any] = {
        "about": "A chain over named features: which status a note gives a medicine; the triggers' verdict is one feature and stands unless beaten by the margin.",
        "made_by": "python -m backend.training.status_scorer",
        "learned_from": [PASSAGES.name, f"every other note of {NOTES.name}, from the first"],
        "figures_of_notes_kept_apart": figures(labelled),
        "limits": "One writer made the pieces; no clinician has checked a label. Whole notes are few.",
    }
    kept = {
        name: [round(float(value), 2) for value in weights[column]]
        for name, column in columns.items()
        if name != PIECE and float(np.abs(weights[column]).max()) >= 0.05
    }
    bonds = {
        bond: [[round(float(v), 2) for v in row] for row in table] for bond, table in zip(BONDS, follows, strict=True)
    }
    bias = [round(float(value), 2) for value in weights[0]]
    write_card(out, {"card": card, "margin": MARGIN, "bias": bias, "follows": bonds, "weights": kept}, flat=True)
    print(json.dumps(card["figures_of_notes_kept_apart"]))


def _features(one: Labelled) -> Iterator[list[str]]:
    for features, verdict in zip(one.evidence.features, one.verdicts, strict=True):
        yield [*features, f"rule:{verdict.value}", *([PIECE] if one.piece else [])]


def _right(label: Told, told: Told) -> bool:
    return label is told or {label, told} <= _SAME


if __name__ == "__main__":
    typer.run(main)


def log_sum(scores: Floats, axis: int) -> Floats:
    """The logarithm of the sum of what scores are the logarithms of, along an axis."""
    most = scores.max(axis=axis, keepdims=True)
    found: Floats = (most + np.log(np.exp(scores - most).sum(axis=axis, keepdims=True))).squeeze(axis)
    return found
