"""Two-stage retrieval over a patient's notes: chunks, stages, reranking, order, dates, and what is never lost."""

import random
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from backend.nlp.document.note_chunks import ChunkSettings
from backend.nlp.extraction.linker import DictionaryLinker
from backend.retrieval.patient_notes.chunk_rerank import fused, without_repeats
from backend.retrieval.patient_notes.chunks import PatientChunk, patient_chunks
from backend.retrieval.patient_notes.content_vectors import ContentVectors
from backend.retrieval.patient_notes.notes_by_visit import dated_notes
from backend.retrieval.patient_notes.queries import NoteQueries, TaskQuestion, note_queries
from backend.retrieval.patient_notes.two_stage_notes import TwoStageNotes
from backend.retrieval.patient_notes.two_stage_search import Asked, PatientSearchSettings, SearchStages, TwoStageSearch
from backend.schemas.drafts.evidence import NotePiece
from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.patients.patient_notes import PREVIOUS_VISIT, NoteType
from backend.schemas.vocabulary import Document, SoapPart
from tests.conftest import WordEncoder
from tests.retrieval.patient_sample import sample_patient

ASKED = "What now?"
Make = Callable[..., TwoStageNotes]


@pytest.fixture
def make(tiny_linker: DictionaryLinker, encoder: WordEncoder) -> Make:
    def notes(**changes: object) -> TwoStageNotes:
        return TwoStageNotes(tiny_linker, {}, encoder, replace(PatientSearchSettings(), **changes))

    return notes


@pytest.fixture
def pieces(make: Make, tiny_linker: DictionaryLinker) -> Callable[..., tuple[NotePiece, ...]]:
    def found(notes: tuple[PatientNote, ...], text: str = "", **changes: object) -> tuple[NotePiece, ...]:
        request = DraftRequest(text=text, question=ASKED, patient_notes=notes, document=Document.PROGRESS_NOTE)
        return make(**changes).pieces(tiny_linker.link(text or ASKED), request)

    return found


def chunks_of(*notes: PatientNote) -> list[PatientChunk]:
    return patient_chunks(dated_notes(notes), ChunkSettings())


def test_pieces_come_in_time_order_with_their_type_header_and_exact_offsets(pieces: Callable) -> None:
    notes = (
        PatientNote(note_type="EKG report", date="2024-02-02 10:15", text="Rhythm: sinus, rate 60."),
        PatientNote(note_type="H&P", date="2024-02-01", text="HPI: She has dyspnea.\n\nPLAN: give furosemide.\n"),
        PatientNote(note_type="Nursing", text="Slept well."),
    )
    found = pieces(notes)
    assert [(p.id, p.note_type, p.section, p.date, p.text) for p in found] == [
        ("N1", "Physician", "History of present illness", "2024-02-01", "She has dyspnea."),
        ("N2", "Physician", "Plan", "2024-02-01", "give furosemide."),
        ("N3", "ECG", "Unlabeled", "2024-02-02", "Rhythm: sinus, rate 60."),
        ("N4", "Nursing", "Unlabeled", None, "Slept well."),
    ]
    texts = [notes[1].text, notes[1].text, notes[0].text, notes[2].text]
    assert all(t[p.start_char : p.end_char] == p.text for t, p in zip(texts, found, strict=True))


def test_a_patient_without_notes_and_notes_of_noise_give_nothing(pieces: Callable) -> None:
    assert pieces(()) == ()
    assert pieces((PatientNote(date="2024-01-01", text="______\n(Over)\n"),)) == ()


def test_the_pasted_note_comes_first_and_a_question_is_no_note(pieces: Callable) -> None:
    notes = (PatientNote(date="2024-01-01", text="She has leg swelling."),)
    assert [p.note_type for p in pieces(notes)] == ["General"]
    found = pieces(notes, text="Date: 2024-05-06\nChief Complaint: dyspnea\n")
    assert {p.date for p in found if p.note_type == "Pasted note"} == {"2024-05-06"}
    assert (found[-1].note_type, found[-1].text) == ("General", "She has leg swelling.")


def test_an_unknown_type_is_searched_as_general_and_shown_as_it_was_called(pieces: Callable) -> None:
    (piece,) = pieces((PatientNote(note_type="Podiatry letter", date="2024-01-01", text="Nails cut."),))
    assert piece.note_type == "Podiatry letter"


def test_the_summary_of_the_previous_visit_is_given_whole_unless_switched_off(pieces: Callable) -> None:
    notes = (
        PatientNote(note_type=PREVIOUS_VISIT, date="2023-01-01", text="First line.\n\n  Second line.\n"),
        PatientNote(date="2024-01-01", text="She has dyspnea."),
    )
    found = pieces(notes)
    assert [(p.note_type, p.text) for p in found[:2]] == [
        (PREVIOUS_VISIT, "First line."),
        (PREVIOUS_VISIT, "Second line."),
    ]
    assert notes[0].text[found[1].start_char : found[1].end_char] == "Second line."
    assert [p.text for p in pieces(notes, previous_visit=False)] == ["She has dyspnea."]


def test_overlapping_chunks_of_one_header_become_one_piece(pieces: Callable) -> None:
    text = "HPI: " + " ".join(f"Day {n} she walked {n} miles." for n in range(40))
    found = pieces((PatientNote(date="2024-01-01", text=text),), chunks=ChunkSettings(120, 40))
    assert [p.text for p in found] == [text[5:]]


def test_flat_chunks_know_no_header(pieces: Callable) -> None:
    note = PatientNote(date="2024-01-01", text="HPI: She has dyspnea.\n\nPLAN: give furosemide.\n")
    found = pieces((note,), chunks=ChunkSettings(headers=False))
    assert [(p.section, p.text) for p in found] == [("Unlabeled", note.text.strip())]


def test_every_allergy_is_given_whatever_the_questions_find(pieces: Callable) -> None:
    many = tuple(
        PatientNote(note_type="Nursing", date=f"2024-01-{d:02d}", text=f"Shift {d} quiet.") for d in range(1, 29)
    )
    old = PatientNote(date="2020-01-01", text="Allergies: penicillin (hives).\n")
    found = pieces((*many, old), per_question=1, per_sub_query=1, most_pieces=1)
    assert [p.text for p in found] == ["penicillin (hives)."]


class Directions:
    """An encoder of three directions: texts that say "heart", those that say "lung", all others."""

    name = "directions"
    dimension = 3

    def encode(self, texts: list[str]) -> np.ndarray:
        rows = [[float("heart" in t), float("lung" in t), float("heart" not in t and "lung" not in t)] for t in texts]
        found = np.asarray(rows, dtype=np.float32)
        return found / np.linalg.norm(found, axis=1, keepdims=True)


QUERIES = NoteQueries(
    {document: (TaskQuestion(SoapPart.OBJECTIVE, "heart"),) for document in Document},
    {kind: (f"lung in {kind}",) for kind in NoteType},
)


def found_by(stages: SearchStages) -> tuple[set[str], tuple[NoteType, ...]]:
    """Echo has a heart and a lung; radiology has only a lung; one chunk a query."""
    chunks = chunks_of(
        PatientNote(note_type="Echo", date="2024-01-01", text="The heart is fine."),
        PatientNote(note_type="Echo", date="2024-01-02", text="A lung was seen."),
        PatientNote(note_type="Radiology", date="2024-01-03", text="The lung is clear."),
    )
    vectors = ContentVectors(Directions())
    settings = PatientSearchSettings(stages=stages, per_question=1, per_sub_query=1)
    embedded = vectors.vectors([one.chunk.searched for one in chunks])
    found = TwoStageSearch(vectors, QUERIES, settings).find(chunks, embedded, Document.PROGRESS_NOTE)
    return {chunks[row].chunk.text for row in found.rows}, found.types


def test_the_local_stage_asks_only_within_the_types_that_the_global_one_found() -> None:
    assert found_by(SearchStages.BOTH) == ({"The heart is fine.", "A lung was seen."}, (NoteType.ECHO,))


def test_each_stage_can_run_alone() -> None:
    assert found_by(SearchStages.GLOBAL) == ({"The heart is fine."}, (NoteType.ECHO,))
    assert found_by(SearchStages.LOCAL) == (
        {"A lung was seen.", "The lung is clear."},
        (NoteType.ECHO, NoteType.RADIOLOGY),
    )


def test_a_chunk_scores_by_its_best_query_and_another_types_sub_query_does_not_count() -> None:
    # query "heart": BM25 of row 0 is the highest, so its share is 1; cosine 1 -> 0.3 + 0.7 = 1. Row 1 shares no word and
    # no direction -> 0. The sub-query "lung" is of radiology alone: row 1, an echo, gets nothing from it.
    chunks = chunks_of(
        PatientNote(note_type="Echo", date="2024-01-01", text="heart"),
        PatientNote(note_type="Echo", date="2024-01-02", text="lung"),
    )
    embedded = Directions().encode(["heart", "lung"])
    asked = (Asked("heart", None, embedded[0]), Asked("lung", NoteType.RADIOLOGY, embedded[1]))
    ranked = fused(chunks, embedded, [0, 1], asked, PatientSearchSettings())
    assert [(one.row, round(one.score, 6)) for one in ranked] == [(0, 1.0), (1, 0.0)]
    asked = (asked[0], Asked("lung", NoteType.ECHO, embedded[1]))
    ranked = fused(chunks, embedded, [0, 1], asked, PatientSearchSettings())
    assert [round(one.score, 6) for one in ranked] == [1.0, 1.0]


def test_a_chunk_with_the_notes_symptom_is_preferred(pieces: Callable) -> None:
    notes = tuple(
        PatientNote(note_type="Nursing", date=f"2024-01-0{day}", text=f"Patient has {what} today.")
        for day, what in enumerate(("hiccups", "dyspnea", "sneezing"), start=1)
    )
    text = "Chief Complaint: dyspnea\n"
    boosted = pieces(notes, text=text, most_pieces=1, symptom_boost=5.0)
    assert [p.text for p in boosted if p.note_type == "Nursing"] == ["Patient has dyspnea today."]


def test_words_repeated_within_a_visit_come_once_with_their_first_date() -> None:
    same = "Chronic heart failure, stable."
    chunks = chunks_of(
        PatientNote(date="2024-01-02", text=same),
        PatientNote(date="2024-01-01", text=same.upper()),
        PatientNote(date="2024-06-01", text=same),
        PatientNote(note_type="Consult", text=same),
    )
    kept = [chunks[row].when.day for row in without_repeats(chunks, range(len(chunks)))]
    assert kept == ["2024-01-01", "2024-06-01", None]


def test_numbers_that_differ_are_no_repeat() -> None:
    chunks = chunks_of(
        PatientNote(date="2024-01-01", text="Weight 71."), PatientNote(date="2024-01-01", text="Weight 72.")
    )
    assert without_repeats(chunks, range(2)) == [0, 1]


def test_no_text_is_encoded_twice(make: Make, tiny_linker: DictionaryLinker, encoder: WordEncoder) -> None:
    patient = sample_patient()
    request = DraftRequest(question=ASKED, document=Document.PROGRESS_NOTE, patient_notes=patient.notes)
    notes, linked = make(), tiny_linker.link(ASKED)
    first = notes.pieces(linked, request)
    assert len(encoder.encoded) == len(set(encoder.encoded))
    encoded = len(encoder.encoded)
    assert notes.pieces(linked, request) == first
    assert len(encoder.encoded) == encoded


def test_what_was_encoded_before_an_interruption_is_kept(encoder: WordEncoder) -> None:
    vectors = ContentVectors(encoder)
    texts = [f"text {n}" for n in range(100)]

    def stop(done: int, total: int, what: str) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        vectors.vectors(texts, stop)
    assert len(encoder.encoded) == 64  # one batch
    rows = vectors.vectors(texts)
    assert encoder.encoded == texts
    assert np.allclose(rows, WordEncoder().encode(texts))


def test_the_oldest_vectors_are_let_go_beyond_the_capacity(encoder: WordEncoder) -> None:
    vectors = ContentVectors(encoder, capacity=2)
    vectors.vectors(["a", "b"])
    vectors.vectors(["a", "c"])  # b is the oldest now
    vectors.vectors(["a", "c"])
    assert encoder.encoded == ["a", "b", "c"]
    vectors.vectors(["b"])
    assert encoder.encoded == ["a", "b", "c", "b"]


def test_every_piece_of_sixty_notes_bears_the_date_of_its_facts(pieces: Callable) -> None:
    patient = sample_patient()
    assert len(patient.notes) == 60
    found = pieces(patient.notes, most_pieces=1000)
    dated_lines = [
        (mark, fact.day, piece.date) for piece in found for mark, fact in patient.facts.items() if mark in piece.text
    ]
    assert len(dated_lines) >= 100
    assert all(day == dated for _, day, dated in dated_lines)
    days = [piece.date for piece in found]
    assert days == sorted(days)


@pytest.mark.bench
def test_two_hundred_notes_of_three_hundred_words_are_searched_in_two_seconds_once_encoded(
    make: Make, tiny_linker: DictionaryLinker
) -> None:
    rng = random.Random(0)
    words = [f"word{n}" for n in range(2_000)]
    heads = ("HISTORY OF PRESENT ILLNESS", "VITAL SIGNS", "PHYSICAL EXAM", "LABS", "ASSESSMENT", "PLAN")
    kinds = [kind.value for kind in NoteType]

    def one(place: int) -> PatientNote:
        parts = (f"{h}: " + " ".join(f"It {' '.join(rng.choices(words, k=9))}." for _ in range(5)) for h in heads)
        return PatientNote(note_type=kinds[place % 15], date=f"2150-01-{place % 28 + 1:02d}", text="\n\n".join(parts))

    notes = tuple(one(place) for place in range(200))
    assert min(len(note.text.split()) for note in notes) >= 300
    request = DraftRequest(question=ASKED, document=Document.PROGRESS_NOTE, patient_notes=notes)
    retriever, linked = make(), tiny_linker.link(ASKED)
    retriever.pieces(linked, request)
    begun = time.perf_counter()
    assert retriever.pieces(linked, request)
    assert time.perf_counter() - begun < 2.0


@pytest.mark.parametrize(
    "changes", [{"per_question": 0}, {"bm25_weight": -1.0}, {"bm25_weight": 0.0, "cosine_weight": 0.0}]
)
def test_settings_that_make_no_sense_are_refused(changes: dict[str, float]) -> None:
    with pytest.raises(ValueError):
        replace(PatientSearchSettings(), **changes)


def test_every_document_and_type_has_questions_of_all_parts() -> None:
    queries = note_queries()
    for document in Document:
        assert {one.part for one in queries.task[document]} == set(SoapPart)
    assert set(queries.local) == set(NoteType)
