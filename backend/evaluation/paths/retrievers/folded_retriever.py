"""Retrievers of a cross-validation: each note is answered by the one that was trained on the other folds, and scored with all others."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from backend.errors import InputError
from backend.evaluation.paths.retrievers.concept_retrievers import ConceptRetriever, Drawing, Preparing
from backend.evaluation.paths.retrievers.linked_example import NoteExample
from backend.ingest.clinical_notes.note_pairs import Pair

Item = TypeVar("Item")
FEWEST = 2


class Fold(NamedTuple):
    """learning: the pairs of the other folds. held: those of this one; no patient is in both."""

    learning: tuple[Pair, ...]
    held: tuple[Pair, ...]


def folds_of(pairs: Sequence[Pair], count: int, seed: int) -> tuple[Fold, ...]:
    """The pairs in so many parts, patient by patient in an order drawn by the seed.

    Raises:
        InputError: fewer than two parts, or fewer patients than parts.
    """
    patients = list(dict.fromkeys(pair.patient_id or pair.pair_id for pair in pairs))
    if count < FEWEST or len(patients) < count:
        raise InputError(
            f"{len(patients)} patients do not make {count} folds. Give --folds of 2 up to as many as there are."
        )
    drawn = np.random.default_rng((seed, 9)).permutation(len(patients)).tolist()
    part = {patients[place]: rank % count for rank, place in enumerate(drawn)}
    own = [part[pair.patient_id or pair.pair_id] for pair in pairs]
    return tuple(
        Fold(
            tuple(pair for pair, fold in zip(pairs, own, strict=True) if fold != number),
            tuple(pair for pair, fold in zip(pairs, own, strict=True) if fold == number),
        )
        for number in range(count)
    )


class FoldedRetriever:
    """One retriever over all folds. of: by pair id the retriever that did not learn from the pair."""

    def __init__(self, name: str, of: Mapping[str, ConceptRetriever]) -> None:
        self.name = name
        self._of = of

    def ranked(self, example: NoteExample, budget: int) -> np.ndarray:
        """As the fold's retriever has it."""
        return self._of[example.pair_id].ranked(example, budget)

    def prepare(self, examples: Sequence[NoteExample], budget: int) -> None:
        """Let each fold's retriever prepare its own."""
        groups: dict[int, tuple[Preparing, list[NoteExample]]] = {}
        for example in examples:
            inner = self._of[example.pair_id]
            if isinstance(inner, Preparing):
                groups.setdefault(id(inner), (inner, []))[1].append(example)
        for preparing, own in groups.values():
            preparing.prepare(own, budget)

    def drawn(self) -> "Sequence[FoldedRetriever]":
        """One a draw, where the folds' retrievers are drawn."""
        once = {id(inner): inner for inner in self._of.values()}
        draws = {key: list(one.drawn()) if isinstance(one, Drawing) else [one] for key, one in once.items()}
        most = max(len(some) for some in draws.values())
        return [
            FoldedRetriever(
                self.name, {pair: draws[id(inner)][i % len(draws[id(inner)])] for pair, inner in self._of.items()}
            )
            for i in range(most)
        ]


def folded(made: Sequence[tuple[Fold, Sequence[ConceptRetriever]]]) -> list[ConceptRetriever]:
    """The retrievers of all folds, put together by name; every fold has the same, in one order."""
    found: dict[str, dict[str, ConceptRetriever]] = {}
    for fold, retrievers in made:
        for retriever in retrievers:
            found.setdefault(retriever.name, {}).update({pair.pair_id: retriever for pair in fold.held})
    return [FoldedRetriever(name, of) for name, of in found.items()]
