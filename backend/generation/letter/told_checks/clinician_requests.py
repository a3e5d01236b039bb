"""Requests of a letter between clinicians, which a patient must not read as orders: "Please stop ibuprofen", "GP to check the blood count".

They are told as what the patient's own doctor is asked, where the note says whom it asks and for what.
"""

import re
from collections.abc import Sequence

from backend.generation.letter.plain_language.letter_words import Word, is_adverb, lists, words_of
from backend.generation.letter.plain_language.verb_forms import verbs
from backend.schemas.record import Setting

_TO_COLLEAGUE = re.compile(r"^\s*dear\s+(?:dr|doctor|colleagues?)\b", re.IGNORECASE | re.MULTILINE)
_GP = re.compile(r"\bGPs?\b")
_ASKED = re.compile(
    r"^(?:(?P<please>(?:please|kindly)(?: (?:could|can|would) you)?(?: kindly)?)|(?:(?:i|we) (?:would|should) be |(?:i|we) (?:am|are) )?(?:very )?grateful if you (?:would|could)(?: kindly)?"
    r"|(?:could|would|can) you (?:please|kindly)|(?P<own>(?:the |your )?(?:gp|primary care doctor|family doctor) (?:is )?to)) (?:please )?"
    r"(?P<never>never |not |do not |also )?(?P<verb>[a-z]+)(?P<rest>[ .].*)?$",
    re.IGNORECASE | re.DOTALL,
)


def is_to_colleague(note: str) -> bool:
    """Whether a note is a letter to another clinician."""
    return _TO_COLLEAGUE.search(note) is not None


def is_request(text: str, *, to_colleague: bool) -> bool:
    """Whether a clause asks somebody other than the patient.

    Args:
        text: of the note, in plain words.
        to_colleague: the note is a letter to another clinician.
    """
    asked = _ASKED.match(text)
    if asked is None or asked["verb"].lower() not in verbs():
        return False
    return asked["own"] is not None or to_colleague or asked["please"] is None


def asked_doctor(note: str) -> str:
    """What a note calls the doctor whom it asks."""
    return "GP" if _GP.search(note) else "own doctor"


def request_told(text: str, doctor: str) -> str:
    """A request as what a doctor is asked; empty where it does not say what is to be done to what ("check again in 2 weeks").

    Args:
        text: a request.
        doctor: who is asked.
    """
    asked = _ASKED.match(text)
    rest = (asked["rest"] or "").strip(" .") if asked is not None else ""
    if asked is None or not rest:
        return ""
    own = lists()
    first = re.findall(r"[^\W_]+", rest.lower())[:1]
    if not first or first[0] in own["prepositions"] | own["ago"] | {"again", "this", "it"} or is_adverb(first[0]):
        return ""
    never = {"never": "never ", "not": "not ", "do not": "not "}.get((asked["never"] or "").strip().lower(), "")
    return f"The {doctor} is asked {never}to {asked['verb'].lower()} {rest}."


def is_asked_at_home(words: Sequence[Word], setting: Setting) -> bool:
    """Whether an order tells somebody who goes home to ask whom they see there: "Ask eye doctor about the drops".

    Args:
        words: of the order.
        setting: of the encounter; on a ward it is the team that asks.
    """
    if words[0].low != "ask" or setting in (Setting.ADMISSION, Setting.HOSPITAL_CONSULT):
        return False
    return not lists()["seen_at_home"].isdisjoint(word.low for word in words[1:4])


def is_addressed(text: str) -> bool:
    """Whether a decision of a note already speaks to the patient ("Return if you develop chest pressure"), and of nobody else."""
    words = {word.low for word in words_of(text) or ()}
    own = lists()
    others = own["female"] | own["male"] | own["person"] | own["people"]
    return not words.isdisjoint(("you", "your")) and words.isdisjoint(
        others | {"he", "she", "him", "her", "his", "patient"}
    )
