"""A patient who does not exist: 60 notes of 4 visits, of all 15 types, written by a seeded script.

Every fact holds a number that no other fact has, so that it tells by itself which note, day and visit it came from.
"""

import random
from datetime import date, timedelta
from typing import NamedTuple

from backend.schemas.drafts.request import PatientNote
from backend.schemas.patients.patient_notes import NoteType

STAYS = (("2150-01-10", 6), ("2150-03-02", 3), ("2150-09-20", 8), ("2151-02-27", 5))  # the last one crosses a month
PROBLEMS = ("heart failure", "pneumonia", "gout", "atrial fibrillation")
SYMPTOMS = ("dyspnea", "cough", "leg swelling", "chest pain")
NOTES_A_VISIT = 15


class Fact(NamedTuple):
    """number: the mark that only this fact has."""

    number: str
    day: str
    visit: int


class SamplePatient(NamedTuple):
    """facts: by number."""

    notes: tuple[PatientNote, ...]
    facts: dict[str, Fact]


def sample_patient(seed: int = 0) -> SamplePatient:
    """The notes in no order of time. Half bear their date in the request, half in a header."""
    rng = random.Random(seed)
    numbers = iter(rng.sample(range(1_000, 10_000), 4_000))
    notes: list[PatientNote] = []
    facts: dict[str, Fact] = {}
    for visit, (first, days) in enumerate(STAYS, start=1):
        begin = date.fromisoformat(first)
        end = begin + timedelta(days=days - 1)
        types = list(NoteType)
        rng.shuffle(types)
        for place, kind in enumerate(types):
            day = begin + timedelta(days=0 if place == 0 else rng.randrange(days))
            if kind is NoteType.DISCHARGE_SUMMARY:
                day = end
            marks = [f"{next(numbers)}" for _ in range(5)]
            for mark in marks:
                facts[mark] = Fact(mark, day.isoformat(), visit)
            text = _text(visit - 1, marks, rng)
            if kind is NoteType.DISCHARGE_SUMMARY:
                masked = [f"[**{d.year}-{d.month}-{d.day}**]" for d in (begin, end)]
                text = f"Admission Date:  {masked[0]}    Discharge Date:  {masked[1]}\n\n{text}"
                notes.append(PatientNote(note_type=kind.value, text=text))
            elif place % 2:
                notes.append(PatientNote(note_type=kind.value, text=f"Date: {day:%B} {day.day}, {day.year}\n\n{text}"))
            else:
                notes.append(PatientNote(note_type=kind.value, date=day.isoformat(), text=text))
    rng.shuffle(notes)
    return SamplePatient(tuple(notes), facts)


def _text(visit: int, marks: list[str], rng: random.Random) -> str:
    """Five facts under headers, with noise between them."""
    problem, symptom = PROBLEMS[visit], SYMPTOMS[visit]
    return (
        f"HISTORY OF PRESENT ILLNESS: She has {symptom}, walked {marks[0]} steps before it came.\n\n"
        f"{'_' * rng.randrange(20, 60)}\n"
        f"VITAL SIGNS: Measured with device {marks[1]}, blood pressure taken.\n\n"
        f"LABS: Sample {marks[2]} was normal.\n\n"
        f"ASSESSMENT: {problem.capitalize()}, class code {marks[3]}.\n\n"
        f"PLAN: Continue treatment under order {marks[4]}.\n\n"
        f"Electronically signed by: [**Name 1234**]\n"
    )
