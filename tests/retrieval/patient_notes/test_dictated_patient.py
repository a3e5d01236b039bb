"""A second made-up patient of 60 notes in 4 visits, written as notes are dictated: prose with and without headers, shorthand,
several facts a sentence, other dates in the text. Each fact holds a made-up name that no other fact has.

It was written after the search was finished, from another seed and in another style than the patient of test_many_visits.
"""

import random
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

import pytest

from backend.container import Container
from backend.retrieval.patient_notes.note_allergies import StatedAllergies
from backend.retrieval.patient_notes.notes_by_visit import VisitDraft, visits, write_visits
from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.patients.patient_notes import PREVIOUS_VISIT, UNDATED, NoteType, claimed_date
from backend.schemas.vocabulary import Document

FIRST_DAYS = (date(2161, 2, 26), date(2161, 4, 30), date(2161, 5, 4), date(2162, 1, 1))
DAYS = (6, 2, 9, 3)
STAYS = (0, 2)
SYLLABLES = ("bra", "tol", "kes", "dun", "mor", "vel", "pin", "gar", "lin", "sho", "wex", "hal", "fen", "cro", "jus")
WORDED = (
    "Pt seen at bedside by {0}, who found her breathless after one flight of stairs and crackles up to the mark named {1}.",
    "dtr {0} states she slept poorly & had 2 pillows; wt charted on the {1} scale, +ve ankle oedema L>R, no CP.",
    "She tells me that the pain, which {0} had first looked at, is now worse on walking, and that {1} advised rest.",
)
LABELLED = (
    "reason for visit - review asked for by {0}\n\nImpression: the {1} sign is present, likely fluid overload.\n\n"
    "Plan: will ask {2} for a second opinion before the end of the week.",
    "HPI: Three days of cough since the outing with {0}; none of it on 3 March 2149, when she was last well.\n\n"
    "EXAM: Chest clear apart from the {1} area. JVP 4 cm.\n\nA/P: Treat as bronchitis; continue the {2} regimen.",
    "Overnight events. Restless until 02:00, settled by {0}.\n- drain {1}: 40 mL\n- line {2}: clean, dry",
)
HEADS = (
    lambda day: f"Date of exam: {day:%B} {day.day}, {day.year}",
    lambda day: f"note date: {day.day} {day:%b} {day.year}",
    lambda day: f"VISIT DATE: [**{day.year}-{day.month}-{day.day}**]",
    lambda day: f"Date: {day:%Y/%m/%d}",
)


class Fact(NamedTuple):
    """day: UNDATED for a note whose date can be read in two ways; such a note counts to the last visit."""

    day: str
    visit: int


class Patient(NamedTuple):
    notes: tuple[PatientNote, ...]
    facts: dict[str, Fact]


def made(seed: int) -> Patient:
    rng = random.Random(seed)
    names = {"".join(rng.sample(SYLLABLES, 3)).capitalize() for _ in range(400)}
    fresh = iter(sorted(names, key=lambda name: rng.random()))
    notes, facts = [], {}
    for visit, (first, days) in enumerate(zip(FIRST_DAYS, DAYS, strict=True)):
        last = first + timedelta(days=days - 1)
        for place, kind in enumerate(NoteType):
            day = last if kind is NoteType.DISCHARGE_SUMMARY else first + timedelta(days=rng.randrange(days))
            worded = LABELLED if place % 2 else WORDED
            shape = worded[rng.randrange(len(worded))]
            own = [next(fresh) for _ in range(shape.count("{"))]
            body, given = shape.format(*own), None
            shown = Fact(day.isoformat(), visit + 1)
            if kind is NoteType.DISCHARGE_SUMMARY and visit in STAYS:
                body = f"Admitted on: {first:%B} {first.day}, {first.year}\nDischarged: {last:%B} {last.day}, {last.year}\n\n{body}"
            elif place % 5 == 4 and visit in (1, 3) and place > 8:  # readable in two ways
                body = f"Date: 05/{first.day % 12 + 1:02}/{first.year}\n\n{body}".replace("05/05", "05/06")
                shown = Fact(UNDATED, 4)
            elif place % 3 == 0:
                body = f"{HEADS[rng.randrange(len(HEADS))](day)}\n\n{body}"
            else:
                given = f"{day}T{rng.randrange(24):02}:{rng.randrange(60):02}" if place % 2 else day.isoformat()
            notes.append(PatientNote(note_type=kind.value, date=given, text=body))
            facts |= dict.fromkeys(own, shown)
    rng.shuffle(notes)
    return Patient(tuple(notes), facts)


PATIENT = made(20_261_122)
REQUEST = DraftRequest(question="How is the patient?", document=Document.PROGRESS_NOTE, patient_notes=PATIENT.notes)


def names_in(text: str) -> list[str]:
    return [name for name in PATIENT.facts if name in text]


def test_the_notes_fall_into_four_visits_and_unclear_dates_are_no_dates() -> None:
    found = visits(REQUEST)
    undated = [note for visit in found for note in visit.notes if note.when.time is None]
    assert len(PATIENT.notes) == 60 and len(found) == 4
    assert 1 < len(undated) < 8
    for visit in found:
        for note in visit.notes:
            want = {Fact(note.when.day or UNDATED, visit.number)}
            assert {PATIENT.facts[name] for name in names_in(note.note.text)} == want


def wrong(written: Sequence[VisitDraft]) -> list[str]:
    """Every statement that tells a fact under another day, or in another visit, than that of its note."""
    found = []
    for one in written:
        for sentence in one.draft.sentences:
            day, words = claimed_date(sentence.text)
            earlier = sentence.text.startswith(PREVIOUS_VISIT)
            for name in names_in(words):
                if PATIENT.facts[name] != Fact(day or "", one.visit.number - earlier):
                    found.append(sentence.text)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("system", ["cli-rag", "leapnote"])
def test_every_statement_has_its_date_and_its_visit(system: str, container: Container) -> None:
    request = REQUEST.model_copy(update={"system": system})
    handed_on = StatedAllergies(container.linker).handed_on
    written = list(write_visits(request, container.pipeline(system).run, allergies=handed_on))
    assert wrong(written) == []
    for one in written:
        own = [name for s in one.draft.sentences if not s.text.startswith(PREVIOUS_VISIT) for name in names_in(s.text)]
        assert len(set(own)) >= 20
        assert set(names_in(one.draft.text)) == {name for s in one.draft.sentences for name in names_in(s.text)}
        # a statement is a sentence of its own note, word for word
        texts = [" ".join(note.note.text.split()) for note in one.visit.notes]
        for s in one.draft.sentences:
            words = claimed_date(s.text)[1]
            if names_in(words) and not s.text.startswith(PREVIOUS_VISIT):
                assert any(words.rstrip(".") in text for text in texts), s.text
