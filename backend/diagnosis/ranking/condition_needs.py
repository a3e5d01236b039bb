"""What a note must speak of before its findings alone can suggest a condition, from assets/rules/condition_needs.tsv.

Drowning needs water, a toxic level of lithium needs lithium. A condition that the note names, or that a clinician has
confirmed, needs nothing.
"""

import re
from pathlib import Path

from backend.errors import KnowledgeError
from backend.nlp.lexicon.plain_names import ids_by_name
from backend.stores.graph.graph import Graph

WHOLE_WORD = 3
"""Characters up to which an entry is a whole word and not a word's beginning, unless a * follows: "hip" is not "hippocampus"."""


class ConditionNeeds:
    """words: for each concept id, what one of the note's words must begin with."""

    def __init__(self, words: dict[str, tuple[str, ...]]) -> None:
        self._patterns = {concept: _pattern(entries) for concept, entries in words.items()}

    def met(self, concept_id: str, text: str) -> bool:
        """Whether a note's text speaks of what the condition needs. text may be in any letter case."""
        pattern = self._patterns.get(concept_id)
        return pattern is None or pattern.search(text) is not None

    def asks(self, concept_id: str) -> bool:
        """Whether the condition needs anything. If so, a note that meets it speaks of what is rare: a lake, mushrooms."""
        return concept_id in self._patterns


NO_NEEDS = ConditionNeeds({})


def read_needs(path: Path, graph: Graph) -> ConditionNeeds:
    """The needs of a file, from lines of a name and entries joined by |.

    Names that the graph does not know are passed over.

    Raises:
        KnowledgeError: a line has another shape.
    """
    by_name = ids_by_name(graph)
    words = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        name, tab, listed = line.partition("\t")
        entries = tuple(entry for entry in listed.split("|"))
        if not tab or not all(entry.strip() for entry in entries) or "\t" in listed:
            raise KnowledgeError(f"{path.name}, line {number}: write name, tab, beginnings of words joined by |.")
        if name in by_name:
            words[by_name[name]] = entries
    return ConditionNeeds(words)


def _pattern(entries: tuple[str, ...]) -> re.Pattern[str]:
    patterns = (re.escape(entry.rstrip("*")) + (r"(?!\w)" if len(entry) <= WHOLE_WORD else "") for entry in entries)
    return re.compile(rf"(?<!\w)(?:{'|'.join(patterns)})", re.IGNORECASE)
