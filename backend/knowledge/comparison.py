"""Hold the starter knowledge against independent open data: what agrees, what the others do not say, what they contradict.

Takes the starter knowledge and a folder of open data; gives a report. Names are matched by their words, without order,
number or marks, over names and synonyms. A source's silence is no contradiction: these sources hold no negative facts,
and are neither complete nor always right. So agreement is worth something, and disagreement is a reason to look.
"""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from backend.errors import InputError
from backend.knowledge.comparison_names import HEADS, TAILS, NameMatcher, Pair
from backend.knowledge.independent import FactKind, open_facts
from backend.knowledge.starter import Starter
from backend.schemas.vocabulary import Category

OURS = {
    FactKind.TREATS: ("treated_by", "prevented_by", "managed_by", "relieved_by"),
    FactKind.SHOWS: ("has_finding", "may_have_finding"),  # a warning sign may be that of a complication or a medicine
}
AGAINST = ("contraindicated_with", "has_adverse_effect")
SHOWN = 25


class Judged(NamedTuple):
    """One pair of concepts, in words. why: the sources, or the fact of ours that disagrees."""

    head: str
    tail: str
    why: str

    def as_json(self) -> dict[str, str]:
        """Plain values, for JSON."""
        return self._asdict()

    def as_text(self) -> str:
        """The same for a terminal."""
        return f"{self.head} – {self.tail}: {self.why}" if self.why else f"{self.head} – {self.tail}"


class KindReport(NamedTuple):
    """One kind of fact. ours: our facts of the kind; comparable: those whose two ends a source knows.

    confirmed: a source has the same pair. broadly: a source has it of the class, a member of the class, or the broader or
    narrower disease or finding. unmentioned: neither. absent: pairs of theirs whose ends we know and that we do not state.
    """

    kind: FactKind
    ours: int
    comparable: int
    confirmed: tuple[Judged, ...]
    broadly: tuple[Judged, ...]
    unmentioned: tuple[Judged, ...]
    absent: tuple[Judged, ...]

    def as_json(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        lists = ("confirmed", "broadly", "unmentioned", "absent")
        return {
            "kind": self.kind.value,
            "ours": self.ours,
            "comparable": self.comparable,
            **{name: [item.as_json() for item in getattr(self, name)] for name in lists},
        }


class Report(NamedTuple):
    """sources: facts read by source. contradicted: a treatment of theirs that we call a contraindication or worse."""

    sources: dict[str, int]
    kinds: tuple[KindReport, ...]
    contradicted: tuple[Judged, ...]

    def as_json(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "sources": self.sources,
            "kinds": [kind.as_json() for kind in self.kinds],
            "contradicted": [item.as_json() for item in self.contradicted],
        }

    def as_text(self) -> str:
        """The same for a terminal."""
        lines = ["read: " + ", ".join(f"{name} {count:,}" for name, count in self.sources.items())]
        for kind in self.kinds:
            lines.append(
                f"\n{kind.kind.value}: {kind.ours:,} facts of ours, {kind.comparable:,} comparable, {len(kind.confirmed):,} confirmed, "
                f"{len(kind.broadly):,} confirmed more broadly, {len(kind.unmentioned):,} not mentioned"
            )
            lines += _listed("confirmed", kind.confirmed)
            lines += _listed("confirmed more broadly", kind.broadly)
            lines += _listed("not mentioned by any source that knows both ends", kind.unmentioned)
            lines += _listed("stated by a source, not by us", kind.absent)
        lines += _listed("\ncontradicted", self.contradicted)
        return "\n".join(lines)


def compare(starter: Starter, folder: Path) -> Report:
    """The whole comparison; a few seconds.

    Raises:
        InputError: when the folder holds none of the sources.
    """
    matcher = NameMatcher([row for row, _ in starter.concepts])
    counts: dict[str, int] = defaultdict(int)
    theirs: dict[FactKind, dict[Pair, set[str]]] = {kind: defaultdict(set) for kind in FactKind}
    for fact in open_facts(folder):
        counts[fact.source] += 1
        for pair in matcher.pairs(fact):
            theirs[fact.kind][pair].add(fact.source)
    if not counts:
        raise InputError(
            f"No open data was found in {folder.name!r}. It should hold Hetionet (*.sif.gz with *nodes.tsv), a graph as "
            "concepts.tsv and edges.tsv, or DDXPlus (release_conditions.json)."
        )
    related = _related_concepts(starter)
    kinds = tuple(_judge(kind, starter, theirs[kind], related, matcher.names) for kind in FactKind)
    return Report(dict(counts), kinds, tuple(_contradicted(starter, theirs[FactKind.TREATS], matcher.names)))


def _related_concepts(starter: Starter) -> dict[str, set[str]]:
    """For each concept those one step broader or narrower, and for medicines all classes above and all members below."""
    related: dict[str, set[str]] = defaultdict(set)
    above: dict[str, set[str]] = defaultdict(set)
    for row, _ in starter.triples:
        if row.relation == "isa":
            related[row.head].add(row.tail)
            related[row.tail].add(row.head)
        elif row.relation == "has_class":
            above[row.head].add(row.tail)
        elif row.relation == "has_subclass":
            above[row.tail].add(row.head)
    for concept in list(above):
        for higher in _reached(concept, above):
            related[concept].add(higher)
            related[higher].add(concept)
    return related


def _reached(start: str, above: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = above.get(waiting.pop(), set()) - found
        found |= new
        waiting.extend(new)
    return found - {start}


def _judge(
    kind: FactKind, starter: Starter, theirs: dict[Pair, set[str]], related: dict[str, set[str]], names: dict[str, str]
) -> KindReport:
    categories = {row.concept_id: Category(row.category) for row, _ in starter.concepts}
    ours: dict[Pair, None] = {}
    for row, _ in starter.triples:
        if (
            row.relation in OURS[kind]
            and categories.get(row.head) in HEADS[kind]
            and categories.get(row.tail) in TAILS[kind]
        ):
            ours[(row.head, row.tail)] = None
    heads, tails = {head for head, _ in theirs}, {tail for _, tail in theirs}
    confirmed, broadly, unmentioned, comparable = list[Judged](), list[Judged](), list[Judged](), 0
    near: set[Pair] = set()
    for head, tail in ours:
        around = [(h, t) for h in (head, *sorted(related[head])) for t in (tail, *sorted(related[tail]))]
        near.update(around)
        matching = [pair for pair in around if pair in theirs]
        both = head in heads and tail in tails
        comparable += both or bool(matching)
        if (head, tail) in theirs:
            confirmed.append(Judged(names[head], names[tail], ", ".join(sorted(theirs[(head, tail)]))))
        elif matching:
            h, t = matching[0]
            broadly.append(
                Judged(names[head], names[tail], f"{', '.join(sorted(theirs[matching[0]]))}: {names[h]} – {names[t]}")
            )
        elif both:
            unmentioned.append(Judged(names[head], names[tail], ""))
    absent = [
        Judged(names[head], names[tail], ", ".join(sorted(sources)))
        for (head, tail), sources in theirs.items()
        if (head, tail) not in near
    ]
    return KindReport(
        kind, len(ours), comparable, *(tuple(sorted(found)) for found in (confirmed, broadly, unmentioned, absent))
    )


def _contradicted(starter: Starter, treats: dict[Pair, set[str]], names: dict[str, str]) -> Iterable[Judged]:
    """Theirs: the drug treats the disease. Ours: it, or its class, should not be used with it, can cause it, or worsens it.

    A qualifier may reconcile the two; it is shown. A class may hold a member that differs; the class is shown.

    Yields:
        Judged: one at a time.
    """
    classes: dict[str, set[str]] = defaultdict(set)
    for row, _ in starter.triples:
        if row.relation == "has_class":
            classes[row.head].add(row.tail)
    against: dict[Pair, list[str]] = defaultdict(list)
    for row, where in starter.triples:
        qualifier = f" ({row.qualifier})" if row.qualifier else ""
        place = f"{where.system}:{where.number}"
        if row.relation in AGAINST:
            against[(row.tail, row.head)].append(f"{row.relation}{qualifier}, {place}")
        elif row.relation == "worsened_by":
            against[(row.head, row.tail)].append(f"worsens{qualifier}, {place}")
    for (disease, drug), sources in sorted(treats.items()):
        for ours in (drug, *sorted(classes[drug])):
            for matching in against.get((disease, ours), ()):
                through = "" if ours == drug else f" as {names[ours]}"
                yield Judged(names[disease], names[drug], f"{', '.join(sorted(sources))}; ours{through}: {matching}")


def _listed(title: str, items: tuple[Judged, ...]) -> list[str]:
    rest = f" (the first {SHOWN})" if len(items) > SHOWN else ""
    return [f"{title}: {len(items):,}{rest}", *(f"  {item.as_text()}" for item in items[:SHOWN])]
