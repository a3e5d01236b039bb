"""The frames of a letter: what stands before the note's own words where they are no sentence, by the setting of the encounter."""

import re
from functools import lru_cache

from backend.errors import KnowledgeError
from backend.generation.letter.plain_language.clause_subjects import Addressee
from backend.generation.letter.plain_language.letter_words import lists
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.record import Setting

_STOPPED_TWICE = re.compile(r"([.!?][\"”])\.$")
ANY = "*"
SAYS = "_says"
"""Ends the name of a frame whose text begins with its verb: "EXAM: Reveals a rash"."""


def framed(frame: str, setting: Setting, patient: Addressee, text: str = "") -> str:
    """A text in its frame.

    Args:
        frame: its name in assets/rules/letter/frames.tsv.
        setting: of the encounter.
        patient: who is addressed.
        text: the note's words, turned to the patient.

    Raises:
        KnowledgeError: no row has this frame.
    """
    rows = _frames()
    if text.partition(" ")[0].lower() in lists()["showing"] and (f"{frame}{SAYS}", ANY) in rows:
        frame += SAYS
    form = rows.get((frame, setting.value)) or rows.get((frame, ANY))
    if form is None:
        raise KnowledgeError(f"frames.tsv has no frame '{frame}' for any setting. Add a row with {ANY}.")
    said = form.format(text=text, **_persons(patient))
    said = _STOPPED_TWICE.sub(r"\1", _third(said) if patient.child else said)
    return said[:1].upper() + said[1:]


def object_of(verb: str, patient: Addressee) -> str:
    """What stands behind a verb whose object, the patient, a plan leaves out: "refer" gives "you to"; empty for other verbs."""
    form = _object_verbs().get(verb, "")
    return form.format(**_persons(patient)) if form else ""


def _persons(patient: Addressee) -> dict[str, str]:
    you, your = patient.you, patient.your
    return {"you": you, "your": your, "You": you[:1].upper() + you[1:], "Your": your[:1].upper() + your[1:]}


def _third(text: str) -> str:
    """A frame about a child: "Your child were seen" takes the third person."""
    for plural, singular in (("child were ", "child was "), ("child have ", "child has "), ("child wish ", "child wishes "), ("child go ", "child goes ")):  # fmt: skip
        text = text.replace(plural, singular)
    return text


@lru_cache(maxsize=1)
def _frames() -> dict[tuple[str, str], str]:
    """The frames by name and setting.

    Raises:
        KnowledgeError: a row names no setting, or stands there twice.
    """
    settings = {one.value for one in Setting} | {ANY}
    found: dict[tuple[str, str], str] = {}
    for frame, setting, text in rule_rows(RULES / "letter" / "frames.tsv", 3):
        if setting not in settings or (frame, setting) in found:
            raise KnowledgeError(f"frames.tsv: '{frame}' for '{setting}' is there twice, or is of no known setting.")
        found[frame, setting] = text
    return found


@lru_cache(maxsize=1)
def _object_verbs() -> dict[str, str]:
    return {row[0]: row[1] for row in rule_rows(RULES / "letter" / "object_verbs.tsv", 2)}
