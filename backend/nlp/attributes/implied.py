"""What a denial says besides: "no family history of" is of the family and denies, "no history of" denies the past too.

Takes what a cue asserts of a phrase, with the words around; gives the assertion that follows from it, behind the first in
precedence. A habit (tobacco, alcohol, drugs) denied without a time is denied of the past too, as charts have it: who
has stopped is told as one who did. It does not know scopes: assertions does.
"""

import re

from backend.schemas.vocabulary import Assertion


def implied(assertion: Assertion, cue: str, following: str, phrase: str, sentence: str) -> Assertion | None:
    """What else a cue asserts of a phrase in a sentence, or None. following: the word after the cue, in lower case."""
    if assertion is Assertion.FAMILY:
        return Assertion.NEGATED if _DENIES.search(cue) else None
    if assertion is not Assertion.NEGATED:
        return None
    if following == "known" or _EVER.search(cue):
        return Assertion.HISTORICAL
    return Assertion.HISTORICAL if _HABIT.search(phrase) and not _THESE_DAYS.search(sentence) else None


_DENIES = re.compile(
    r"\b(?:no|not|never|none|nobody|without|den(?:y|ies|ied)|neg|negative|unremarkable|non-?contributory)\b|-ve\b", re.I
)
_EVER = re.compile(r"\b(?:history|histories|hx|h/o|ever|never|prior|previous(?:ly)?|past)\b", re.I)
_HABIT = re.compile(
    r"\b(?:tobacco|smok(?:es?|ed|ing|er)|cigarettes?|vap(?:es?|ing)|alcohol|etoh|drink(?:s|ing|er)|drugs?(?= use| abuse|$)|illicits|substance (?:use|abuse|misuse))\b",
    re.I,
)
_THESE_DAYS = re.compile(
    r"\b(?:current(?:ly)?|recent(?:ly)?|today|tonight|yesterday|now|since|lately|any ?more|last (?:night|week|month)|this (?:morning|week|month))\b",
    re.I,
)
