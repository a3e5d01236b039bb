"""Several notes written into one text: parted by a line of three dashes, each with an optional first line that names type
and date. What a person types into a field, and what a plain text file may hold."""

import re

from backend.schemas.request import PatientNote

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
