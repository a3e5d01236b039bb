"""Several notes written into one text: what a person types into a field, and what a plain text file may hold.

Notes are parted by a line of three dashes, each with an optional first line that names type and date.
"""

import re
from collections.abc import Sequence

from backend.schemas.drafts.request import PatientNote

MOST_NOTES = 200  # of one request
_BETWEEN = re.compile(r"^[ \t]*-{3,}[ \t]*$", re.MULTILINE)
_FIRST_LINE = re.compile(r"^#[ \t]*(?P<type>[^,\n]+?)[ \t]*(?:,[ \t]*(?P<date>\d{4}-\d{2}-\d{2}))?[ \t]*$")


def written_notes(text: str) -> tuple[PatientNote, ...]:
    """The notes of a text. A first line `# Discharge summary, 2024-03-01` names type and date; one without it is General."""
    notes = []
    for part in _BETWEEN.split(text):
        first, _, rest = part.strip().partition("\n")
        header = _FIRST_LINE.match(first)
        if header and rest.strip():
            notes.append(PatientNote(note_type=header["type"], date=header["date"], text=rest.strip()))
        elif part.strip():
            notes.append(PatientNote(text=part.strip()))
    return tuple(notes)


def latest(notes: Sequence[PatientNote], most: int = MOST_NOTES) -> tuple[tuple[PatientNote, ...], int]:
    """The latest notes that a request may bring, in the order given, and how many older ones were left out.

    Notes without a date are kept, and so is every note that speaks of allergies.
    """
    if len(notes) <= most:
        return tuple(notes), 0
    first = [i for i, note in enumerate(notes) if not note.date or "allerg" in note.text.lower()]
    rest = sorted(set(range(len(notes))) - set(first), key=lambda i: notes[i].date or "", reverse=True)
    kept = sorted([*first, *rest][:most])
    return tuple(notes[i] for i in kept), len(notes) - len(kept)
