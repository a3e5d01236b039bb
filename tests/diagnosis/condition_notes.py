"""The notes written to measure the ranking of conditions, and how well each set is ranked.

`.venv/bin/python -m tests.diagnosis.condition_notes [set …]` prints the figures of docs/diagnosis.md: of each style, how often
the first condition is right, one of the first three is, all that must be shown are, and one leads that must not.
"""

import re
import sys
from collections import Counter
from typing import NamedTuple

from backend.container import Container
from backend.schemas.drafts.request import DraftRequest
from backend.settings import ROOT, Settings
from backend.stores.graph.graph import Graph

FOLDER = ROOT / "tests" / "diagnosis" / "admission_notes"
SETS = ("tune", "held", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


class ConditionNote(NamedTuple):
    """lead: of which one must come first. shown: of each group one must be among the conditions. excluded: none may come first."""

    id: str
    style: str
    lead: frozenset[str]
    shown: tuple[frozenset[str], ...]
    excluded: frozenset[str]
    text: str


def notes(name: str, graph: Graph) -> list[ConditionNote]:
    """The notes of a set; ids are those of the graph. Raises KeyError for a condition that the graph does not know."""
    known = {_plain(row.concept_id[3:]): row.concept_id for row in graph.concepts}
    found = []
    for block in re.split(r"(?m)^=== ", (FOLDER / f"{name}.txt").read_text(encoding="utf-8"))[1:]:
        head, *lines = block.splitlines()
        fields = {}
        while field := re.match(r"(lead|shown|not_lead): (.*)$", lines[0]):
            fields[field[1]] = field[2]
            lines = lines[1:]
        lead = _ids(fields["lead"], known)
        shown = tuple(_ids(group, known) for group in fields["shown"].split(",")) if "shown" in fields else (lead,)
        excluded = _ids(fields.get("not_lead", ""), known)
        identity, style, _ = head.split()
        found.append(ConditionNote(identity, style, lead, shown, excluded, "\n".join(lines).strip()))
    return found


def figures(container: Container, name: str) -> dict[str, Counter[str]]:
    """By style and for all: notes, first, three, shown and excluded, as counts."""
    counts: dict[str, Counter[str]] = {}
    for note in notes(name, container.graph):
        ranked = container.ranker.rank(container.linker.link(note.text), DraftRequest(text=note.text))
        ids = [condition.concept_id for condition in ranked]
        one = Counter(
            notes=1,
            first=ids[:1] != [] and ids[0] in note.lead,
            three=not note.lead.isdisjoint(ids[:3]),
            shown=all(not group.isdisjoint(ids) for group in note.shown),
            excluded=ids[:1] != [] and ids[0] in note.excluded,
        )
        for style in (note.style, "all"):
            counts.setdefault(style, Counter()).update(one)
    return counts


def _ids(cell: str, known: dict[str, str]) -> frozenset[str]:
    return frozenset(known[_plain(one)] for one in cell.split("|") if one.strip())


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


if __name__ == "__main__":
    loaded = Container(Settings())
    for chosen in sys.argv[1:] or SETS:
        for style, counts in figures(loaded, chosen).items():
            print(chosen, style, dict(counts))
