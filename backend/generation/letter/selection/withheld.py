"""What of a note a letter to its patient does not tell again: what is about the note itself, and what would hurt or is of no use at home.

Phrases of assets/rules/letter/withheld.txt are withheld wherever they stand; the matters of withheld_triggers.tsv (violence, quarrels,
suspicion, the law, schooling) only where nothing is decided.
"""

import re
from functools import lru_cache

from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.rules import RULES, rule_names
from backend.nlp.rules.trigger_rows import trigger_rows

MATTERS = "letter/withheld"
_SENTENCE = re.compile(r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<=[.!?])\s+(?=[A-Z])")


def is_withheld(text: str) -> bool:
    """Whether a text is about the note or its writing and not for a patient: "a poor historian", "as noted above"."""
    return _phrases().search(text) is not None


def is_beside_the_letter(text: str) -> bool:
    """Whether a text tells a matter that a letter to take home does not tell again: "her husband pushed her", "12 years of education"."""
    return bool(_matters().find(plain_marks(tokens(text).words))[MATTERS])


def without_matters(text: str) -> str:
    """A text of more than one sentence without those that tell such a matter, unless all do."""
    whole = _SENTENCE.split(text)
    kept = [one for one in whole if not is_beside_the_letter(one)]
    return " ".join(kept) if kept and len(whole) > 1 else text


@lru_cache(maxsize=1)
def _phrases() -> re.Pattern[str]:
    phrases = rule_names(RULES / "letter" / "withheld.txt")
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, phrases))})\b", re.IGNORECASE)


@lru_cache(maxsize=1)
def _matters() -> TriggerAutomaton:
    return TriggerAutomaton(trigger_rows(MATTERS))
