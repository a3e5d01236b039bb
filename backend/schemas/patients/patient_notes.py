"""The vocabulary of a patient's own notes.

Their 15 types, where a date came from, and the one form in which a statement bears its date.
"""

import re
from enum import StrEnum


class NoteType(StrEnum):
    """The categories of MIMIC-III's NOTEEVENTS, which CLI-RAG retrieves over."""

    CASE_MANAGEMENT = "Case Management"
    CONSULT = "Consult"
    DISCHARGE_SUMMARY = "Discharge summary"
    ECG = "ECG"
    ECHO = "Echo"
    GENERAL = "General"
    NURSING = "Nursing"
    NURSING_OTHER = "Nursing/other"
    NUTRITION = "Nutrition"
    PHARMACY = "Pharmacy"
    PHYSICIAN = "Physician"
    RADIOLOGY = "Radiology"
    REHAB_SERVICES = "Rehab Services"
    RESPIRATORY = "Respiratory"
    SOCIAL_WORK = "Social Work"


class DateSource(StrEnum):
    """Where a note's date was read. It is never guessed: a note without a clear one has none."""

    REQUEST = "request"
    HEADER = "header"
    NONE = "none"


PREVIOUS_VISIT = "Previous visit"
"""The note type under which a request brings the summary of the previous visit's generated note; it is no note type of
the patient's own, is never searched, and always given to the writer."""

UNDATED = "Undated"
_DATED = re.compile(rf"(?:{PREVIOUS_VISIT}: )?(?P<date>\d{{4}}-\d\d-\d\d|{UNDATED}) \((?P<kind>[^()\n]{{1,60}})\): ")


def dated_statement(text: str, date: str | None, note_type: str) -> str:
    """`2024-03-01 (Nursing): text`; `Undated (Nursing): text` for a note without a date."""
    kind = re.sub(r"[()\s]+", " ", note_type).strip()[:60] or NoteType.GENERAL
    return f"{date or UNDATED} ({kind}): {text}"


def claimed_date(statement: str) -> tuple[str | None, str]:
    """The date that a statement claims, UNDATED where it says so, and the statement without that form.

    (None, all of it) for a statement of another form. A statement taken over from the previous visit claims the date that it
    bears.
    """
    found = _DATED.match(statement)
    return (None, statement) if found is None else (found["date"], statement[found.end() :])
