"""The seam of the condition rankers: what one is built from, and the ranking by the graph that ships.

One is added by a module of this package with `@condition_ranker("name", label="…")` on a factory; `LEAPNOTE_CONDITION_RANKER`
names the one in use.
"""

from typing import NamedTuple, Protocol

from backend.diagnosis.ranking.condition_courses import read_courses
from backend.diagnosis.ranking.condition_needs import read_needs
from backend.diagnosis.ranking.condition_ranking import GraphConditionRanker
from backend.diagnosis.ranking.demographic_limits import read_limits
from backend.diagnosis.ranking.likelihoods import read_common
from backend.diagnosis.ranking.pictures import read_pictures
from backend.interfaces import ConditionRanker
from backend.nlp.rules import RULES
from backend.registry import CONDITION_RANKERS, condition_ranker
from backend.stores.graph.graph import Graph


class RankerParts(NamedTuple):
    """What a condition ranker may be built from.

    Attributes:
        graph: relates findings to conditions.
        most: candidates shown, besides must-not-miss ones.
    """

    graph: Graph
    most: int


class RankerFactory(Protocol):
    """What `@condition_ranker(name, label=…)` registers."""

    def __call__(self, parts: RankerParts) -> ConditionRanker:
        """The ranker; it serves several requests at once and keeps nothing between them."""
        ...


@condition_ranker("graph", label="Findings and history, by the graph", order=1)
def ranked_by_graph(parts: RankerParts) -> GraphConditionRanker:
    """A naive Bayes sum over what the note says, with the rules of assets/rules."""
    graph = parts.graph
    return GraphConditionRanker(
        graph,
        read_limits(RULES / "condition_limits.tsv", graph),
        parts.most,
        read_needs(RULES / "condition_needs.tsv", graph),
        read_courses(RULES / "condition_courses.tsv", graph),
        read_common(RULES / "common_findings.tsv", graph),
        read_pictures(RULES / "condition_pictures.tsv", graph),
    )


def make_ranker(name: str, parts: RankerParts) -> ConditionRanker:
    """The ranker of a name; NotFoundError for a name that is none comes from the registry."""
    factory: RankerFactory = CONDITION_RANKERS.get(name).value
    return factory(parts)
