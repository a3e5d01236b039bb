"""How likely an agent brought an effect: a logistic regression over the named features of a pair, read from a small file.

The file is assets/rules/allergies/possible_model.json, with its card; backend.training.allergy_scorer makes it anew.
"""

import json
from collections.abc import Iterable
from functools import lru_cache
from math import exp
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.rules import RULES

MODEL = RULES / "allergies" / "possible_model.json"


class Scorer(NamedTuple):
    """Weights by feature. threshold: the probability from which a pair is a possible allergy."""

    bias: float
    weights: dict[str, float]
    threshold: float

    def score(self, features: Iterable[str]) -> float:
        """The probability that the agent brought the effect."""
        total = self.bias + sum(self.weights.get(one, 0.0) for one in features)
        return 1 / (1 + exp(-max(-30.0, min(30.0, total))))


@lru_cache(maxsize=1)
def scorer() -> Scorer:
    """The shipped model. Raises KnowledgeError when the file is missing or malformed."""
    try:
        held = json.loads(MODEL.read_text(encoding="utf-8"))
        return Scorer(float(held["bias"]), {k: float(v) for k, v in held["weights"].items()}, float(held["threshold"]))
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise KnowledgeError(f"{MODEL.name} is missing or malformed. Restore it from the release.") from error
