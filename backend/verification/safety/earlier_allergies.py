"""Allergies that stand only in the patient's earlier notes, with the notes that list them.

An earlier note is read once and only its allergies are kept, under the hash of its text. Dates are those that the request
brings; those in a note's own headers are not read.
"""

import hashlib
import threading
from collections import OrderedDict
from typing import NamedTuple

from backend.interfaces import Linker
from backend.nlp.allergies.dangerous_reactions import gravity
from backend.schemas.drafts.note import AllergyItem, LinkedNote
from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.patients.patient_notes import PREVIOUS_VISIT, UNDATED, claimed_date

KEPT = 2_000  # notes whose allergies are kept


class EarlierAllergy(NamedTuple):
    """An allergy that the pasted note does not list. where: the earlier notes that do, in words, newest first."""

    item: AllergyItem
    where: str


class EarlierAllergies:
    """Reads the allergies of earlier notes. Safe to share between threads."""

    def __init__(self, linker: Linker) -> None:
        self._linker = linker
        self._known: OrderedDict[bytes, tuple[AllergyItem, ...]] = OrderedDict()
        self._lock = threading.Lock()

    def forget(self) -> None:
        """Let go of every note that was read."""
        with self._lock:
            self._known.clear()

    def only_earlier(self, request: DraftRequest, linked: LinkedNote) -> list[EarlierAllergy]:
        """What earlier notes list and the pasted note does not; the newest note that lists it gives its words."""
        pasted = {_key(item) for item in linked.allergies.items}
        found: dict[str, tuple[AllergyItem, list[str]]] = {}
        notes = [one for note in request.patient_notes for one in _statements(note)]
        for note in sorted(dict.fromkeys(notes), key=lambda one: one.date or "", reverse=True):
            for item in self._items(note.text):
                key = _key(item)
                if key in pasted:
                    continue
                named, where = _named(note), found.setdefault(key, (item, []))[1]
                if note.note_type != PREVIOUS_VISIT or named not in where:  # a statement may be handed on twice
                    where.append(named)
        return [EarlierAllergy(item, _joined(notes)) for item, notes in found.values()]

    def with_gravest(self, request: DraftRequest, linked: LinkedNote) -> LinkedNote:
        """The pasted note, each of its allergies with the gravest reaction that any of the patient's notes tells of it."""
        if not linked.allergies.items:
            return linked
        told: dict[str, str] = {}
        for item in (
            item for note in request.patient_notes for one in _statements(note) for item in self._items(one.text)
        ):
            key = _key(item)
            told[key] = max(told.get(key, ""), item.reaction, key=gravity)
        graver = (
            item.model_copy(update={"reaction": max(item.reaction, told.get(_key(item), ""), key=gravity)})
            for item in linked.allergies.items
        )
        return linked.model_copy(update={"allergies": linked.allergies.model_copy(update={"items": tuple(graver)})})

    def with_pasted(self, request: DraftRequest, linked: LinkedNote) -> list[str]:
        """Concepts that the pasted note lists or may report as allergies, then those that earlier notes alone list."""
        earlier = (one.item.concept_id for one in self.only_earlier(request, linked))
        return [*linked.allergies.concept_ids, *(concept for concept in earlier if concept)]

    def _items(self, text: str) -> tuple[AllergyItem, ...]:
        key = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        with self._lock:
            known = self._known.get(key)
        if known is None:
            known = self._linker.link(text).allergies.items
            with self._lock:
                self._known[key] = known
                while len(self._known) > KEPT:
                    self._known.popitem(last=False)
        return known


def _statements(note: PatientNote) -> list[PatientNote]:
    """The note; of what is handed on from earlier visits, each line with the day of the note that it comes from."""
    if note.note_type != PREVIOUS_VISIT:
        return [note]
    out = []
    for line in note.text.splitlines():
        day, words = claimed_date(line)
        date = None if day == UNDATED else day or note.date
        out.append(PatientNote(note_type=note.note_type, date=date, text=words))
    return out


def _key(item: AllergyItem) -> str:
    return item.concept_id or " ".join(item.text.lower().split())


def _named(note: PatientNote) -> str:
    return f"of {note.date.strip()[:10]}" if note.date and note.date.strip() else f"without a date ({note.note_type})"


def _joined(notes: list[str]) -> str:
    """The notes in words, as in `listed in an earlier note of 2024-05-01`, and how many more."""
    more = len(notes) - 1
    return f"listed in an earlier note {notes[0]}" + (f" and {more} more" if more else "")
