"""Rank the conditions that fit a note's findings and history.

A naive Bayes sum over what the note says: each present finding adds the logarithm of how much likelier the graph makes
it under the condition than over all conditions. It knows no prevalence, no test result as a number and no time course,
so its scores order candidates and are no probabilities.
"""

import math
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from backend.retrieval.condition_needs import NO_NEEDS, ConditionNeeds
from backend.retrieval.exposures import poisonings, taken_in_excess
from backend.retrieval.limits import DemographicLimit
from backend.schemas.evidence import Condition, Reason
from backend.schemas.note import LinkedNote, Mention
from backend.schemas.request import DraftRequest
from backend.schemas.vocabulary import Assertion, Category, ConditionStatus, SectionCategory
from backend.stores.graph import Graph

LIKELIHOOD = {"has_finding": 0.6, "may_have_finding": 0.2, "has_warning_sign": 0.1}
OF_A_MEDICINE = ("on ", "new drug", "with medicine")  # a warning sign so qualified is of the treatment, not the disease
BACKGROUND_FLOOR = 0.02
KINDRED = 0.7  # what a broader or narrower finding counts for
STATED, SEEN, KNOWN, SUSPECTED, DENIED = 5.0, 3.0, 2.0, 2.5, -4.0  # nats for a condition named in the note
SAME_HISTORY, RISK, CAUSE = 0.8, 0.4, 1.2
UNMENTIONED = 0.03  # what each typical finding that the note does not mention takes away
CAUSES = ("has_causative_agent", "due_to")
EXPOSED = 5.0  # nats for the poisoning by what the note says was taken in excess: as good as naming it
SECTION_WEIGHT = {
    SectionCategory.CHIEF_COMPLAINT: 1.4,
    SectionCategory.PAST_MEDICAL_HISTORY: 0.3,
    SectionCategory.PAST_SURGICAL_HISTORY: 0.2,
    SectionCategory.MEDICATIONS: 0.2,
    SectionCategory.REVIEW_OF_SYSTEMS: 0.8,
    SectionCategory.SOCIAL_HISTORY: 0.5,
    SectionCategory.FAMILY_HISTORY: 0.3,
}
PAST = frozenset(
    {
        SectionCategory.PAST_MEDICAL_HISTORY,
        SectionCategory.PAST_SURGICAL_HISTORY,
        SectionCategory.MEDICATIONS,
        SectionCategory.SOCIAL_HISTORY,
        SectionCategory.FAMILY_HISTORY,
    }
)
STATING = frozenset(
    {
        SectionCategory.CHIEF_COMPLAINT,
        SectionCategory.HISTORY_OF_PRESENT_ILLNESS,
        SectionCategory.ASSESSMENT,
        SectionCategory.PLAN,
        SectionCategory.HOSPITAL_COURSE,
        SectionCategory.UNLABELED,
        SectionCategory.OTHER,
    }
)
MOST_MUST_NOT_MISS = 6
MOST_FOCUS = 2
EXPLAINED_BY = ("finding_of", "possible_finding_of")
EXPLAINS = 0.6  # share of the leader's score that a condition needs to explain another away
SECOND_FOCUS = 0.6  # share of the leader's score that a stated condition needs beside it
SIGNS = frozenset({Category.SYMPTOM, Category.FINDING, Category.DISEASE, Category.PHENOMENON, Category.PHYSIOLOGY})


class _Share(NamedTuple):
    """What one mention adds to one condition; weight is in nats."""

    mention: Mention
    relation: str
    weight: float


class GraphConditionRanker:
    """Candidates are the diseases of the graph that have findings.

    limits: whom a condition can concern, by concept id. limit: how many are shown besides must-not-miss ones.
    needs: what a note must speak of before its findings alone suggest a condition.
    """

    def __init__(
        self,
        graph: Graph,
        limits: Mapping[str, DemographicLimit],
        limit: int = 6,
        needs: ConditionNeeds = NO_NEEDS,
    ) -> None:
        self._graph = graph
        self._limits = limits
        self._needs = needs
        self._limit = limit
        self._links: dict[str, dict[str, tuple[str, float]]] = defaultdict(dict)
        self._risks: dict[str, dict[str, float]] = defaultdict(dict)
        self._typical: dict[str, int] = {}
        candidates = []
        for row in graph.concepts:
            if row.category not in (Category.DISEASE, Category.PROCEDURE) or not (row.condition or row.must_not_miss):
                continue
            candidates.append(row.concept_id)
            for edge in graph.edges(row.concept_id, tuple(LIKELIHOOD)):
                if edge.relation == "has_warning_sign" and edge.qualifier.startswith(OF_A_MEDICINE):
                    continue
                finding, chance = graph.concepts[edge.tail].concept_id, LIKELIHOOD[edge.relation]
                if chance > self._links[finding].get(row.concept_id, ("", 0.0))[1]:
                    self._links[finding][row.concept_id] = (edge.relation, chance)
            for risk in graph.related(row.concept_id, "has_risk_factor", "associated_with", "worsened_by"):
                self._risks[risk][row.concept_id] = RISK
            for cause in graph.related(row.concept_id, *CAUSES):
                self._risks[cause][row.concept_id] = CAUSE
            self._typical[row.concept_id] = len(graph.related(row.concept_id, "has_finding"))
        self._candidates = frozenset(candidates)
        self._poisonings = poisonings(graph, candidates)
        self._kin = {finding: self._kindred(finding) for finding in graph.index}
        # the mean chance of a finding over all candidate conditions
        self._backgrounds = {
            finding: max(BACKGROUND_FLOOR, sum(chance for _, chance in links.values()) / max(1, len(candidates)))
            for finding, links in self._links.items()
        }

    def rank(self, linked: LinkedNote, request: DraftRequest) -> tuple[Condition, ...]:
        """Best first: confirmed ones, then by score; must-not-miss ones follow whatever their rank."""
        shares = self._shares(linked.note.mentions, taken_in_excess(linked))
        shares = {c: found for c, found in shares.items() if self._possible(c, linked, found)}
        totals = {concept: self._total(concept, found) for concept, found in shares.items()}
        for concept in request.confirmed_conditions:
            if concept in self._graph.index:
                totals.setdefault(concept, 0.0)
        top = max([1.0, *totals.values()])
        confirmed = set(request.confirmed_conditions)
        order = sorted(totals, key=lambda c: (c not in confirmed, -totals[c], c))
        shown, extra = list[Condition](), 0
        for concept in order:
            ruled_out = concept in request.ruled_out_conditions
            room = len(shown) - extra < self._limit or self._graph.row(concept).must_not_miss
            named = any(share.relation == "names" for share in shares.get(concept, []))
            if not (named or ruled_out or concept in confirmed) and (totals[concept] <= 0 or not room):
                continue
            condition = self._condition(concept, shares.get(concept, []), totals, top, confirmed, ruled_out)
            supported = any(
                share.weight > 0 and share.relation in LIKELIHOOD and share.mention.category in SIGNS
                for share in shares.get(concept, [])
            )
            keeps = concept in confirmed or ruled_out or condition.stated or condition.historical
            if (totals[concept] > 0 and len(shown) - extra < self._limit) or keeps:
                shown.append(condition)
            elif condition.must_not_miss and supported and totals[concept] > 0 and extra < MOST_MUST_NOT_MISS:
                shown.append(condition)
                extra += 1
        return tuple(self._focused(shown))

    def _total(self, concept: str, shares: Sequence[_Share]) -> float:
        """The sum of the shares, less a little for each typical finding of which the note says nothing."""
        said = sum(share.relation == "has_finding" for share in shares)
        return sum(share.weight for share in shares) - UNMENTIONED * max(0, self._typical.get(concept, 0) - said)

    def _possible(self, concept: str, linked: LinkedNote, shares: Sequence[_Share]) -> bool:
        """Whether age, sex and what the note speaks of allow a condition; one that it names is never left out."""
        if any(share.relation == "names" for share in shares):
            return True
        limit = self._limits.get(concept)
        return (limit is None or limit.allows(linked.patient)) and self._needs.met(concept, linked.note.text)

    def _shares(self, mentions: Sequence[Mention], excess: Collection[str]) -> dict[str, list[_Share]]:
        """What each mention adds to each condition; a finding counts once, at its heaviest."""
        best: dict[tuple[str, str], _Share] = {}
        known = {m.concept_id for m in mentions if m.assertion == Assertion.HISTORICAL or m.section in PAST}
        for mention in mentions:
            if mention.allergen or mention.assertion == Assertion.HYPOTHETICAL:
                continue
            weights = self._weights(mention, known)
            if mention.concept_id in excess and mention.assertion == Assertion.PRESENT:
                weights += [
                    (poisoning, CAUSES[0], EXPOSED) for poisoning in self._poisonings.get(mention.concept_id, ())
                ]
            for concept, relation, weight in weights:
                key = (concept, mention.concept_id if relation != "names" else f"names {mention.assertion}")
                if key not in best or abs(weight) > abs(best[key].weight):
                    best[key] = _Share(mention, relation, weight)
        grouped: dict[str, list[_Share]] = defaultdict(list)
        for (concept, _), share in best.items():
            grouped[concept].append(share)
        return {c: sorted(found, key=lambda s: (-abs(s.weight), s.mention.start_char)) for c, found in grouped.items()}

    def _weights(self, mention: Mention, known: set[str]) -> list[tuple[str, str, float]]:
        section = SECTION_WEIGHT.get(mention.section, 1.0)
        concept, assertion = mention.concept_id, mention.assertion
        out: list[tuple[str, str, float]] = []
        if concept in self._candidates and assertion != Assertion.FAMILY:
            out.append((concept, "names", self._named(mention, known)))
        for finding, closeness in self._kin.get(concept, ()):
            for condition, (relation, chance) in self._links.get(finding, {}).items():
                gain = math.log(chance / self._backgrounds[finding]) * closeness * section
                if assertion == Assertion.PRESENT:
                    out.append((condition, relation, max(0.05, gain)))
                elif assertion == Assertion.UNCERTAIN:
                    out.append((condition, relation, max(0.02, gain * 0.5)))
                elif assertion == Assertion.NEGATED and relation == "has_finding" and closeness == 1.0:
                    out.append((condition, relation, -0.6 * section))
        if assertion in (Assertion.PRESENT, Assertion.HISTORICAL):
            out.extend((condition, "has_risk_factor", gain) for condition, gain in self._risks.get(concept, {}).items())
        elif assertion == Assertion.FAMILY:
            out.extend((condition, "has_risk_factor", RISK / 2) for condition in self._risks.get(concept, {}))
        return out

    def _named(self, mention: Mention, known: set[str]) -> float:
        """What naming a condition adds; one that the patient has had before counts less without findings of its own."""
        if mention.assertion == Assertion.NEGATED:
            return DENIED
        if mention.assertion == Assertion.UNCERTAIN:
            return SUSPECTED
        if mention.assertion == Assertion.HISTORICAL or mention.section in PAST:
            return SAME_HISTORY
        if mention.section not in STATING:
            return SEEN
        chief = mention.section in (SectionCategory.CHIEF_COMPLAINT, SectionCategory.ASSESSMENT)
        return KNOWN if mention.concept_id in known and not chief else STATED

    def _kindred(self, finding: str) -> tuple[tuple[str, float], ...]:
        near = self._graph.related(finding, "isa", "inverse_isa")
        return ((finding, 1.0), *((other, KINDRED) for other in near))

    def _focused(self, shown: Sequence[Condition]) -> list[Condition]:
        """Mark what the document is about: the confirmed conditions, else the best fit and what the note states beside it.

        A condition that another well-fitting one explains (an effusion by heart failure) leaves it the place.
        """
        alive = [c for c in shown if c.status != ConditionStatus.RULED_OUT]
        confirmed = [c for c in alive if c.status == ConditionStatus.CONFIRMED]
        fitting = sorted((c for c in alive if not c.historical or c.stated or _shows(c)), key=lambda c: -c.score)
        able = {c.concept_id for c in fitting if c.score >= EXPLAINS}
        own = [c for c in fitting if not able & self._explaining(c.concept_id)] or fitting
        told = [c for c in own if c.score >= SECOND_FOCUS and self._graph.row(c.concept_id).condition]
        own = told or own  # a document needs a handbook chapter; close rivals without one stay in the list
        leading = [c for i, c in enumerate(own) if i == 0 or (c.stated and c.score >= SECOND_FOCUS and _shows(c))]
        chosen = {c.concept_id for c in (confirmed or leading or alive[:1])[:MOST_FOCUS]}
        marked = [c.model_copy(update={"focus": c.concept_id in chosen}) for c in shown]
        return sorted(marked, key=lambda c: not c.focus)

    def _explaining(self, concept: str) -> set[str]:
        return set(self._graph.related(concept, *EXPLAINED_BY))

    def _condition(
        self,
        concept: str,
        shares: Sequence[_Share],
        totals: dict[str, float],
        top: float,
        confirmed: set[str],
        ruled_out: bool,
    ) -> Condition:
        row = self._graph.row(concept)
        named = [share for share in shares if share.relation == "names"]
        stated = any(share.weight in (STATED, SEEN, KNOWN) for share in named)
        historical = any(share.weight in (SAME_HISTORY, KNOWN) for share in named)
        status = ConditionStatus.CONFIRMED if concept in confirmed else ConditionStatus.POSSIBLE
        return Condition(
            concept_id=concept,
            name=row.name,
            plain=row.definition,
            score=round(min(1.0, max(0.0, totals[concept]) / top), 4),
            status=ConditionStatus.RULED_OUT if ruled_out else status,
            because=tuple(
                Reason(
                    concept_id=share.mention.concept_id,
                    name=share.mention.name,
                    relation=share.relation,
                    start_char=share.mention.start_char,
                    end_char=share.mention.end_char,
                    weight=round(share.weight, 3),
                )
                for share in shares[:8]
            ),
            stated=stated,
            historical=historical,
            must_not_miss=row.must_not_miss,
            confidence=_confidence(stated, shares, totals, concept),
        )


def _shows(condition: Condition) -> bool:
    """Whether at least two findings of the note speak for a condition besides its name."""
    return sum(r.relation in LIKELIHOOD and r.weight > 0.3 for r in condition.because) >= 2


def _confidence(stated: bool, shares: Sequence[_Share], totals: dict[str, float], concept: str) -> str:
    """How sure the ranking is, in words, with its reason."""
    if stated:
        return "high: the note names it as present"
    findings = {s.mention.concept_id for s in shares if s.weight > 0.3 and s.relation in LIKELIHOOD}
    rivals = [total for other, total in totals.items() if other != concept]
    margin = totals[concept] - max([0.0, *rivals])
    if len(findings) >= 4 and margin > 1.0:
        return f"moderate: {len(findings)} findings fit, clearly more than for any other condition"
    if len(findings) >= 2:
        return f"low: {len(findings)} findings fit, but other conditions fit about as well"
    return "low: little in the note points to it"
