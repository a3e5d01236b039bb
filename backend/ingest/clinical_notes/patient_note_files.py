"""A file of a patient's notes, whatever its form, to notes by patient: what a person uploads, or a command is given.

The form is recognised by the content alone, by the registered note importers in their order. The file is read from memory
and never written anywhere. Reasons for what is left out are the program's own words.
"""

from backend.errors import InputError
from backend.ingest.importers import note_importers
from backend.schemas.drafts.request import PatientNote
from backend.schemas.patients.patient_files import NotesFile


def read_patient_file(data: bytes, name: str) -> NotesFile:
    """The notes of a file, by patient.

    Args:
        data: the whole file.
        name: of the file, for errors.

    Raises:
        InputError: it is packed, is no text, is damaged, or holds no note.
    """
    if data[:2] == b"\x1f\x8b":
        raise InputError(f"{name!r} is packed (gzip). Unpack it first.")
    reader = next(importer.reader for importer in note_importers() if importer.reader.recognises(data))
    found = reader.read(data, name)
    if not any(record.notes for record in found.patients):
        skipped = "; ".join(f"{count} {reason}" for reason, count in found.skipped.items())
        raise InputError(f"{name!r} holds no note that can be read{f' ({skipped})' if skipped else ''}.")
    return found


def notes_of(found: NotesFile, patient: str, name: str) -> tuple[PatientNote, ...]:
    """One patient's notes of a file.

    Args:
        found: as `read_patient_file` gives it.
        patient: an id; may be empty where the file holds one patient only.
        name: of the file, for errors.

    Raises:
        InputError: no such patient, or several to choose from; the message names ids.
    """
    ids = [record.patient for record in found.patients]
    if not patient and len(ids) > 1:
        shown = ", ".join(ids[:5]) + (f" and {len(ids) - 5} more" if len(ids) > 5 else "")
        raise InputError(f"{name!r} holds notes of {len(ids)} patients. Say whose are meant: {shown}.")
    for record in found.patients:
        if not patient or record.patient == patient:
            return record.notes
    raise InputError(f"{name!r} holds no patient {patient!r}.")
