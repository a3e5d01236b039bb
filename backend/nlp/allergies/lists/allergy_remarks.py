"""What an allergies section says beside its list and its denials: who checked them, and what was found on examination.

Takes a stretch that follows a list or a denial; says whether it is no allergy. A stretch that names anything one can react
to is never taken for a remark.
"""

import re

from backend.nlp.allergies.allergens import Allergens
from backend.nlp.allergies.allergy_vocabulary import has_reaction, words
from backend.nlp.allergies.lists.allergy_pieces import pieces
from backend.nlp.lexicon.variants import english_words


def is_remark(text: str, start: int, end: int, allergens: Allergens, after_list: bool) -> bool:
    """Whether a stretch after a list (or else after a denial) names nothing that the patient reacts to."""
    told = (tells_findings, tells_habits) if after_list else (only_checked,)
    return any(one(text, start, end, allergens) for one in told)


def only_checked(text: str, start: int, end: int, allergens: Allergens) -> bool:
    """Whether a stretch only says who was asked: "(checked with sister)" after "none known"."""
    return bool(_CHECKED.fullmatch(text, start, end)) and not allergens.inside(text, start, end)


def tells_findings(text: str, start: int, end: int, allergens: Allergens) -> bool:
    """Whether a stretch has gone on to what was found: "Photophobia+, neck supple." It names no allergen and no reaction.

    A word that is none of the language may be a name ("Blopten, asthma"), so such a stretch is no remark.
    """
    said = [text[a:b].strip(" +.") for a, b in pieces(text, start, end, allergens.known)]
    if (
        len(said) < 2
        or not _FOUND.search(text, start, end)
        or has_reaction(text[start:end])
        or not any(map(allergens.other, said))
    ):
        return False
    if any(allergens.known(one) or allergens.inside(one, 0, len(one)) for one in said):
        return False
    return all(allergens.other(one) or english_words().issuperset(words(one)) for one in said)


def tells_habits(text: str, start: int, end: int, allergens: Allergens) -> bool:
    """Whether a stretch has gone on to how the patient lives: "Smokes 1 ppd." It names no allergen and no reaction."""
    return bool(_HABIT.fullmatch(text, start, end)) and not (
        has_reaction(text[start:end]) or allergens.inside(text, start, end)
    )


_FOUND = re.compile(r"\w\+|\b(?:supple|soft|clear|normal|regular|intact|absent|noted|palpable)\b", re.IGNORECASE)
"""Marks of an examination: without one a list goes on ("Feathers, asthma")."""
_CHECKED = re.compile(
    r"[\s,;:-]*\(?(?:re-?)?(?:checked|confirmed|verified|discussed|reviewed|agreed|asked|as told|told|per|according)\b[^()\n,;]{0,50}\)?[\s.]*",
    re.IGNORECASE,
)
_HABIT = re.compile(
    r"[\s,;:-]*(?:(?:he|she|pt|patient)\s)?(?:smokes|smoked|smoker|non-?smoker|ex-?smoker|drinks|lives|works|worked|retired|married|widowed|divorced)\b"
    r"(?: ?(?:\d[\d./]*+|ppd|packs?|alone|socially|as|at|in|with|for|a|an|per|day|daily|years?|yrs|x|from|rarely|never|[a-z]+er|nurse))*[\s.]*",
    re.IGNORECASE,
)
