"""Fit a chain over named features to labelled statements: by its likelihood with a ridge; statements without a label are summed out."""

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from backend.errors import InputError
from backend.nlp.scoring.evidence import BONDS, Evidence
from backend.nlp.scoring.status_chain import Floats, StatusChain, shares
from backend.settings import ROOT
from backend.training.cards import write_card

PIECE = "source:piece"
"""A feature of pieces of notes alone, in which more is unusual than in whole notes: their bias, left out of the file."""
_LEAST, _RIDGE, _STEPS = 3, 2.0, 120
_SMALLEST, _FOLDS = 0.05, 5
_LABEL = re.compile(r"\[([^\]]+)\]/([A-Za-z])")
SHARED = ROOT / "assets" / "training" / "status_pieces.txt"
"""Pieces in which medicines are labelled with capitals and problems with small letters."""
S = TypeVar("S", bound=StrEnum)


class Labelled(NamedTuple, Generic[S]):
    """The statements of a note in order: their evidence, the rules' verdicts, and what the note says where it is labelled. group: of a note's readings."""

    group: int
    evidence: Evidence
    verdicts: tuple[S, ...]
    labels: tuple[S | None, ...]
    piece: bool


def pieces(
    path: Path, letters: Mapping[str, S], others: Container[str] = ()
) -> Iterator[tuple[str, list[tuple[int, int, S]]]]:
    """The shipped pieces of notes as text, with the code points and the status of each label: "[aspirin]/H".

    Args:
        path: the file; a blank line parts two pieces, a first block that begins with # explains.
        letters: what each letter behind a bracket means.
        others: letters of what another scorer learns from, which are no labels here.

    Yields:
        A piece and its labels, in the order of the file.

    Raises:
        InputError: a letter is none of those that the file explains.
    """
    for number, block in enumerate(re.split(r"\n\s*\n", path.read_text(encoding="utf-8").strip())):
        if block.startswith("#") and not number:
            continue
        text, labels, at = "", list[tuple[int, int, S]](), 0
        for found in _LABEL.finditer(block):
            if found[2] not in letters and found[2] not in others:
                raise InputError(f"{path.name} has the letter '{found[2]}'. Use one of {', '.join(letters)}.")
            text += block[at : found.start()]
            if found[2] in letters:
                labels.append((len(text), len(text) + len(found[1]), letters[found[2]]))
            text, at = text + found[1], found.end()
        yield text + block[at:], labels


def decided_apart(
    labelled: Sequence[Labelled[S]], statuses: tuple[S, ...], margin: float
) -> Iterator[tuple[Labelled[S], list[S]]]:
    """Each labelled note with what a chain decides of it that has not learned from any reading of it.

    Args:
        labelled: the labelled notes.
        statuses: what a chain's columns mean.
        margin: by how much the rules' verdict must be beaten.

    Yields:
        A note and the statuses that the chain gives its statements.
    """
    order = np.random.default_rng(0).permutation(max(one.group for one in labelled) + 1)
    for fold in range(_FOLDS):
        apart = {int(i) for i in order[fold::_FOLDS]}
        learned = [one for one in labelled if one.group not in apart]
        columns = columns_of(learned)
        chain = StatusChain(statuses, columns, *fit(learned, columns, statuses), margin)
        for one in (one for one in labelled if one.group in apart):
            yield one, [told for told, _ in chain.decide(one.evidence, one.verdicts)]


def columns_of(learned: Sequence[Labelled[S]]) -> dict[str, int]:
    """The column of each feature that enough labelled statements hold; the bias is the first."""
    counts = Counter(
        feature
        for one in learned
        for at, features in enumerate(_features(one))
        if one.labels[at] is not None
        for feature in features
    )
    return {feature: i for i, feature in enumerate(sorted(f for f, n in counts.items() if n >= _LEAST), 1)}


def rarity_of(learned: Sequence[Labelled[S]], columns: Mapping[str, int]) -> Floats:
    """Of each column the logarithm of how many times as many labelled statements there are as hold it; 0 of the bias."""
    counts, labelled = np.zeros(len(columns) + 1), 0
    for one in learned:
        for label, features in zip(one.labels, _features(one), strict=True):
            if label is not None:
                labelled += 1
                counts[sorted({columns[feature] for feature in features if feature in columns})] += 1
    found: Floats = np.log(np.maximum(1, labelled) / np.maximum(1, counts))
    found[0] = 0.0
    return found


def fit(
    learned: Sequence[Labelled[S]],
    columns: Mapping[str, int],
    statuses: Sequence[S],
    rarity: Floats | None = None,
    ridge: float = _RIDGE,
) -> tuple[Floats, Floats]:
    """Weights of features (columns and the bias, statuses) and of what follows what (bonds, statuses, statuses).

    Args:
        learned: the labelled notes.
        columns: of the features.
        statuses: what a chain's columns mean.
        rarity: of each column, for a chain whose features count by it; None for one in which each counts as one.
        ridge: how much the squares of the weights of features cost.
    """
    chains = _Chains.of(learned, columns, statuses, rarity)
    width, many = len(columns) + 1, len(statuses)

    def loss(values: Floats) -> tuple[float, Floats]:
        weights = values[: width * many].reshape(width, many)
        follows = values[width * many :].reshape(len(BONDS), many, many)
        scores = np.zeros(chains.clamps.shape)
        scores[chains.held] = chains.matrix @ weights
        free, kept = chains.sums(scores, follows), chains.sums(scores + chains.clamps, follows)
        down = chains.matrix.T @ (free[1] - kept[1])[chains.held]
        down[1:] += ridge * weights[1:]
        cost = ridge / 2 * float((weights[1:] ** 2).sum()) + _RIDGE / 2 * float((follows**2).sum())
        return free[0] - kept[0] + cost, np.concatenate([down.ravel(), (free[2] - kept[2] + _RIDGE * follows).ravel()])

    start = np.zeros(width * many + len(BONDS) * many * many)
    values = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS}).x
    return values[: width * many].reshape(width, many), values[width * many :].reshape(len(BONDS), many, many)


class _Chains(NamedTuple):
    """All chains side by side, the longest first, so that the first `running[i]` of them have a place i.

    matrix: a row of features for each statement. held (chains, places): where one stands. bonds (chains, places): what parts it from
    the next. clamps (chains, places, statuses): what forbids every status but the label. lengths: of each chain.
    """

    matrix: csr_matrix
    held: NDArray[np.bool_]
    bonds: NDArray[np.intp]
    clamps: Floats
    lengths: NDArray[np.intp]
    running: tuple[int, ...]

    @classmethod
    def of(
        cls,
        learned: Sequence[Labelled[S]],
        columns: Mapping[str, int],
        statuses: Sequence[S],
        rarity: Floats | None = None,
    ) -> "_Chains":
        """The chains of labelled notes."""
        ordered = sorted(learned, key=lambda one: -len(one.verdicts))
        lengths = np.array([len(one.verdicts) for one in ordered])
        longest = int(lengths[0])
        bonds = np.zeros((len(ordered), longest), dtype=np.intp)
        clamps = np.zeros((len(ordered), longest, len(statuses)))
        places, ends = [], [0]
        for number, one in enumerate(ordered):
            bonds[number, : len(one.evidence.bonds)] = [BONDS.index(bond) for bond in one.evidence.bonds]
            for at, (label, features) in enumerate(zip(one.labels, _features(one), strict=True)):
                places += [0, *sorted({columns[feature] for feature in features if feature in columns})]
                ends.append(len(places))
                if label is not None:
                    clamps[number, at] = -1e3
                    clamps[number, at, statuses.index(label)] = 0
        counted = np.ones(len(places)) if rarity is None else shares(rarity[places], ends[:-1])
        matrix = csr_matrix((counted, places, ends), shape=(len(ends) - 1, len(columns) + 1))
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


def log_sum(scores: Floats, axis: int) -> Floats:
    """The logarithm of the sum of what scores are the logarithms of, along an axis."""
    most = scores.max(axis=axis, keepdims=True)
    found: Floats = (most + np.log(np.exp(scores - most).sum(axis=axis, keepdims=True))).squeeze(axis)
    return found


def _features(one: Labelled[S]) -> Iterator[list[str]]:
    for features, verdict in zip(one.evidence.features, one.verdicts, strict=True):
        yield [*features, f"rule:{verdict.value}", *([PIECE] if one.piece else [])]


def write_chain(
    file: Path,
    card: Mapping[str, Any],
    columns: Mapping[str, int],
    fitted: tuple[Floats, Floats],
    margin: float,
    rarity: Floats | None = None,
) -> None:
    """Write a chain as `read_chain` reads it.

    Args:
        file: the JSON to write.
        card: what it is, what it was learned from, and its figures.
        columns: of the features, as `columns_of` gives them; those that weigh next to nothing are left out, where each counts as one.
        fitted: as `fit` gives it.
        margin: by how much the rules' verdict must be beaten.
        rarity: of the columns, as `rarity_of` gives it; None where each feature counts as one.
    """
    weights, follows = fitted
    kept = {
        name: [round(float(value), 2) for value in weights[column]]
        for name, column in columns.items()
        if name != PIECE and (rarity is not None or float(np.abs(weights[column]).max()) >= _SMALLEST)
    }
    bonds = {
        bond: [[round(float(v), 2) for v in row] for row in table] for bond, table in zip(BONDS, follows, strict=True)
    }
    bias = [round(float(value), 2) for value in weights[0]]
    held: dict[str, Any] = {"card": card, "margin": margin, "bias": bias, "follows": bonds, "weights": kept}
    if rarity is not None:
        held["rarity"] = [round(float(rarity[columns[name]]), 2) for name in kept]
    write_card(file, held, flat=True)
