"""Verbs that agree with what they are said of: "chills are a sign", "diabetes is a disease", "pinpoint pupils can come from".

Takes a concept's name and a relation's words; knows the form of names and no meaning.
"""

import re

from backend.schemas.vocabulary import Category

MANY_IN = frozenset({Category.SYMPTOM, Category.FINDING, Category.DISEASE})
ONE = frozenset(
    (
        "diabetes",
        "prediabetes",
        "ascites",
        "herpes",
        "scabies",
        "rabies",
        "measles",
        "mumps",
        "shingles",
        "tremens",
        "nigricans",
    )
)
"""Last words that end in s and are one thing."""
MANY = frozenset(["feet", "teeth"])
DOING = frozenset(["seeing", "giving", "hearing", "avoiding", "climbing", "passing", "needs"])
"""First words of what somebody does: "seeing spots" is one thing."""
ADVERBS, MODAL = frozenset(["commonly", "sometimes", "often"]), frozenset(["can", "may", "should", "are"])
VERBS = {"is": "are", "has": "have", "goes": "go"}


def is_plural(name: str) -> bool:
    """Whether a finding or a disease is spoken of as many: "chills", "pinpoint pupils", not "diabetes" or "loss of reflexes"."""
    words = _OF_WHAT.split(name)[0].lower().split()
    if not words or words[0] in DOING or words[-1] in ONE:
        return False
    return words[-1] in MANY or (words[-1].endswith("s") and not words[-1].endswith(("ss", "us", "is", "as", "ps")))


def of_many(words: str) -> str:
    """A relation's words with the verb of many: "is a sign of" becomes "are a sign of"."""
    first, _, rest = words.partition(" ")
    if first in ADVERBS:
        return f"{first} {of_many(rest)}"
    if first in MODAL or not first.endswith("s"):
        return words
    return f"{VERBS.get(first, first[:-1])} {rest}".strip()


_OF_WHAT = re.compile(r" (?:of|in|with|to|on|from|at|for|after|around|under|by|when) ")
