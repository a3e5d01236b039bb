"""The comparisons by name: data, one entry each. `assembly` of policies adds theirs (policy_retrievers)."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from backend.errors import InputError, NotFoundError
from backend.evaluation.paths.retrievers.concept_baselines import (
    DenseNeighbours,
    PopularityPrior,
    RandomOneHop,
    SimilarOneHop,
    TwoHop,
)
from backend.evaluation.paths.retrievers.concept_retrievers import ConceptRetriever, Knowledge
from backend.evaluation.paths.retrievers.drknows import DrKnowsConcepts


class Material(NamedTuple):
    """What comparisons are made of. training: the document concepts of the training pairs, one array a pair."""

    knowledge: Knowledge
    training: Sequence[np.ndarray]
    seed: int


class Comparison(NamedTuple):
    """One comparison by name, and how it is made from the run's material."""

    name: str
    what: str
    make: Callable[[Material], ConceptRetriever]
    needs_training: bool = False


COMPARISONS: tuple[Comparison, ...] = (
    Comparison(
        "random1hop", "one-hop concepts of the keywords, at random", lambda m: RandomOneHop(m.knowledge, m.seed)
    ),
    Comparison("sim1hop", "one-hop concepts, by cosine to the whole note", lambda m: SimilarOneHop(m.knowledge)),
    Comparison(
        "sim1hop-keywords",
        "one-hop concepts, by cosine to the keywords' mean",
        lambda m: SimilarOneHop(m.knowledge, by_keywords=True),
    ),
    Comparison(
        "drknows",
        "concepts of DR.KNOWS's paths of up to two hops, by cosine to the note (its own ranker is trained)",
        lambda m: DrKnowsConcepts(m.knowledge),
    ),
    Comparison("two-hop", "everything within two hops, by cosine to the keywords' mean", lambda m: TwoHop(m.knowledge)),
    Comparison("dense", "all concepts by cosine to the whole note; no graph", lambda m: DenseNeighbours(m.knowledge)),
    Comparison(
        "dense-keywords",
        "all concepts by cosine to the keywords' mean; no graph",
        lambda m: DenseNeighbours(m.knowledge, by_keywords=True),
    ),
    Comparison(
        "popularity",
        "the commonest concepts of the training documents, the same for every note",
        lambda m: PopularityPrior(m.training, len(m.knowledge.vectors)),
        needs_training=True,
    ),
)


def comparison(name: str) -> Comparison:
    """The entry of a name. Raises NotFoundError that lists the names there are."""
    for entry in COMPARISONS:
        if entry.name == name:
            return entry
    raise NotFoundError(f"There is no comparison {name!r}. Choose from: {', '.join(c.name for c in COMPARISONS)}")


def make_comparison(name: str, material: Material) -> ConceptRetriever:
    """Raises InputError for one that needs training pairs where there are none."""
    entry = comparison(name)
    if entry.needs_training and not material.training:
        raise InputError(
            f"The comparison {name!r} needs training pairs, and none were given. Give a file whose pairs have the split "
            "`train`, or leave it out with --retrievers."
        )
    return entry.make(material)
