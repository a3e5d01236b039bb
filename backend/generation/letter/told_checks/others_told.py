"""Whether a sentence is about somebody else than the patient, or leans on what no sentence of the letter tells."""

import re
from collections.abc import Sequence

from backend.generation.letter.plain_language.clause_subjects import PRONOUNS
from backend.generation.letter.plain_language.letter_words import Word, is_adverb, lists, words_of
from backend.generation.letter.plain_language.verb_forms import is_auxiliary, is_participle, is_past, third_kind

_TEAM_HAS = re.compile(r"\byour team (?:has|had|have) ([a-z]+)", re.IGNORECASE)
_OTHERS = frozenset(("he", "she", "one", "they"))
_LEANS = re.compile(
    r"^(?:You|Your (?:child|wife|husband)) (?:[a-z]+ly )?[a-z]+ (?:that )?(?:this|these) (?:may|might|can|could|will|would|is|was|are|were|has|had)\b"
    r"|\b(?:until|before|by|since) then\.?$|\b(?:for|of|to|with) as\b(?! (?:long|much|many|little|far))|^Given (?:this|these|that|those)\b|(?<=[,;] )please\b"
)
"""What points to something told before: "Given this picture", "You understood this may raise your sugar", "No ibuprofen until then"."""


def is_of_team(turned: str) -> bool:
    """Whether a text gives the team what a patient has: "We have neck pain", as an interviewer lists it."""
    own = lists()
    had = own["determiners"] | own["negations"] | {"to", "your"}
    following = (match[1] for match in _TEAM_HAS.finditer(turned))
    return any(
        not (word in had or is_participle(word) or is_adverb(word) or is_past(word) or is_auxiliary(word))
        for word in following
    )


def leans_on_untold(text: str) -> bool:
    """Whether a text points to something that another one tells: "No ibuprofen until then"."""
    return _LEANS.search(text) is not None


def is_history_of_kin(text: str) -> bool:
    """Whether a line tells what a family has had: "No family history of gout"."""
    words = [word.low for word in words_of(text) or ()]
    return "history" in words and not lists()["kin"].isdisjoint(words)


def is_of_other(text: str, sex: str | None = None) -> bool:
    """Whether a sentence is about another person: "She has rheumatoid arthritis" beside a man, "One has asthma".

    Args:
        text: turned, or of the note.
        sex: of the patient, whom a pronoun of the note may mean.
    """
    words = words_of(text) or []
    if len(words) < 2:
        return False
    return (words[0].low in _OTHERS and _is_subject(words, 0, sex)) or _names_nobody_before(words, sex)


def _is_subject(words: Sequence[Word], at: int, sex: str | None) -> bool:
    """Whether a pronoun that cannot mean the patient has a verb."""
    i = at + 1
    while i < len(words) and is_adverb(words[i].low):
        i += 1
    if i >= len(words) or PRONOUNS.get(words[at].low, "") == sex:
        return False
    verb = words[i].low
    return is_auxiliary(verb) or verb in lists()["modals"] or is_past(verb) or third_kind(verb) is not None


def _names_nobody_before(words: Sequence[Word], sex: str | None) -> bool:
    """Whether "he" or "she" stands behind no person: "if you have a fever she should call"."""
    own = lists()
    persons = (
        own["kin"] | own["female"] | own["male"] | own["people"] | own["person"] | own["clinicians"] | own["titles"]
    )
    for i, word in enumerate(words):
        if word.low in persons or (i and word.text[:1].isupper()):
            return False
        if i and word.low in ("he", "she") and _is_subject(words, i, sex):
            return True
    return False
