"""Whether a mention that the note states tells of the patient and of now: not of an earlier course, a medicine's effect or somebody else.

Takes the material of one draft and a mention; it reads the words before it in its own sentence. It only keeps back from a list of what
was felt besides; what the note says stays in the note.
"""

import re

from backend.generation.material import Material
from backend.schemas.note import Mention


def tells_of_now(material: Material, mention: Mention) -> bool:
    """False where the words before a mention speak of an earlier time, of what a medicine did, or of another person."""
    piece = material.piece_at(mention.start_char)
    if piece is None:
        return True
    before = _NOW.split(piece.text[: mention.start_char - piece.start_char])[-1]
    return not (_EARLIER.search(before) or _EFFECT.search(before) or _OTHERS.search(before))


_NOW = re.compile(
    r"\b(?:but|now|today|currently|this (?:morning|time|week)|since (?:yesterday|last night|then)|since|yesterday|presents?|came in|comes in|returns?)\b|;",
    re.IGNORECASE,
)
_EARLIER = re.compile(
    r"\b(?:last|previous|prior|earlier|past) (?:\w+ ){0,3}?(?:courses?|time|episodes?|attacks?|flares?|admissions?|hospital\w*|stay|year|spring|summer|fall|autumn|winter"
    r"|january|february|march|april|may|june|july|august|september|october|november|december)\b"
    r"|\bin (?:19|20)\d\d\b|\b(?:months?|years?) ago\b|\bas an? (?:child|teenager|baby|boy|girl)\b|\bthe last one\b",
    re.IGNORECASE,
)
_EFFECT = re.compile(
    r"\b(?:gave|gives|made|makes|caused|causes|left) (?:him|her|them|the patient)\b|\b(?:which|that) (?:gave|made|caused)\b",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"\b(?:her|his|their|a) (?:\w+ )?(?:\d+[ -]?(?:year|month|yr|week)s?[ -]?old(?: (?:son|daughter|child|boy|girl))?|son|daughter|child|children|kids?|baby|wife|husband|partner|mother|father|brother"
    r"|sister|roommate|grand\w+|co-?workers?|neighbou?r|friend|dog|cat)s? (?:also |recently |just )?(?:had|has|have|is|are|was|were|got|came)\b",
    re.IGNORECASE,
)
