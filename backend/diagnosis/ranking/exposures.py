"""What a note says was taken in excess: "an empty bottle of acetaminophen", "took 30 tablets of aspirin", "overdosed on heroin".

Takes a linked note; gives the concepts of the agents; and, of a graph, which conditions an excess of an agent causes. A
statement of what happened says more than any finding, so that the
condition it causes can lead the ranking. It knows no doses: two tablets too many are told by words or not at all.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from backend.schemas.drafts.note import LinkedNote, Mention
from backend.schemas.vocabulary import Assertion, Category, SectionCategory
from backend.stores.graph.graph import Graph

REACH = 160  # characters between an agent and the words that tell the excess, sentences apart or not
_AGENTS = frozenset((Category.DRUG, Category.DRUG_CLASS, Category.SUBSTANCE))
_ELSEWHERE = frozenset(
    (
        SectionCategory.MEDICATIONS,
        SectionCategory.ALLERGIES,
        SectionCategory.FAMILY_HISTORY,
        SectionCategory.PAST_MEDICAL_HISTORY,
    )
)


def taken_in_excess(linked: LinkedNote) -> frozenset[str]:
    """The ids of medicines and substances that the patient took too much of, as the note tells it of now."""
    agents = [m for m in linked.note.mentions if _may_be(m)]
    text = linked.note.text
    found = set()
    for start, end in _excesses(text) if agents else ():
        # What is named last before or first after the words is what they speak of.
        near = sorted(agents, key=lambda m: max(m.start_char - end, start - m.end_char))
        if near and max(near[0].start_char - end, start - near[0].end_char) <= REACH:
            found.add(near[0].concept_id)
    return frozenset(found)


def poisonings(graph: Graph, candidates: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The conditions that too much of an agent causes, by the agent's id.

    A condition counts that the graph names so ("acetaminophen overdose", "digoxin toxicity"): for the agents with those
    names, for what it calls its cause, and for the members of a class ("beta blocker overdose").
    """
    named: dict[str, list[str]] = defaultdict(list)
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for concept in candidates:
        row = graph.row(concept)
        agents = [m[1] for name in (row.name, *row.synonyms) if (m := _POISONING.fullmatch(name.lower()))]
        for agent in agents:
            named[agent].append(concept)
        for cause in graph.related(concept, "has_causative_agent") if agents else ():
            found[cause][concept] = None
    for row in graph.concepts:
        for name in (row.name, *row.synonyms) if row.group == "CHEM" else ():
            for concept in named.get(name.lower(), ()):
                for agent in (
                    row.concept_id,
                    *graph.related(row.concept_id, "class_of", "has_subclass", "inverse_isa"),
                ):
                    found[agent][concept] = None
    return {agent: tuple(conditions) for agent, conditions in found.items()}


def _may_be(mention: Mention) -> bool:
    return (
        mention.category in _AGENTS
        and mention.assertion == Assertion.PRESENT
        and not mention.allergen
        and mention.section not in _ELSEWHERE
    )


def _excesses(text: str) -> Iterator[tuple[int, int]]:
    for match in _EXCESS.finditer(text):
        if not _NOT_SO.search(text, max(0, match.start() - 40), match.start()) and not _OTHERWISE.match(
            text, match.end()
        ):
            yield match.span()


_POISONING = re.compile(r"(.+?)[ -](?:overdose|poisoning|toxicity|intoxication)")
_MANY = r"(?:[1-9]\d{1,2}|ten|eleven|twelve|fifteen|sixteen|eighteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|(?:a|one|two) hundred|dozens?|many|several)"
_PILLS = r"(?:tablets?|pills?|capsules?|tabs?|caps?|caplets?)"
_EXCESS = re.compile(
    rf"\b(?:overdos\w+|OD'?d|ingestion of|ingested|swallowed|(?:empty|whole|entire|full) (?:\w+ )?(?:bottle|pack|box|blister)s?|handfuls? of|too (?:many|much)"
    rf"|(?:took|taken|taking|swallowed)[^.;\n]{{0,40}}?\b{_MANY}\s+(?:[\w-]+\s+){{0,3}}?{_PILLS}|took (?:all|them all|the (?:whole|entire|rest)))\b",
    re.IGNORECASE,
)
_NOT_SO = re.compile(
    r"\b(?:no|not|denies|denied|never|without|prior|previous|past|history of|hx of|h/o|risk of|prevent\w*|avoid\w*|mother|father|brother|sister|friend)\b[^.;\n]*$",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    r"\s+(?:prevention|risk|precautions?|education|of (?:water|fluids?|food|salt|sodium))\b", re.IGNORECASE
)
