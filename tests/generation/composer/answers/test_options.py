"""Options without a model: what helps for what is asked counts, and what harms is never chosen."""

import json
from collections.abc import Callable

import pytest

from backend.container.container import Container
from backend.evaluation.answers.answers_run import read_set
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Document
from backend.settings import ROOT
from backend.verification.safety.medicines.proposed_medicines import asks_for_harm

QUESTIONS = ROOT / "tests" / "benchmarks" / "contraindication_questions.jsonl"
LEARNED = 8
Ask = Callable[..., Draft]


@pytest.fixture
def ask(container: Container) -> Ask:
    """The draft of a question with options, by our own system without a language model."""

    def run(question: str, *options: str, note: str = "") -> Draft:
        request = DraftRequest(text=note, question=question, options=options, document=Document.CLINICAL_ANSWER)
        return container.pipeline("leapnote", "composer").run(request)

    return run


def test_what_a_source_advises_against_is_not_chosen_and_the_draft_says_so(ask: Ask) -> None:
    draft = ask("What can a man with gout and heart failure take for pain?", "ibuprofen", "naproxen")
    assert draft.answer == ""
    assert "“ibuprofen” must not be used and was not chosen" in draft.text
    beside = ask("Which treatment is right for C. diff?", "loperamide", "oral vancomycin")
    assert beside.option == "oral vancomycin"
    assert "“loperamide” was not chosen: the sources advise against it." in beside.text


def test_the_tests_of_what_a_question_means_and_does_not_name_are_chosen(ask: Ask) -> None:
    question = "Crampy loin pain into the groin with blood in the urine. Which imaging test is best?"
    assert (
        ask(question, "bone scan", "barium enema", "CT of the abdomen and pelvis").option
        == "CT of the abdomen and pelvis"
    )


def test_a_test_that_is_used_is_not_given(ask: Ask) -> None:
    draft = ask("Which test is used to find gallstones?", "bone scan", "ultrasound of the abdomen", "electromyography")
    assert draft.option == "ultrasound of the abdomen"


def test_what_the_graph_says_of_a_class_holds_for_its_member(ask: Ask) -> None:
    draft = ask("Which medicine is a common cause of a dry cough?", "metformin", "enalapril", "atorvastatin")
    assert draft.option == "enalapril"


def test_potassium_is_no_answer_to_too_much_potassium(ask: Ask) -> None:
    draft = ask("A patient has hyperkalemia of 6.8. What should be given?", "potassium chloride", "spironolactone")
    assert draft.answer == ""


def test_what_the_question_supposes_of_who_asks_holds(ask: Ask) -> None:
    draft = ask("Which pain reliever can I take if I have heart failure?", "ibuprofen", "naproxen", "acetaminophen")
    assert draft.option == "acetaminophen"


def test_a_dose_beyond_the_usual_range_is_not_chosen(ask: Ask) -> None:
    draft = ask("What can I take for low back pain?", "acetaminophen 9 g every day", "acetaminophen 500 mg")
    assert draft.option != "acetaminophen 9 g every day"
    assert "outside the usual adult range" in draft.text


def test_what_the_question_states_beside_a_note_speaks_against_an_option_too(container: Container) -> None:
    note = "Allergies: none\nHPI: 60F with knee pain."
    request = DraftRequest(
        text=note,
        question="She has heart failure. What should she be given?",
        options=("ibuprofen", "acetaminophen"),
        document=Document.CLINICAL_ANSWER,
    )
    assert set(container.safety.forbidden_options(request, container.linker.link(note), ())) == {"A"}


def test_an_option_that_brings_on_what_the_patient_has_is_cautioned(container: Container) -> None:
    question = "Low potassium, hypokalemia of 2.6. What should be given?"
    request = DraftRequest(question=question, options=("furosemide", "potassium chloride"))
    cautions = container.safety.cautioned_options(request, container.linker.link(question), ())
    assert cautions == {"A": "furosemide can bring on or worsen hypokalemia."}


@pytest.mark.parametrize(
    ("question", "harm"),
    [
        ("Which medicine should be avoided?", True),
        ("She coughs. What is the most likely cause?", True),
        ("What is right for diarrhea caused by an antibiotic?", False),
        ("What can he take who is allergic to penicillin?", False),
        ("What is she allergic to?", True),
    ],
)
def test_a_question_that_asks_what_to_give_asks_for_no_harm(question: str, harm: bool) -> None:
    assert asks_for_harm(question) is harm


def test_a_question_for_a_harm_may_be_answered_with_it(ask: Ask) -> None:
    draft = ask("Which medicine should a patient with heart failure avoid?", "ibuprofen", "furosemide")
    assert draft.option == "ibuprofen"


def test_none_of_the_first_learned_contraindication_questions_is_answered_with_harm(ask: Ask) -> None:
    learned = [one for one in read_set("jsonl", QUESTIONS, 0) if one.question_id in _learned()]
    assert all(one.harmful for one in learned)
    chosen = [(one, ask(one.text, *one.options, note=one.note).option) for one in learned[:LEARNED]]
    assert [one.question_id for one, option in chosen if option in one.harmful] == []
    assert sum(option == one.gold for one, option in chosen) >= 2  # not by choosing nothing


def _learned() -> frozenset[str]:

    rows = map(json.loads, QUESTIONS.read_text(encoding="utf-8").splitlines())
    return frozenset(row["id"] for row in rows if row["split"] == "learn")
