"""What a medicine's status most likely is: a chain of named features and of what follows what, read from a small file.

The file is assets/rules/medications/status_model.json, with its card; backend.training.status_scorer makes it anew. The triggers'
verdict is one of the features, and stands unless another one is clearly likelier.
"""

import json
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.errors import KnowledgeError
from backend.nlp.medications.medicine_outcomes import Outcome
from backend.nlp.medications.status_features import BONDS, Evidence
from backend.nlp.rules import RULES
from backend.schemas.record import Experiencer, MedicationCategory, MedicationStatus

MODEL = RULES / "medications" / "status_model.json"
Floats = NDArray[np.float64]


class Told(StrEnum):
    """What a note says of a medicine, in the words of those who annotate notes."""

    HOME = "home"
    GIVEN = "given here"
    STARTED = "started here"
    PLANNED = "planned"
    HELD = "held"
    STOPPED = "stopped"
    PAST = "past"
    NOT_TAKEN = "refused"
    OTHER = "other person"


TOLD = tuple(Told)


def told_of(result: Outcome, experiencer: Experiencer) -> Told:
    """The status of what the triggers say of a medicine, in one word.

    Args:
        result: what they say.
        experiencer: whose medicine it is.
    """
    if experiencer is not Experiencer.PATIENT:
        return Told.OTHER
    inpatient = result.category is MedicationCategory.INPATIENT
    if result.status is MedicationStatus.COMPLETED:
        return Told.GIVEN if inpatient else Told.PAST
    if result.status is MedicationStatus.ACTIVE:
        return Told.GIVEN if inpatient else Told.STARTED if result.change == "started" else Told.HOME
    return _OF_STATUS[result.status]


_OF_STATUS = {
    MedicationStatus.STOPPED: Told.STOPPED,
    MedicationStatus.ON_HOLD: Told.HELD,
    MedicationStatus.NOT_TAKEN: Told.NOT_TAKEN,
    MedicationStatus.INTENDED: Told.PLANNED,
}


class StatusScorer(NamedTuple):
    """Weights (features, statuses) with the bias first, and (bonds, status, next status). margin: by how much the verdict must be beaten."""

    columns: dict[str, int]
    weights: Floats
    follows: Floats
    margin: float

    def likelihoods(self, evidence: Evidence, verdicts: Sequence[Told]) -> Floats:
        """The probability of each status for each medicine, (medicines, statuses); rows add to one."""
        found, starts = list[int](), list[int]()
        for features, verdict in zip(evidence.features, verdicts, strict=True):
            starts.append(len(found))
            found.append(0)  # the bias
            found += [self.columns[one] for one in (*features, f"rule:{verdict.value}") if one in self.columns]
        rows = np.add.reduceat(self.weights[found], starts, axis=0)
        return chances(rows, self.follows[[BONDS.index(bond) for bond in evidence.bonds]])

    def decide(self, evidence: Evidence, verdicts: Sequence[Told]) -> list[tuple[Told, float]]:
        """For each medicine its status with its probability: the verdict of the triggers, unless another is likelier by the margin."""
        found = []
        for row, verdict in zip(self.likelihoods(evidence, verdicts), verdicts, strict=True):
            best, own = int(row.argmax()), TOLD.index(verdict)
            chosen = best if row[best] - row[own] > self.margin else own
            found.append((TOLD[chosen], float(row[chosen])))
        return found


def chances(rows: Floats, follows: Floats) -> Floats:
    """Marginals of a chain by the forward-backward algorithm, each sum scaled to one (Rabiner 1989).

    Args:
        rows: (n, statuses), the logarithm of the weight of each status at each place.
        follows: (n - 1, statuses, statuses), the logarithm of the weight of a status before another.
    """
    own = np.exp(rows - rows.max(axis=1, keepdims=True))
    ways = np.exp(follows - follows.max(axis=(1, 2), keepdims=True))
    before, after = own.copy(), np.ones_like(own)
    for at in range(1, len(rows)):
        told = (before[at - 1] @ ways[at - 1]) * own[at]
        before[at] = told / told.sum()
    for at in range(len(rows) - 2, -1, -1):
        told = ways[at] @ (own[at + 1] * after[at + 1])
        after[at] = told / told.sum()
    total = before * after
    found: Floats = total / total.sum(axis=1, keepdims=True)
    return found


@lru_cache(maxsize=1)
def status_scorer() -> StatusScorer:
    """The shipped model. Raises KnowledgeError when the file is missing or malformed."""
    try:
        held = json.loads(MODEL.read_text(encoding="utf-8"))
        names = list(held["weights"])
        weights = np.array([held["bias"], *held["weights"].values()], dtype=np.float64)
        follows = np.array([held["follows"][bond] for bond in BONDS], dtype=np.float64)
        if weights.shape[1] != len(TOLD) or follows.shape[1:] != (len(TOLD), len(TOLD)):
            raise ValueError("statuses")
        return StatusScorer({name: i for i, name in enumerate(names, 1)}, weights, follows, float(held["margin"]))
    except (OSError, KeyError, TypeError, ValueError, IndexError) as error:
        raise KnowledgeError(f"{MODEL.name} is missing or malformed. Restore it from the release.") from error
