"""From pairs of texts to examples of a graph: the keywords a note starts paths from, and the concepts its document holds."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

import numpy as np

from backend.ingest.clinical_notes.note_pairs import Pair
from backend.interfaces import Encoder, Linker
from backend.retrieval.paths.path_baselines import keyword_ids
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.vocabulary import Assertion
from models.policy.rollouts import Example

AT_ONCE = 32
"""Notes that are encoded together."""
NOT_SAID = (Assertion.NEGATED, Assertion.FAMILY)


def examples_of(
    pairs: Iterable[Pair],
    linker: Linker,
    index: Mapping[str, int],
    allowed: np.ndarray,
    encoder: Encoder | None = None,
) -> Iterator[Example]:
    """An example a pair; one without a keyword or without a concept in its document is left out.

    Args:
        pairs: notes with their documents.
        linker: finds the concepts of both.
        index: concept id to index of the graph.
        allowed: (concepts,) bool, False for fillers, which start no path and count for nothing.
        encoder: gives the vector of the whole note, which the learned concept step and the baselines read.

    Yields:
        Examples in the order of their pairs.
    """
    waiting = iter(pairs)
    while some := list(islice(waiting, AT_ONCE)):
        made = [(pair.note, example_of(pair, linker, index, allowed)) for pair in some]
        whole = [(note, example) for note, example in made if len(example.keywords) and len(example.truth)]
        vectors = encoder.encode([note for note, _ in whole]) if encoder is not None and whole else None
        for place, (_, example) in enumerate(whole):
            yield example if vectors is None else example._replace(text_vector=vectors[place])


def example_of(pair: Pair, linker: Linker, index: Mapping[str, int], allowed: np.ndarray) -> Example:
    """keywords: as keyword_ids has them; truth: what the document mentions and neither denies nor says of a relative.

    blocked: what the note denies or says of a relative and does not also state as present.
    """
    note = linker.read(pair.note)
    said = linker.link(pair.text).note.mentions
    truth = [m.concept_id for m in said if m.assertion not in NOT_SAID]
    return Example(
        pair.pair_id,
        _open(_indices(keyword_ids(note), index), allowed),
        np.sort(_open(_indices(truth, index), allowed)),
        _indices(denied_ids(note), index),
    )


def denied_ids(linked: LinkedNote) -> list[str]:
    """Ids that the note only denies or says of a relative."""
    stated = {m.concept_id for m in linked.note.mentions if m.assertion not in NOT_SAID}
    denied = [m.concept_id for m in linked.note.mentions if m.assertion in NOT_SAID]
    return [concept for concept in dict.fromkeys(denied) if concept not in stated]


def _indices(ids: Iterable[str], index: Mapping[str, int]) -> np.ndarray:
    return np.array([index[i] for i in dict.fromkeys(ids) if i in index], dtype=np.int32)


def _open(concepts: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    return np.asarray(concepts[allowed[concepts]])
