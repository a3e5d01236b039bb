"""Who tells an allergies section: "According to her husband, codeine", "Records of the clinic show no known allergies".

Takes a stretch of a sentence; finds the words that only name the source. What is told is for others to read.
"""

import re

from backend.nlp.allergies.allergens import Allergens


def after_source(text: str, start: int, end: int) -> int:
    """Where a sentence goes on after "According to her husband, "; its start when it names no source."""
    source = _SOURCE.match(text, start, end)
    return source.end() if source else start


def only_source(text: str, start: int, end: int, allergens: Allergens) -> bool:
    """Whether a stretch right before a denial names who denies: "Her other physicians' notes indicate"."""
    told = _TELLS.fullmatch(text, start, end)
    return told is not None and not allergens.inside(text, start, end)


_SOURCE = re.compile(
    r"\s*(?:(?:as\s+)?(?:per|according to)\s+(?:(?!\b(?:no|none)\b)[^,;:.\d]){2,40}|by (?:his|her|their|the) (?:own )?(?:account|report|history)),\s*(?=\S)"
    r"|\s*(?:as\s+)?(?:per|according to) (?:(?:his|her|their|the) )?(?:wife|husband|mother|mom|mum|father|dad|daughter|son|sister|brother|parents|family|patient|pt|ems)"
    r"\s+(?=(?:he|she|they|patient|pt|had|has|gets|got|is|was|took)\b)"
    r"|\s*(?:allergies\s+)?(?:re-?)?(?:reviewed|verified|confirmed|updated|reconciled|checked|discussed|obtained)\s+(?:with|by|from|on|per)\b[^:;.\n]{2,60}:\s*(?=\S)",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"\s*(?:[\w'\u2019/-]+\s+){1,6}?(?:indicates?|shows?|states?|reports?|says?|lists?|reveals?|documents?|notes?|records?|suggests?|confirms?|mentions?"
    r"|indicated|showed|stated|reported|said|listed|revealed|documented|noted|recorded|suggested|confirmed|mentioned)(?:\s+that)?(?:\s+(?:he|she|they|there))?(?:\s+(?:has|have|had|is|are))?\s*",
    re.IGNORECASE,
)
