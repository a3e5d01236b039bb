"""What a finding says for each condition of the graph, in nats: the logarithm of how much likelier it is under the condition.

Built once from a graph. A broader or narrower finding counts for less. The background of a finding is its mean chance over all
candidates, so that what many conditions show says little for any of them. It knows no note.
"""

import math
import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from backend.diagnosis.ranking.condition_courses import ConditionCourse, frequency_of
from backend.errors import KnowledgeError
from backend.nlp.lexicon.plain_names import ids_by_name
from backend.nlp.rules import rule_rows
from backend.schemas.vocabulary import Category
from backend.stores.graph.graph import Graph

LIKELIHOOD = {"has_finding": 0.6, "may_have_finding": 0.2, "cause_of": 0.2, "has_warning_sign": 0.05}
OF_A_MEDICINE = ("on ", "new drug", "with medicine")  # a warning sign so qualified is of the treatment, not the disease
BACKGROUND_FLOOR = 0.02
KINDRED = 0.6  # the share of its chance that a narrower finding has, or a broader one of a single kind
PER_RANK = 1.5  # how many times as often a condition is counted in a background as one of the next lower frequency


class Sign(NamedTuple):
    """That a condition shows a finding: by which relation, through which finding of its own, and its weight in nats.

    exact: the finding is the condition's own and no broader or narrower one.
    """

    condition: str
    relation: str
    finding: str
    weight: float
    exact: bool


class FindingSigns:
    """Signs by finding. conditions: the ids of the candidates. common: the least background of a finding, by its id."""

    def __init__(
        self,
        graph: Graph,
        conditions: Collection[str],
        courses: Mapping[str, ConditionCourse],
        common: Mapping[str, float],
    ) -> None:
        shown: dict[str, dict[str, tuple[str, float]]] = defaultdict(dict)
        self.typical: dict[str, int] = {}
        for condition in conditions:
            for edge in graph.edges(condition, tuple(LIKELIHOOD)):
                if edge.relation == "has_warning_sign" and edge.qualifier.startswith(OF_A_MEDICINE):
                    continue
                if edge.relation == "cause_of" and graph.concepts[edge.tail].category not in (
                    Category.FINDING,
                    Category.SYMPTOM,
                ):
                    continue
                finding, chance = graph.concepts[edge.tail].concept_id, LIKELIHOOD[edge.relation]
                if chance > shown[finding].get(condition, ("", 0.0))[1]:
                    shown[finding][condition] = (edge.relation, chance)
            self.typical[condition] = len(graph.related(condition, "has_finding"))
        often = {condition: PER_RANK ** frequency_of(courses, condition) for condition in conditions}
        everyone = sum(often.values()) or 1.0
        self._signs: dict[str, tuple[Sign, ...]] = {}
        kinds = cache(lambda broad: len(graph.related(broad, "inverse_isa")))
        near = {finding: graph.related(finding, "isa", "inverse_isa") for finding in shown}
        for finding in {*shown, *(relative for others in near.values() for relative in others)}:
            best: dict[str, tuple[float, str, str]] = {}
            # A kind has the less of a broader finding's chance, the more kinds there are: "bleeding" is seldom a nosebleed.
            shares = {broad: KINDRED / math.sqrt(max(1, kinds(broad))) for broad in graph.related(finding, "isa")}
            for other in (finding, *(near.get(finding) or graph.related(finding, "isa", "inverse_isa"))):
                for condition, (relation, chance) in shown.get(other, {}).items():
                    held = chance * (1.0 if other == finding else shares.get(other, KINDRED))
                    if held > best.get(condition, (0.0,))[0]:
                        best[condition] = (held, relation, other)
            mean = sum(held * often[condition] for condition, (held, _, _) in best.items()) / everyone
            background = max(BACKGROUND_FLOOR, mean, common.get(finding, 0.0))
            self._signs[finding] = tuple(
                Sign(condition, relation, other, math.log(held / background), other == finding)
                for condition, (held, relation, other) in best.items()
            )

    def of(self, finding: str) -> tuple[Sign, ...]:
        """What a finding says for each condition that it may belong to."""
        return self._signs.get(finding, ())


def read_common(path: Path, graph: Graph) -> dict[str, float]:
    """The share of admitted adults who have a finding, by its id. Raises KnowledgeError for a share outside 0 to 1."""
    by_name = ids_by_name(graph)
    common = {}
    for name, share in rule_rows(path, 2):
        if not re.fullmatch(r"0?\.\d+", share):
            raise KnowledgeError(f"{path.name}, '{name}': {share!r} is no share; write a number between 0 and 1.")
        if name in by_name:
            common[by_name[name]] = float(share)
    return common
