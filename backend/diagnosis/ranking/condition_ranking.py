"""Rank the conditions that fit a note's findings and history.

A naive Bayes sum over what the note says: each present finding adds the logarithm of how much likelier the graph makes it under
the condition than over all of them (condition_findings), a name what it says of today (condition_names), a treatment begun now a
little (condition_treatments); how often the condition brings adults to hospital breaks ties (condition_courses). It knows no
time course, and its scores order candidates and are no probabilities.
"""

from collections.abc import Collection, Mapping, Sequence

from backend.diagnosis.focus import Danger, confidence, focused, warranted
from backend.diagnosis.named_conditions import in_running_text
from backend.diagnosis.ranking.condition_courses import UNLISTED, ConditionCourse, Course
from backend.diagnosis.ranking.condition_needs import NO_NEEDS, ConditionNeeds
from backend.diagnosis.ranking.demographic_limits import DemographicLimit
from backend.diagnosis.ranking.exposures import taken_in_excess
from backend.diagnosis.ranking.likelihoods import LIKELIHOOD
from backend.diagnosis.ranking.pictures import PICTURE, Pictures, complete
from backend.diagnosis.ranking.shares import EXCESS, MOST_RISK, RISKS, TREATS, ConditionShares, Share
from backend.diagnosis.ranking.treatments import MOST_TREATED
from backend.schemas.drafts.evidence import Condition, Reason
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Assertion, Category, ConditionStatus, SectionCategory
from backend.stores.graph.graph import Graph

UNMENTIONED = 0.03  # what each typical finding that the note does not mention takes away
UNEXPECTED = 3.0  # what a condition loses where the note tells nothing of what it hardly comes without, or what it hardly comes with
PER_FREQUENCY = 0.35  # nats for each rank of frequency
RIVAL = 0.85  # share of the leader's score from which a condition is taken for one that leads as well
INFORMATIVE = 0.3  # nats from which a finding speaks for a condition
SIGNS = frozenset({Category.SYMPTOM, Category.FINDING, Category.DISEASE, Category.PHENOMENON, Category.PHYSIOLOGY})
EVIDENCE = frozenset(
    {*LIKELIHOOD, EXCESS, TREATS}
)  # one of them lists a condition that the note does not name; no mere risk
COMPLICATIONS, COMPLICATION_OF = ("has_complication", "may_progress_to"), "complication_of"
LEAST = 0.25  # share of the leader's score that a condition needs to be listed at all
MOST_COMPLICATIONS = 4  # of what leads, shown though no finding of the note speaks for them
CAPPED = {RISKS: MOST_RISK, TREATS: MOST_TREATED}


class GraphConditionRanker:
    """Candidates are the diseases of the graph that have findings.

    limits: whom a condition can concern, by concept id. limit: how many are shown besides must-not-miss ones. needs: what
    a note must speak of before its findings alone suggest a condition. courses: how
    often and how conditions come, by concept id. common: the share of admitted adults who have a finding, by its id. pictures:
    findings that together are a condition's picture, by its id.
    """

    def __init__(
        self,
        graph: Graph,
        limits: Mapping[str, DemographicLimit],
        limit: int = 6,
        needs: ConditionNeeds = NO_NEEDS,
        courses: Mapping[str, ConditionCourse] | None = None,
        common: Mapping[str, float] | None = None,
        pictures: Pictures | None = None,
    ) -> None:
        self._pictures = pictures or {}
        self._graph, self._limits, self._limit = graph, limits, limit
        self._courses, self._needs = courses or {}, needs
        candidates = [
            row.concept_id
            for row in graph.concepts
            if row.category in (Category.DISEASE, Category.PROCEDURE) and (row.condition or row.must_not_miss)
        ]
        self._shares = ConditionShares(graph, candidates, self._courses, common or {})

    def rank(self, linked: LinkedNote, request: DraftRequest) -> tuple[Condition, ...]:
        """Best first: the leading one, confirmed ones, then by score; must-not-miss ones follow whatever their rank."""
        mentions = [
            in_running_text(linked.note, m)
            for m in linked.note.mentions
            if not m.allergen and m.assertion != Assertion.HYPOTHETICAL
        ]
        shares = self._shares.of(linked.note.text, mentions, taken_in_excess(linked))
        shares = {c: found for c, found in shares.items() if self._possible(c, linked, found)}
        spoken = {m.concept_id for m in mentions if m.assertion not in (Assertion.NEGATED, Assertion.FAMILY)}
        totals = {concept: self._total(concept, found, spoken) for concept, found in shares.items()}
        for concept in complete(self._pictures, mentions) & totals.keys():
            totals[concept] += PICTURE
        leading = request.leading_condition
        confirmed = set(request.confirmed_conditions) | ({leading} if leading else set())
        for concept in confirmed:
            if concept in self._graph.index:
                totals.setdefault(concept, 0.0)
        most = max([0.0, *totals.values()])
        top = max(1.0, most)
        order = sorted(totals, key=lambda c: (c != leading, c not in confirmed, -totals[c], c))
        shown, free = dict[str, Condition](), 0
        dangers = list[Danger]()
        for concept in order:
            ruled_out = concept in request.ruled_out_conditions
            room = free < self._limit or self._graph.row(concept).must_not_miss
            found = shares.get(concept, [])
            named = any(share.naming for share in found)
            fits = totals[concept] > 0 and any(s.weight > 0 and s.relation in EVIDENCE for s in found)
            if not (named or ruled_out or concept in confirmed or (fits and room)):
                continue
            condition = self._condition(concept, found, totals, top, confirmed, ruled_out)
            keeps = concept in confirmed or ruled_out or condition.stated or condition.historical
            known = keeps and self._courses.get(concept, UNLISTED).course == Course.CHRONIC
            fits_well = totals[concept] > LEAST * most or (totals[concept] > 0 and self._needs.asks(concept))
            if (fits_well and free < self._limit) or keeps:
                shown[concept] = condition
                free += not known  # what is only known for long takes no other's place
            elif condition.must_not_miss:
                dangers.append(self._danger(concept, found, totals[concept] / top))
        rivals = [concept for concept in shown if totals[concept] >= RIVAL * top]
        shown.update(
            {
                c: self._condition(c, shares[c], totals, top, confirmed, False)
                for c in warranted(self._graph, rivals, dangers)
            }
        )
        ranked = sorted(shown.values(), key=lambda c: order.index(c.concept_id))
        conditions = focused(self._graph, ranked, self._courses)
        return (*conditions, *self._to_watch_for(conditions, linked, spoken, totals, top))

    def _to_watch_for(
        self,
        conditions: Sequence[Condition],
        linked: LinkedNote,
        spoken: Collection[str],
        totals: Mapping[str, float],
        top: float,
    ) -> list[Condition]:
        """The must-not-miss complications of what leads that the note neither shows nor denies, the likeliest first."""
        if not conditions or not conditions[0].because:
            return []
        leader, shown = conditions[0], {condition.concept_id for condition in conditions}
        denied = {m.concept_id for m in linked.note.mentions if m.assertion == Assertion.NEGATED}
        found = []
        for concept in self._graph.related(leader.concept_id, *COMPLICATIONS):
            course = self._courses.get(concept, UNLISTED)
            unlikely = (course.expects and course.expects.isdisjoint(spoken)) or not course.excludes.isdisjoint(spoken)
            if not self._graph.row(concept).must_not_miss or concept in shown or concept in denied or unlikely:
                continue
            if self._possible(concept, linked, []):
                found.append((-totals.get(concept, 0.0), -course.frequency, concept))
        because = leader.because[0].model_copy(
            update={"concept_id": leader.concept_id, "name": leader.name, "relation": COMPLICATION_OF, "weight": 0.0}
        )
        return [
            self._condition(concept, [], dict(totals), top, set(), False).model_copy(
                update={
                    "because": (because,),
                    "confidence": f"low: {leader.name} can lead to it, the note says nothing of it",
                }
            )
            for _, _, concept in sorted(found)[:MOST_COMPLICATIONS]
        ]

    def _total(self, concept: str, shares: Sequence[Share], spoken: Collection[str]) -> float:
        """The sum of the shares, less a little for each typical finding of which the note says nothing."""
        said = sum(share.relation == "has_finding" for share in shares)
        total = -UNMENTIONED * max(0, self._shares.typical.get(concept, 0) - said)
        for relation, most in CAPPED.items():
            total += min(most, sum(share.weight for share in shares if share.relation == relation))
        total += sum(share.weight for share in shares if share.relation not in CAPPED)
        if self._courses:
            course = self._courses.get(concept, UNLISTED)
            total += PER_FREQUENCY * (course.frequency - 3)
            named = any(share.naming and share.naming.stated for share in shares)
            if not named and (
                (course.expects and course.expects.isdisjoint(spoken)) or not course.excludes.isdisjoint(spoken)
            ):
                total -= UNEXPECTED
        return total

    def _danger(self, concept: str, shares: Sequence[Share], share: float) -> Danger:
        informative = [
            s for s in shares if s.weight > INFORMATIVE and s.relation in LIKELIHOOD and s.mention.category in SIGNS
        ]
        complaint = any(s.mention.section == SectionCategory.CHIEF_COMPLAINT for s in informative)
        frequency = self._courses.get(concept, UNLISTED).frequency
        asked = self._needs.asks(concept)
        return Danger(concept, share, len(informative), complaint or asked, frequency, asked)

    def _possible(self, concept: str, linked: LinkedNote, shares: Sequence[Share]) -> bool:
        """Whether age, sex and what the note speaks of allow a condition; one that it names is never left out."""
        if any(share.naming for share in shares):
            return True
        limit = self._limits.get(concept)
        return (limit is None or limit.allows(linked.patient)) and self._needs.met(concept, linked.note.text)

    def _condition(
        self,
        concept: str,
        shares: Sequence[Share],
        totals: dict[str, float],
        top: float,
        confirmed: set[str],
        ruled_out: bool,
    ) -> Condition:
        row = self._graph.row(concept)
        stated = any(share.naming and share.naming.stated for share in shares)
        status = ConditionStatus.CONFIRMED if concept in confirmed else ConditionStatus.POSSIBLE
        findings = {s.mention.concept_id for s in shares if s.weight > INFORMATIVE and s.relation in LIKELIHOOD}
        margin = totals.get(concept, 0.0) - max([0.0, *(total for other, total in totals.items() if other != concept)])
        return Condition(
            concept_id=concept,
            name=row.name,
            plain=row.definition,
            score=round(min(1.0, max(0.0, totals.get(concept, 0.0)) / top), 4),
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
            historical=any(share.naming and share.naming.historical for share in shares),
            must_not_miss=row.must_not_miss,
            confidence=confidence(stated, len(findings), margin),
            margin=round(margin, 2),
            findings=len(findings),
        )
