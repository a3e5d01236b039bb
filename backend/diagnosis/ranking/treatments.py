"""What was started or done in this episode, as weak evidence for what it treats: "apixaban started", "heparin drip".

A home medicine says what the patient has had for long, and nothing of today. A treatment of many conditions says little for
each of them. It knows no doses and no times.
"""

import math
import re
from collections import defaultdict
from collections.abc import Collection

from backend.diagnosis.named_conditions import PAST
from backend.schemas.drafts.note import Mention
from backend.schemas.vocabulary import Assertion, Category, SectionCategory
from backend.stores.graph.graph import Graph

TREATED = 2.0  # nats for a treatment that only one condition has
MOST_TREATED = 2.5  # nats for all treatments of a condition together
BEFORE, AFTER = 60, 30  # characters around the name in which the words that tell the start stand
ELSEWHERE = PAST | {SectionCategory.ALLERGIES}
_GIVEN = frozenset((Category.DRUG, Category.DRUG_CLASS, Category.PROCEDURE))


class EpisodeTreatments:
    """Weights of treatments, by the treatment's concept id. conditions: the ids of the candidates."""

    def __init__(self, graph: Graph, conditions: Collection[str]) -> None:
        treated: dict[str, set[str]] = defaultdict(set)
        for condition in conditions:
            for treatment in graph.related(condition, "treated_by"):
                treated[treatment].add(condition)
                for member in graph.related(treatment, "class_of"):
                    treated[member].add(condition)
        most = math.log(max(2, len(conditions)))
        self._weights = {
            treatment: {condition: TREATED * (1 - math.log(len(found)) / most) for condition in found}
            for treatment, found in treated.items()
        }

    def weights(self, text: str, mention: Mention) -> dict[str, float]:
        """Nats by condition for a mention of a treatment that began now; nothing for any other mention."""
        if mention.category not in _GIVEN or mention.assertion != Assertion.PRESENT or mention.section in ELSEWHERE:
            return {}
        weights = self._weights.get(mention.concept_id, {})
        return weights if weights and begun(text, mention) else {}


def begun(text: str, mention: Mention) -> bool:
    """Whether the words around a treatment tell that it was begun or done in this episode."""
    before = text[max(0, mention.start_char - BEFORE) : mention.start_char]
    after = text[mention.end_char : mention.end_char + AFTER]
    return bool((_BEGUN_BEFORE.search(before) or _BEGUN_AFTER.match(after)) and not _LONG.search(before))


_BEGUN_BEFORE = re.compile(
    r"\b(?:start(?:ed)?(?: on)?|begun|began|initiated|given|gave|gets|got|received|receiving|administered|loaded|bolus(?:ed)?|treated with|placed on|put on|IV"
    r"|underwent|undergoing|taken (?:for|to)|going for|plan(?:s|ned)?|scheduled|consulted for|emergent|urgent|add(?:ed)?|trial of)\b[^.;\n]*$",
    re.IGNORECASE,
)
_BEGUN_AFTER = re.compile(
    r"[^.;,\n]{0,18}\b(?:gtt|drip|infusion|bolus|load(?:ed)?|given|started|begun|initiated|administered|IV|x ?[1-4]|planned|today|tonight|tomorrow)\b",
    re.IGNORECASE,
)
_LONG = re.compile(
    r"\b(?:takes|taking|home|daily|years? ago|months? ago|weeks? ago|19\d\d|20[01]\d|s/p|status post|history of|hx)\b[^.;,\n]{0,40}$",
    re.IGNORECASE,
)
