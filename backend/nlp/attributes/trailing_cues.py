"""Cues that stand after what they speak of: "Fever: no", "chills - denies", "rash (none)", "GERD hx" and "Fever? No.", each read.

Takes words of one sentence and a cue, or the sentence after a question; says whether the cue is of that kind. How far it
reaches, scopes decides.
"""

import re
from collections.abc import Sequence

from backend.nlp.attributes.cues import FoundCue
from backend.nlp.attributes.plus_minus import item_start
from backend.nlp.document.clauses import VERBS
from backend.nlp.document.tokens import word_set
from backend.schemas.vocabulary import Assertion

_ANSWERS = word_set("no none negative neg denies denied absent nil never not")
_BEFORE_ANSWER = frozenset(":-(=?")
_AFTER_ANSWER = frozenset(",;.)\n")
_HISTORIES = frozenset(("history", "hx"))
_KINDS = word_set(
    "medical surgical family social past no any the of his her birth sexual travel drug present psychiatric"
)
_DOUBTS = frozenset(("possible", "probable", "likely", "suspected", "questionable"))
_DEGREES = frozenset(("less", "more", "most", "very", "quite"))
_SHORT_ITEM = 4
_CONJUGATED = VERBS - {"s"}
_BARE_ANSWERS = frozenset(("no", "denied", "denies", "absent"))


def trails(words: Sequence[str], found: FoundCue, first: int, last: int) -> bool:
    """Whether "history" or "possible" stands after what it is said of: "GERD hx.", "adrenal insufficiency possible"."""
    i = found.first
    ends = found.last >= last or words[found.last] in (".", ",", ";", "\n")
    if found.cue.kind == Assertion.UNCERTAIN and words[found.last - 1] in _DOUBTS:
        alone = found.last == i + 1 or (found.last == i + 2 and words[i] in _DEGREES)  # "PE less likely."
        return ends and alone and i > first and words[i - 1][:1].isalpha()
    return (
        found.cue.kind == Assertion.HISTORICAL
        and found.last == i + 1
        and words[i] in _HISTORIES
        and ends
        and i > first
        and words[i - 1][:1].isalpha()
        and words[i - 1] not in _KINDS
    )


def is_answer(words: Sequence[str], found: FoundCue, first: int, last: int) -> bool:
    """Whether a cue is the answer after an item: "Fever: no", "chills - denies", "rash (none)"."""
    if found.cue.kind != Assertion.NEGATED or words[found.last - 1] not in _ANSWERS or found.first - 1 < first:
        return False
    ends = found.last >= last or words[found.last] in _AFTER_ANSWER
    # A form in one line: "Chest pain: No  Dyspnea: No"
    form = words[found.first - 1] == ":" and ":" in words[found.last : min(found.last + _SHORT_ITEM, last)]
    if not (ends or form):
        return False
    if words[found.first - 1] in _BEFORE_ANSWER:
        return found.first - 1 > first
    # "Fever no, chills yes": a bare "no" after a short item without a verb
    item = words[item_start(words, found.first, first) : found.first]
    return (
        words[found.last - 1] in _BARE_ANSWERS
        and 0 < len(item) <= _SHORT_ITEM
        and not _CONJUGATED.intersection(item)
        and item[-1].isalpha()
    )


def refusal(text: str, start: int, end: int) -> str:
    """The "no" that text[start:end], a sentence after a question, answers it with; empty where it does not."""
    reply = _NO.match(text, start, end)
    return reply.group().strip(" \n.,") if reply else ""


def is_consent(text: str, start: int, end: int) -> bool:
    """Whether text[start:end], a sentence after a question, answers it with a yes."""
    return _YES.match(text, start, end) is not None


# "Patient: No.", "Not really.", "No, nothing like that, just the cramping."
_NO = re.compile(
    r"\W*(?:[A-Za-z][\w.]*(?: \w+)?:\s*)?(?:(?:no|none|denies|denied|negative|never|nope|nah|not really|not at all|not that i know of)\W*(?:$|\n)|no,\s+[^?]*$)",
    re.I,
)
_YES = re.compile(
    r"\W*(?:[A-Za-z][\w.]*(?: \w+)?:\s*)?(?:yes|yeah|yep|yup|y\b|a (?:little|bit)|some|mild|sometimes|uh|positive|present|i (?:do|have|did)|(?:he|she) (?:does|has|did))",
    re.I,
)
