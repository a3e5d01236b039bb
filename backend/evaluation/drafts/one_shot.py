"""The worked example of a one-shot prompt. It never comes from an evaluated note, nor from one of the same patient."""

from collections.abc import Sequence

import numpy as np

from backend.errors import InputError
from backend.ingest.clinical_notes.note_pairs import Pair


def one_shot_example(candidates: Sequence[Pair], evaluated: Sequence[Pair], seed: int) -> Pair:
    """One of the candidates, drawn by the seed among those that share nothing with the evaluated pairs.

    Raises:
        InputError: none is left.
    """
    free = sorted((pair for pair in candidates if _foreign(pair, evaluated)), key=lambda pair: pair.pair_id)
    if not free:
        raise InputError(
            "There is no pair for the one-shot example: each one is evaluated, or of an evaluated patient. Give a file "
            "with a split `train` of other patients."
        )
    return free[int(np.random.default_rng(seed).integers(len(free)))]


def _foreign(pair: Pair, evaluated: Sequence[Pair]) -> bool:
    return not any(
        pair.pair_id == other.pair_id
        or pair.patient_id == other.patient_id
        or pair.note.strip() == other.note.strip()
        or pair.text.strip() == other.text.strip()
        for other in evaluated
    )
