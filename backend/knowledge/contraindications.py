"""What should not be given beside what a patient has, by the graph's own facts.

Takes concept ids; gives the reasons against one medicine, or all medicines that something speaks against. A qualifier is a
few words ("severe", "eGFR<30"): whether it holds is judged only where the ids themselves say so, else it stays open.
"""

import re
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import NamedTuple

from backend.nlp.lexicon.plain_names import ids_by_name
from backend.stores.graph.graph import Graph

NEVER = "do not combine"
"""How an interaction says that two medicines are never given together."""
RELATION, INVERSE = "contraindicated_with", "contraindication_of"
ABOVE = ("has_class", "has_ingredient", "subclass_of", "isa")
BELOW = ("class_of", "has_subclass", "inverse_isa", "ingredient_of")
PAIN_DOSES = "at pain doses"
"""What speaks against an NSAID for the fluid and the kidneys speaks against aspirin only so, not at the dose that keeps blood from clotting."""
PAINKILLER, AGAINST_CLOTS = "NSAID", "antiplatelet"
HISTORY = "history of"
NOT_STOPPED_ALONE = frozenset({
    "antiplatelet", "anticoagulant", "beta blocker", "central alpha-2 agonist", "insulin", "corticosteroid", "antiepileptic",
    "immunosuppressant", "calcineurin inhibitor", "opioid", "benzodiazepine", "antidepressant", "antipsychotic",
    "antiarrhythmic", "antiretroviral",
})  # fmt: skip
"""Classes whose members harm a patient who stops them without being told how."""
FLUID = frozenset({"heart failure", "hypertension", "cirrhosis", "chronic kidney disease"})
KIDNEY, PREGNANCY = "chronic kidney disease", "pregnancy"
KIDNEY_FAILURE = ("end-stage kidney disease", "hemodialysis", "peritoneal dialysis")
_FILTERED = re.compile(r"(?:eGFR|creatinine clearance)\s*<|^severe\b", re.IGNORECASE)
_WITHOUT = re.compile(r"^without (?P<what>.+)$")
_GRADED = re.compile(r"severe|acute|active|recent|current|decompensated|untreated|uncontrolled|unstable", re.IGNORECASE)
_WEIGHED = re.compile(r"unless|weigh|screening|except", re.IGNORECASE)


class Against(NamedTuple):
    """Why a medicine should not be used. certain: the fact has no qualifier, or the patient's ids say that it holds."""

    condition: str
    qualifier: str
    certain: bool


class Contraindications:
    """Build one a graph; it remembers what one condition speaks against."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        ids = ids_by_name(graph)
        self._kidney, self.pregnancy = ids.get(KIDNEY, ""), ids.get(PREGNANCY, "")
        self._failure = frozenset(ids[name] for name in KIDNEY_FAILURE if name in ids)
        self._painkiller, self._against_clots = ids.get(PAINKILLER), ids.get(AGAINST_CLOTS)
        self._members = lru_cache(maxsize=4096)(self._below)

    def implied(self, held: Iterable[str]) -> frozenset[str]:
        """What a patient has, with what that means: dialysis means kidney disease."""
        own = frozenset(held)
        return own | {self._kidney} if self._kidney and own & self._failure else own

    def against(self, medicine: str, held: Collection[str]) -> list[Against]:
        """Every reason against one medicine, its classes and its ingredients, among what the patient has."""
        has = self.implied(held)
        above = self.with_classes(medicine)
        found = [
            Against(tail, PAIN_DOSES, False)
            if self._against_clots in above and subject == self._painkiller and self._graph.row(tail).name in FLUID
            else Against(tail, edge.qualifier, self._applies(edge.qualifier, tail, has))
            for subject in above
            for edge in self._graph.edges(subject, (RELATION,))
            if (tail := self._graph.ids[edge.tail]) in has and not self._has_what_lacks(edge.qualifier, above)
        ]
        return list(dict.fromkeys(found))

    def implied_widely(self, held: Iterable[str]) -> frozenset[str]:
        """What goes with what a patient has and may speak against a medicine too, though nobody states it.

        What must lie behind it, the one thing that it is both due to and a complication of: behind an adrenal crisis, adrenal
        insufficiency; where several may, none is taken to. What a disease commonly shows as: with a stricture, trouble swallowing.
        """
        found: set[str] = set()
        for concept in held:
            causes = set(self._graph.related(concept, "due_to")) & set(self._graph.related(concept, "complication_of"))
            if len(causes) == 1:
                found |= causes
            found.update(self._graph.related(concept, "has_finding"))
        return frozenset(found)

    def speaks_against(self, medicine: str, held: Collection[str], present: Collection[str]) -> str:
        """The name of what speaks against a medicine beyond doubt; empty where nothing does.

        That is what the patient has, by a fact without a qualifier or with "history of"; or what lies behind what they have
        now, where the medicine can bring it about: behind tongue swelling, angioedema.

        Args:
            medicine: concept id.
            held: what the patient has or had.
            present: what they have now.
        """
        found = next((why.condition for why in self.against(medicine, held) if why.certain), "")
        if not found:
            above = self.with_classes(medicine)
            past = [
                edge.tail for one in above for edge in self._graph.edges(one, (RELATION,)) if edge.qualifier == HISTORY
            ]
            behind = {cause for one in present for cause in self._graph.related(one, "due_to")}
            brought = {effect for one in above for effect in self._graph.related(one, "has_adverse_effect")}
            own = {*held, *(behind & brought)}
            found = next((self._graph.ids[tail] for tail in past if self._graph.ids[tail] in own), "")
        return self._graph.row(found).name if found else ""

    def not_stopped_alone(self, medicine: str) -> bool:
        """Whether a medicine is of a class that does harm where it is stopped without a word."""
        return any(self._graph.row(one).name in NOT_STOPPED_ALONE for one in self.with_classes(medicine))

    def of_a_kind(self, medicine: str, names: Iterable[str]) -> list[str]:
        """The conditions against a medicine of which only a vaguer name is known: bleeding, against what harms in stomach bleeding."""
        vaguer = tuple(f" {name}" for name in names)
        above = self.with_classes(medicine)
        tails = dict.fromkeys(edge.tail for subject in above for edge in self._graph.edges(subject, (RELATION,)))
        return [self._graph.ids[tail] for tail in tails if self._graph.row(self._graph.ids[tail]).name.endswith(vaguer)]

    def unsuited(self, held: Collection[str], leading: Collection[str]) -> dict[str, frozenset[str]]:
        """Everything that should not be offered, with the conditions that speak against it.

        leading: what the patient came with, of which severe, active or acute is taken to hold. In pregnancy every stage
        counts, unless the fact itself asks to weigh it.
        """
        has = self.implied(held)
        found: dict[str, set[str]] = {}
        for condition in has:
            for edge in self._graph.edges(condition, (INVERSE,)):
                if not self._offered_against(edge.qualifier, condition, has, leading):
                    continue
                subject = self._graph.ids[edge.tail]
                for one in (subject, *self._members(subject)):
                    if not self._has_what_lacks(edge.qualifier, self.with_classes(one) if edge.qualifier else ()):
                        found.setdefault(one, set()).add(condition)
        for kind in {kind for one in found for kind in self._graph.related(one, "subclass_of") if kind not in found}:
            own = self._graph.related(kind, "has_subclass")
            spoken = [one for one in own if one in found]
            if 2 * len(spoken) > len(own):  # most water pills: then water pills
                found[kind] = set().union(*(found[one] for one in spoken))
        return {medicine: frozenset(why) for medicine, why in found.items()}

    def never_beside(self, taken: Iterable[str]) -> dict[str, frozenset[str]]:
        """Everything that must never be combined with a medicine that is taken, with the medicines that speak against it."""
        found: dict[str, set[str]] = {}
        for medicine in taken:
            for subject in self.with_classes(medicine):
                for edge in self._graph.edges(subject, ("interacts_with",)):
                    if NEVER in edge.qualifier:
                        other = self._graph.ids[edge.tail]
                        for one in (other, *self._members(other)):
                            found.setdefault(one, set()).add(medicine)
        return {medicine: frozenset(why) for medicine, why in found.items()}

    def with_classes(self, concept: str) -> list[str]:
        """A medicine with its ingredients and all classes above them."""
        return self._reachable(concept, ABOVE)

    def _below(self, concept: str) -> tuple[str, ...]:
        return tuple(self._reachable(concept, BELOW)[1:])

    def _reachable(self, concept: str, relations: tuple[str, ...]) -> list[str]:
        found = dict.fromkeys([concept])
        frontier = [concept]
        while frontier:
            frontier = list(
                dict.fromkeys(c for known in frontier for c in self._graph.related(known, *relations) if c not in found)
            )
            found.update(dict.fromkeys(frontier))
        return list(found)

    def _applies(self, qualifier: str, condition: str, has: Collection[str]) -> bool:
        return not qualifier or self._kidneys_failed(qualifier, condition, has)

    def _kidneys_failed(self, qualifier: str, condition: str, has: Collection[str]) -> bool:
        return condition == self._kidney and bool(_FILTERED.search(qualifier)) and not self._failure.isdisjoint(has)

    def _offered_against(self, qualifier: str, condition: str, has: Collection[str], leading: Collection[str]) -> bool:
        if self._applies(qualifier, condition, has):
            return True
        if condition == self.pregnancy:
            return not _WEIGHED.search(qualifier)
        return condition in leading and bool(_GRADED.search(qualifier))

    def _has_what_lacks(self, qualifier: str, above: Iterable[str]) -> bool:
        """`without inhaled corticosteroid` says nothing against an inhaler that holds one."""
        lacking = _WITHOUT.match(qualifier)
        return lacking is not None and any(self._graph.row(c).name == lacking["what"] for c in above)
