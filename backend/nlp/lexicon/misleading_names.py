"""Names that what stands beside them makes something else: "this morning headache and fever began", "abdomen dull to percussion".

Takes a text and the matches of its names; gives the matches without those that assets/rules/misleading_names.tsv takes for
something else, or with the part of the name that is meant; "bicarb 9" is a value and no medicine. It knows no concepts.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.findings.values import is_measure
from backend.nlp.lexicon.matches import Candidate, Match
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.vocabulary import Category

_GIVEN = frozenset((Category.DRUG, Category.DRUG_CLASS))
_BEFORE = 20  # characters looked at before a name
_SENTENCE = 160  # characters of its sentence looked at on either side
_END = re.compile(r"[.;\n]")
_WORD = re.compile(r"[a-z']+")


class _Rule(NamedTuple):
    where: str
    words: frozenset[str]
    instead: str


def as_meant(text: str, matches: Sequence[Match], reading: Callable[[str], Candidate | None]) -> list[Match]:
    """The matches as the words beside them have them. reading: the concept that a name has, or None."""
    rules = _rules()
    kept = []
    for match in matches:
        if match.candidates[0].category in _GIVEN and is_measure(text, match.start_char, match.end_char):
            continue
        rule = rules.get(text[match.start_char : match.end_char].lower())
        if rule is None or not _turns(text, match, rule):
            kept.append(match)
        elif rule.instead and (named := reading(rule.instead)) is not None:
            start = match.start_char + text[match.start_char : match.end_char].lower().index(rule.instead)
            kept.append(Match(start, start + len(rule.instead), 1, (named,)))
    return kept


def turned_round(text: str, start: int) -> bool:
    """Whether "non-" right before a name makes it its opposite: "non-diabetic", "non-bloody diarrhea" (which is a diarrhea)."""
    before = text[max(start - 5, 0) : start].lower()
    return before.endswith(("non-", "non ")) and not before[:-4].isalnum()


def _turns(text: str, match: Match, rule: _Rule) -> bool:
    if rule.where == "before":
        return not rule.words.isdisjoint(_words(text[max(match.start_char - _BEFORE, 0) : match.start_char])[-1:])
    before = _END.split(text[max(match.start_char - _SENTENCE, 0) : match.start_char])[-1]
    after = _END.split(text[match.end_char : match.end_char + _SENTENCE])[0]
    near = not rule.words.isdisjoint(_words(f"{before} {after}"))
    return near if rule.where == "near" else not near


def _words(said: str) -> list[str]:
    return _WORD.findall(said.lower())


@lru_cache(maxsize=1)
def _rules(path: Path = RULES / "misleading_names.tsv") -> dict[str, _Rule]:
    """The rules by name. Raises KnowledgeError naming the row that is not understood."""
    rules: dict[str, _Rule] = {}
    for names, where, words, instead in rule_rows(path, 4):
        if where not in ("before", "near", "without"):
            raise KnowledgeError(f"{path.name}, '{names}': where is '{where}', and not before, near or without.")
        rule = _Rule(where, frozenset(words.split("|")), "" if instead == "-" else instead)
        rules.update(dict.fromkeys(names.split("|"), rule))
    return rules
