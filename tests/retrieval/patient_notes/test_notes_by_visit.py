"""A patient's visits: how notes are grouped, and how visits are written one after the other."""

from collections.abc import Callable

import pytest

from backend.errors import InputError
from backend.evaluation.progress_notes.soap_scores import soap_scores
from backend.evaluation.progress_notes.temporal import SourceNote, Statement, temporal_scores
from backend.generation.composer.material import Material, PassageReader
from backend.generation.composer.soap_visits import visit_soap
from backend.generation.layout import DocumentLayout
from backend.knowledge.allergy_reach import AllergyReach
from backend.nlp.extraction.linker import DictionaryLinker
from backend.retrieval.patient_notes.note_dates import NoteTime
from backend.retrieval.patient_notes.notes_by_visit import DatedNote, dated_notes, numbered, visits, write_visits
from backend.retrieval.patient_notes.two_stage_notes import TwoStageNotes
from backend.retrieval.patient_notes.two_stage_search import PatientSearchSettings
from backend.schemas.drafts.draft import Draft, Generator, Sentence
from backend.schemas.drafts.evidence import Evidence
from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.patients.patient_notes import PREVIOUS_VISIT, DateSource, NoteType, claimed_date
from backend.schemas.vocabulary import Document, DraftStatus, SoapPart, Support
from tests.conftest import WordEncoder
from tests.retrieval.patient_sample import NOTES_A_VISIT, SamplePatient, sample_patient

Write = Callable[[DraftRequest], Draft]


def note(day: str | None, text: str = "Slept well.", kind: str = "Nursing") -> PatientNote:
    return PatientNote(note_type=kind, date=day, text=text)


def grouped(*notes: PatientNote, **changes: object) -> list[list[str | None]]:
    request = DraftRequest(question="?", patient_notes=notes, **changes)
    return [[one.when.day for one in visit.notes] for visit in visits(request)]


def test_notes_at_most_two_days_apart_are_one_visit_and_undated_ones_come_last() -> None:
    notes = (note("2024-01-05"), note(None), note("2024-01-01"), note("2024-01-03"), note("2024-01-08"))
    assert grouped(*notes) == [["2024-01-01", "2024-01-03", "2024-01-05"], ["2024-01-08", None]]


def test_a_stay_is_one_visit_however_far_apart_its_notes_are() -> None:
    summary = note(None, "Admission Date: 2024-01-01   Discharge Date: 2024-01-20\n\nHPI: pain.", "Discharge summary")
    notes = (note("2024-01-01"), note("2024-01-10"), summary, note("2024-01-21"), note("2024-01-23"))
    assert grouped(*notes) == [["2024-01-01", "2024-01-10", "2024-01-20"], ["2024-01-21", "2024-01-23"]]


def test_an_admission_that_is_named_decides() -> None:
    def one(place: int, day: str, admission: str) -> DatedNote:
        when = NoteTime(day, DateSource.REQUEST)
        return DatedNote(place, note(day), NoteType.NURSING, "Nursing", when, admission)

    found = numbered([one(0, "2024-01-01", "A"), one(1, "2024-01-02", "B"), one(2, "2024-01-03", "A")], [], 2)
    assert [(n.place, n.visit) for n in found] == [(0, 1), (1, 2), (2, 1)]


def test_one_note_is_one_visit_and_no_note_is_none() -> None:
    assert grouped(note("2024-01-01")) == [["2024-01-01"]]
    assert grouped(note(None)) == [[None]]
    assert grouped() == []


def test_the_pasted_note_belongs_to_the_last_visit_unless_its_header_says_otherwise() -> None:
    notes = (note("2024-01-01"), note("2024-06-01"))
    assert grouped(*notes, text="HPI: pain.") == [["2024-01-01"], ["2024-06-01", None]]
    assert grouped(*notes, text="Date: 2024-01-02\nHPI: pain.") == [["2024-01-01", "2024-01-02"], ["2024-06-01"]]


def test_times_of_a_day_order_its_notes() -> None:
    found = dated_notes([note("2024-01-01T10:00"), note("2024-01-01 09:30"), note("2024-01-01")])
    assert [one.when.time for one in found] == ["2024-01-01", "2024-01-01T09:30", "2024-01-01T10:00"]


@pytest.fixture
def write(tiny_linker: DictionaryLinker, tiny_reach: AllergyReach, encoder: WordEncoder) -> Write:
    """Retrieves, composes and lays out; a sentence is supported where its words stand in what it cites."""
    retriever = TwoStageNotes(tiny_linker, {}, encoder, PatientSearchSettings(most_pieces=200))

    def draft(request: DraftRequest) -> Draft:
        linked = tiny_linker.link(request.text or request.question)
        evidence = Evidence(notes=retriever.pieces(linked, request))
        written = list(visit_soap(Material(linked, (), evidence, PassageReader(tiny_linker), frozenset())))
        text, spans = DocumentLayout().lay_out(written, request.document, "sections")
        held = {piece.id: " ".join(piece.text.split()) for piece in evidence.notes}
        sentences = tuple(
            Sentence(
                text=one.text,
                section=one.section,
                start_char=start,
                end_char=end,
                basis=one.basis,
                citations=one.citations,
                support=Support.SUPPORTED
                if any(claimed_date(one.text)[1] in held[c] for c in one.citations)
                else Support.UNSUPPORTED,
            )
            for one, (start, end) in zip(written, spans, strict=True)
        )
        return Draft(
            id="draft",
            document=Document.PROGRESS_NOTE,
            system="cli-rag",
            status=DraftStatus.COMPLETE,
            seed=0,
            generator=Generator(name="composer", reason="test"),
            note=linked.note,
            allergies=linked.allergies,
            evidence=evidence,
            text=text,
            sentences=sentences,
        )

    return draft


def sample_request(patient: SamplePatient) -> DraftRequest:
    return DraftRequest(question="Progress?", document=Document.PROGRESS_NOTE, patient_notes=patient.notes)


def statements_of(draft: Draft) -> list[Statement]:
    return [Statement(SoapPart(one.section), one.text) for one in draft.sentences]


def test_four_visits_of_sixty_notes_are_written_with_every_date_right_and_no_fact_of_another_visit(
    write: Write,
) -> None:
    patient = sample_patient()
    done = list(write_visits(sample_request(patient), write))
    assert [len(one.visit.notes) for one in done] == [NOTES_A_VISIT] * 4
    seen: set[str] = set()
    for number, one in enumerate(done, start=1):
        assert soap_scores(one.draft.text).completeness == 1.0
        for sentence in one.draft.sentences:
            day, bare = claimed_date(sentence.text)
            earlier = sentence.text.startswith(PREVIOUS_VISIT)
            for mark in [mark for mark in patient.facts if mark in bare]:
                fact = patient.facts[mark]
                assert (fact.day, fact.visit) == (day, number - 1 if earlier else number)
                seen.add(mark)
        assert len(one.draft.sentences) <= 40
        for part in SoapPart:
            days = [
                claimed_date(s.text)[0] or "" for s in statements_of(one.draft) if s.part is part and s.text[0] != "["
            ]
            assert len(days) > 3
            assert days == sorted(days, reverse=True)
    newest = max(fact.day for fact in patient.facts.values())
    latest = {mark for mark, fact in patient.facts.items() if fact.day == newest}
    assert latest <= seen  # what the last day says is told whole


def test_each_later_visit_hears_of_the_one_before_and_of_no_other(write: Write) -> None:
    patient = sample_patient()
    done = list(write_visits(sample_request(patient), write))
    for number, one in enumerate(done, start=1):
        heard = [piece.text for piece in one.draft.evidence.notes if piece.note_type == PREVIOUS_VISIT]
        marks = {fact.visit for text in heard for mark, fact in patient.facts.items() if mark in text}
        assert marks == ({number - 1} if number > 1 else set())
        assert len(one.summary) <= 1_200


def test_without_the_previous_visit_nothing_is_handed_on(write: Write) -> None:
    done = list(write_visits(sample_request(sample_patient()), write, previous_visit=False))
    assert not any(piece.note_type == PREVIOUS_VISIT for one in done for piece in one.draft.evidence.notes)


def test_an_interrupted_run_goes_on_after_the_visits_that_are_written(write: Write) -> None:
    request = sample_request(sample_patient())
    whole = [one.draft.text for one in write_visits(request, write)]
    first = next(write_visits(request, write))
    rest = [one.draft.text for one in write_visits(request, write, done=[first.summary])]
    assert [first.draft.text, *rest] == whole


def test_more_written_visits_than_there_are_is_refused(write: Write) -> None:
    request = DraftRequest(question="?", patient_notes=(note("2024-01-01"),))
    with pytest.raises(InputError, match="2 visits are said to be written"):
        list(write_visits(request, write, done=["a", "b"]))


def test_what_the_ward_added_goes_to_the_last_visit_alone() -> None:
    seen: list[DraftRequest] = []

    def stop(request: DraftRequest) -> Draft:
        seen.append(request)
        raise KeyboardInterrupt

    notes = (note("2024-01-01"), note("2024-06-01"))
    request = DraftRequest(text="HPI: pain.", hospital_course="Had a scan.", patient_notes=notes)
    for done in ((), ("",)):
        with pytest.raises(KeyboardInterrupt):
            list(write_visits(request, stop, done=done))
    assert [(one.text, one.hospital_course) for one in seen] == [("", ""), ("HPI: pain.", "Had a scan.")]
    assert seen[0].question == "What happened to the patient in the visit of 2024-01-01?"


def test_the_temporal_scores_of_the_written_visits_are_whole_and_fall_when_a_date_is_changed(write: Write) -> None:
    patient = sample_patient()
    first, second = list(write_visits(sample_request(patient), write))[:2]
    sources = [SourceNote(one.when.day, one.note.text) for one in (*first.visit.notes, *second.visit.notes)]
    statements = statements_of(second.draft)
    scores = temporal_scores(statements, sources)
    assert (scores.dated, scores.right, scores.alignment) == (1.0, 1.0, 1.0)
    wrong = [one._replace(text=one.text.replace("2150-03-0", "2150-03-1")) for one in statements]
    assert wrong != statements
    found = temporal_scores(wrong, sources)
    assert found.right is not None and found.right < 1.0
