"""What the patient reads of home medicines and allergies, and how the clinician's note is sorted: tiny graph, whole composer."""

from collections.abc import Callable
from typing import Any

import pytest

from backend.container.container import Container
from backend.generation.composer.material import Material, PassageReader
from backend.generation.composer.wording import without_repeats
from backend.nlp.extraction.linker import DictionaryLinker
from backend.schemas.drafts.gaps import GAP
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Basis, Document

Write = Callable[..., Any]
NOTE = "Chief Complaint: heart failure, leg swelling and dyspnea\n\nHPI: A 60-year-old woman. She takes furosemide.\n"
SOAP = Document.PROGRESS_NOTE


def texts(written: Any, section: str) -> list[str]:
    return [s.text for s in written.sentences if s.section == section]


@pytest.mark.parametrize(
    "words",
    [
        "She was treated with warfarin in May.",
        "She finished a course of warfarin last week.",
        "In triage, warfarin x1.",
        "Tox screen warfarin positive.",
    ],
)
def test_what_was_given_or_finished_before_is_no_medicine_to_keep(write: Write, words: str) -> None:
    lines = texts(write(f"{NOTE}{words}"), "Your medicines")
    assert not any(t.startswith(("Keep taking", "New", "Changed")) and "warfarin" in t for t in lines)


def test_however_many_medicines_a_note_lists_none_is_left_out(container: Container) -> None:
    names = (
        "apixaban, diltiazem, losartan, glipizide, rosuvastatin, levothyroxine, sertraline, pantoprazole, allopurinol, gabapentin,"
        " digoxin, tamsulosin, finasteride, furosemide, spironolactone"
    )
    note = f"Allergies: none\n\nChief Complaint: palpitations\n\nHPI: A 79-year-old man.\n\nMedications: {names}"
    found = container.pipeline("leapnote").run(DraftRequest(text=note))
    lines = " ".join(s.text for s in found.sentences if s.basis == Basis.PATIENT)
    assert [name for name in names.split(", ") if name not in lines.lower()] == []
    assert set(names.split(", ")) <= {row.name for row in found.medicines}


def test_a_home_medicine_that_is_listed_as_an_allergy_is_a_question_and_never_kept(write: Write) -> None:
    lines = texts(write(f"Allergies: furosemide (rash)\n\n{NOTE}"), "Your medicines")
    assert any(GAP.search(t) and t.startswith("Furosemide: [team") for t in lines)
    assert not any(t.startswith("Keep taking") for t in lines)


@pytest.mark.parametrize(
    ("listed", "lines"),
    [
        ("LISINOPRIL (ANGIOEDEMA)", "lisinopril (reaction: angioedema)"),
        ("Lasix (rash)", "Lasix (reaction: rash)"),
    ],
)
def test_an_allergy_is_stated_without_shouting(write: Write, listed: str, lines: str) -> None:
    sentences = texts(write(f"Allergies: {listed}\n\n{NOTE}"), "Staying safe")
    assert f"Your note says that you are allergic to {lines}." in sentences


def test_a_complaint_that_another_says_more_fully_is_not_said_again() -> None:
    assert without_repeats(["pain", "a cough", "sharp chest pain", "fever", "fever"]) == [
        "a cough",
        "sharp chest pain",
        "fever",
    ]


def test_signs_and_results_in_the_history_are_objective_and_what_is_said_of_them_is_not(write: Write) -> None:
    written = write(f"{NOTE}Pulse 108, BP 98/56. Chest x-ray normal. She had a fever to 102 at home.", document=SOAP)
    assert texts(written, "Objective") == [
        "Vital signs: pulse 108/min, blood pressure 98/56 mmHg.",
        "Chest x-ray normal.",
    ]
    assert "She had a fever to 102 at home." in texts(written, "Subjective")


def test_a_bare_list_says_what_it_lists(write: Write) -> None:
    written = write(f"{NOTE}\nPast Medical History: gout. rash.\n\nMedications: furosemide\n", document=SOAP)
    lines = texts(written, "Subjective")
    assert "Past medical history: gout." in lines
    assert "rash." in lines
    assert "Medicines: furosemide." in lines


def test_the_plan_says_how_much_it_leaves_out(write: Write) -> None:
    left = (
        "[team to complete: 1 test or treatment is left out here because of an allergy or of what else the patient has]"
    )
    assert left in texts(write(f"Allergies: lisinopril (angioedema)\n\n{NOTE}", document=SOAP), "Plan")
    assert left not in texts(write(NOTE, document=SOAP), "Plan")


def test_the_plan_begins_with_what_the_chapter_names(write: Write) -> None:
    (medicines,) = [p for p in write(NOTE).evidence.passages if p.section == "Medicines"]
    for named, other in (("lisinopril", "furosemide"), ("furosemide", "lisinopril")):
        chapter = medicines.model_copy(update={"text": f"{named.capitalize()} can help."})
        untreated = NOTE.replace("She takes furosemide.", "")
        plan = next(t for t in texts(write(untreated, passages=(chapter,), document=SOAP), "Plan") if "treatment" in t)
        assert plan == f"Heart failure: consider treatment with: {named} and {other}."


def test_what_the_patient_takes_or_had_done_is_not_suggested(write: Write) -> None:
    untreated = NOTE.replace("She takes furosemide.", "")
    assert any("furosemide" in t for t in texts(write(untreated, document=SOAP), "Plan"))
    assert not any("furosemide" in t for t in texts(write(NOTE, document=SOAP), "Plan"))
    imaged = f"{untreated}Chest x-ray today normal."
    assert any("chest x-ray" in t for t in texts(write(untreated, document=SOAP), "Plan"))
    assert not any("chest x-ray" in t for t in texts(write(imaged, document=SOAP), "Plan"))


def test_beside_a_note_an_answer_speaks_of_nobody_else_s_disease(write: Write) -> None:
    written = write(NOTE, document=Document.CLINICAL_ANSWER, question="What helps?")
    book = written.evidence.passages
    other = tuple(p.model_copy(update={"concept_id": "T:gout", "id": f"P9{p.id}"}) for p in book)
    assert texts(written, "Answer")
    elsewhere = write(NOTE, passages=other, document=Document.CLINICAL_ANSWER, question="What helps?")
    assert texts(elsewhere, "Answer") == [
        "[The sources here do not answer this. The nearest passages are shown beside it.]"
    ]
    named = write(NOTE, passages=other, document=Document.CLINICAL_ANSWER, question="What helps in gout?")
    assert texts(named, "Answer")


def test_results_under_another_header_are_objective_too(write: Write) -> None:
    written = write(f"{NOTE}\nMedications: furosemide. She lost her glasses. Creatinine 0.9.\n", document=SOAP)
    assert texts(written, "Objective") == ["Creatinine 0.9."]
    assert "She lost her glasses." in texts(written, "Subjective")


def test_several_of_a_class_do_not_agree(write: Write) -> None:
    lines = texts(write(f"Intolerances: ACE inhibitors (cough)\n\n{NOTE}"), "Staying safe")
    assert "Your note says that ACE inhibitors do not agree with you (reaction: cough)." in lines


def test_a_chapter_names_a_test_by_all_its_words_in_one_sentence(write: Write, tiny_linker: DictionaryLinker) -> None:
    written = write(NOTE)
    (lead,) = [c for c in written.conditions if c.focus]
    (image,) = [g for g in written.evidence.graph if g.concept_id == lead.concept_id and g.tail_name == "chest x-ray"]
    book = written.evidence.passages[0]
    for text, named in (("The chest is seen on an x-ray.", True), ("The chest hurts. An x-ray is a picture.", False)):
        evidence = written.evidence.model_copy(update={"passages": (book.model_copy(update={"text": text}),)})
        linked = tiny_linker.link(NOTE)
        material = Material(linked, written.conditions, evidence, PassageReader(tiny_linker), frozenset())
        assert material.named_by_chapter(lead, image) is named


def test_a_letter_s_greeting_and_pasted_markup_are_no_part_of_the_clinician_s_note(write: Write) -> None:
    letter = "Dear Dr Hale,\n\n<p>A 60-year-old woman with dyspnea and <b>leg swelling</b>.</p>\n\nYours sincerely, Dr P. Reed\n"
    lines = texts(write(letter, document=SOAP), "Subjective")
    assert any("leg swelling" in text for text in lines)
    assert not any("Dear" in text or "Yours" in text or "<" in text for text in lines)


def test_a_condition_is_worded_by_what_its_chapter_says(write: Write) -> None:
    why = texts(write(NOTE), "Why you came")
    assert any("heart failure (a heart that pumps too weakly)" in text for text in why)


def test_a_measured_value_is_no_reason_to_come(write: Write) -> None:
    why = texts(write("Chief Complaint: leg swelling\n\nVitals: T 39.4. She has a cough."), "Why you came")
    assert "leg swelling" in why[0]
    assert not any("fever" in text for text in why)
