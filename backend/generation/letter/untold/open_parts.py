"""What of a stay and of its follow-up only the ward knows: asked of the team where the note and the letter tell nothing of it."""

import re

from backend.generation.letter.plan_items.plan_slots import names_visit
from backend.nlp.document import sections
from backend.schemas.record import PatientRecord, Setting
from backend.schemas.vocabulary import SectionCategory

_SEEN_THEN = re.compile(
    r"\b(?:follow[ -]?up|be seen|see you|return|appointment|review)\b(?! (?:of|blood|tests?|results?)\b)[^.;]{0,60}?\b(?:once|after|afterwards|when|until|as soon as|if)\b",
    re.IGNORECASE,
)
"""A visit with what it comes after: "follow up once the results are back"."""
_STAYS = frozenset((Setting.ADMISSION, Setting.HOSPITAL_CONSULT, Setting.UNKNOWN))


def lacks_course(record: PatientRecord, note_text: str, *, told: bool) -> bool:
    """Whether the team has to say what was found and done: a stay of which the note, written before its end, tells no course.

    Args:
        record: of the note.
        note_text: the note.
        told: the letter tells something of what was found and done.
    """
    if record.encounter.setting not in _STAYS:
        return False
    narrated = any(one.category is SectionCategory.HOSPITAL_COURSE for one in sections(note_text))
    over = record.encounter.goes_home or record.encounter.setting is Setting.UNKNOWN
    return not (narrated or (told and over))


def names_appointment(text: str) -> bool:
    """Whether a text names a visit beside its time, or says that none is planned."""
    return names_visit(text) or _SEEN_THEN.search(text) is not None
