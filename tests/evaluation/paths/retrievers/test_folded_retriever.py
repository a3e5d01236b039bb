"""Folds: no patient is in two, and each note is answered by what did not learn from it."""

import numpy as np
import pytest

from backend.errors import InputError
from backend.evaluation.paths.retrievers.concept_baselines import PopularityPrior
from backend.evaluation.paths.retrievers.folded_retriever import folded, folds_of
from backend.ingest.clinical_notes.note_pairs import Pair
from tests.evaluation.conftest import pair

PAIRS = [Pair(f"n{i}", f"p{i // 2}", "train", "note", "text") for i in range(10)]


def test_folds_part_patients_and_every_pair_is_held_once() -> None:
    folds = folds_of(PAIRS, 2, seed=0)
    assert sorted(one.pair_id for fold in folds for one in fold.held) == sorted(one.pair_id for one in PAIRS)
    for fold in folds:
        assert not {one.patient_id for one in fold.held} & {one.patient_id for one in fold.learning}
        assert len(fold.held) + len(fold.learning) == 10 and fold.held
    assert folds == folds_of(PAIRS, 2, seed=0) != folds_of(PAIRS, 2, seed=3)


@pytest.mark.parametrize("count", [1, 6])
def test_more_folds_than_patients_or_a_single_one_are_refused(count: int) -> None:
    with pytest.raises(InputError, match=rf"5 patients do not make {count} folds"):
        folds_of(PAIRS, count, seed=0)


def test_each_note_is_answered_by_the_retriever_that_did_not_learn_from_it() -> None:
    folds = folds_of(PAIRS, 2, seed=0)
    # the documents of each fold's learning pairs hold the concept with the fold's number
    made = [(fold, [PopularityPrior([np.array([number])], 5)]) for number, fold in enumerate(folds)]
    (prior,) = folded(made)
    assert prior.name == "popularity"
    for number, fold in enumerate(folds):
        for one in fold.held:
            assert prior.ranked(pair(one.pair_id, [4], [0, 1]), 3).tolist() == [number]
