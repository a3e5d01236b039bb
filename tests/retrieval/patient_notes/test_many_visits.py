"""A patient of 60 notes in 4 visits, through the systems as they ship: dates, visits, the summary handed on, ablations.

The patient does not exist. Each fact holds a value that no other fact has, so that it tells by itself which note, day and
visit it came from; the notes bear their dates in eight styles.
"""

import random
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import NamedTuple

import pytest

from backend.container import Container
from backend.container.settings_values import patient_search
from backend.evaluation.progress_notes.temporal import SourceNote, Statement, temporal_scores
from backend.nlp.extraction.linker import DictionaryLinker
from backend.retrieval.patient_notes.notes_by_visit import VisitDraft, dated_notes, visits, write_visits
from backend.retrieval.patient_notes.two_stage_notes import TwoStageNotes
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.evidence import NotePiece
from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.patients.patient_notes import PREVIOUS_VISIT, NoteType, claimed_date
from backend.schemas.vocabulary import Document, SoapPart
from backend.settings import Settings
from tests.conftest import WordEncoder

# first day, days; the first and third visit are stays that a discharge summary bounds
VISITS = (("2150-01-12", 7), ("2150-03-21", 3), ("2150-09-27", 8), ("2151-02-27", 3))
STAYS = (1, 3)
PROBLEMS = ("heart failure", "pneumonia", "gout", "pulmonary embolism")
FACTS_A_NOTE = 4
Style = Callable[[date], str]
STYLES: tuple[Style, ...] = (
    lambda day: f"Date: {day.isoformat()}",
    lambda day: f"Date of Service: {day:%B} {day.day}, {day.year}",
    lambda day: f"DATE: {day.day} {day:%b} {day.year}",
    lambda day: f"Note Date: [**{day.year}-{day.month}-{day.day}**]",
    lambda day: f"Visit Date: {day.day}th {day:%B} {day.year}",
    # numbers alone only where one of them can be no month; else the year comes first
    lambda day: f"Date: {day:%m/%d/%Y}" if day.day > 12 else f"Date: {day:%Y.%m.%d}",
)


class Fact(NamedTuple):
    day: str
    visit: int


class Patient(NamedTuple):
    """facts: by the value that only this fact has."""

    notes: tuple[PatientNote, ...]
    facts: dict[str, Fact]


def made_patient(seed: int = 0, a_visit: int = len(NoteType)) -> Patient:
    """So many notes a visit, in no order of time."""
    rng = random.Random(seed)
    values = iter(rng.sample(range(1_000, 10_000), 4 * a_visit * FACTS_A_NOTE))
    notes: list[PatientNote] = []
    facts: dict[str, Fact] = {}
    for visit, (first, days) in enumerate(VISITS, start=1):
        begin = date.fromisoformat(first)
        end = begin + timedelta(days=days - 1)
        for place in range(a_visit):
            kind = list(NoteType)[place % len(NoteType)]
            day = begin + timedelta(days=place % days)
            own = [f"{next(values) / 100:.2f}" for _ in range(FACTS_A_NOTE)]
            if kind is NoteType.DISCHARGE_SUMMARY and visit in STAYS:
                day = end
                head = f"Admission Date: [**{begin}**]   Discharge Date: [**{end}**]\n\n"
                note = PatientNote(note_type=kind.value, text=head + body(visit, own))
            elif place % 4 == 0:
                note = PatientNote(note_type=kind.value, date=day.isoformat(), text=body(visit, own))
            elif place % 4 == 1:
                note = PatientNote(note_type=kind.value, date=f"{day}T08:{place:02}:00", text=body(visit, own))
            else:
                head = STYLES[(visit + place) % len(STYLES)](day)
                note = PatientNote(note_type=kind.value, text=f"{head}\n\n{body(visit, own)}")
            notes.append(note)
            facts |= {value: Fact(day.isoformat(), visit) for value in own}
    rng.shuffle(notes)
    return Patient(tuple(notes), facts)


def body(visit: int, own: list[str]) -> str:
    """Four facts under headers; the words are the same in every note of a visit, the values are not."""
    return (
        f"HISTORY OF PRESENT ILLNESS: She has dyspnea and walked {own[0]} metres before it came.\n\n"
        f"LABS: The level was {own[1]} mg/dL.\n\n"
        f"ASSESSMENT: {PROBLEMS[visit - 1].capitalize()}, score {own[2]}.\n\n"
        f"PLAN: Continue the present treatment and measure again below {own[3]}.\n"
    )


PATIENT = made_patient()
REQUEST = DraftRequest(question="How is the patient?", document=Document.PROGRESS_NOTE, patient_notes=PATIENT.notes)


def values_in(text: str) -> set[str]:
    """The values of facts that a text holds."""
    return {value for value in PATIENT.facts if value in text}


def test_the_sixty_notes_fall_into_their_four_visits_whatever_the_style_of_their_dates() -> None:
    found = visits(REQUEST)
    assert [len(visit.notes) for visit in found] == [15] * 4
    for visit in found:
        for note in visit.notes:
            assert {PATIENT.facts[value] for value in values_in(note.note.text)} == {
                Fact(note.when.day or "", visit.number)
            }
    heads = {note.text.split("\n")[0].split(":")[0] for note in PATIENT.notes}
    assert {"Date", "DATE", "Date of Service", "Note Date", "Visit Date", "Admission Date"} <= heads


@pytest.fixture(scope="module")
def written(container: Container) -> Iterator[Callable[[str], list[VisitDraft]]]:
    """The four visits as a system writes them, each system once."""
    known: dict[str, list[VisitDraft]] = {}

    def by(system: str) -> list[VisitDraft]:
        if system not in known:
            request = REQUEST.model_copy(update={"system": system})
            known[system] = list(write_visits(request, container.pipeline(system).run))
        return known[system]

    yield by
    known.clear()


@pytest.mark.slow
@pytest.mark.parametrize("system", ["cli-rag", "leapnote"])
def test_every_date_is_right_and_no_fact_is_of_another_visit(
    system: str, written: Callable[[str], list[VisitDraft]]
) -> None:
    done = written(system)
    assert [one.visit.number for one in done] == [1, 2, 3, 4]
    for number, one in enumerate(done, start=1):
        own = 0
        for sentence in one.draft.sentences:
            day, bare = claimed_date(sentence.text)
            earlier = sentence.text.startswith(PREVIOUS_VISIT)
            for value in values_in(bare):
                assert PATIENT.facts[value] == Fact(day or "", number - earlier), sentence.text
                own += not earlier
        assert own >= 20  # of 60: a visit is told in some 40 lines
        # a fact outside its sentence, in a heading or a list, would be caught here
        assert values_in(one.draft.text) == {value for s in one.draft.sentences for value in values_in(s.text)}


@pytest.mark.slow
@pytest.mark.parametrize("system", ["cli-rag", "leapnote"])
def test_each_visit_tells_what_the_note_before_said_and_nothing_of_the_one_before_that(
    system: str, written: Callable[[str], list[VisitDraft]]
) -> None:
    done = written(system)
    for before, one in zip([None, *done], done, strict=False):
        heard = "\n".join(p.text for p in one.draft.evidence.notes if p.note_type == PREVIOUS_VISIT)
        said = [s.text for s in one.draft.sentences if s.text.startswith(PREVIOUS_VISIT)]
        assert heard == (before.summary if before else "")
        assert bool(said) == bool(before)
        assert {PATIENT.facts[v].visit for v in values_in(heard)} == ({one.visit.number - 1} if before else set())


@pytest.mark.slow
def test_the_temporal_scores_of_cli_rag_are_whole(written: Callable[[str], list[VisitDraft]]) -> None:
    done = written("cli-rag")
    every = [SourceNote(n.when.day, n.note.text) for one in done for n in one.visit.notes]
    for one in done:
        parts = {part.value: part for part in SoapPart}
        statements = [Statement(parts[s.section], s.text) for s in one.draft.sentences if s.section in parts]
        scores = temporal_scores(statements, every)
        assert (scores.dated, scores.right, scores.ordered) == (1.0, 1.0, 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("system", ["cli-rag", "leapnote"])
def test_all_sixty_notes_at_once_are_told_with_their_own_dates(system: str, container: Container) -> None:
    draft: Draft = container.pipeline(system).run(REQUEST.model_copy(update={"system": system}))
    found = 0
    for sentence in draft.sentences:
        day, bare = claimed_date(sentence.text)
        for value in values_in(bare):
            assert PATIENT.facts[value].day == day
            found += 1
    assert found >= 30


@pytest.fixture
def pieces(
    tiny_linker: DictionaryLinker, encoder: WordEncoder, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[NotePiece, ...]]:
    """What the last visit's request brings under the settings of the environment."""

    def found(**environment: str) -> tuple[NotePiece, ...]:
        for name, value in environment.items():
            monkeypatch.setenv(f"LEAPNOTE_PATIENT_{name}", value)
        chosen = patient_search(Settings(_env_file=None))
        last = tuple(note.note for note in visits(REQUEST)[-1].notes)
        before = PatientNote(note_type=PREVIOUS_VISIT, date="2150-10-04", text="2150-10-04 (Physician): Gout.")
        request = REQUEST.model_copy(update={"patient_notes": (before, *last)})
        return TwoStageNotes(tiny_linker, {}, encoder, chosen).pieces(tiny_linker.link(REQUEST.question), request)

    return found


def test_without_the_previous_visit_its_summary_alone_is_gone(pieces: Callable[..., tuple[NotePiece, ...]]) -> None:
    both = pieces()
    without = pieces(PREVIOUS_VISIT="false")
    assert [p.text for p in both if p.note_type == PREVIOUS_VISIT] == ["2150-10-04 (Physician): Gout."]
    assert [p.text for p in without] == [p.text for p in both if p.note_type != PREVIOUS_VISIT]


def test_one_stage_alone_finds_no_more_and_something_else(pieces: Callable[..., tuple[NotePiece, ...]]) -> None:
    texts = {
        stages: {
            (p.note_type, p.text) for p in pieces(STAGES=stages, PER_QUESTION="2", PER_SUB_QUERY="1", PIECES="200")
        }
        for stages in ("both", "global", "local")
    }
    assert texts["global"] < texts["both"]  # the local stage only adds
    assert texts["local"] != texts["global"]
    kinds = {stages: {kind for kind, _ in found} for stages, found in texts.items()}
    # the local stage asks within every type that the patient has; two hits a question do not reach all of them
    assert kinds["local"] == {kind.value for kind in NoteType} | {PREVIOUS_VISIT}
    assert kinds["global"] < kinds["local"]


def test_flat_chunks_know_no_header_and_hold_several_of_them(pieces: Callable[..., tuple[NotePiece, ...]]) -> None:
    by_header = [p for p in pieces(PIECES="200") if p.note_type != PREVIOUS_VISIT]
    flat = [p for p in pieces(PIECES="200", HEADERS="false") if p.note_type != PREVIOUS_VISIT]
    assert {p.section for p in by_header} != {p.section for p in flat}
    assert max(len(values_in(p.text)) for p in by_header) == 1
    assert max(len(values_in(p.text)) for p in flat) == FACTS_A_NOTE
    # the ablation changes how notes are cut, not when they were written
    assert all(PATIENT.facts[value].day == p.date for p in flat for value in values_in(p.text))


def test_two_hundred_notes_are_dated_and_grouped_alike() -> None:
    large = made_patient(seed=1, a_visit=50)
    found = dated_notes(large.notes)
    assert len(found) == 200
    assert all(
        large.facts[value] == Fact(one.when.day or "", one.visit)
        for one in found
        for value in large.facts
        if value in one.note.text
    )
