"""Whether a reaction, in the words of a note, was one that endangers life.

The words are the rows of assets/rules/allergies/dangerous_reactions.tsv, each with a reaction that it must find and one that
it must not.
"""

import re
from functools import cache
from pathlib import Path

from backend.errors import KnowledgeError
from backend.nlp.rules import RULES, rule_rows

_FILE = RULES / "allergies" / "dangerous_reactions.tsv"


def endangered_life(reaction: str) -> bool:
    """Whether one of the words stands in a reaction as a list of allergies tells it; an empty reaction tells of none."""
    return bool(reaction) and dangerous_words().search(reaction) is not None


def gravity(reaction: str) -> int:
    """How grave a reaction is, 0 to 2: not told, told, one that endangered life. Compare it with that of the same allergy alone."""
    return bool(reaction.strip()) + endangered_life(reaction)


@cache
def dangerous_words(path: Path = _FILE) -> re.Pattern[str]:
    """The words as one pattern; each stands at the beginning of a word, an abbreviation as a whole word in capitals.

    Raises:
        KnowledgeError: a row that does not find its own example, or finds its counterexample.
    """
    rows = rule_rows(path, 3)
    for words, yes, no in rows:
        own = _pattern([words])
        if own.search(yes) is None or own.search(no) is not None:
            raise KnowledgeError(f"{path.name}: {words!r} must be found in {yes!r} and not in {no!r}.")
    return _pattern([words for words, _, _ in rows])


def _pattern(words: list[str]) -> re.Pattern[str]:
    forms = (f"{re.escape(one)}\\b" if one.isupper() else f"(?i:{re.escape(one)})" for one in words)
    return re.compile(rf"\b(?:{'|'.join(forms)})")
