"""What answers a question is about the thing and the aspect asked; else the sources do not answer it."""

from collections.abc import Callable

import pytest

from backend.container.container import Container
from backend.generation.composer.answer import MOST_WORDS, NOT_ANSWERED
from backend.generation.composer.answers.against import Direction, advice_against, direction_of
from backend.generation.composer.answers.asked import read_question, stems
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Basis, Document

NOTE = (
    "Allergies: penicillin (rash)\nHPI: 72F with heart failure and worse leg swelling. Potassium 5.9. She does not smoke.\n"
    "Medications: furosemide 40 mg daily\nPlan: Cardiology follow-up in 1 week."
)
Ask = Callable[..., Draft]


@pytest.fixture
def ask(container: Container) -> Ask:
    """The draft of a question, by our own system without a language model."""

    def run(question: str, note: str = "") -> Draft:
        request = DraftRequest(text=note, question=question, document=Document.CLINICAL_ANSWER)
        return container.pipeline("leapnote", "composer").run(request)

    return run


def answer(draft: Draft) -> list[str]:
    """The sentences of the answer, without remarks."""
    return [sentence.text for sentence in draft.sentences if not sentence.text.startswith("[")]


@pytest.mark.parametrize(
    ("question", "aspect"),
    [
        ("What is gout?", "what_is"),
        ("What are the symptoms of gout?", "symptoms"),
        ("Can I take aspirin with warfarin?", "may_i"),
        ("How long does gout last?", "how_long"),
        ("When should I call the doctor about gout?", "when_to_call"),
        ("How much aspirin can I take?", "dose"),
        ("What are the side effects of aspirin?", "side_effect"),
        ("What is infectious gastroenteritis?", "what_is"),
        ("Can coffee raise blood pressure?", "side_effect"),
        ("How can I lower my blood pressure?", "treatment"),
    ],
)
def test_a_question_asks_for_an_aspect(container: Container, question: str, aspect: str) -> None:
    asked = read_question(question, container.linker)
    assert asked.aspect is not None
    assert asked.aspect.name == aspect


@pytest.mark.parametrize(
    ("question", "full"),
    [("hows gout treated", "how is gout treated"), ("whos at risk of gout", "who is at risk of gout")],
)
def test_a_word_that_asks_needs_no_apostrophe(container: Container, question: str, full: str) -> None:
    asked = read_question(question, container.linker)
    assert asked == read_question(full, container.linker)
    assert "hows" not in {word for thing in asked.things for one in thing.words for word in one}


def test_a_word_within_an_asking_phrase_is_asked_about(container: Container) -> None:
    asked = read_question("Can worry cause high blood pressure?", container.linker)
    assert frozenset(stems("worry")) in {word for thing in asked.things for word in thing.words}


def test_what_is_left_out_is_not_asked_for(container: Container) -> None:
    asked = read_question("How is gout treated without medicine?", container.linker)
    assert asked.aspect is not None and asked.aspect.name == "treatment"
    assert asked.without == {"Medicines"}


def test_driving_meets_drive_and_numbers_distinguish_names() -> None:
    assert stems("driving") == stems("drive")
    assert stems("type 1 diabetes") != stems("type 2 diabetes")


def test_a_question_of_symptoms_is_answered_from_that_part(ask: Ask) -> None:
    draft = ask("What are the symptoms of heart failure?")
    sections = {p.id: (p.section, p.concept_id) for p in draft.evidence.passages}
    cited = {sections[c] for sentence in draft.sentences for c in sentence.citations}
    assert cited == {("How it shows", "LN:heart-failure")}


@pytest.mark.parametrize(
    "question",
    [
        "What is the capital of France?",
        "What are the symptoms of Hurler syndrome?",
        "Does vitamin C prevent the common cold?",
        "Where can I buy a blood pressure monitor?",
    ],
)
def test_what_the_sources_do_not_answer_is_said_and_the_nearest_passages_are_shown(ask: Ask, question: str) -> None:
    draft = ask(question)
    assert answer(draft) == []
    only = draft.sentences[0]
    assert NOT_ANSWERED in only.text
    assert set(only.citations) <= {passage.id for passage in draft.evidence.passages}
    assert only.citations


@pytest.mark.parametrize(
    "question", ["What is heart failure?", "How is pneumonia treated?", "What should I eat with gout?"]
)
def test_an_answer_has_at_most_so_many_words(ask: Ask, question: str) -> None:
    words = sum(len(text.split()) for text in answer(ask(question)))
    assert 0 < words <= MOST_WORDS


def test_two_medicines_are_answered_by_what_joins_them(ask: Ask) -> None:
    assert answer(ask("Can I take Tylenol with warfarin?")) == [
        "Acetaminophen interacts with warfarin (INR rises with regular high doses)."
    ]


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("What is her potassium?", "The note says: “Potassium 5.9.”"),
        ("Does she smoke?", "The note says: “She does not smoke.”"),
        ("Is she allergic to anything?", "The note says: “penicillin (rash)”"),
        ("What follow-up does she need?", "The note says: “Cardiology follow-up in 1 week.”"),
    ],
)
def test_beside_a_note_the_note_answers_first(ask: Ask, question: str, says: str) -> None:
    first = ask(question, NOTE).sentences[0]
    assert (first.text, first.basis) == (says, Basis.PATIENT)
    assert first.citations[0].startswith("N")


def test_beside_a_note_a_question_of_general_knowledge_is_not_answered_by_the_note(ask: Ask) -> None:
    assert all(s.basis is Basis.GENERAL for s in ask("How is gout treated?", NOTE).sentences)


@pytest.mark.parametrize(
    ("text", "name", "against"),
    [
        ("Ask your team before you take ibuprofen, since it can make asthma worse.", "ibuprofen", True),
        ("Ask your team before you take ibuprofen; acetaminophen is safer.", "acetaminophen", False),
        ("Sildenafil is not safe with nitroglycerin.", "Sildenafil", True),
        ("A doubled dose of warfarin can cause bleeding.", "warfarin", False),
        ("Do not stop aspirin on your own.", "aspirin", False),
    ],
)
def test_what_a_sentence_advises_against(text: str, name: str, against: bool) -> None:
    start = text.index(name)
    found = advice_against(text, [(start, start + len(name), "C")])
    assert any("C" in one.of.concepts for one in found) is against


def test_a_harm_counts_by_what_it_is_done_to() -> None:
    (one,) = advice_against("Ibuprofen can raise potassium.", [(0, 9, "I"), (20, 29, "K")])
    assert one.harm is not None
    assert (one.of.concepts, one.harm.concepts) == (frozenset({"I"}), frozenset({"K"}))


def test_relations_have_a_direction() -> None:
    assert direction_of("treats") is Direction.HELPS
    assert direction_of("contraindicated_with") is Direction.HARMS
    assert direction_of("isa") is Direction.NEITHER
