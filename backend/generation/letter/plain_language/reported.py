"""A sentence of the history without who told it: "She states that the pain is worse at night" gives "The pain is worse at night".

Notes keep saying who speaks; a letter to who spoke need not. Only where what is told is a sentence of its own, and only of the patient, or of
the parents of a child, who are the letter's readers: what anybody else says stays theirs.
"""

import re

from backend.generation.letter.plain_language.clause_subjects import PRONOUNS, SUBJECT_OF, Addressee
from backend.generation.letter.plain_language.letter_words import lists
from backend.generation.letter.plain_language.telegrams import is_telegram

_TOLD = re.compile(
    r"^(?:(?:the|this|his|her)\s)?(?P<who>[a-z]+)\s(?:also\s|further\s|now\s|then\s)?(?P<verb>[a-z]+)(?:\s(?:me|us|the team))?\s(?:that\s)?(?P<rest>(?P<first>[a-z]+)\s.+)$",
    re.IGNORECASE | re.DOTALL,
)
_PARENTS = frozenset(("mother", "mom", "mum", "father", "dad", "parent", "parents"))


def unreported(text: str, patient: Addressee) -> str:
    """The text, without its first clause where that only says that the patient, or a child's parent, told the rest.

    Args:
        text: a sentence of the note.
        patient: who is addressed; in a letter of a child a parent's words are told as facts.
    """
    told = _TOLD.match(text)
    own = lists()
    if told is None or told["verb"].lower() not in own["telling"] or told["first"].lower() not in own["clause_subjects"]:
        return text
    who, first = told["who"].lower(), told["first"].lower()
    subject = SUBJECT_OF.get(patient.sex or "", "")
    teller = who in own["patient"] or who == subject or (patient.child and who in _PARENTS)
    of_other = first in PRONOUNS and PRONOUNS[first] != patient.sex
    rest = told["rest"]
    if not teller or of_other or first in ("i", "we", "no") or is_telegram(rest):
        return text
    return f"{rest[:1].upper()}{rest[1:]}"
