"""Which tags the patients of one scenario can have, so that a wording that nobody can ever get is found.

Follows tags through comorbidities, allergies and facts from a Library and a Scenario.
"""

from typing import NamedTuple

from backend.training.synthetic.phrases import Condition
from backend.training.synthetic.scenario_library import Fact, Library, Scenario
from backend.training.synthetic.synthetic_patient import always


class Reach(NamedTuple):
    """Which tags a patient of one scenario can have and must have, and which exclude one another."""

    possible: frozenset[str]
    certain: frozenset[str]
    rivals: tuple[frozenset[str], ...]

    def allows(self, when: Condition) -> bool:
        """Whether some patient can fulfil it. Exact for single tags; groups are taken one after another."""
        wanted, unwanted = set(self.certain), set[str]()
        for group in when.groups:
            if len(group) == 1:
                ((tag, positive),) = group
                (wanted if positive else unwanted).add(tag)
        if wanted & unwanted or not wanted <= self.possible or any(len(wanted & rivals) > 1 for rivals in self.rivals):
            return False
        return all(
            any(
                (tag in self.possible and tag not in unwanted) if positive else tag not in wanted
                for tag, positive in group
            )
            for group in when.groups
        )


def reach(library: Library, scenario: Scenario) -> Reach:
    """The tags of one scenario, followed through comorbidities and facts until nothing new comes."""
    ages = (
        scenario.ages[0],
        scenario.ages[1],
        *(limit for limit in (49, 50, 65, 75, 85) if scenario.ages[0] <= limit <= scenario.ages[1]),
    )
    sexes = [female for female, chance in ((True, scenario.female), (False, 1 - scenario.female)) if chance > 0]
    drawn = [always(age, female) for age in ages for female in sexes]
    certain = frozenset(scenario.tags).union(set.intersection(*drawn))
    possible = set(scenario.tags).union(*drawn)
    own = {fact.label for fact in scenario.facts}
    certain |= {
        item.id for item in library.comorbidities if scenario.comorbidities.get(item.id) == 1 and not item.when.groups
    }
    possible |= certain
    facts: list[tuple[Fact, Condition]] = [(fact, fact.when) for fact in scenario.facts]
    for item in library.comorbidities:
        chances = [item.chance[0 if age < 50 else 1 if age < 75 else 2] for age in ages]
        if scenario.comorbidities.get(item.id, max(chances)) > 0:
            facts.append((Fact(item.id, ((item.id, 1.0),), 1.0, item.when), item.when))
            holds = Condition((((item.id, True),),))
            facts += [(fact, fact.when & holds) for fact in item.facts if fact.label not in own]
    facts += [
        (Fact(item.id, ((item.id, 1.0),), item.chance, item.when), item.when)
        for item in library.allergies
        if item.chance
    ]
    sexes_apart = frozenset(("female", "male")), frozenset(("under-50", "over-65"))
    rivals = (*sexes_apart, *(frozenset(tag for tag, _ in fact.choices) for fact, _ in facts if len(fact.choices) > 1))
    while True:
        found = Reach(frozenset(possible), frozenset(certain), rivals)
        for fact, when in facts:
            if fact.p > 0 and found.allows(when):
                possible |= {tag for tag, weight in fact.choices if weight > 0}
        if possible == found.possible:
            return found
