"""The parts of a MIMIC-IV discharge summary: allergies, chief complaint, history of present illness, discharge instructions.

The summaries are filled-in forms: each header of the form stands at the start of a line and ends with a colon, in the
same order in nearly every note. Only headers of that form open or end a part, in any case and with any spacing, because
a history may hold lines of its own that look like headers ("ED Course:", "ROS:"), and these belong to it.
"""

import re
from typing import NamedTuple

from backend.ingest.blanks import normal_form

# Headers of the form, as written. Those with a value are the parts that a pair needs.
_PARTS = {
    "allergies": "allergies",
    "chief complaint": "complaint",
    "history of present illness": "history",
    "discharge instructions": "instructions",
}
HISTORY = "History of Present Illness:"
# Short names that some notes write; they open a part only where the note has the full name nowhere.
_SHORT = {"cc": "complaint", "hpi": "history"}
_OTHERS = (
    "name|unit no|admission date|discharge date|date of birth|sex|service|attending|"
    "major surgical or invasive procedures?|major surgical|past medical history|past medical/surgical history|"
    "past surgical history|pmh|pmhx|past medical hx|social history|family history|physical exam|physical examination|"
    "physical exam on admission|admission physical exam|pertinent results|brief hospital course|hospital course|"
    "medications on admission|admission medications|home medications|discharge medications|discharge disposition|"
    "facility|discharge diagnosis|discharge diagnoses|discharge condition|followup instructions|"
    "follow-up instructions|follow up instructions"
)
_WORDS = "|".join([*_PARTS, *_SHORT, _OTHERS]).replace(" ", r"[ \t]+")
_HEADER = re.compile(rf"^[ \t]*({_WORDS})[ \t]*:[ \t]*", re.IGNORECASE | re.MULTILINE)
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n){2,}")


class Summary(NamedTuple):
    """The four parts, blanks in normal form; empty where the note has no such part."""

    allergies: str
    complaint: str
    history: str
    instructions: str

    @property
    def note(self) -> str:
        """What was known before admission, as a note with three sections."""
        return f"Allergies: {self.allergies}\n\nChief Complaint: {self.complaint}\n\n{HISTORY} {self.history}"


def summary(text: str) -> Summary:
    """The parts of one discharge summary.

    Of several parts of one name the first that is not empty counts, but the last for the instructions: a course may quote
    earlier ones, and the form has its own near the end.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    heads = [(found, " ".join(found[1].lower().split())) for found in _HEADER.finditer(text)]
    full = {_PARTS[name] for _, name in heads if name in _PARTS}
    # A short name inside the part itself, as "CC:" in a history that has its chief complaint elsewhere, is running text.
    heads = [(found, name) for found, name in heads if name not in _SHORT or _SHORT[name] not in full]
    ends = [found.start() for found, _ in heads[1:]] + [len(text)]
    parts: dict[str, str] = {}
    for (found, name), end in zip(heads, ends, strict=True):
        part = _PARTS.get(name) or _SHORT.get(name)
        if part and (part == "instructions" or part not in parts) and (body := _tidy(text[found.end() : end])):
            parts[part] = body
    return Summary(*(parts.get(part, "") for part in Summary._fields))


def _tidy(body: str) -> str:
    """Without spaces at line ends and with at most one empty line in a row; line breaks stay, they carry lists."""
    lines = "\n".join(line.rstrip() for line in normal_form(body).split("\n"))
    return _BLANK_LINES.sub("\n\n", lines).strip()
