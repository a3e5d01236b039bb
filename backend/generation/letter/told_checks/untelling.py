"""Clauses of a note that tell a patient nothing: where they live and what they smoke, that a letter was sent, that the plan was discussed."""

import re
from collections.abc import Sequence

from backend.generation.letter.plain_language.letter_words import lists
from backend.schemas.record import (
    Experiencer,
    MedicationStatement,
    ProblemStatement,
    Setting,
    SocialKind,
    SocialStatement,
    Statement,
)
from backend.schemas.vocabulary import SectionCategory

_OF_STAY = re.compile(
    r"\b(?:NPO|NBM|nil by mouth|nothing by mouth)\b(?!.*\b(?:before|surgery|operation|procedure)\b)"
    r"|^\W*(?:review|reassess|recheck|r/v|repeat obs)\b[\w ]{0,20}?\b(?:1?\d|2[0-3])\s?(?:h|hrs?|hours?)\b(?!.*\bdischarge\b)",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"\b(?:home|discharged?|tubes?|PEG|PEJ|enteral|feeds?|strict(?:ly)?|aspirat\w+)\b", re.IGNORECASE)
"""What says that an order does not end with the stay: who is fed by a tube may take nothing by mouth at home."""
_NOTHING_AWAITED = re.compile(
    r"(?:(?:results?|tests?) )?(?:pending|outstanding|awaited)[\w ]{0,30}[:-] ?(?:none|nil|n/a)\b", re.IGNORECASE
)
_MADE = re.compile(
    r"^[^.;:]* (?:was|were) (?:also )?(?:obtained|taken|performed|done)(?: (?:and|&) (?:also )?review(?:ed)?)?(?: by me)?"
    r"(?: with (?:the patient|him|her|them))?(?: (?:in|at) (?:the |our |my )?(?:office|clinic))?(?: today)?\W*$",
    re.IGNORECASE,
)
"""A test that was made, of which what it showed stands in another sentence."""
_PICTURES = re.compile(r"\b(?:x-?rays?|radiographs?|views?|films?|images?|imaging|scans?)\b", re.IGNORECASE)
_SHORT = 3
_IN_HOUSE = frozenset((Setting.EMERGENCY, Setting.ADMISSION, Setting.HOSPITAL_CONSULT))
_WISHES = frozenset((SocialKind.GOALS_OF_CARE, SocialKind.RESUSCITATION))


def tells_nothing(text: str, setting: Setting = Setting.UNKNOWN) -> bool:
    """Whether a clause is of the stay alone, or all its words are of the note's own course: "GP letter", "Home with son", "Rubella immune", "Pending: none".

    Args:
        text: of the note.
        setting: of the encounter; in a house what is not to be eaten, or is looked at in 2 hours, is over at the end.
    """
    of_stay = setting in _IN_HOUSE and _OF_STAY.search(text) is not None and _GOES_ON.search(text) is None
    made = _MADE.match(text) is not None and _PICTURES.search(text) is not None
    if of_stay or made or _NOTHING_AWAITED.match(text):
        return True
    own = lists()
    words = re.findall(r"[a-z]+|\d+", text.lower())
    small = own["prepositions"] | own["determiners"] | own["joins"] | own["patient"] | own["female"] | own["male"]
    small = (
        small | own["people"] | own["former"] | {"gp", "pcp", "her", "his", "their", "is", "are", "was", "were"}
    ) - own["negations"]
    if len(words) <= _SHORT and words[-1:] == ["immune"]:
        return True
    if not own["untelling"].isdisjoint(words) and all(word in small | own["untelling"] for word in words):
        return True
    empty = small | own["untelling"] | own["talk"] | own["talked_of"]
    return not own["talk"].isdisjoint(words) and all(
        word in empty for word in words
    )  # that somebody talked, and of nothing


def is_beside_the_patient(inside: Sequence[Statement], section: SectionCategory) -> bool:
    """Whether what was read in a clause is of somebody else alone, or how the patient lives, which they know.

    Args:
        inside: the statements of a clause.
        section: of the note; what an assessment names is no mere habit.
    """
    lived = section is not SectionCategory.ASSESSMENT and bool(inside)
    if lived and all(isinstance(one, SocialStatement) and one.kind not in _WISHES for one in inside):
        return True
    whose = [one.experiencer for one in inside if isinstance(one, ProblemStatement | MedicationStatement)]
    own = [one for one in inside if not isinstance(one, ProblemStatement | MedicationStatement)]
    return bool(whose) and not own and all(who is not Experiencer.PATIENT for who in whose)
