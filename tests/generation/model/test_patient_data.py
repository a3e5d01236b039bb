"""What a language model is given of a patient: the story, the medicine table, and only what may be told and fits."""

from collections.abc import Callable
from typing import Any

import pytest

from backend.container.container import Container
from backend.generation.composer.patient_material import MaterialMaker
from backend.generation.model.patient_data import PatientData, patient_data
from backend.generation.writers.composer_writer import pasted
from backend.nlp.extraction.linker import DictionaryLinker
from backend.retrieval.patient_notes.note_pieces import NotePieces
from backend.schemas.drafts.evidence import Condition, Evidence, GraphItem, Passage, ReasoningPath
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import ConditionStatus, Document, Source

NOTE = (
    "Allergies: penicillin (rash)\nMedications: metformin 500 mg twice a day\nChief Complaint: shortness of breath\n"
    "HPI: A 70-year-old woman with worse shortness of breath for three days. She lives alone.\n"
    "Assessment: Heart failure. Stop metformin."
)
HEART, GOUT = "LN:heart-failure", "LN:gout"
Given = Callable[..., PatientData]


def passage(number: int, concept: str, title: str, text: str) -> Passage:
    return Passage(
        id=f"P{number}",
        source=Source.BOOK,
        document_id=f"handbook/{title.lower()}",
        title=f"{title}: Diet",
        text=text,
        start_char=0,
        end_char=len(text),
        section="Diet",
        concept_id=concept,
    )


def condition(concept: str, name: str, *, written: bool) -> Condition:
    return Condition(
        concept_id=concept, name=name, score=0.9, status=ConditionStatus.POSSIBLE, focus=written, written=written
    )


EVIDENCE = Evidence(
    passages=(
        passage(1, HEART, "Heart failure", "A low salt diet helps in heart failure. Keep your stitches dry."),
        passage(2, GOUT, "Gout", "Drink plenty of water with gout."),
        passage(3, HEART, "Heart failure", "Amoxicillin is given for heart failure with a chest infection."),
    ),
    graph=(
        GraphItem(id="G1", concept_id=HEART, text="Heart failure is treated by furosemide.", relation="treated_by", tail_id="LN:furosemide"),
        GraphItem(id="G2", concept_id=GOUT, text="Gout is treated by colchicine.", relation="treated_by", tail_id="LN:colchicine"),
        GraphItem(id="G3", concept_id=HEART, text="Heart failure is treated by amoxicillin.", relation="treated_by", tail_id="LN:amoxicillin"),
        GraphItem(id="G4", concept_id=GOUT, text="Gout is a disease of the joints."),
    ),
    paths=(
        ReasoningPath(id="K1", keyword="dyspnea", steps=(), score=1, text="to heart failure", condition_id=HEART),
        ReasoningPath(id="K2", keyword="dyspnea", steps=(), score=1, text="to gout", condition_id=GOUT),
    ),
)  # fmt: skip
RANKED = (condition(HEART, "heart failure", written=True), condition(GOUT, "gout", written=False))


@pytest.fixture
def given(container: Container) -> Given:
    """What a model is given for a note over the starter knowledge."""
    checks, linker = container.assembly.checks, container.linker
    maker = MaterialMaker(linker, checks.reach, {}, pasted, checks.contraindications, checks.fit)

    def run(note: str = NOTE, conditions: tuple[Condition, ...] = RANKED, **fields: Any) -> PatientData:
        request = DraftRequest(text=note, **fields)
        linked = linker.read(note) if note else linker.link(request.question)
        pieces = NotePieces(linker, {}).pieces(linked, request)
        return patient_data(maker, request, linked, conditions, EVIDENCE.model_copy(update={"notes": pieces}))

    return run


def ids(data: PatientData) -> list[str]:
    return [one.id for kind in (data.evidence.passages, data.evidence.graph, data.evidence.paths) for one in kind]


@pytest.mark.parametrize("document", [Document.DISCHARGE_INSTRUCTIONS, Document.PROGRESS_NOTE])
def test_evidence_is_of_what_may_be_written_and_fits(given: Given, document: Document) -> None:
    data = given(document=document)
    assert ids(data) == ["P1", "G1", "K1"]
    assert data.evidence.passages[0].text == "A low salt diet helps in heart failure."  # she has no stitches
    assert [c.concept_id for c in data.conditions] == [HEART]


def test_where_nothing_may_be_written_about_no_disease_reaches_the_model(given: Given) -> None:
    data = given(conditions=(condition(HEART, "heart failure", written=False), RANKED[1]))
    assert ids(data) == []
    assert data.conditions == ()
    assert data.story


def test_a_system_that_ranks_nothing_gives_what_the_record_holds(given: Given) -> None:
    assert ids(given(conditions=())) == ["P1", "G1", "K1", "K2"]


def test_an_answer_keeps_all_evidence_since_a_question_may_be_about_anything(given: Given) -> None:
    data = given(document=Document.CLINICAL_ANSWER, question="What speaks against gout?")
    assert (data.evidence.passages, data.conditions) == (EVIDENCE.passages, RANKED)
    assert data.story


def test_the_story_and_the_table_reach_the_prompt_with_their_ids(given: Given) -> None:
    data = given()
    assert "Why they came: You had worse shortness of breath" in data.story
    assert all("[N" in line for line in data.story.splitlines())
    assert "Stop taking: metformin" in data.medicines
    assert "[N" in data.medicines
    request = DraftRequest(text=NOTE)
    shown = data.prompt_material(request, DictionaryLinker(()).link(NOTE)).data()
    assert (shown["story"], shown["medicines"]) == (data.story, data.medicines)
    assert shown["conditions"].startswith("heart failure: possible")
    assert "gout" not in shown["conditions"]


def test_words_of_a_note_that_look_like_ids_are_none_in_the_story(given: Given) -> None:
    data = given(NOTE.replace("She lives alone.", "She had a stent [N9] placed in May."))
    assert "[N9]" not in data.story


def test_a_question_without_a_note_has_no_story(given: Given) -> None:
    data = given("", question="Can a 70-year-old woman with heart failure take ibuprofen?")
    assert (data.story, data.medicines) == ("", "")
