"""Possible allergies of running text: agents that a small model ties to an effect, for a clinician to check; never listed."""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from backend.nlp.allergies.agents import Agent
from backend.nlp.allergies.allergens import Allergens
from backend.nlp.allergies.allergy_wording import phrases
from backend.nlp.allergies.effects import Effect
from backend.nlp.allergies.lists.items import reaction_kind
from backend.nlp.allergies.possible.pairs import Candidate, Pair
from backend.nlp.allergies.possible.scorer import scorer
from backend.nlp.attributes.seam import AttributesOf, SpanAttributes
from backend.nlp.document.parsed_note import ParsedNote
from backend.schemas.drafts.note import AllergyItem, PossibleAllergy
from backend.schemas.record import Experiencer

Paired = TypeVar("Paired", Pair, Candidate)
_LONGEST_QUOTE = 160
_NO_FACT = frozenset(("effect:negated", "effect:hypothetical", "effect:relative"))
_SELF_QUALIFIED = frozenset(("avoided", "stated"))
"""Kinds of effects whose own words deny or bid: no attribute says more of them."""
_STOPPED = 3
"""Words behind a pair in which its being stopped is quoted with it."""
_JOINS = frozenset(("and", "or", "/", "&", "both"))
_ANSWERED = 0.75
"""Probability from which a pair is asked about in a note that answers for its allergies."""
_KNOWN = 0.8
"""Certainty of a pair that makes anybody think of an allergy."""


class ScoredAllergy(NamedTuple):
    """What may be an allergy, with its probability and the tokens of the effect, half-open."""

    probability: float
    possible: PossibleAllergy
    effect: tuple[int, int]


def with_attributes(note: ParsedNote, pairs: Sequence[Pair], attributes_of: AttributesOf) -> list[Pair]:
    """The pairs with the attributes of their effects among their features."""
    effects = sorted({pair.effect for pair in pairs if pair.effect.kind not in _SELF_QUALIFIED})
    starts, ends = note.tokens.starts, note.tokens.ends
    spans = [(starts[one.first], ends[one.last - 1]) for one in effects]
    held = {one: _of_effect(found) for one, found in zip(effects, attributes_of(spans) if spans else (), strict=True)}
    found = []
    for pair in pairs:
        told = held.get(pair.effect, [])
        known = pair.known and _NO_FACT.isdisjoint(told)
        found.append(pair._replace(features=(*pair.features, *told), known=known))
    return found


def is_listed(note: ParsedNote, agent: Agent, allergens: Allergens, listed: Sequence[AllergyItem]) -> bool:
    """Whether an agent is listed as an allergy, here or elsewhere in the note."""
    name = note.written(agent.first, agent.last).lower()
    concept = allergens.concept(name)
    return any(name in item.text.lower() or (concept and concept.concept_id == item.concept_id) for item in listed)


def possible_allergies(
    note: ParsedNote, pairs: Sequence[Pair], allergens: Allergens, answered: bool
) -> list[ScoredAllergy]:
    """What may be an allergy, each thing once, in the order of the text.

    Args:
        note: the parsed note.
        pairs: its candidates, with features.
        allergens: the concepts of its phrases.
        answered: whether the note says itself what the patient is allergic to; then less else is asked about.
    """
    model = scorer()
    least = max(model.threshold, _ANSWERED) if answered else model.threshold
    best: dict[str, tuple[float, Pair]] = {}
    rows: dict[Effect, list[tuple[float, Pair]]] = {}
    for pair in nearest(note, pairs):
        rows.setdefault(pair.effect, []).append((max(model.score(pair.features), _KNOWN * pair.known), pair))
    for row in rows.values():
        for own, pair in row:
            # what stands in a row shares its effect: "wheezy if he takes aspirin or naproxen"
            score = max(one for one, other in row if one == own or _in_row(note, other.agent, pair.agent))
            if score < least:
                continue
            name = note.written(pair.agent.first, pair.agent.last)
            concept = allergens.concept(name)
            key = concept.concept_id if concept else name.lower()
            if key not in best or score > best[key][0]:
                best[key] = (score, pair)
    found = [
        ScoredAllergy(round(score, 2), _possible(note, pair, allergens), (pair.effect.first, pair.effect.last))
        for score, pair in best.values()
    ]
    return sorted(found, key=lambda one: one.possible.start_char)


def nearest(note: ParsedNote, pairs: Sequence[Paired]) -> list[Paired]:
    """Pairs or candidates without those that another agent stands between, unless the two are in a row ("phenytoin and carbamazepine")."""
    rivals: dict[Effect, list[Agent]] = {}
    for one in pairs:
        rivals.setdefault(one.effect, []).append(one.agent)
    return [
        one for one in pairs if not any(_between(note, rival, one.agent, one.effect) for rival in rivals[one.effect])
    ]


def _in_row(note: ParsedNote, one: Agent, other: Agent) -> bool:
    """Whether only words that join stand between two agents."""
    gap = note.words[min(one.last, other.last) : max(one.first, other.first)]
    return bool(gap) and _JOINS.issuperset(gap)


def _between(note: ParsedNote, rival: Agent, agent: Agent, effect: Effect) -> bool:
    words = note.words
    if agent.last <= effect.first and rival.first == effect.last + 1 and "," in words[agent.last : effect.first]:
        return "after" in phrases("effects").of(words[effect.last])  # "gout on allopurinol, seizures on levetiracetam"
    if agent.last <= rival.first and rival.last <= effect.first:
        return any(word.isdigit() for word in words[agent.last : rival.first])
    behind = effect.last <= rival.first and rival.last <= agent.first
    return behind and any(word.isdigit() for word in words[rival.last : agent.first])


def _possible(note: ParsedNote, pair: Pair, allergens: Allergens) -> PossibleAllergy:
    agent, effect = pair.agent, pair.effect
    name = note.written(agent.first, agent.last)
    concept = allergens.concept(name)
    end = max(agent.last, effect.last)
    behind = note.words[end : end + _STOPPED]
    ended = next((i for i, word in enumerate(behind) if "ended" in phrases("effects").of(word)), -1)
    if not {".", ";", ","} & set(behind[: ended + 1]):
        end += ended + 1  # "cough went away as soon as the metoprolol was stopped"
    quote = " ".join(note.written(min(agent.first, effect.first), end).split())
    return PossibleAllergy(
        text=name,
        start_char=note.tokens.starts[agent.first],
        end_char=note.tokens.ends[agent.last - 1],
        concept_id=concept.concept_id if concept else None,
        name=concept.name if concept else "",
        kind=reaction_kind("", note.written(effect.first, effect.last)),
        because=quote if len(quote) <= _LONGEST_QUOTE else f"{quote[:_LONGEST_QUOTE]} ...",
    )


def _of_effect(attributes: SpanAttributes) -> list[str]:
    names = ("negated", "hypothetical", "uncertain", "historical")
    relative = attributes.experiencer is not Experiencer.PATIENT
    return [f"effect:{name}" for name in names if getattr(attributes, name)] + ["effect:relative"] * relative
