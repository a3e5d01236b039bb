"""What each mention of a note adds for or against each condition of the graph, in nats, with the mention as its reason.

Built once from a graph. A finding counts once for a condition, at its heaviest; a broader one less where the note tells a kind of it.
It sums nothing and orders nothing: conditions does.
"""

import math
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from backend.diagnosis.named_conditions import PAST, Naming, naming
from backend.diagnosis.ranking.condition_courses import UNLISTED, ConditionCourse, with_kinds
from backend.diagnosis.ranking.exposures import poisonings
from backend.diagnosis.ranking.likelihoods import LIKELIHOOD, FindingSigns
from backend.diagnosis.ranking.treatments import EpisodeTreatments
from backend.schemas.drafts.note import Mention
from backend.schemas.vocabulary import Assertion, Category, SectionCategory
from backend.stores.graph.graph import Graph

RISK, CAUSE, MOST_RISK = 0.8, 1.4, 1.6  # nats for a risk factor, for a cause, and for all of a condition's together
RELATIVE = 0.4  # nats for a cause that a relative has, of what runs in families
OF_FAMILY = "family history of "
REPEATED = 0.5  # the share of its weight that a finding keeps where the note tells a kind of it as well: bleeding, and a nosebleed
DENIED, DENIED_RESULT = -0.6, -1.5  # nats for a denied finding, and for what a test did not show ("CT head: no blood")
EXPOSED = 7.0  # nats for the poisoning by what the note says was taken in excess: as good as naming it
NAMES, RISKS, TREATS, EXCESS = "names", "has_risk_factor", "treated_by", "has_causative_agent"
CAUSES = (EXCESS, "due_to")
SECTION_WEIGHT = {
    SectionCategory.CHIEF_COMPLAINT: 1.4,
    SectionCategory.PAST_MEDICAL_HISTORY: 0.3,
    SectionCategory.PAST_SURGICAL_HISTORY: 0.2,
    SectionCategory.MEDICATIONS: 0.2,
    SectionCategory.REVIEW_OF_SYSTEMS: 0.8,
    SectionCategory.SOCIAL_HISTORY: 0.5,
    SectionCategory.FAMILY_HISTORY: 0.3,
}


class Share(NamedTuple):
    """What one mention adds to one condition; weight is in nats. naming: where the mention is the condition's own name."""

    mention: Mention
    relation: str
    weight: float
    naming: Naming | None = None


class ConditionShares:
    """candidates: ids of the conditions. courses and common: as for GraphConditionRanker.

    typical: how many typical findings each condition has, by its id.
    """

    def __init__(
        self,
        graph: Graph,
        candidates: Sequence[str],
        courses: Mapping[str, ConditionCourse],
        common: Mapping[str, float],
    ) -> None:
        self._graph, self._courses = graph, courses
        self._risks = _risks(graph, candidates, (((RISKS, "associated_with", "worsened_by"), RISK), (CAUSES, CAUSE)))
        self._familial = _risks(
            graph, [one for one in candidates if _runs_in_families(one, graph)], ((CAUSES, RELATIVE),)
        )
        self._candidates = frozenset(candidates)
        self._signs = FindingSigns(graph, candidates, courses, common)
        self.typical = self._signs.typical
        self._treatments = EpisodeTreatments(graph, candidates)
        self._poisonings = poisonings(graph, candidates)

    def of(self, text: str, mentions: Sequence[Mention], excess: Collection[str]) -> dict[str, list[Share]]:
        """What each mention adds to each condition; a finding counts once, at its heaviest."""
        best: dict[tuple[str, str], Share] = {}
        known = {m.concept_id for m in mentions if m.assertion == Assertion.HISTORICAL or m.section in PAST}
        present = {m.concept_id for m in mentions if m.assertion == Assertion.PRESENT}
        broader = {kind for concept in present for kind in self._graph.related(concept, "isa")}
        for mention in mentions:
            for concept, key, share in self._said(text, mention, known, excess):
                if mention.concept_id in broader and share.relation in LIKELIHOOD and share.weight > 0:
                    share = share._replace(weight=share.weight * REPEATED)
                if (concept, key) not in best or abs(share.weight) > abs(best[concept, key].weight):
                    best[concept, key] = share
        grouped: dict[str, list[Share]] = defaultdict(list)
        for (concept, _), share in best.items():
            grouped[concept].append(share)
        return {c: sorted(found, key=lambda s: (-abs(s.weight), s.mention.start_char)) for c, found in grouped.items()}

    def _said(
        self, text: str, mention: Mention, known: Collection[str], excess: Collection[str]
    ) -> list[tuple[str, str, Share]]:
        """The conditions that a mention speaks for or against, with what counts only once, and the share."""
        section = SECTION_WEIGHT.get(mention.section, 1.0)
        concept, assertion = mention.concept_id, mention.assertion
        out: list[tuple[str, str, Share]] = []
        if concept in self._candidates:
            said = naming(text, mention, self._courses.get(concept, UNLISTED).course, known)
            if said is not None:
                out.append((concept, f"{NAMES} {assertion}", Share(mention, NAMES, said.weight, said)))
        for sign in self._signs.of(concept):
            gain = sign.weight * section
            if assertion == Assertion.PRESENT:
                weight = max(0.05, gain)
            elif assertion == Assertion.UNCERTAIN:
                weight = max(0.02, gain * 0.5)
            elif assertion == Assertion.NEGATED and sign.relation == "has_finding" and sign.exact:
                weight = (DENIED_RESULT if mention.category == Category.FINDING else DENIED) * section
            else:
                continue
            out.append((sign.condition, sign.finding, Share(mention, sign.relation, weight)))
        for condition, gain in self._risks_of(mention).items():
            out.append((condition, f"{RISKS} {concept}", Share(mention, RISKS, gain)))
        for condition, gain in self._treatments.weights(text, mention).items():
            out.append((condition, f"{TREATS} {concept}", Share(mention, TREATS, gain)))
        if concept in excess and assertion == Assertion.PRESENT:
            for poisoning in self._poisonings.get(concept, ()):
                out.append((poisoning, concept, Share(mention, EXCESS, EXPOSED)))
        return out

    def _risks_of(self, mention: Mention) -> Mapping[str, float]:
        """What an illness adds to the conditions that it is a risk of; another person's to what runs in families and comes of it alone."""
        if mention.assertion in (Assertion.PRESENT, Assertion.HISTORICAL):
            return self._risks.get(mention.concept_id, {})
        denied = Assertion.NEGATED in mention.also  # "no family history of ..." brings no risk
        if mention.assertion == Assertion.FAMILY and not denied:
            return self._familial.get(mention.concept_id, {})
        return {}


def _runs_in_families(condition: str, graph: Graph) -> bool:
    """Whether the graph has a family history among the risk factors of a condition."""
    return any(graph.row(one).name.startswith(OF_FAMILY) for one in graph.related(condition, RISKS))


def _risks(
    graph: Graph, candidates: Sequence[str], kinds: Sequence[tuple[Sequence[str], float]]
) -> dict[str, dict[str, float]]:
    """What a risk factor or a cause adds to each condition, in nats, by the id of the factor and that of the condition."""
    risks: dict[str, dict[str, float]] = defaultdict(dict)
    for condition in candidates:
        for relations, gain in kinds:
            for cause in graph.related(condition, *relations):
                risks[cause][condition] = gain
    for conditions in risks.values():  # what raises the chance of many conditions says little for each
        specificity = 1 - math.log(len(conditions)) / math.log(max(2, len(candidates)))
        conditions.update({condition: gain * specificity for condition, gain in conditions.items()})
    for broad, conditions in list(risks.items()):  # a class brings what each of its members does
        for member in with_kinds(graph, [broad]) - {broad}:
            for condition, gain in conditions.items():
                risks[member][condition] = max(gain, risks[member].get(condition, 0.0))
    return risks
