"""What the cited texts say to the contrary: the same names, and something else about them.

The reasons are in words. `contraries` cannot both be true with the cited text;
`doubts` go beyond it. It reads assertions, allergies, what is done with a medicine, how a complaint goes, and opposites.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from backend.nlp.document.tokens import letter_words
from backend.schemas.drafts.note import LinkedNote, Mention
from backend.schemas.vocabulary import Assertion, Basis
from backend.verification.support.allergy_statements import INTOLERANT, KEEPS, allergies_against
from backend.verification.support.cited import Source, concepts_of, union_of
from backend.verification.support.event_direction import (
    COMPLAINTS,
    MEDICINES,
    EventDirection,
    course_events,
    is_left_open,
    medicine_events,
)
from backend.verification.support.opposites import denied_words, opposites, prefixed_opposites, stated_words
from backend.verification.support.shared_words import framing

STATED = frozenset({Assertion.PRESENT, Assertion.HISTORICAL, Assertion.UNCERTAIN})
_SAME_FACT = 0.5  # share of a sentence's words that the piece it retells has at least
_OF_ALLERGIES = frozenset({"allergic", "allergy", "allergies"})
# a sentence's direction -> the cited directions that support it
_SUPPORTED: dict[EventDirection, frozenset[EventDirection]] = {
    EventDirection.RUNS: KEEPS,
    EventDirection.STARTS: frozenset({EventDirection.STARTS}),
    EventDirection.ENDS: frozenset({EventDirection.ENDS}),
    EventDirection.MORE: frozenset({EventDirection.MORE}),
    EventDirection.LESS: frozenset({EventDirection.LESS}),
}
_AGAINST: dict[EventDirection, frozenset[EventDirection]] = {
    EventDirection.RUNS: frozenset({EventDirection.ENDS}),
    EventDirection.STARTS: frozenset({EventDirection.ENDS}),
    EventDirection.ENDS: KEEPS,
    EventDirection.MORE: frozenset({EventDirection.LESS, EventDirection.ENDS}),
    EventDirection.LESS: frozenset({EventDirection.MORE, EventDirection.ENDS}),
    EventDirection.OVER: frozenset({EventDirection.WORSE}),
    EventDirection.BETTER: frozenset({EventDirection.WORSE}),
    EventDirection.WORSE: frozenset({EventDirection.BETTER, EventDirection.OVER}),
}


class Against(NamedTuple):
    """contraries: what the cited text says otherwise. doubts: what it does not say so."""

    contraries: tuple[str, ...]
    doubts: tuple[str, ...]


def said_against(
    claim: LinkedNote, basis: Basis, sources: Sequence[Source], common: Collection[str], own_words: str | None = None
) -> Against:
    """Everything in which a sentence and its cited texts differ although they name the same.

    claim: the sentence, linked. common: words that separate no two things. own_words: the sentence without what only says a cited
    name in other words; of it opposites are looked for. No sources give nothing.
    """
    mentions, text = claim.note.mentions, claim.note.text
    found = [
        *_assertions(mentions, text, basis, sources, common),
        *allergies_against(claim, sources),
        *_medicines(text, mentions, sources),
        *_courses(text, mentions, sources),
        *_words(text if own_words is None else own_words, mentions, sources, common),
    ]
    contraries, doubts = [why for firm, why in found if firm], [why for firm, why in found if not firm]
    return Against(tuple(dict.fromkeys(contraries)), tuple(dict.fromkeys(doubts)))


def _assertions(
    mentions: Sequence[Mention], text: str, basis: Basis, sources: Sequence[Source], common: Collection[str]
) -> Iterator[tuple[bool, str]]:
    near = closest_source(text, sources, common)
    asserted = union_of(s.asserted for s in sources) | union_of(s.allergens for s in sources)
    denied, family = union_of(s.denied for s in sources), union_of(s.family for s in sources)
    supposed, hypothetical = union_of(s.unsure for s in sources), union_of(s.hypothetical for s in sources)
    own = [s for s in sources if s.own]
    allergens = union_of(s.allergens for s in own)
    for concept, m in concepts_of(mentions).items():
        if near is not None and concept in near.named:
            if m.assertion in STATED and concept in near.denied - near.asserted - near.allergens:
                yield True, f"the cited text denies: {m.name}"
                continue
            if (
                m.assertion == Assertion.NEGATED
                and concept in near.asserted - near.denied - near.allergens
                and m.category not in MEDICINES
                and not _named_so(m, mentions, text)
            ):
                yield True, f"the cited text states: {m.name}"
                continue
        if m.assertion in STATED:
            if concept in asserted | supposed:
                if (
                    m.assertion == Assertion.PRESENT
                    and basis == Basis.PATIENT
                    and concept not in asserted
                    and m.category in COMPLAINTS
                ):
                    yield False, f"the cited text is not certain of: {m.name}"
            elif concept in denied:
                yield True, f"the cited text denies: {m.name}"
            elif concept in family:
                yield True, f"the cited text says it of the family: {m.name}"
            elif concept in hypothetical:
                yield True, f"the cited text names it as what may come: {m.name}"
        elif m.assertion == Assertion.NEGATED:
            stated = union_of(s.asserted for s in own) - union_of(s.denied for s in own) - allergens
            general = asserted - denied
            if INTOLERANT.search(text) or m.category in MEDICINES or _named_so(m, mentions, text):
                continue  # of medicines the directions say more
            if concept in stated or (not own and concept in general):
                yield True, f"the cited text states: {m.name}"
        elif m.assertion == Assertion.FAMILY and own and concept in asserted and concept not in family:
            yield True, f"the cited text says it of the patient, not of the family: {m.name}"


def closest_source(text: str, sources: Sequence[Source], common: Collection[str]) -> Source | None:
    """The one piece of the patient's notes that a sentence retells, most of its words in common; None where there is none."""
    said = {w[:6] for w in letter_words(text, 3) if w not in common}
    best, most = None, _SAME_FACT
    for source in sources if len(said) > 1 else ():
        if source.own:
            there = {w[:6] for unit in source.units for w in letter_words(unit.text, 3)}
            share = len(said & there) / len(said)
            if share > most:
                best, most = source, share
    return best


def _named_so(m: Mention, mentions: Sequence[Mention], text: str) -> bool:
    """Whether the "no" before a mention is part of another's name: "passing no urine, weakness"."""
    cues = list(re.finditer(r"\b(?:no|not|never|without)\b", text[: m.start_char], re.IGNORECASE))
    return bool(cues) and any(o.start_char <= cues[-1].start() < o.end_char for o in mentions if o is not m)


def _medicines(text: str, mentions: Sequence[Mention], sources: Sequence[Source]) -> Iterator[tuple[bool, str]]:
    if is_left_open(text):
        return
    own = any(s.own for s in sources)
    names = concepts_of(mentions)
    for concept, directions in medicine_events(text, [m for m in mentions if not m.allergen]).items():
        holding = [s for s in sources if concept in s.medicines]
        if not holding or not directions:
            continue
        there = _directions(holding, concept)
        for direction in directions:
            if there & _SUPPORTED[direction]:
                continue
            name = names[concept].name
            # what a note lists without a word is taken
            against = there & _AGAINST[direction] or (
                frozenset({EventDirection.RUNS})
                if own and not there and direction == EventDirection.ENDS
                else frozenset()
            )
            if against and (own or direction in (EventDirection.ENDS, EventDirection.MORE, EventDirection.LESS)):
                yield own or bool(there), f"the cited text has {name} as {_in_words(against)}, not {direction.value}"
            elif own and direction in (EventDirection.STARTS, EventDirection.MORE, EventDirection.LESS):
                yield False, f"the cited text does not say that {name} was {direction.value}"


def _courses(text: str, mentions: Sequence[Mention], sources: Sequence[Source]) -> Iterator[tuple[bool, str]]:
    own = [s for s in sources if s.own]
    names = concepts_of(mentions)
    for concept, directions in course_events(text, mentions).items():
        holding = [s for s in own if concept in s.courses and concept not in s.denied]
        if not holding or is_left_open(text):
            continue
        there = _directions(holding, concept, courses=True)
        for direction in directions - there:
            name = names[concept].name
            if there & _AGAINST.get(direction, frozenset()):
                yield True, f"the cited text has {name} as {_in_words(there)}, not {direction.value}"
            elif direction == EventDirection.OVER:
                yield EventDirection.BETTER not in there, f"the cited text does not say that it is over: {name}"
            elif not there:
                yield False, f"the cited text does not say that it is {direction.value}: {name}"
        m = names[concept]
        if (
            not directions
            and there == {EventDirection.OVER}
            and m.assertion == Assertion.PRESENT
            and re.search(r"\b(?:still|now|currently|ongoing|continues?|persist\w*)\b", text, re.IGNORECASE)
        ):
            yield True, f"the cited text says that it is over: {m.name}"


def _words(
    text: str, mentions: Sequence[Mention], sources: Sequence[Source], common: Collection[str]
) -> Iterator[tuple[bool, str]]:
    units = [unit.text for s in sources for unit in s.units]
    near = closest_source(text, sources, common)
    for found in opposites(text, units, common, " ".join(unit.text for unit in near.units) if near else ""):
        yield True, f"the cited text has {found.there}, not {found.said}"
    there = {word for unit in units for word in letter_words(unit, 5)}
    for found in prefixed_opposites(set(letter_words(text, 5)), there):
        yield True, f"the cited text has {found.there}, not {found.said}"
    # of what the linker names, its assertions say more, unless it calls it hypothetical or of the family; words shorter than five letters say little
    stated_mentions = [m for m in mentions if m.assertion not in (Assertion.HYPOTHETICAL, Assertion.FAMILY)]
    passed = {word for m in stated_mentions for word in letter_words(m.text)} | _OF_ALLERGIES | framing()
    own_denied = {w for w in denied_words(text) if len(w) > 4 and w not in common and w not in passed}
    own_stated = {w for w in stated_words(text) if len(w) > 4 and w not in common and w not in passed} - own_denied
    if not own_denied and not own_stated:
        return
    denied = frozenset().union(*(denied_words(unit) for unit in units))
    stated = frozenset().union(*(stated_words(unit) for unit in units))
    opposite = sorted((own_denied & (stated - denied)) | (own_stated & (denied - stated)))
    if opposite:
        yield False, f"denied in one, stated in the other: {', '.join(opposite)}"


def _directions(sources: Sequence[Source], concept: str, courses: bool = False) -> frozenset[EventDirection]:
    return frozenset().union(*((s.courses if courses else s.medicines).get(concept, frozenset()) for s in sources))


def _in_words(directions: Collection[EventDirection]) -> str:
    return " or ".join(sorted(direction.value for direction in directions))
