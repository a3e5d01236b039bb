"""Words for patients: lists, each medical term explained once, and what two texts share."""

import re
from collections.abc import Iterable, Mapping, Sequence

from backend.schemas.drafts.note import Mention
from backend.schemas.vocabulary import Category

PLAIN_INSTEAD = frozenset({Category.SYMPTOM, Category.FINDING, Category.PHENOMENON, Category.PHYSIOLOGY})
COMMON = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "by",
        "can",
        "do",
        "does",
        "for",
        "from",
        "has",
        "have",
        "how",
        "in",
        "is",
        "it",
        "its",
        "may",
        "of",
        "on",
        "or",
        "should",
        "that",
        "the",
        "their",
        "they",
        "this",
        "to",
        "was",
        "what",
        "when",
        "which",
        "who",
        "why",
        "will",
        "with",
        "you",
        "your",
        "not",
        "most",
        "likely",
        "following",
        "patient",
    ]
)
SHORT = 5  # words that may stand for a disease's name


class Glossary:
    """Says terms in everyday words. Use one a draft: it remembers what it has explained.

    Args:
        plain: what to say for a concept, by id.
        definitions: the ids of the evidence that defines a concept; a term is explained only where the evidence holds its
            definition, so that the explanation can be cited.
    """

    def __init__(self, plain: Mapping[str, str], definitions: Mapping[str, str]) -> None:
        self._plain = plain
        self._definitions = definitions
        self._explained: set[str] = set()

    @property
    def plain(self) -> Mapping[str, str]:
        """What to say for a concept, by id."""
        return self._plain

    def term(self, concept_id: str, name: str) -> str:
        """The name, followed at first use by its meaning in brackets."""
        meaning = self._plain.get(concept_id, "")
        defined = concept_id in self._definitions and concept_id not in self._explained
        says_more = set(meaning.lower().split()) - set(name.lower().split()) - COMMON
        if not defined or not says_more:
            return name
        self._explained.add(concept_id)
        return f"{name} ({meaning.replace(' (', ', ').replace(')', '')})"

    def source(self, concept_id: str) -> tuple[str, ...]:
        """The evidence that defines a concept, to be cited where its term is explained."""
        defined = self._definitions.get(concept_id)
        return (defined,) if defined else ()

    def lay(self, mention: Mention) -> str:
        """What a patient would call it: everyday words for symptoms, and for a disease where a few say it, else the term."""
        meaning = self._plain.get(mention.concept_id, "")
        short = mention.category is Category.DISEASE and len(meaning.split()) <= SHORT
        if meaning and (mention.category in PLAIN_INSTEAD or short):
            return meaning
        return mention.name


def listed(words: Iterable[str]) -> str:
    """`a, b and c`, without repeats."""
    distinct = list(dict.fromkeys(words))
    if len(distinct) < 2:
        return "".join(distinct)
    return f"{', '.join(distinct[:-1])} and {distinct[-1]}"


def without_repeats(phrases: Sequence[str]) -> list[str]:
    """Phrases without those that another says more fully: "belly pain" goes beside "pain in the upper belly"."""
    words = [frozenset(phrase.lower().replace(",", "").split()) for phrase in phrases]
    return [
        phrase
        for place, phrase in enumerate(phrases)
        if not any(words[place] < other for other in words) and phrase not in phrases[:place]
    ]


def content_words(text: str) -> frozenset[str]:
    """Lower-case words with a meaning of their own, cut to a crude stem so that `strokes` meets `stroke`."""
    words = re.findall(r"[a-z][a-z0-9-]+", text.lower())
    return frozenset(re.sub(r"(ies|es|s|ing|ed)$", "", w) if len(w) > 4 else w for w in words if w not in COMMON)


def capital(text: str) -> str:
    """The text with its first letter in upper case."""
    return text[:1].upper() + text[1:]
