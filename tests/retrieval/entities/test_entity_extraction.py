"""Entity extraction: what is looked up, in which category, and what never is."""

import json
from collections.abc import Callable

import pytest

from backend.nlp.extraction.linker import DictionaryLinker
from backend.prompts.asking import Asker
from backend.prompts.template import Fence
from backend.retrieval.entities.entity_extraction import CATEGORIES, EntityCategory, Extracted, extracted
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.vocabulary import Category
from models.llm.engine_scripted import Dead, Scripted

NOTE = (
    "Allergies: penicillin (rash).\nFamily History: mother with gout.\n"
    "HPI: Dyspnea and leg swelling, no fever. Takes Zestril. Chest x-ray of the lung ordered.\nChief Complaint: cough."
)
Link = Callable[[str], LinkedNote]
Run = Callable[..., Extracted]


@pytest.fixture
def run(tiny_linker: DictionaryLinker) -> Run:
    def extract(note: str, *replies: str, question: str = "", model: Scripted | None = None) -> Extracted:
        asked = model or (Scripted(*replies) if replies else None)
        asker = Asker(asked, 0, lambda: Fence("f00d")) if asked else None
        beside = tiny_linker.link(question) if question else None
        return extracted(tiny_linker.link(note), beside, tiny_linker, asker)

    return extract


def reply(*entities: tuple[str, str, str]) -> str:
    return json.dumps({"entities": [{"text": t, "category": c, "status": s} for t, c, s in entities]})


def test_the_dictionary_gives_categories_and_leaves_out_what_may_not_be_looked_up(run: Run) -> None:
    found = run(NOTE)
    # the chief complaint comes first, then the history as written; penicillin and rash are of the allergy, gout of a relative,
    # fever is denied: 4 excluded
    assert [(e.name, e.category.value) for e in found.entities] == [
        ("cough", "symptom"),
        ("dyspnea", "symptom"),
        ("leg swelling", "symptom"),
        ("lisinopril", "drug"),
        ("chest x-ray", "test"),
        ("lung", "anatomy"),
    ]
    assert (found.excluded, found.made_up, found.fell, found.by) == (4, 0, "", "the dictionary")
    assert found.entities[3].text == "Zestril"
    assert NOTE[found.entities[3].start_char :].startswith("Zestril")


def test_a_question_s_entities_come_first_and_each_thing_once(run: Run) -> None:
    found = run("HPI: cough and fever.", question="Is fever a sign of pneumonia?")
    assert [e.name for e in found.entities] == ["fever", "pneumonia", "cough"]


def test_every_entity_category_is_reached_and_people_and_places_are_none() -> None:
    assert set(CATEGORIES.values()) == set(EntityCategory)
    assert not {Category.PERSON, Category.PLACE, Category.OCCUPATION, Category.ALLERGEN} & CATEGORIES.keys()


def test_a_model_s_spans_must_stand_in_the_note_letter_by_letter(run: Run) -> None:
    found = run(
        NOTE,
        reply(
            ("Dyspnea", "symptom", "present"),
            ("dyspnea", "symptom", "present"),  # altered: the note has a capital letter
            ("edema of the legs", "symptom", "present"),  # put in other words
            ("swell", "symptom", "present"),  # only a part of a word
            ("pneumonia", "disease", "present"),  # made up
            ("Zestril", "drug", "present"),
        ),
    )
    assert [(e.text, e.name, e.concept_id) for e in found.entities] == [
        ("Dyspnea", "dyspnea", "T:dyspnea"),
        ("Zestril", "lisinopril", "T:lisinopril"),
    ]
    assert (found.made_up, found.excluded, found.fell, found.by) == (4, 0, "", "scripted")


def test_a_model_cannot_bring_in_what_the_note_denies_or_the_patient_reacts_to(run: Run) -> None:
    found = run(
        NOTE,
        reply(
            ("fever", "symptom", "present"),  # denied by the note, whatever the model says
            ("gout", "disease", "present"),  # of a relative
            ("penicillin", "drug", "present"),  # the allergen
            ("rash", "symptom", "present"),  # the reaction to it
            ("cough", "symptom", "negated"),  # the model knows better than the linker: the stricter of both counts
            ("leg swelling", "symptom", "uncertain"),
        ),
    )
    assert [e.name for e in found.entities] == ["leg swelling"]
    assert (found.excluded, found.made_up) == (5, 0)


def test_a_span_denied_in_one_place_and_present_in_another_is_looked_up_where_it_is_present(run: Run) -> None:
    note = "HPI: No fever yesterday. Today fever."
    found = run(note, reply(("fever", "symptom", "present")))
    assert [e.start_char for e in found.entities] == [note.rindex("fever")]


def test_what_no_dictionary_knows_is_kept_with_its_words_and_without_a_concept(run: Run) -> None:
    found = run("HPI: Kawasaki disease.", reply(("Kawasaki disease", "disease", "present")))
    assert found.entities[0][:4] == ("Kawasaki disease", EntityCategory.DISEASE, "Kawasaki disease", "")


def test_a_model_sees_note_and_question_inside_the_fence_only(run: Run) -> None:
    model = Scripted(reply(("cough", "symptom", "present")))
    run("HPI: cough.", question="Why fever?", model=model)
    system, user = model.calls[0]
    assert "HPI" not in system.content
    assert "<<f00d NOTE>>\nHPI: cough.\n<</f00d>>" in user.content
    assert "<<f00d QUESTION>>\nWhy fever?\n<</f00d>>" in user.content
    schema = str(model.schemas[0])
    assert "'anatomy'" in schema
    assert "additionalProperties" in schema


@pytest.mark.parametrize(("model", "why"), [(Dead(), "did not answer"), (Scripted("no idea"), "out of form")])
def test_without_an_answer_the_dictionary_stands_in_and_it_is_said(run: Run, model: Scripted, why: str) -> None:
    found = run("HPI: cough.", model=model)
    assert [e.name for e in found.entities] == ["cough"]
    assert found.by == "the dictionary"
    assert found.fell.startswith("entities: ")
    assert why in found.fell


def test_of_a_reply_out_of_form_the_whole_entries_are_used(run: Run) -> None:
    broken = json.dumps(
        {
            "entities": [
                {"text": "cough", "category": "symptom", "status": "present", "sure": 1},
                {"text": "fever", "category": "planet", "status": "present"},
                {"text": "", "category": "symptom", "status": "present"},
                {"text": "fever", "category": ["symptom"], "status": "present"},
                "fever",
            ]
        }
    )
    found = run("HPI: cough and fever.", broken)
    assert [e.name for e in found.entities] == ["cough"]
    assert "what could be used of it was" in found.fell


def test_a_note_without_entities_gives_none(run: Run) -> None:
    assert run("Nothing to see here.") == Extracted((), "the dictionary")
