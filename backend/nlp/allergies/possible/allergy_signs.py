"""The words by which running text hints at an allergy, and where they stand among the words of a text.

Takes the normal words of a text; gives the kinds of word at each place. The vocabulary is assets/rules/possible_allergies.tsv.
What the words say together, allergy_possible decides.
"""

from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from backend.nlp.document.tokens import tokens
from backend.nlp.lexicon.variants import english_words
from backend.nlp.rules import RULES, words_by_kind

SHORTEST_NAME = 6
PART_NEAR = 4
_CLAUSES = frozenset(
    ("since", "until", "became", "becomes", "turns", "felt", "feels", "could", "couldn", "unable", "developed")
)


class SignKind(StrEnum):
    """What a word of the rules file says; the file explains each. An ill is a finding that the graph knows."""

    ALLERGIC = "allergic"
    SIDE = "side"
    PART = "part"
    LESSER = "lesser"
    CHANGE = "change"
    CAUSES = "causes"
    BECAUSE = "because"
    AFTER = "after"
    EXPOSED = "exposed"
    BARRED = "barred"
    ENDED = "ended"
    AGAIN = "again"
    EASED = "eased"
    ILL = "ill"
    REMEDY = "remedy"
    BRAND = "brand"
    UNNAMED = "unnamed"
    ENDING = "ending"
    CYTOTOXIC = "cytotoxic"
    EXPECTED = "expected"
    FEVERISH = "feverish"
    COMMONPLACE = "commonplace"


class Sign(NamedTuple):
    """A phrase of one kind over words first to last, last left out."""

    kind: SignKind
    first: int
    last: int


class Signs(NamedTuple):
    """The vocabulary by first word, and what is asked of single words.

    endings: of names of medicines. telling: words without one of which nothing is hinted at. materials: words that may begin a cause. brands: names that the graph does not know. before_names: after these an unknown
    name may be a medicine's. commonplace: what everybody is given, drinks or breathes, and that no hint is for.
    """

    phrases: dict[str, tuple[tuple[tuple[str, ...], SignKind], ...]]
    endings: tuple[str, ...]
    telling: frozenset[str]
    remedies: frozenset[str]
    materials: frozenset[str]
    before_names: frozenset[str]
    commonplace: frozenset[str]
    brands: frozenset[str]

    def found(self, words: Sequence[str], first: int, last: int) -> list[Sign]:
        """Every sign among words[first:last], of each kind the longest at its place; a part and its change are one effect."""
        signs = []
        for i in range(first, last):
            longest: dict[SignKind, int] = {}
            for phrase, kind in self.phrases.get(words[i], ()):
                if i + len(phrase) <= last and tuple(words[i : i + len(phrase)]) == phrase:
                    longest[kind] = max(longest.get(kind, 0), len(phrase))
            signs += [Sign(kind, i, i + length) for kind, length in longest.items()]
        return [*signs, *_parts_changed(signs), *_measures_changed(signs, words, last)]

    def unnamed(self, words: Sequence[str], i: int) -> int:
        """How many words from i on are a general word for what one may react to; 0 for none."""
        return max(
            (
                len(phrase)
                for phrase, kind in self.phrases.get(words[i], ())
                if kind is SignKind.UNNAMED and tuple(words[i : i + len(phrase)]) == phrase
            ),
            default=0,
        )


@lru_cache(maxsize=1)
def allergy_signs() -> Signs:
    """The shipped vocabulary, read once. Raises KnowledgeError when the file is malformed."""
    table = words_by_kind(RULES / "possible_allergies.tsv", SignKind)
    phrases: dict[str, list[tuple[tuple[str, ...], SignKind]]] = {}
    for kind, entries in table.items():
        if kind in (SignKind.ENDING, SignKind.ILL, SignKind.COMMONPLACE, SignKind.BRAND):
            continue
        for entry in entries:
            words = tuple(tokens(entry).words)
            phrases.setdefault(words[0], []).append((words, kind))
    firsts = {
        tokens(entry).words[0]
        for kind in (SignKind.ALLERGIC, SignKind.SIDE, SignKind.CHANGE, SignKind.BARRED, SignKind.ENDED)
        for entry in table[kind]
    }
    return Signs(
        {word: tuple(found) for word, found in phrases.items()},
        tuple(sorted(table[SignKind.ENDING])),
        frozenset(firsts | _CLAUSES),
        table[SignKind.REMEDY],
        table[SignKind.REMEDY] | {tokens(entry).words[0] for entry in table[SignKind.UNNAMED]},
        frozenset({tokens(entry).words[-1] for entry in table[SignKind.EXPOSED]} - {"in"} | {"to", "from"}),
        table[SignKind.COMMONPLACE],
        table[SignKind.BRAND],
    )


def _parts_changed(signs: Sequence[Sign]) -> list[Sign]:
    """As in "Her lips swelled", "swelling of the tongue", "sodium fell": a part or a measure and, close to it, what it did."""
    changes = [sign for sign in signs if sign.kind is SignKind.CHANGE]
    foods = {sign.first for sign in signs if sign.kind is SignKind.UNNAMED}  # "liver and raw egg"
    return [
        Sign(_EFFECT[part.kind], min(part.first, change.first), max(part.last, change.last))
        for part in signs
        if part.kind in _EFFECT
        for change in changes
        if change.last not in foods
        and part.first != change.first
        and -PART_NEAR <= change.first - part.last < PART_NEAR
    ]


def _measures_changed(signs: Sequence[Sign], words: Sequence[str], last: int) -> list[Sign]:
    """As in "Pressure to 40", "plts 212 to 61": a measure that went to a number."""
    changed = []
    for sign in signs:
        if sign.kind is SignKind.LESSER:
            for i in range(sign.last, min(sign.last + PART_NEAR, last - 1)):
                if words[i] in _WENT_TO and words[i + 1].isdigit():
                    changed.append(Sign(SignKind.SIDE, sign.first, i + 2))
                    break
    return changed


_WENT_TO = frozenset(("to", "→", ">"))
_EFFECT = {SignKind.PART: SignKind.ALLERGIC, SignKind.LESSER: SignKind.SIDE}


@lru_cache(maxsize=20_000)
def shaped(word: str) -> bool:
    """Whether a word ends as the names of medicines do and is no word of everyday English."""
    return len(word) >= SHORTEST_NAME and word.endswith(allergy_signs().endings) and word not in english_words()
