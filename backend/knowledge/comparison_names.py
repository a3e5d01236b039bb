"""Whose names are whose: the names that open data uses, as concepts of the starter knowledge.

Takes the starter's concepts; gives pairs of concept ids for a fact of theirs. Names are matched by their words, without
order, number or marks, over names and synonyms.
"""

import re
from collections import defaultdict
from collections.abc import Iterable

from backend.knowledge.independent import FactKind, OpenFact
from backend.schemas.vocabulary import Category
from backend.stores.graph.graph_rows import ConceptRow

HEADS = {FactKind.TREATS: {Category.DISEASE, Category.SYMPTOM, Category.FINDING}, FactKind.SHOWS: {Category.DISEASE}}
TAILS = {
    FactKind.TREATS: {Category.DRUG, Category.DRUG_CLASS, Category.SUBSTANCE},
    FactKind.SHOWS: {Category.SYMPTOM, Category.FINDING, Category.DISEASE, Category.PHENOMENON},
}
LONGEST_PHRASE = 5
SMALL = frozenset({"of", "the", "a", "an", "in", "and", "or", "to", "with", "due", "by", "nos"})

Pair = tuple[str, str]


class NameMatcher:
    """Names of theirs to concepts of ours."""

    def __init__(self, rows: list[ConceptRow]) -> None:
        self.names = {row.concept_id: row.name for row in rows}
        self._categories = {row.concept_id: Category(row.category) for row in rows}
        self._known: dict[tuple[str, ...], dict[str, bool]] = defaultdict(dict)
        for row in rows:
            for name in row.synonyms:
                self._known[words(name)].setdefault(row.concept_id, False)
            self._known[words(row.name)][row.concept_id] = True

    def pairs(self, fact: OpenFact) -> Iterable[Pair]:
        """The pairs of ours that a fact of theirs states: none where an end is not known to us.

        Yields:
            Pair: one at a time.
        """
        head = self._concept(words(fact.head), HEADS[fact.kind])
        if head is None:
            return
        if fact.phrase:
            tails = self._inside(fact.tail, TAILS[fact.kind])
        else:
            one = self._concept(words(fact.tail), TAILS[fact.kind])
            tails = [one] if one else []
        yield from ((head, tail) for tail in tails if tail != head)

    def _concept(self, name: tuple[str, ...], wanted: set[Category]) -> str | None:
        """The one concept that a name means among some categories; a preferred name goes before a synonym."""
        found = {c: main for c, main in self._known.get(name, {}).items() if self._categories[c] in wanted}
        best = [concept for concept, main in found.items() if main] or list(found)
        return best[0] if len(best) == 1 else None

    def _inside(self, phrase: str, wanted: set[Category]) -> list[str]:
        """The concepts whose names stand in a question; the longest at each place."""
        phrase_words = re.findall(r"[a-z0-9]+", phrase.lower())
        found, place = list[str](), 0
        while place < len(phrase_words):
            for size in range(min(LONGEST_PHRASE, len(phrase_words) - place), 0, -1):
                concept = self._concept(words(" ".join(phrase_words[place : place + size])), wanted)
                if concept:
                    found.append(concept)
                    place += size - 1
                    break
            place += 1
        return list(dict.fromkeys(found))


def words(name: str) -> tuple[str, ...]:
    """A name's words, sorted, without small words, marks, plural s and possessive s."""
    plain = re.sub(r"['’]s?\b", "", name.lower())
    found = [word for word in re.findall(r"[a-z0-9]+", plain) if word not in SMALL]
    return tuple(
        sorted(
            word[:-1] if len(word) > 4 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
            for word in found
        )
    )
