"""Train the scorer of possible allergies from the shipped passages: `python -m backend.training.allergy_scorer`.

Each agent of a passage that the rules do not list is an example: right where the passage's items name it. Of its pairs the one that
scores best is learned, as the passage does not say which effect it means. Writers are kept apart: the figures of the card are of
writers that were not learned from; the weights that ship are of all. Only numpy is needed.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import typer
from numpy.typing import NDArray

from backend.knowledge.starter import read_starter
from backend.nlp.allergies.possible.scorer import MODEL
from backend.nlp.allergies.read_allergies import pairs_to_score
from backend.nlp.attributes.engine import read_attributes
from backend.nlp.document.parsed_note import parse_note
from backend.nlp.extraction.linker import DictionaryLinker
from backend.nlp.rules import RULES
from backend.settings import ROOT
from backend.training.cards import write_card

PASSAGES = RULES / "allergies" / "passages.tsv"
_FOLDS = 5
_LEAST = 6
"""Examples that must hold a feature."""
_ROUNDS, _STEPS, _RIDGE = 6, 12, 1.2
_OTHERS = 0.3
"""Weight of the second and third best pair of what is no allergy."""
THRESHOLD = 0.5
Floats = NDArray[np.float64]


class Example(NamedTuple):
    """An agent of a passage: its writer, whether it is a possible allergy, and the features of its pairs."""

    writer: str
    right: bool
    pairs: tuple[tuple[str, ...], ...]


def examples(path: Path = PASSAGES) -> Iterator[Example]:
    """The examples of the passages of running text."""
    linker = DictionaryLinker([row for row, _ in read_starter(ROOT / "assets" / "knowledge").concepts])
    for line in path.read_text(encoding="utf-8").splitlines():
        cells = line.split("\t", 5)
        if line.startswith("#") or cells[0] == "round" or cells[4] != "note":
            continue
        text = cells[5].replace("\\n", "\n")
        wanted = [item.lower() for item in cells[3].split("|") if item]
        note = parse_note(text)
        mentions = linker.link(text).note.mentions
        pairs = pairs_to_score(note, mentions, linker.lookup, partial(read_attributes, note))
        by_agent: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        for pair in pairs:
            by_agent[note.written(pair.agent.first, pair.agent.last).lower()].append(pair.features)
        for name, features in by_agent.items():
            yield Example(cells[0], any(one in name or name in one for one in wanted), tuple(features))


def fit(learned: Sequence[Example], index: Mapping[str, int]) -> Floats:
    """Weights, the bias first: ridge logistic regression on the best pair of each example, found anew each round."""
    weights = np.zeros(len(index) + 1)
    held = [matrix(one, index) for one in learned]
    for round_number in range(_ROUNDS):
        rows: list[Floats] = []
        right: list[float] = []
        worth: list[float] = []
        for one, pairs in zip(learned, held, strict=True):
            order = np.argsort(-(pairs @ weights))
            if one.right:
                chosen = range(len(pairs)) if round_number == 0 else order[:1]
                share = [1 / len(pairs)] * len(pairs) if round_number == 0 else [1.0]
            else:
                chosen = order[:3]
                share = [1.0, _OTHERS, _OTHERS]
            for row, weight in zip(chosen, share, strict=False):
                rows.append(pairs[row])
                right.append(float(one.right))
                worth.append(weight)
        weights = _newton(np.array(rows), np.array(right), np.array(worth), weights)
    return weights


def matrix(one: Example, index: Mapping[str, int]) -> Floats:
    """The pairs of an example as rows of zeros and ones, the bias first."""
    found = np.zeros((len(one.pairs), len(index) + 1))
    found[:, 0] = 1
    for row, features in enumerate(one.pairs):
        for feature in features:
            if feature in index:
                found[row, index[feature]] = 1
    return found


def features_of(learned: Sequence[Example]) -> dict[str, int]:
    """The column of each feature that enough examples hold."""
    counts = Counter(feature for one in learned for feature in {f for pair in one.pairs for f in pair})
    kept = sorted(f for f, count in counts.items() if count >= _LEAST and not f.startswith("section:"))
    return {feature: column for column, feature in enumerate(kept, start=1)}


def figures(labelled: Sequence[Example], threshold: float) -> dict[str, float]:
    """Recall and precision of agents, of writers that were not learned from."""
    writers = sorted({one.writer for one in labelled}, key=int)
    found = wrong = 0
    for fold in range(_FOLDS):
        apart = set(writers[fold::_FOLDS])
        learned = [one for one in labelled if one.writer not in apart]
        index = features_of(learned)
        weights = fit(learned, index)
        for one in labelled:
            if one.writer in apart and float((matrix(one, index) @ weights).max()) >= np.log(
                threshold / (1 - threshold)
            ):
                found += one.right
                wrong += not one.right
    right = sum(one.right for one in labelled)
    return {
        "agents": len(labelled),
        "possible_allergies": right,
        "recall": round(found / right, 3),
        "precision": round(found / max(1, found + wrong), 3),
    }


def main(
    out: Annotated[Path, typer.Option("--out")] = MODEL,
    threshold: Annotated[float, typer.Option("--threshold")] = THRESHOLD,
) -> None:
    """Train the scorer of possible allergies from the shipped passages, measure by writer, and write it with its card."""
    labelled = [one for one in examples() if one.pairs]
    index = features_of(labelled)
    weights = fit(labelled, index)
    card = {
        "about": "Logistic regression over named features of an agent and an effect; it raises possible allergies, never lists one.",
        "made_by": "python -m backend.training.allergy_scorer",
        "learned_from": PASSAGES.name,
        "figures_of_writers_kept_apart": figures(labelled, threshold),
        "limits": "The passages are short and were written for tests, not by clinicians in practice; agents that the rules list are left out.",
    }
    kept = {name: round(float(weights[column]), 3) for name, column in index.items() if abs(weights[column]) >= 0.02}
    write_card(out, {"card": card, "threshold": threshold, "bias": round(float(weights[0]), 3), "weights": kept})
    print(json.dumps(card["figures_of_writers_kept_apart"]))


def _newton(rows: Floats, right: Floats, worth: Floats, weights: Floats) -> Floats:
    ridge = np.full(len(weights), _RIDGE)
    ridge[0] = 1e-6
    for _ in range(_STEPS):
        predicted = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (worth * (predicted - right)) + ridge * weights
        curve = (rows * (worth * predicted * (1 - predicted))[:, None]).T @ rows + np.diag(ridge)
        step = np.linalg.solve(curve, slope)
        weights = weights - step
        if float(np.abs(step).max()) < 1e-4:
            break
    return weights


if __name__ == "__main__":
    typer.run(main)
