"""Allergies of a patient's notes, handed on from visit to visit."""

from backend.nlp.extraction.linker import DictionaryLinker
from backend.retrieval.patient_notes.note_allergies import StatedAllergies
from backend.retrieval.patient_notes.notes_by_visit import dated_notes, visits, write_visits
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.patients.patient_notes import PREVIOUS_VISIT, claimed_date

NOTES = (
    PatientNote(note_type="Physician", date="2031-02-01", text="Allergies: penicillin (hives), zorbium\n\nHPI: Cough."),
    PatientNote(note_type="Nursing", date="2031-05-01", text="Allergies: latex\n\nHPI: Fever."),
    PatientNote(note_type="Pharmacy", date="2031-05-02", text="Allergies: penicillin (anaphylaxis)"),
    PatientNote(note_type="Physician", date="2031-09-01", text="HPI: Knee pain."),
)


def test_the_latest_words_of_each_allergy_stand_once(tiny_linker: DictionaryLinker) -> None:
    found = StatedAllergies(tiny_linker).of(dated_notes(NOTES))
    assert [(one.text, one.reaction, one.date, one.note_type) for one in found] == [
        ("penicillin", "anaphylaxis", "2031-05-02", "Pharmacy"),
        ("zorbium", "", "2031-02-01", "Physician"),
        ("latex", "", "2031-05-01", "Nursing"),
    ]
    assert [one.checked for one in found][:2] == [True, False]


def test_a_later_note_without_the_reaction_does_not_take_it_away(tiny_linker: DictionaryLinker) -> None:
    def told(*lists: str) -> list[tuple[str, str | None]]:
        notes = [PatientNote(date=f"2031-0{i}-01", text=f"Allergies: {one}") for i, one in enumerate(lists, 1)]
        return [(one.reaction, one.date) for one in StatedAllergies(tiny_linker).of(dated_notes(notes))]

    assert told("penicillin (anaphylaxis)", "penicillin") == [("anaphylaxis", "2031-01-01")]
    assert told("penicillin (throat swelling)", "penicillin (rash)") == [("throat swelling", "2031-01-01")]
    assert told("penicillin (rash)", "penicillin (hives)") == [("hives", "2031-02-01")]
    assert told("penicillin (rash)", "penicillin (anaphylaxis)", "penicillin") == [("anaphylaxis", "2031-02-01")]


def test_what_is_handed_on_reads_as_the_same_allergies_and_keeps_its_dates(tiny_linker: DictionaryLinker) -> None:
    reader = StatedAllergies(tiny_linker)
    stated = reader.of(dated_notes(NOTES))
    note = reader.handed_on(dated_notes(NOTES), "2031-05-02")
    assert note is not None and note.note_type == PREVIOUS_VISIT
    assert [claimed_date(line)[0] for line in note.text.splitlines()] == [one.date for one in stated]
    read = tiny_linker.link(note.text).allergies.items
    assert [(i.text, i.reaction, i.concept_id) for i in read] == [
        (one.text, one.reaction, i.concept_id) for one, i in zip(stated, read, strict=True)
    ]
    assert reader.handed_on(dated_notes(NOTES[3:]), None) is None


def test_each_visit_is_told_the_allergies_of_those_before_even_without_the_previous_summary(
    tiny_linker: DictionaryLinker,
) -> None:
    seen: list[str] = []

    def write(request: DraftRequest) -> Draft:
        seen.append("\n".join(n.text for n in request.patient_notes if n.note_type == PREVIOUS_VISIT))
        return Draft.model_construct(sentences=())

    undated = PatientNote(note_type="General", text="Allergies: sulfa")
    request = DraftRequest(question="What happened?", patient_notes=(*NOTES, undated))
    assert len(visits(request)) == 3
    handed_on = StatedAllergies(tiny_linker).handed_on
    list(write_visits(request, write, previous_visit=False, summarise=lambda draft: "", allergies=handed_on))
    first, second, third = seen
    # the undated note may be as old as the first; in the last visit it stands among the notes themselves
    assert first == "Undated (General): Allergy to sulfa."
    assert "penicillin: hives" in second and "zorbium" in second and "sulfa" in second and "latex" not in second
    assert "penicillin: anaphylaxis" in third and "zorbium" in third and "latex" in third and "sulfa" not in third
