"""The composer: from evidence alone, cited, never naming what the patient reacts to, gaps left open."""

from collections.abc import Callable
from typing import Any

import pytest

from backend.container.container import Container
from backend.generation.writers.composer_writer import Composer
from backend.knowledge.allergy_reach import AllergyReach
from backend.nlp.extraction.linker import DictionaryLinker
from backend.pipeline.finishing import evidence_ids
from backend.schemas.drafts.gaps import is_no_statement
from backend.schemas.drafts.headings import DISCHARGE_HEADINGS
from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.vocabulary import Basis, Document, Length
from backend.verification.safety.earlier_allergies import EarlierAllergies

Write = Callable[..., Any]
NOTE = "Chief Complaint: heart failure, leg swelling and dyspnea\n\nHPI: A 60-year-old woman. She denies fever. She takes furosemide.\n"


def texts(written: Any, section: str = "") -> list[str]:
    return [s.text for s in written.sentences if not section or s.section == section]


def test_sections_come_in_the_order_a_patient_needs_them(write: Write) -> None:
    sections = list(dict.fromkeys(s.section for s in write(NOTE).sentences))
    assert sections == list(DISCHARGE_HEADINGS)


def test_why_they_came_cites_the_note(write: Write) -> None:
    written = write(NOTE)
    first = written.sentences[0]
    assert "leg swelling" in first.text
    assert first.basis == Basis.PATIENT
    pieces = {piece.id: piece.text for piece in written.evidence.notes}
    assert "leg swelling" in " ".join(pieces.get(c, "") for c in first.citations)


@pytest.mark.parametrize("document", list(Document))
def test_every_citation_exists_and_every_patient_sentence_cites_the_note(write: Write, document: Document) -> None:
    written = write(NOTE, document=document, question="What helps in heart failure?")
    known = evidence_ids(written.evidence)
    assert written.sentences
    for sentence in written.sentences:
        assert set(sentence.citations) <= known
        if sentence.basis == Basis.PATIENT:
            assert any(c.startswith("N") for c in sentence.citations)


def test_general_sentences_are_quotes_of_the_passage_they_cite(write: Write) -> None:
    written = write(NOTE)
    passages = {p.id: p.text for p in written.evidence.passages}
    quoted = [s for s in written.sentences if any(c.startswith("P") for c in s.citations)]
    assert quoted
    assert all(s.text in passages[s.citations[0]] for s in quoted)


def test_what_rests_on_a_condition_that_nobody_confirmed_says_which(write: Write) -> None:
    diet = next(s for s in write(NOTE).sentences if s.section == "Food and drink")
    assert (diet.basis, diet.condition_id) == (Basis.GENERAL, "T:heart-failure")
    confirmed = write(NOTE, confirmed_conditions=("T:heart-failure",))
    diet = next(s for s in confirmed.sentences if s.section == "Food and drink")
    assert (diet.basis, diet.condition_id) == (Basis.GENERAL, None)


def test_what_fits_but_is_not_named_is_not_written_about(write: Write) -> None:
    written = write("Chief Complaint: leg swelling and dyspnea\n\nHPI: A 60-year-old woman.")
    assert "heart failure" in [c.name for c in written.conditions]
    assert not any("heart failure" in t.lower() for t in texts(written))
    assert any("leg swelling" in t for t in texts(written, "Why you came"))


def test_a_short_letter_advises_less_than_a_full_one_and_repeats_nothing(write: Write) -> None:
    advice = {
        length: [s.text for s in write(NOTE, length=length).sentences if s.basis != Basis.PATIENT] for length in Length
    }
    assert sum(len(t.split()) for t in advice[Length.SHORT]) <= 250 + 60
    assert set(advice[Length.SHORT]) <= set(advice[Length.FULL])
    assert all(len(texts) == len(set(texts)) for texts in advice.values())


def test_a_ruled_out_condition_is_not_written_about(write: Write) -> None:
    written = write(NOTE, ruled_out_conditions=("T:heart-failure",))
    assert not any(c.written for c in written.conditions if c.name == "heart failure")
    assert not any(s.condition_id == "T:heart-failure" for s in written.sentences)


@pytest.mark.parametrize(
    ("allergy", "blocked"),
    [
        ("lisinopril (angioedema)", "lisinopril"),
        ("enalapril (cough)", "lisinopril"),
        ("Lasix (rash)", "furosemide"),
        ("naproxen (hives)", "ibuprofen"),
    ],
)
@pytest.mark.parametrize("document", list(Document))
def test_it_never_names_what_an_allergy_reaches_but_to_state_the_allergy_or_quote_the_note(
    write: Write, allergy: str, blocked: str, document: Document
) -> None:
    note = f"Allergies: {allergy}\n\n{NOTE}"
    written = write(note, document=document, question="Which medicines help in heart failure?")
    assert written.sentences
    for sentence in written.sentences:
        if blocked in sentence.text.lower():
            cited = [p.text for p in written.evidence.notes if p.id in sentence.citations]
            assert any(
                sentence.text.rstrip(".").lower() in t.lower()
                or "llerg" in sentence.text
                or is_no_statement(sentence.text)
                or sentence.section == "Why you came"
                or sentence.text.startswith("Medicines: ")  # what is taken already
                for t in cited
            )
    # without the allergy the same evidence does name it, so the test can fail
    free = (write(NOTE, length=Length.FULL, document=one) for one in Document if one is not Document.CLINICAL_ANSWER)
    assert any(blocked in s.text.lower() for written in free for s in written.sentences)


def test_it_never_names_what_a_possible_allergy_or_an_earlier_note_reaches(
    tiny_linker: DictionaryLinker, tiny_reach: AllergyReach, write: Write
) -> None:
    earlier = EarlierAllergies(tiny_linker)
    request = DraftRequest(
        text=NOTE,
        document=Document.PROGRESS_NOTE,
        patient_notes=(PatientNote(note_type="Nursing", text="Allergies: lisinopril (angioedema)"),),
    )
    assert "T:lisinopril" in earlier.with_pasted(request, tiny_linker.link(NOTE))
    composer = Composer(tiny_linker, tiny_reach, {}, earlier.with_pasted)
    written = write(NOTE, document=Document.PROGRESS_NOTE)
    wording = [s.text for s in composer.write(request, tiny_linker.read(NOTE), written.conditions, written.evidence)]
    assert any("lisinopril" in s.text.lower() for s in written.sentences)  # without the earlier note it is named
    assert wording and not any("lisinopril" in text.lower() for text in wording)
    possible = f"{NOTE} Lisinopril made her lips swell up last year."
    assert tiny_linker.link(possible).allergies.concept_ids == ("T:lisinopril",)


def test_allergies_are_stated_with_their_reaction_and_intolerances_apart(write: Write) -> None:
    safe = texts(write(f"Allergies: lisinopril (angioedema), enalapril (nausea)\n\n{NOTE}"), "Staying safe")
    assert "Your note says that you are allergic to lisinopril (reaction: angioedema)." in safe
    assert "Your note says that enalapril does not agree with you (reaction: nausea)." in safe
    assert "Tell every doctor about your medicine allergies." in safe


def test_a_note_that_does_not_speak_of_allergies_leaves_a_gap_and_no_reassurance(write: Write) -> None:
    safe = texts(write(NOTE), "Staying safe")
    assert "[team to complete: allergies; the note does not say]" in safe


def test_what_a_note_only_lets_one_suspect_is_asked_of_the_team(write: Write) -> None:
    safe = texts(write(f"{NOTE} He took furosemide and within the hour his eyelids were swollen shut."), "Staying safe")
    assert "[team to complete: whether these are allergies: furosemide]" in safe
    assert not any("does not say" in text for text in safe)


def test_denied_and_family_findings_are_not_stated_as_the_patient_s(write: Write) -> None:
    written = write(NOTE + "Family History: rash\n")
    assert not any("rash" in text.lower() for text in texts(written))
    assert all(" no fever" in text.lower() for text in texts(written) if "fever" in text.lower())


def test_what_only_the_ward_knows_stays_open_until_it_is_given(write: Write) -> None:
    open_gaps = [t for t in texts(write(NOTE)) if "[team to complete" in t]
    assert open_gaps == [
        "[team to complete: what was found and done during the stay]",
        "Furosemide: [team to complete: whether to take, change or stop]",
        "[team to complete: appointments, with dates and places]",
        "[team to complete: allergies; the note does not say]",
    ]
    given = write(NOTE, hospital_course="You got water pills.", discharge_medicines=("Furosemide 40 mg daily",))
    assert "You got water pills." in texts(given, "What was found and done")
    assert any("furosemide" in t and "40 mg" in t for t in texts(given, "Your medicines"))
    assert len([t for t in texts(given) if "[team to complete" in t]) == 2


def test_without_passages_it_writes_the_note_alone(write: Write) -> None:
    written = write(NOTE, passages=())
    assert written.sentences
    assert not any(c.startswith("P") for s in written.sentences for c in s.citations)


@pytest.mark.parametrize("document", [Document.DISCHARGE_INSTRUCTIONS, Document.PROGRESS_NOTE])
def test_nothing_recognised_writes_nothing(write: Write, document: Document) -> None:
    assert write("Qwerty zxcvb.", document=document).sentences == ()


def test_the_same_request_writes_the_same_text(write: Write) -> None:
    assert write(NOTE).sentences == write(NOTE).sentences


def test_a_progress_note_has_its_four_parts_and_quotes_the_note(write: Write) -> None:
    written = write(NOTE + "Exam: leg swelling to the knee.\n", document=Document.PROGRESS_NOTE)
    assert list(dict.fromkeys(s.section for s in written.sentences)) == [
        "Subjective",
        "Objective",
        "Assessment",
        "Plan",
    ]
    assert "She denies fever." in texts(written, "Subjective")
    assert "Examination: leg swelling to the knee." in texts(written, "Objective")
    assert any(t.startswith("Heart failure, named in the note: ") for t in texts(written, "Assessment"))
    assert any("consider treatment with" in t for t in texts(written, "Plan"))


def test_what_the_family_had_is_stated_as_family_history_in_the_assessment(container: Container, write: Write) -> None:
    attack = NOTE.replace("heart failure, leg swelling and dyspnea", "myocardial infarction, chest pain")
    request = DraftRequest(text=attack + "Family History: coronary artery disease\n", document=Document.PROGRESS_NOTE)
    drafted = container.pipeline("leapnote").run(request)
    wording = [one.text for one in drafted.sentences if one.section == "Assessment"]
    told = "family history of coronary artery disease"
    assert any(told in text for text in wording)
    assert not any("coronary artery disease" in text.replace(told, "") for text in wording)
    # another's illness of which this one does not come is no reason for it
    other = texts(write(NOTE + "Family History: gout\n", document=Document.PROGRESS_NOTE), "Assessment")
    assert not any("gout" in text for text in other)


def test_an_option_that_the_evidence_names_is_chosen_and_called_weak(write: Write) -> None:
    written = write(
        NOTE,
        document=Document.CLINICAL_ANSWER,
        question="What diet helps in heart failure?",
        options=("a low salt diet", "a gluten free diet"),
    )
    assert written.answer == "A"
    assert any("No language model reasoned here" in s.text for s in written.sentences)


def test_without_options_there_is_no_answer_to_choose(write: Write) -> None:
    assert write(NOTE, document=Document.CLINICAL_ANSWER, question="What is heart failure?").answer == ""
    assert write(NOTE).answer == ""
