"""An option that the safety check forbids is never the answer, whoever chooses; the draft says why."""

import json
from collections.abc import Callable

import pytest

from backend.container.container import Container
from backend.container.language_models import Chosen
from backend.pipeline.draft_pipeline import DraftPipeline
from backend.planning.source_plan import SourceChoice
from backend.schemas.drafts.draft import Draft, Generator
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Document, DraftStatus
from backend.systems import system
from backend.verification.safety.medicines.proposed_medicines import proposed_medicines
from models.llm.engine_scripted import Scripted

ASKED = "What is the best medicine to start for her blood pressure?"
ALLERGY = (
    "Allergies: lisinopril (angioedema)\nChief Complaint: high blood pressure\nHPI: 60F with hypertension and headache."
)
PREGNANT = "Allergies: none\nChief Complaint: high blood pressure\nHPI: 28F, pregnant at 20 weeks, with hypertension."
OPTIONS = ("lisinopril", "labetalol", "enalapril")
Answered = Callable[..., Draft]


def request(note: str, options: tuple[str, ...] = OPTIONS, question: str = ASKED) -> DraftRequest:
    return DraftRequest(text=note, question=question, options=options, document=Document.CLINICAL_ANSWER)


def chosen(letter: str) -> str:
    return json.dumps({"reasoning": "It lowers the pressure.", "letter": letter, "citations": []})


@pytest.fixture
def by_overlap(container: Container) -> Answered:
    """The answer without a language model."""
    return container.pipeline("leapnote", "composer").run


@pytest.fixture
def by_model(container: Container) -> Callable[[Scripted], DraftPipeline]:
    """The pipeline with a scripted model as its writer alone."""

    def build(model: Scripted) -> DraftPipeline:
        models = container.models.chosen("composer")
        models = Chosen("scripted", Generator(name="scripted", reason="test"), models.roles._replace(writer=model))
        return DraftPipeline(container.assembly.pipeline_parts(system("no-retrieval"), SourceChoice(), models))

    return build


@pytest.mark.parametrize("note", [ALLERGY, PREGNANT])
@pytest.mark.parametrize("options", [OPTIONS, tuple(reversed(OPTIONS))])
def test_overlap_takes_the_next_best_option_and_says_why(
    by_overlap: Answered, note: str, options: tuple[str, ...]
) -> None:
    draft = by_overlap(request(note, options))
    assert draft.option == "labetalol"
    assert "“lisinopril” must not be used and was not chosen: " in draft.text
    assert "“enalapril” must not be used and was not chosen: " in draft.text


@pytest.mark.parametrize("note", [ALLERGY, PREGNANT])
def test_no_option_is_chosen_where_none_is_left(by_overlap: Answered, note: str) -> None:
    draft = by_overlap(request(note, ("lisinopril", "enalapril")))
    assert draft.answer == ""
    assert "No option was chosen: the safety check forbids each of them for this patient." in draft.text


@pytest.mark.parametrize("note", [ALLERGY, PREGNANT])
def test_a_model_cannot_choose_a_forbidden_option(by_model: Callable[[Scripted], DraftPipeline], note: str) -> None:
    model = Scripted(chosen("A"), chosen("B"))
    draft = by_model(model).run(request(note))
    assert draft.answer == "B"
    assert "“lisinopril” must not be used and was not chosen: " in draft.text
    schema = model.schemas[0]
    assert isinstance(schema, dict)
    assert schema["properties"]["letter"]["const"] == "B"
    assert "A. lisinopril (must not be chosen: " in model.calls[0][1].content
    insists = by_model(Scripted(chosen("A"), chosen("C"))).run(request(note))
    assert (insists.answer, insists.status) == ("", DraftStatus.PARTIAL)


def test_a_model_is_not_asked_where_no_option_is_left(by_model: Callable[[Scripted], DraftPipeline]) -> None:
    model = Scripted(chosen("A"))
    draft = by_model(model).run(request(ALLERGY, ("lisinopril", "enalapril")))
    assert (draft.answer, draft.status, model.calls) == ("", DraftStatus.COMPLETE, [])
    assert "No option was chosen: the safety check forbids each of them for this patient." in draft.text


def test_a_question_without_a_note_describes_its_own_patient(container: Container) -> None:
    asked = f"A 28-year-old woman, pregnant at 20 weeks, has hypertension. {ASKED}"
    only = DraftRequest(question=asked, options=OPTIONS)
    forbidden = container.safety.forbidden_options(only, container.linker.link(asked), ())
    assert set(forbidden) == {"A", "C"}


def test_what_never_goes_with_a_home_medicine_is_forbidden(container: Container) -> None:
    note = "Allergies: none\nMedications: sildenafil 50 mg daily\nHPI: 60M with chest pain."
    asked = request(note, ("nitroglycerin", "aspirin"), "What should be given?")
    forbidden = container.safety.forbidden_options(asked, container.linker.link(note), ())
    assert set(forbidden) == {"A"}


@pytest.mark.parametrize(
    ("option", "question", "given"),
    [
        ("Lisinopril 10 mg daily", ASKED, ["lisinopril"]),
        ("Start lisinopril and aspirin", ASKED, ["lisinopril", "aspirin"]),
        ("Stop lisinopril", ASKED, []),
        ("Stop lisinopril and start enalapril", ASKED, ["enalapril"]),
        ("Switch from lisinopril to losartan", ASKED, ["losartan"]),
        ("Replace lisinopril with losartan", ASKED, ["losartan"]),
        ("Avoid ibuprofen", ASKED, []),
        ("Lisinopril-induced angioedema", "What is the diagnosis?", []),
        ("Penicillin desensitization", ASKED, []),
        ("lisinopril", "She coughs. Which medicine is the most likely cause?", []),
        ("lisinopril", "Which medicine should be avoided?", []),
        ("lisinopril", "Which medicine would you stop?", []),
        ("lisinopril", "Her cough was caused by a cold. What should be started?", ["lisinopril"]),
        ("lisinopril", "What should be given to avoid a stroke?", ["lisinopril"]),
    ],
)
def test_an_option_proposes_what_it_gives(container: Container, option: str, question: str, given: list[str]) -> None:
    assert [m.name for m in proposed_medicines(option, question, container.linker)] == given


@pytest.fixture
def by_reading_model(container: Container) -> Callable[[Scripted], DraftPipeline]:
    """The pipeline of our own system, which retrieves, with a scripted model as its writer alone."""

    def build(model: Scripted) -> DraftPipeline:
        models = container.models.chosen("composer")
        models = Chosen("scripted", Generator(name="scripted", reason="test"), models.roles._replace(writer=model))
        return DraftPipeline(container.assembly.pipeline_parts(system("leapnote"), SourceChoice(), models))

    return build


def test_a_model_cannot_choose_what_a_source_advises_against(
    by_reading_model: Callable[[Scripted], DraftPipeline],
) -> None:
    model = Scripted(chosen("B"))
    draft = by_reading_model(model).run(
        request("", ("loperamide", "oral vancomycin"), "Which treatment is right for C. diff?")
    )
    assert draft.option == "oral vancomycin"
    assert "A. loperamide (must not be chosen: a source advises against it" in model.calls[0][1].content
    schema = model.schemas[0]
    assert isinstance(schema, dict)
    assert schema["properties"]["letter"]["const"] == "B"
    remark = next(s for s in draft.sentences if "“loperamide” was not chosen: the sources advise against it." in s.text)
    assert any(p.id in remark.citations for p in draft.evidence.passages)


LOW = "Low potassium, hypokalemia of 2.6. What should be given?"


def test_a_warning_stands_before_a_cautioned_option_that_a_model_chooses(
    by_model: Callable[[Scripted], DraftPipeline],
) -> None:
    model = Scripted(chosen("A"))
    draft = by_model(model).run(request("", ("furosemide", "potassium chloride"), LOW))
    assert draft.option == "furosemide"
    assert draft.sentences[0].text == (
        "[Warning before A: “furosemide”: furosemide can bring on or worsen hypokalemia.]"
    )
    assert "A. furosemide (a warning speaks against it: furosemide can bring on" in model.calls[0][1].content


def test_no_warning_stands_before_an_option_that_nothing_speaks_against(
    by_model: Callable[[Scripted], DraftPipeline],
) -> None:
    draft = by_model(Scripted(chosen("B"))).run(request("", ("furosemide", "potassium chloride"), LOW))
    assert draft.option == "potassium chloride"
    assert "Warning before" not in draft.text


def test_a_question_that_asks_for_a_harm_bars_and_warns_of_nothing(
    by_reading_model: Callable[[Scripted], DraftPipeline],
) -> None:
    model = Scripted(chosen("A"))
    asked = "Which medicine should a patient with heart failure avoid?"
    draft = by_reading_model(model).run(request("", ("ibuprofen", "furosemide"), asked))
    assert draft.option == "ibuprofen"
    assert "Warning before" not in draft.text
    assert "must not be chosen" not in model.calls[0][1].content
