"""Compares the medicines of a patient with each other, and with those that a draft names, by the graph's interactions.

Takes medicines; gives a flag for each pair and one row for all that were compared. What must never be combined is severe, even where the
draft alone names one of the two; what mostly asks for a look (an absorption, two blood pressure medicines) is for information.
"""

import re
from collections.abc import Sequence

from backend.knowledge.contraindications import NEVER, Contraindications
from backend.schemas.drafts.draft import Compared, Flag
from backend.schemas.vocabulary import FlagKind, Severity
from backend.stores.graph.graph import Graph
from backend.verification.safety.named_medicines import Medicine

# classes of which two members together are a mistake until someone has looked
DOUBLED = frozenset(
    {
        "anticoagulant",
        "NSAID",
        "ACE inhibitor",
        "angiotensin receptor blocker",
        "beta blocker",
        "statin",
        "SSRI",
        "SNRI",
        "proton pump inhibitor",
        "sulfonylurea",
        "P2Y12 inhibitor",
        "gabapentinoid",
    }
)

# what a second medicine is given for is no conflict
WANTED = frozenset({"fewer side effects", "better absorbed"})
MILD = re.compile(
    r"absorbed|^take \d|\bhours apart$|^slightly|^may |\brare$|^hides low sugar signs$|^low blood pressure$|^low potassium$|^more rash$"
    r"|blood pressure medicine works less$|^weaker blood pressure effect$|^no added benefit$",
    re.IGNORECASE,
)
"""Effects that change nothing but the hour of a tablet, or that are watched for anyway."""


class InteractionCheck:
    """Pairs of medicines against one graph."""

    def __init__(self, graph: Graph, known: Contraindications) -> None:
        self._graph = graph
        self._known = known
        self._doubled = frozenset(row.concept_id for row in graph.concepts if row.name in DOUBLED)

    def compare(self, medicines: Sequence[Medicine]) -> tuple[list[Flag], list[Compared]]:
        """The flags, and a row that names what is taken; none where fewer than two medicines are."""
        distinct = list({m.concept_id: m for m in medicines}.values())
        taken = [m for m in distinct if m.taken]
        flags = [f for i, one in enumerate(taken) for other in taken[i + 1 :] if (f := self._pair(one, other))]
        named = [m for m in distinct if not m.taken]
        flags += [f for one in taken for other in named if (f := self._never(one, other))]
        pairs = len(taken) * (len(taken) - 1) // 2
        if not pairs:
            return flags, []
        found = f"{len(flags)} found among {pairs} pairs" if flags else f"no conflict found among {pairs} checked"
        names = ", ".join(m.name for m in taken)
        return flags, [Compared(kind="interaction", text=names, concept_id="", name=names, against=pairs, found=found)]

    def _pair(self, one: Medicine, other: Medicine) -> Flag | None:
        mine, theirs = (self._known.with_classes(m.concept_id) for m in (one, other))
        if one.concept_id in theirs or other.concept_id in mine:
            return None
        doubled = self._doubled & set(theirs).intersection(mine)
        if doubled:
            told = f"{one.name} and {other.name} both belong to: {self._graph.row(min(doubled)).name}."
            return _flag(told, Severity.WARNING, one, other)
        effects = self._effects(mine, theirs)
        if not effects:
            return None
        # the gravest of what holds for them or their classes
        what = next(
            (e for e in effects if NEVER in e), next((e for e in effects if e and not MILD.search(e)), effects[0])
        )
        severity = (
            Severity.SEVERE if NEVER in what else Severity.INFO if what and MILD.search(what) else Severity.WARNING
        )
        if one.over or other.over:  # it may still work on
            severity = Severity.WARNING if severity is Severity.SEVERE else Severity.INFO
        return _flag(
            f"{one.name} with {other.name}: {what or 'effect not stated'}{_over(one, other)}.", severity, one, other
        )

    def _never(self, one: Medicine, other: Medicine) -> Flag | None:
        """A medicine that the draft alone names beside one that is taken, where the two must never be combined."""
        mine, theirs = (self._known.with_classes(m.concept_id) for m in (one, other))
        what = next((e for e in self._effects(mine, theirs) if NEVER in e), "")
        told = f"{one.name} in {one.where} with {other.name} in {other.where}: {what}."
        return _flag(told, Severity.SEVERE, one, other) if what else None

    def _effects(self, mine: Sequence[str], theirs: Sequence[str]) -> list[str]:
        others = set(theirs)
        edges = [e for subject in mine for e in self._graph.edges(subject, ("interacts_with",))]
        return [e.qualifier for e in edges if self._graph.ids[e.tail] in others and e.qualifier not in WANTED]


def _over(*medicines: Medicine) -> str:
    """Says which of them the note tells of as finished."""
    names = " and ".join(m.name for m in medicines if m.over)
    return f" (the note tells of an earlier course of {names})" if names else ""


def _flag(message: str, severity: Severity, one: Medicine, other: Medicine) -> Flag:
    sentence = other.sentence if not other.taken else None
    return Flag(
        kind=FlagKind.INTERACTION,
        severity=severity,
        message=message,
        sentence=sentence,
        evidence=(one.text, other.text),
    )
