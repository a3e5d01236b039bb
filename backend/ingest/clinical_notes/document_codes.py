"""Which of the 15 note types a document is, by its LOINC code. FHIR and C-CDA name documents so.

Only codes whose meaning leaves no doubt; what is not here is called as its file words it.
"""

from backend.schemas.patients.patient_notes import NoteType

LOINC_TYPES: dict[str, NoteType] = {
    "11488-4": NoteType.CONSULT,
    "57133-1": NoteType.CONSULT,  # referral note
    "18842-5": NoteType.DISCHARGE_SUMMARY,
    "11506-3": NoteType.PHYSICIAN,  # progress note
    "34117-2": NoteType.PHYSICIAN,  # history and physical
    "51847-2": NoteType.PHYSICIAN,  # evaluation and plan
    "11504-8": NoteType.PHYSICIAN,  # operative note
    "28570-0": NoteType.PHYSICIAN,  # procedure note
    "34746-8": NoteType.NURSING,
    "11524-6": NoteType.ECG,
    "18748-4": NoteType.RADIOLOGY,
    "42148-7": NoteType.ECHO,
}


def document_type(code: str, words: str) -> str:
    """The note's type as a request takes it: by the code, else as the file words it, else General."""
    kind = LOINC_TYPES.get(code)
    return kind.value if kind else " ".join(words.split())[:60] or NoteType.GENERAL.value
