"""Reads what somebody cannot take, did not tolerate, or in a section of allergies was told never to have.

Takes a sentence; gives entries with exact offsets. Outside a section only what is known counts, and no medicine that is barred for another reason.
"""

import re
from collections.abc import Iterator

from backend.nlp.allergies.allergy_doubt import cues
from backend.nlp.allergies.allergy_entry import Entry
from backend.nlp.allergies.allergy_vocabulary import WordKind, any_of, is_noise, only
from backend.nlp.allergies.lists.allergy_entries import entries
from backend.nlp.allergies.lists.allergy_pieces import Known
from backend.nlp.allergies.possible.allergy_reasons import other_reason
from backend.nlp.allergies.statements.allergy_events import name_after
from backend.nlp.allergies.statements.allergy_objects import statement_object
from backend.nlp.attributes.gated_patterns import gated


def not_taken(text: str, start: int, end: int, lowered: str, known: Known, in_section: bool) -> Iterator[Entry]:
    """What the patient cannot take or did not tolerate; in a section of allergies also what they were told never to have."""
    for gate in (_CANNOT, _MUST_NOT) if in_section else (_CANNOT,):
        for match in cues(gate, text, start, end, lowered):
            stop, told, rest = statement_object(text, match.end(), end)
            if not in_section and not told and other_reason(text, match.start(), stop):
                continue  # "cannot take ibuprofen because of her kidneys"
            for one in entries(text, match.end(), stop, known):
                name = text[one.start : one.end]
                if known(name) or (in_section and names_something(name) and not any_of(WordKind.BODY, name)):
                    yield one._replace(reaction=one.reaction or told, said=f"{one.said} {match[0]}")
            yield from going_on(text, rest, end, known, match[0])


def names_something(name: str) -> bool:
    """Whether a phrase can be a name: no pronoun, and no word that is no entry."""
    return not only(WordKind.EMPTY, name) and not is_noise(name) and not PRONOUN.fullmatch(name)


def going_on(text: str, rest: int, end: int, known: Known, said: str) -> Iterator[Entry]:
    """The known names that a statement goes on to: "... and then rosuvastatin because of pain"."""
    goes_on = GOES_ON.match(text, rest, end)
    if goes_on and name_after(text, goes_on.end(), end, known):
        after = statement_object(text, goes_on.end(), end)
        for one in entries(text, goes_on.end(), after.end, known):
            if known(text[one.start : one.end]):
                yield one._replace(reaction=one.reaction or after.reaction, said=f"{one.said} {said}")


_CANNOT = gated(
    re.compile(
        r"\b(?:did not|does not|do not|doesn'?t|didn'?t|don'?t|poorly)\s+(?:\w+ly\s+)?tolerat\w*"  # "does not take aspirin" is no allergy
        r"|\b(?:cannot|can'?t|can not|could not|couldn'?t|unable to|(?:not|\w+n't|no longer|never) (?:been )?able to|never could)\s+(?:\w+ly\s+)?"
        r"(?:take|tolerat\w*|use|handle|have|receive|do(?=\s+\w)|be (?:given|on|prescribed))\b",
        re.IGNORECASE,
    ),
    "tolerat can could unable able never",
)
# "Was told never to have Xylazol again", "asked us not to give Quidrane"; not "told not to take more than two"
_MUST_NOT = gated(
    re.compile(
        r"\b(?:never\s+(?:to\s+|again\s+)?|not\s+to\s+|not\s+(?=be ))(?:have|take|be given|give|use|eat|receive|get|touch|try|prescribe)\s+(?:him |her |them )?"
        r"(?=\w)(?!more\b|again\b|in\b|on\b|until\b|any\w*\b|it\b|them\b|that\b|this\b|these\b|those\b|a\b|an\b|too\b|much\b|part\b|place\b)"
        r"|\b(?:stays?|stayed|keeps?|kept|steers?|steered) (?:well )?(?:away|clear) (?:from|of)\s+(?=\w)(?!it\b|them\b|any\w*\b)",
        re.IGNORECASE,
    ),
    "never not away clear",
)
GOES_ON = re.compile(
    r"\s*,?\s*(?:and|as well as|also|plus)\s+(?:(?:also|then|later|even)\s+)?(?:to\s+)?(?:the\s+)?(?!has|is|was|he|she)",
    re.IGNORECASE,
)
PRONOUN = re.compile(
    r"(?:it|this|that|these|those|them|which|he|she|they|what|something|one|both|the (?:medication|drug|medicine))",
    re.IGNORECASE,
)
